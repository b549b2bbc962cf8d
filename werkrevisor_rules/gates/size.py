"""Stops a change that is too large to be judged in one piece.

What it looks at:
    The number of changed files and of added and removed lines. Mechanical and generated files do
    not count; what is generated is said by the config, never by the change.

Why:
    Nobody finds a fault in a change of five thousand lines, neither a person nor a model.

Example:
    With `max_files = 30` a change of 31 files with logic gives ORANGE.

Options:
    `max_files` and `max_lines`.

Not covered:
    Files without lines: a large binary counts as one file and no line (see `file_modes`).
"""

from collections.abc import Iterator, Sequence
from heapq import nsmallest
from typing import Final

from werkrevisor_core.markers import hookimpl
from werkrevisor_core.models.classes import Category, JudgedFile
from werkrevisor_core.models.context import GateResult, ReviewContext
from werkrevisor_core.models.verdict import Evidence, Level, Reason
from werkrevisor_core.records import frozen
from werkrevisor_core.rule import Phase, RuleInfo, setting

_LARGEST: Final = 5


def _negative(value: int) -> str | None:
    return "must not be negative" if value < 0 else None


@frozen
class Settings:
    """The section `[size]`."""

    max_files: int = setting(30, "Most files that a change may touch.", check=_negative)
    max_lines: int = setting(1000, "Most lines that a change may add and remove together.", check=_negative)


RULE = RuleInfo(name="size", phase=Phase.GATES, since="0.1.0", settings=Settings)


def _lines(file: JudgedFile) -> int:
    return file.change.added + file.change.removed


def _exceeded(files: Sequence[JudgedFile], settings: Settings) -> Iterator[Evidence]:
    if len(files) > settings.max_files:
        yield Evidence(count=len(files), limit=settings.max_files, note="files")
    lines = sum(map(_lines, files))
    if lines > settings.max_lines:
        yield Evidence(count=lines, limit=settings.max_lines, note="lines added and removed")
        largest = nsmallest(_LARGEST, files, key=lambda file: (-_lines(file), file.path))
        yield from (Evidence(path=file.path, count=_lines(file), note="lines, among the largest") for file in largest)


def evaluate(context: ReviewContext, settings: Settings) -> GateResult | None:
    """Return a reason with every limit that the change exceeds, or None."""
    files = [file for file in context.files if not file.mechanical and file.category is not Category.GENERATED]
    evidence = tuple(_exceeded(files, settings))
    if not evidence:
        return None
    reason = Reason(
        id=RULE.name,
        level=Level.ORANGE,
        message="The change is larger than the config allows.",
        evidence=evidence,
        advice="The author can split the change; a human reviewer can approve this head as it is.",
        rule=RULE.name,
    )
    return GateResult((reason,))


@hookimpl
def werkrevisor_gate(context: ReviewContext, settings: Settings) -> GateResult | None:
    """Hold the change against the limits."""
    return evaluate(context, settings)
