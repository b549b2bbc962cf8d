"""Turns the nodes of a document into settings with dotted keys."""

import re
from collections.abc import Iterator
from typing import Final

from attrs import evolve

from werkrevisor_core.patterns import lazy
from werkrevisor_rules._support.weakening_config.settings import Setting
from werkrevisor_rules._support.weakening_config.tree import (
    MAX_NODES,
    Items,
    Node,
    Scalar,
    Table,
    UnreadableConfig,
    items_of,
    table_of,
    text_of,
    texts_of,
    walk,
)
from werkrevisor_rules._support.weakening_config.yaml import read_yaml

_REFUSING: Final = lazy(r"-Werror\\S*|-D ?[\\w:-]+|--deny[ =]\\S+")
_VERSION: Final = lazy(r"(?:py|pypy|cpython)?-?\{?[\d{]|.*\{")
_NAMES: Final = ("name", "module", "files", "id", "linters", "path")
"""Keys that tell the tables of a list apart."""


def flattened(node: Node | None, tool: str, path: str, prefix: str = "") -> Iterator[Setting]:
    """Yield every scalar and every list of scalars below a node as a setting.

    Raises:
        UnreadableConfig: there are too many of them.
    """
    waiting: list[tuple[str, int, Node]] = [] if node is None else [(prefix, node.line, node)]
    seen = 0
    while waiting:
        key, line, found = waiting.pop()
        seen += 1
        if seen > MAX_NODES:
            raise UnreadableConfig("it has too many values")
        if isinstance(found, Table):
            waiting += [(_joined(key, entry.key), entry.line, entry.value) for entry in reversed(found.entries)]
        elif isinstance(found, Items):
            texts = texts_of(found)
            if texts or not found.items:
                yield Setting(tool, key, path, line, values=texts)
            tables = [item for item in found.items if not isinstance(item, Scalar)]
            waiting += [(_joined(key, _name(item)), item.line, item) for item in reversed(tables)]
        else:
            yield Setting(tool, key, path, found.line or line, found.text)


def _joined(key: str, name: str) -> str:
    return f"{key}.{name}" if key and name else key or name


def _name(item: Node) -> str:
    table = table_of(item)
    return next((" ".join(texts) for name in _NAMES if (texts := texts_of(table.get(name)))), "")


def ini_settings(section: Table, tool: str, path: str, prefix: str = "") -> Iterator[Setting]:
    """Yield the options of a section of an INI file; a value of several lines is a list."""
    for entry in section.entries:
        text = text_of(entry.value) or ""
        values = tuple(part.strip() for part in text.split("\n")) if "\n" in text and entry.key != "addopts" else None
        yield Setting(tool, _joined(prefix, entry.key), path, entry.line, text, values)


def python_settings(settings: Iterator[Setting]) -> Iterator[Setting]:
    """Yield settings of Python's tools with the names that do not depend on the file they stand in.

    A list and what extends it (`ignore`, `extend-ignore`) are one.
    """
    lists: dict[str, Setting] = {}
    for setting in _named(settings):
        base = setting.key.removeprefix("extend-").removeprefix("extend_")
        if setting.tool in ("ruff", "flake8") and base in ("select", "ignore", "exclude"):
            known = lists.get(base)
            lists[base] = evolve(setting, key=base, values=(*(known.items if known else ()), *setting.items))
        else:
            yield setting
    yield from lists.values()


def _named(settings: Iterator[Setting]) -> Iterator[Setting]:
    for setting in settings:
        key = setting.key.removeprefix("lint.") if setting.tool == "ruff" else setting.key
        if setting.tool == "pylint":
            key = key.rsplit(".", 1)[-1]
        if setting.tool == "pytest" and key == "filterwarnings":
            errors = tuple(line for line in setting.lines if re.match(r"error\b", line))
            yield Setting("pytest", "filterwarnings.error", setting.path, setting.line, values=errors)
        elif setting.tool == "tox" and key in ("envlist", "env_list"):
            # Versions of an interpreter come and go; what else is listed are checks.
            names = tuple(name for name in setting.items if not _VERSION.match(name))
            yield Setting("tox", "env_list", setting.path, setting.line, values=names)
        else:
            yield Setting(setting.tool, key, setting.path, setting.line, setting.text, setting.values)


def overrides(node: Node | None, path: str) -> Iterator[Setting]:
    """Yield mypy's settings for single modules, one per module."""
    for item in items_of(node):
        for module in texts_of(table_of(item).get("module")):
            yield from flattened(item, "mypy", path, f"overrides.{module}")


def environment(text: str, path: str) -> Iterator[Setting]:
    """Yield the variables of a workflow or pipeline that tell tools how much to refuse.

    Raises:
        UnreadableConfig: it is not valid or out of bounds.
    """
    for keys, _, node in walk(read_yaml(text)):
        if not keys or keys[-1] not in ("env", "variables"):
            continue
        for entry in table_of(node).entries:
            value = text_of(entry.value) or ""
            if entry.key.endswith("FLAGS"):
                yield Setting("env", entry.key, path, entry.line, values=tuple(_REFUSING.findall(value)))
            else:
                yield Setting("pytest" if entry.key.startswith("PYTEST") else "env", entry.key, path, entry.line, value)
