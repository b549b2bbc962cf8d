"""Tells which commands are checks: what they run, on what subject, and with which arguments.

A check is a command that exists to fail: tests, linters, type checkers, builds, scanners. Clean-up,
set-up, uploads and deployments are none. Tables name the programs; for scripts, targets and actions of
a project's own the words of their names decide.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from werkrevisor_core.records import frozen
from werkrevisor_rules._support.weakening_config.check_tables import (
    ALIASES,
    ASSIGNMENT,
    ENVIRONMENTS,
    FAILING,
    FORMATTERS,
    INPUTS,
    NAMES,
    NEVER,
    NO_CHECK,
    NO_RUN,
    NO_SCRIPTS,
    ONLY_WITH,
    PROGRAMS,
    PYTHON,
    RUNNERS,
    SCRIPT,
    SHELLS,
    TARGETS,
    VALUED,
    VERBS,
    WRAPPERS,
)


@frozen
class Command:
    """A check: `key` is the program with its verbs, `topic` its subject, `words` its arguments, `call` what it names.

    `call` is `make TARGET`, `run SCRIPT` or `script PATH` where the check is defined elsewhere in the
    project, empty else.
    """

    key: str
    topic: str
    words: tuple[str, ...]
    call: str = ""


def checks_of(words: Sequence[str]) -> tuple[Command, ...]:
    """Return the checks that the words of a command are; several only where targets are listed."""
    rest = _unwrapped(list(words))
    if not rest:
        return ()
    program = rest[0].replace("\\", "/").rsplit("/", 1)[-1].removesuffix(".exe").removesuffix(".cmd")
    program = ALIASES.get(program, program)
    if program in NEVER:
        return ()
    if program in TARGETS:
        return _by_targets(program, rest[1:])
    for finder in (_by_verb, _by_runner, _by_program, _by_script):
        if found := finder(program, rest[1:], rest[0]):
            return (found,)
    return ()


def topic_of_name(name: str) -> str | None:
    """Return the topic that a script's, target's or action's own name tells, None where it is no check."""
    plain = re.sub(r"([a-z])([A-Z])", r"\1-\2", name).lower()
    if NO_CHECK.search(plain):
        return None
    return next((topic for topic, words in NAMES if words.search(plain)), None)


def _unwrapped(words: list[str]) -> list[str]:
    """Return a command's words without assignments, wrappers and the interpreter of a module."""
    while words:
        first = words[0].rsplit("/", 1)[-1]
        if ASSIGNMENT.fullmatch(words[0]):
            words = words[1:]
        elif first in ("timeout", "gtimeout"):
            words = _without_options(words[1:])[1:]
        elif first in ENVIRONMENTS and _runs_another(first, words):
            words = _without_options(words[2:])
        elif first in WRAPPERS:
            words = [word for word in _without_options(words[1:]) if first != "retry" or not word.isdigit()]
        elif PYTHON.fullmatch(first) and "-m" in words[1:4]:
            words = words[words.index("-m") + 1 :]
        elif PYTHON.fullmatch(first):
            return words[1:] if len(words) > 1 and words[1].endswith(".py") else words
        elif first == "cargo" and words[1:2] and words[1].startswith("+"):
            words = [words[0], *words[2:]]
        else:
            return words
    return words


def _runs_another(first: str, words: list[str]) -> bool:
    """Tell whether `exec` or `run` is followed by a program, not by the name of a script."""
    return words[1:2] in (["exec"], ["dlx"], ["x"]) or (words[1:2] == ["run"] and first not in RUNNERS)


def _without_options(words: list[str]) -> list[str]:
    while words and words[0].startswith("-"):
        takes = words[0] in VALUED
        words = words[1 + takes :] if words[0] != "--" else words[1:]
    return words


def _by_verb(program: str, arguments: list[str], _path: str) -> Command | None:
    verbs = VERBS.get(program)
    if verbs is None:
        return None
    named = [word.rsplit(":", 1)[-1] if program == "gradle" else word for word in arguments if not word.startswith("-")]
    found = [word for word in named if word in verbs]
    if program in ("mvn", "gradle"):
        found = found or [word for word in named if topic_of_name(word)]
        if not found:
            return None
        topic = verbs.get(found[0]) or topic_of_name(found[0]) or "all"
        return Command(program, topic, tuple(arguments))
    if not found or named[0] != found[0]:
        return None
    verb = {"t": "test", "b": "build", "c": "check", "nextest": "test"}.get(found[0], found[0])
    if verb in ("fmt", "format", "lock") and not any("check" in word or "verify" in word for word in arguments):
        return None
    rest = list(arguments)
    rest.remove(found[0])
    return Command(f"{program} {verb}", verbs[found[0]], tuple(rest))


def _by_runner(program: str, arguments: list[str], _path: str) -> Command | None:
    if program not in RUNNERS:
        return None
    names = [word for word in arguments if not word.startswith("-")]
    if names[:1] and names[0] in PROGRAMS and program != "npm":
        return _by_program(names[0], _rest_of(arguments, names[0]), "")
    if names[:1] in (["run"], ["run-script"], ["task"]):
        names = names[1:]
    if not names or names[0] in NO_SCRIPTS:
        return None
    name = "test" if names[0] in ("t", "tst") else names[0]
    if name == "audit":
        return Command(f"{program} audit", "security", tuple(arguments))
    topic = topic_of_name(name)
    return Command(f"run {name}", topic, _behind(arguments, names[0]), f"run {name}") if topic else None


