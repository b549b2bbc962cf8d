"""`werkrevisor explain`: shows per file the proof that it is mechanical, or why it is not."""

import argparse
import sys
from collections.abc import Iterator

from attrs import evolve

from werkrevisor_core.cli.collect import prepared
from werkrevisor_core.cli.review import supervised
from werkrevisor_core.config.wording import printable
from werkrevisor_core.errors import UsageError
from werkrevisor_core.models.classes import JudgedFile
from werkrevisor_core.models.result import Review
from werkrevisor_core.models.verdict import Level
from werkrevisor_core.watchdog import Progress


def run_explain(options: argparse.Namespace) -> int:
    """Explain all files of a change, or the one that the options name.

    Returns:
        0, or 4 (ERROR) where the review could not be done.
    """
    progress = Progress()
    with prepared(options, progress) as ready:
        change = ready.change if isinstance(ready, Review) else ready.given.change
        if options.path is not None and not any(options.path in file.paths for file in change.files):
            raise UsageError(f"the change does not touch {options.path}; leave the path out to see every file")
        detailed = ready if isinstance(ready, Review) else evolve(ready, given=evolve(ready.given, line_by_line=True))
        return supervised(detailed, progress, lambda review: _show(review, options.path))


def _show(review: Review, path: str | None) -> int:
    files = [file for file in review.files if path is None or path in file.change.paths]
    for line in _lines(review, files):
        sys.stdout.write(printable(line) + "\n")
    return int(Level.ERROR) if review.verdict is Level.ERROR else 0


def _lines(review: Review, files: list[JudgedFile]) -> Iterator[str]:
    for fault in review.change.faults:
        yield f"not read: {fault.why}" + (f" (line {fault.line} of the diff)" if fault.line else "")
    for file in files:
        yield from _explain(file)
        for reason in review.reasons:
            if any(item.path in file.change.paths for item in reason.evidence):
                yield f"  {reason.level.name} {reason.id}: {reason.message}"


def _explain(file: JudgedFile) -> Iterator[str]:
    moved = f" (was {file.change.old_path})" if len(file.change.paths) > 1 else ""
    head = f"{file.path}{moved}: {file.change.status.replace('_', ' ')}, {file.category.replace('_', ' ')}"
    found = file.classification
    if not found.rules:
        yield f"{head}, not mechanical: {found.why}"
        return
    yield f"{head}, mechanical ({', '.join(found.rules)})"
    for line in found.proof:
        yield f"  {'+' if line.added else '-'}{line.line} {line.rule}: {line.proof}"
    if found.proved_lines > len(found.proof):
        yield f"  and {found.proved_lines - len(found.proof)} more lines"
    if not found.proof:
        yield f"  {found.why}"
    for name in found.rebound:
        yield f"  now binds {name.name} to {name.now}, was {name.was}"
