"""Makes checks of the commands of a shell text."""

import posixpath
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final

from werkrevisor_rules._support.weakening import Kind
from werkrevisor_rules._support.weakening_config.checks import checks_of
from werkrevisor_rules._support.weakening_config.shell import Command, commands
from werkrevisor_rules._support.weakening_config.steps import PULL_REQUEST, Check, Limit
from werkrevisor_rules._support.weakening_config.tree import UnreadableConfig

ON_CHANGE: Final[Mapping[str, int]] = MappingProxyType({PULL_REQUEST: 0})


def script_checks(
    text: str, path: str, line: int, *, stops: bool = True, pipefail: bool = False, limits: tuple[Limit, ...] = (),
    directory: str = "", **given: Any,  # noqa: ANN401 (fields of a check, handed through)
) -> Iterator[Check]:  # fmt: skip
    """Yield the checks of a shell text; `given` are further fields of each.

    A text that is no shell (PowerShell, a batch file) is taken line by line.
    """
    try:
        found = commands(text, line, stops=stops, pipefail=pipefail)
    except UnreadableConfig:
        found = tuple(
            Command(tuple(part.split()), line + at) for at, part in enumerate(text.split("\n")) if part.strip()
        )
    at = directory
    for command in found:
        if (
            command.words[0] == "cd"
            and len(command.words) == 2
            and not command.words[1].startswith(("$", "/", "-", "~"))
        ):
            at = posixpath.normpath(posixpath.join(at, command.words[1])).removeprefix(".")
        for check in checks_of(command.words):
            yield Check(
                check,
                path,
                command.line,
                limits=(*_limits(command), *limits),
                directory=at,
                again=command.again,
                **given,
            )


def _limits(command: Command) -> Iterator[Limit]:
    if command.ignored:
        yield Limit(Kind.NON_FAILING, command.ignored, command.line)
    if command.condition:
        yield Limit(Kind.NARROWED, f"if {command.condition}", command.line)
