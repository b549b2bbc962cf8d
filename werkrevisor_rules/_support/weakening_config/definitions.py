"""Reads what a project's own commands stand for into checks: Makefiles, npm scripts, tox, nox, shell scripts."""

import ast
import posixpath
import re
from collections.abc import Iterator
from typing import Final

from attrs import evolve

from werkrevisor_core.patterns import lazy
from werkrevisor_rules._support.weakening import Kind
from werkrevisor_rules._support.weakening_config.checks import checks_of, topic_of_name
from werkrevisor_rules._support.weakening_config.flow import read_json
from werkrevisor_rules._support.weakening_config.ini import read_ini
from werkrevisor_rules._support.weakening_config.scripts import Place, script_checks
from werkrevisor_rules._support.weakening_config.steps import Check, Limit
from werkrevisor_rules._support.weakening_config.tree import (
    MAX_TEXT,
    Scalar,
    Table,
    UnreadableConfig,
    items_of,
    table_of,
    text_of,
)

_RULE: Final = lazy(r"([^\s:=#][^:=#]*)::?(?!=)([^#;]*)(?:;(.*)|#.*)?", re.DOTALL)
_VARIABLE: Final = lazy(r"\s*(?:export\s+|override\s+)*([\w.-]+)\s*(?:\?|::?:?|\+)?=\s*(.*)")
_REFERENCE: Final = lazy(r"\$[({]([\w.-]+)[)}]")
_PREFIX: Final = lazy(r"[@+\s-]*")
_AROUND: Final = lazy(r"^(?:pre|post)(?=test|lint|build)")
_LONGEST: Final = 20_000


def make_checks(text: str, path: str) -> Iterator[Check]:
    """Yield the checks of a Makefile's recipes, and the targets that a target of checks needs.

    Raises:
        UnreadableConfig: it is too long.
    """
    if len(text) > MAX_TEXT:
        raise UnreadableConfig("it is too long")
    folder = posixpath.dirname(path)
    variables = {"MAKE": "make"}
    targets: list[str] = []
    for number, line in _joined(text):
        if line.startswith("\t") or (line.startswith(" ") and path.endswith("ustfile")):
            for target in targets:
                yield from _recipe(line, number, Place(path, target, f"make {target}", folder), variables)
        elif found := _VARIABLE.fullmatch(line):
            variables[found.group(1)] = found.group(2)
        elif found := _RULE.fullmatch(line.rstrip()):
            targets = found.group(1).split()
            for target in targets:
                yield from _needed(found.group(2).split(), number, Place(path, target, f"make {target}", folder))
                if found.group(3):
                    place = Place(path, target, f"make {target}", folder)
                    yield from _recipe(found.group(3), number, place, variables)


def _joined(text: str) -> Iterator[tuple[int, str]]:
    """Yield lines with those that a backslash continues."""
    start, parts = 1, list[str]()
    for number, line in enumerate(text.split("\n"), 1):
        if not parts:
            start = number
        parts.append(line.removesuffix("\r"))
        if not line.endswith("\\"):
            yield start, "\n".join(parts)
            parts = []
    if parts:
        yield start, "\n".join(parts)


def _recipe(line: str, number: int, place: Place, variables: dict[str, str]) -> Iterator[Check]:
    found = _PREFIX.match(line)
    end = found.end() if found else 0
    if "-" in line[:end]:
        place = evolve(place, limits=(Limit(Kind.NON_FAILING, "- before the command", number),))
    text = _expanded(line[end:], variables).replace("$$", "$")
    yield from script_checks(text, number, place, stops=False)


def _expanded(text: str, variables: dict[str, str]) -> str:
    for _ in range(3):
        text = _REFERENCE.sub(lambda match: variables.get(match.group(1), match.group(0))[:_LONGEST], text)
        if len(text) > _LONGEST:
            raise UnreadableConfig("its variables make a command too long")
    return text


