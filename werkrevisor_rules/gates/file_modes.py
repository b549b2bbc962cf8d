"""Asks a human about changes that no diff of lines shows.

What it looks at:
    Files that become executable, symbolic links, submodules, files of another type than before,
    binary files, pointers to large files (LFS), and modes that git does not write.

Why:
    Such a change says little or nothing in its lines: what runs, what a link leads to and what a
    picture holds has to be looked at in another way.

Example:
    `chmod +x run.sh` gives YELLOW, with the modes before and after.

Options:
    None.

Not covered:
    A file that stops being executable, since nothing new can run then.
"""

import re
from collections.abc import Iterator
from typing import Final

from werkrevisor_core.markers import hookimpl
from werkrevisor_core.models.change import (
    EXECUTABLE_MODE,
    REGULAR_MODES,
    SUBMODULE_MODE,
    SYMLINK_MODE,
    FileChange,
    Origin,
    Status,
)
from werkrevisor_core.models.context import GateResult, ReviewContext
from werkrevisor_core.models.verdict import Evidence, Level, Reason
from werkrevisor_core.patterns import lazy
from werkrevisor_core.rule import Phase, RuleInfo
from werkrevisor_rules._support.evidence import amount, bounded

RULE = RuleInfo(name="file_modes", phase=Phase.GATES, since="0.1.0")

_KNOWN: Final = REGULAR_MODES | {SYMLINK_MODE, SUBMODULE_MODE}
# The keys of a pointer are sorted behind its version, so a hunk that lacks the version shows the id.
_LFS: Final = lazy(
    rb"^[ +-](?:version https://(?:git-lfs|hawser)\.github\.com/spec/|oid sha256:[0-9a-f]{64}\r?$)", re.MULTILINE
)


def _modes(file: FileChange) -> tuple[str | None, ...]:
    """Return the modes of the sides on which the file exists."""
    if file.status is Status.ADDED:
        return (file.new_mode,)
    if file.status is Status.REMOVED:
        return (file.old_mode,)
    return (file.old_mode, file.new_mode)


def _is_ordinary(file: FileChange) -> bool:
    """Tell whether a file is text that keeps its plain mode, as nearly all are."""
    same = file.old_mode == file.new_mode in REGULAR_MODES
    return same and file.status is Status.MODIFIED and not file.binary and not _is_pointer(file)


def _notes(file: FileChange, origin: Origin) -> Iterator[str]:
    modes = _modes(file)
    if SYMLINK_MODE in modes:
        yield "symbolic link"
    if SUBMODULE_MODE in modes:
        yield "submodule"
    if file.status is Status.TYPE_CHANGED:
        yield "type changed"
    if file.new_mode == EXECUTABLE_MODE != file.old_mode:
        yield "executable"
    if file.binary:
        yield "binary"
    if _is_pointer(file):
        yield "pointer to a large file (LFS)"
    # A bare diff leaves out modes that did not change.
    if any(mode not in _KNOWN for mode in modes if mode is not None or origin is Origin.GIT):
        yield "unknown mode"


def _is_pointer(file: FileChange) -> bool:
    text = file.patch.text()
    return (b"github.com/spec/" in text or b"oid sha256:" in text) and _LFS.search(text) is not None


def _evidence(context: ReviewContext) -> Iterator[Evidence]:
    for file in context.change.files:
        if not _is_ordinary(file) and (notes := list(_notes(file, context.change.origin))):
            yield Evidence(path=file.path, was=file.old_mode, now=file.new_mode, note=", ".join(notes))


def evaluate(context: ReviewContext) -> GateResult | None:
    """Return one reason that names every such file with its modes, or None."""
    evidence = list(_evidence(context))
    if not evidence:
        return None
    reason = Reason(
        id=RULE.name,
        level=Level.YELLOW,
        message=f"The lines of the diff do not tell what changed in {amount(len(evidence), 'file')}.",
        evidence=bounded(evidence),
        advice="A human reviewer has to look at these files themselves and approve this head.",
        rule=RULE.name,
    )
    return GateResult((reason,))


@hookimpl
def werkrevisor_gate(context: ReviewContext) -> GateResult | None:
    """Ask a human about modes, links, submodules and binary files."""
    return evaluate(context)