def _by_targets(program: str, arguments: list[str]) -> tuple[Command, ...]:
    arguments, folder = _elsewhere(arguments)
    names = [word for word in arguments if not word.startswith("-") and "=" not in word and word not in ("run", "test")]
    if "test" in arguments:
        names.append("test")
    others = tuple(word for word in arguments if word not in names and word != "run")
    if not names:
        return (Command(program, "all", others, "make "),) if program in ("make", "gmake") else ()
    found = ((f"{folder}{name}", topic_of_name(name)) for name in names)
    return tuple(Command(f"{program} {name}", topic, others, f"make {name}") for name, topic in found if topic)


def _elsewhere(arguments: list[str]) -> tuple[list[str], str]:
    """Return arguments without `-C FOLDER`, and the folder with a slash behind it, empty where there is none."""
    if "-C" not in arguments[:-1]:
        return arguments, ""
    at = arguments.index("-C")
    return [*arguments[:at], *arguments[at + 2 :]], f"{arguments[at + 1].strip('/')}/"


def _rest_of(arguments: list[str], word: str) -> list[str]:
    return arguments[arguments.index(word) + 1 :]


def _behind(arguments: list[str], *named: str) -> tuple[str, ...]:
    """Return the arguments without the names of scripts and the word `run`."""
    return tuple(word for word in arguments if word not in named and word not in ("run", "run-script", "--"))


def _by_program(program: str, arguments: list[str], _path: str) -> Command | None:
    if program in FORMATTERS:
        return Command(program, "lint", tuple(arguments)) if any(map(FAILING.match, arguments)) else None
    topic = PROGRAMS.get(program)
    if topic is None or NO_RUN & set(arguments) or arguments[:1] in _NO_RUNS:
        return None
    if program in ONLY_WITH and arguments[:1] != [ONLY_WITH[program]]:
        return None
    if program == "ruff" and arguments[:1] == ["format"]:
        checked = {"--check", "--diff"} & set(arguments)
        return Command("ruff format", "lint", tuple(arguments[1:])) if checked else None
    subcommand = arguments[:1] in (["check"], ["run"], ["test"], ["ci"], ["lint"])
    return Command(program, topic, tuple(arguments[1:] if subcommand else arguments))


_NO_RUNS: Final = (["install"], ["version"], ["cache"], ["--help"], ["download"])


def _by_script(program: str, arguments: list[str], path: str) -> Command | None:
    if program in SHELLS and arguments:
        named = next((word for word in arguments if not word.startswith("-")), "")
        path, arguments = named, arguments[arguments.index(named) + 1 :] if named else []
    elif program in ("node", "tsx", "ts-node", "ruby", "perl", "pwsh", "powershell") and arguments:
        path, arguments = arguments[0], arguments[1:]
    if not SCRIPT.fullmatch(path):
        return None
    name = path.replace("\\", "/").removeprefix("./")
    topic = topic_of_name(name.rsplit("/", 1)[-1]) or topic_of_name(" ".join(arguments[:1]))
    return Command(f"script {name}", topic, tuple(arguments), f"script {name}") if topic else None


def action_of(uses: str, arguments: Mapping[str, str]) -> Command | None:
    """Return the check that an action (`owner/name@version`) is, None where it is none.

    Args:
        uses: the value of `uses`.
        arguments: its inputs.
    """
    name = uses.split("@", 1)[0].removeprefix("https://")
    if name.startswith("./"):
        base = name.rsplit("/", 1)[-1]
        if NO_CHECK.search(base.lower()):
            return None
        return Command(f"uses {name}", topic_of_name(base) or "all", (), f"uses {name.removeprefix('./')}")
    topic = (
        "security"
        if "codeql-action/analyze" in name
        else topic_of_name(name.replace("/", " ").replace("actions-rs", ""))
    )
    given = [arguments[key] for key in ("command", "arguments", "args", "run", "script", "tasks") if arguments.get(key)]
    inside = None
    if given and topic in (None, "all", "build"):
        tool = (
            "gradle"
            if "gradle" in name
            else "mvn"
            if "maven" in name
            else "cargo"
            if "rust" in name or "cargo" in name
            else ""
        )
        inside = next(iter(checks_of(f"{tool} {' '.join(given)}".split())), None)
    if inside is not None:
        # An action that runs a command again on failure says how often.
        again = arguments.get("max_attempts", "2") if "retry" in name else ""
        return Command(
            inside.key, inside.topic, (*inside.words, *([f"--retries={again}"] if again else ())), inside.call
        )
    if topic is None or name.startswith("actions/setup"):
        return None
    words = [word for value in given for word in value.split()]
    words += [f"--{key.replace('_', '-')}={value}" for key, value in sorted(arguments.items()) if INPUTS.search(key)]
    return Command(f"uses {name}", topic, tuple(words))