def _needed(names: list[str], number: int, place: Place) -> Iterator[Check]:
    """Yield what a target of checks needs as checks of its own."""
    if topic_of_name(place.label) is None:
        return
    for name in names:
        for command in checks_of(["make", name]):
            yield Check(command, place.path, number, place.label, (), place.definition, place.directory)


def package_checks(text: str, path: str) -> Iterator[Check]:
    """Yield the checks of the scripts of a `package.json` or the tasks of a `deno.json`.

    Raises:
        UnreadableConfig: it is not valid or out of bounds.
    """
    root = table_of(read_json(text))
    for entry in (*table_of(root.get("scripts")).entries, *table_of(root.get("tasks")).entries):
        if isinstance(entry.value, Scalar):
            place = Place(path, entry.key, f"run {_AROUND.sub('', entry.key)}", posixpath.dirname(path))
            yield from script_checks(entry.value.text, entry.line, place, stops=False)


def tox_checks(text: str, path: str) -> Iterator[Check]:
    """Yield the checks of the commands of `tox.ini` or `setup.cfg`.

    Raises:
        UnreadableConfig: it is out of bounds.
    """
    for section in read_ini(text).entries:
        if section.key.startswith("testenv"):
            yield from _tox_section(table_of(section.value), path, section.key)


def _tox_section(table: Table, path: str, label: str) -> Iterator[Check]:
    limits = [
        Limit(Kind.NON_FAILING, f"{entry.key} = {text}", entry.line)
        for entry in table.entries
        if entry.key in ("ignore_outcome", "ignore_errors") and (text := (text_of(entry.value) or "").lower()) == "true"
    ]
    for entry in table.entries:
        if entry.key not in ("commands", "commands_pre"):
            continue
        for item in items_of(entry.value):
            # tox.ini has one command per line; TOML has lists of words.
            words = [text_of(word) or "" for word in items_of(item)]
            for at, line in enumerate(_continued(" ".join(words)).split("\n")):
                soft = (
                    (Limit(Kind.NON_FAILING, "- before the command", item.line + at),)
                    if line.lstrip().startswith("-")
                    else ()
                )
                place = Place(path, label, "tox", limits=(*soft, *limits))
                yield from script_checks(line.lstrip("-! "), item.line + at, place)


def _continued(text: str) -> str:
    """Return a text in which a command that a backslash continues stands on one line."""
    return text.replace("\\\n", " ")


def tox_table_checks(root: Table, path: str) -> Iterator[Check]:
    """Yield the checks of the table of tox in a TOML file."""
    yield from _tox_section(table_of(root.get("env_run_base")), path, "env_run_base")
    for entry in table_of(root.get("env")).entries:
        yield from _tox_section(table_of(entry.value), path, entry.key)
    legacy = root.entry("legacy_tox_ini")
    if legacy is not None:
        yield from tox_checks(text_of(legacy.value) or "", path)


def nox_checks(text: str, path: str) -> Iterator[Check]:
    """Yield the checks that the sessions of a `noxfile.py` run.

    Raises:
        UnreadableConfig: it is no Python, or out of bounds.
    """
    if len(text) > MAX_TEXT // 4:
        raise UnreadableConfig("it is too long")
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise UnreadableConfig("it is no valid Python") from None
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in ("run", "run_always")
        ):
            words = [
                value.value if isinstance(value, ast.Constant) and isinstance(value.value, str) else "$"
                for value in node.args
            ]
            soft = any(word.arg == "success_codes" for word in node.keywords)
            limits = (Limit(Kind.NON_FAILING, "success_codes", node.lineno),) if soft else ()
            for command in checks_of(words):
                yield Check(command, path, node.lineno, "session.run", limits, "nox")


def shell_checks(text: str, path: str) -> Iterator[Check]:
    """Yield the checks of a shell script.

    Raises:
        UnreadableConfig: it is too long.
    """
    first = text.split("\n", 1)[0]
    stops = first.startswith("#!") and re.search(r"\s-[a-z]*e", first) is not None
    yield from script_checks(text, 1, Place(path, path, f"script {path}"), stops=stops)
