"""Makes checks of the commands of a shell text."""

import posixpath
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from attrs import field

from werkrevisor_core.records import frozen
from werkrevisor_rules._support.weakening import Kind
from werkrevisor_rules._support.weakening_config.checks import checks_of
from werkrevisor_rules._support.weakening_config.shell import Command, commands
from werkrevisor_rules._support.weakening_config.steps import PULL_REQUEST, Check, Limit
from werkrevisor_rules._support.weakening_config.tree import UnreadableConfig

ON_CHANGE: Final[Mapping[str, int]] = MappingProxyType({PULL_REQUEST: 0})


@frozen
class Place:
    """Where a shell text stands: what every check of it has in common; see `Check`."""

    path: str
    label: str = ""
    definition: str = ""
    directory: str = ""
    limits: tuple[Limit, ...] = ()
    events: Mapping[str, int] = field(default=ON_CHANGE)


def script_checks(text: str, line: int, place: Place, *, stops: bool = True, pipefail: bool = False) -> Iterator[Check]:
    """Yield the checks of a shell text that begins at a line; `stops` and `pipefail` as in `commands`.

    A text that is no shell (PowerShell, a batch file) is taken line by line.
    """
    try:
        found = commands(text, line, stops=stops, pipefail=pipefail)
    except UnreadableConfig:
        words = ((at, part.split()) for at, part in enumerate(text.split("\n"), line))
        found = tuple(Command(tuple(parts), at) for at, parts in words if parts)
    folder = place.directory
    for command in found:
        folder = _entered(folder, command.words)
        for check in checks_of(command.words):
            limits = (*_limits(command), *place.limits)
            yield Check(
                check,
                place.path,
                command.line,
                place.label,
                limits,
                place.definition,
                folder,
                place.events,
                command.again,
            )


def _entered(folder: str, words: Sequence[str]) -> str:
    """Return the folder in which the next command runs."""
    if words[0] != "cd" or len(words) != 2 or words[1].startswith(("$", "/", "-", "~")):
        return folder
    return posixpath.normpath(posixpath.join(folder, words[1])).removeprefix(".")


def _limits(command: Command) -> Iterator[Limit]:
    if command.ignored:
        yield Limit(Kind.NON_FAILING, command.ignored, command.line)
    if command.condition:
        yield Limit(Kind.NARROWED, f"if {command.condition}", command.line)
