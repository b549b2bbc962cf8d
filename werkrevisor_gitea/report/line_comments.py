"""Writes the findings as line comments of one review.

What it looks at:
    Findings that have a line, and the bot's line comments on this head.

Why:
    A finding is best answered where it stands. The forge accepts nonsense, and a line past the end of a
    file breaks off in the middle of the review, so every place is checked before it is sent.

Example:
    Three hints, one of them written before: two line comments, in one review.

Options:
    None.

Not covered:
    A finding whose place is not in the change; it stands in the result comment only.
"""

from collections.abc import Iterator

from werkrevisor_core.errors import ContentsUnavailable
from werkrevisor_core.markers import hookimpl
from werkrevisor_core.models.change import FileChange, Status
from werkrevisor_core.models.ports import Side
from werkrevisor_core.models.publishing import Publication, Reported, Stage
from werkrevisor_core.models.verdict import Finding, Level
from werkrevisor_core.render.markdown import name, prose
from werkrevisor_core.render.style import MarkdownStyle
from werkrevisor_core.rule import Phase, RuleInfo
from werkrevisor_core.steps.line_comments import finding_key, is_line_comment, was_lowered
from werkrevisor_gitea.publishing import Publishing, gitea

RULE = RuleInfo(name="line_comments", phase=Phase.REPORT, since="0.1.0")

_MOST = 100
"""Line comments of one review; the forge stores them one by one."""


def fault(finding: Finding, publication: Publication, port: Publishing) -> str:
    """Return why a finding cannot stand on its line; empty where it can."""
    file = next((file for file in publication.review.change.files if file.path == finding.path), None)
    if file is None or not _has_side(file, finding.side):
        return "the change has no such file on that side"
    if any("\udc80" <= char <= "\udcff" for char in finding.path):
        return "its name is no UTF-8, which the forge cannot be told"
    try:
        data = port.contents.read(finding.side, finding.path)
    except ContentsUnavailable as error:
        return str(error)
    lines = 0 if data is None else data.count(b"\n") + (not data.endswith(b"\n") and data != b"")
    start = finding.start or 0
    return "" if 0 < start <= lines else f"the file has {lines} lines on that side"


def _has_side(file: FileChange, side: Side) -> bool:
    if side is Side.NEW:
        return file.status is not Status.REMOVED
    # The old side of a rename has another path, which the forge does not know.
    return file.status not in (Status.ADDED, Status.COPIED) and file.path == file.old_path


def _body(finding: Finding, port: Publishing) -> str:
    from werkrevisor_gitea.line_marks import LineMark, Place, write_line_mark  # noqa: PLC0415 (see below)

    place = Place(port.seen.origin, port.number, port.head)
    mark = write_line_mark(LineMark(finding_key(finding), was_lowered(finding)), port.keyring, place)
    level = "hint" if finding.level is Level.GREEN else finding.level.name
    parts = [f"**{level}** {prose(finding.message)} ({name(finding.id)})"]
    if finding.note:
        parts.append(prose(finding.note))
    if finding.suggestion.strip():
        parts.append(MarkdownStyle().block(finding.suggestion, ""))
    return "\n\n".join([*parts, mark])


def _wanted(publication: Publication, port: Publishing) -> Iterator[Finding]:
    written = {comment.finding for comment in port.facts.line_comments if comment.head == port.head}
    seen: set[str] = set()
    for finding in publication.review.findings:
        key = finding_key(finding)
        if is_line_comment(finding) and key not in written and key not in seen:
            seen.add(key)
            yield finding


def evaluate(publication: Publication, port: Publishing) -> Reported | None:
    """Write the line comments that are not there yet."""
    from werkrevisor_gitea.reviews import LineDraft  # noqa: PLC0415 (local reviews need no HTTP client)

    drafts, done = [], []
    for finding in _wanted(publication, port):
        why = fault(finding, publication, port)
        if why:
            done.append(f"The finding on {finding.path}:{finding.start} has no line comment: {why}.")
            continue
        new = finding.side is Side.NEW
        line = {"new_line": finding.start or 0} if new else {"old_line": finding.start or 0}
        drafts.append(LineDraft(finding.path, _body(finding, port), **line))
    if len(drafts) > _MOST:
        done.append(f"Line comments that the next run writes: {len(drafts) - _MOST}.")
    if drafts:
        port.remove_pending()
        port.discuss(drafts[:_MOST])
        done.append(f"Line comments written: {len(drafts[:_MOST])}.")
    return Reported(tuple(done)) if done else None


@hookimpl
def werkrevisor_report(publication: Publication, stage: Stage) -> Reported | None:
    """Write the line comments."""
    port = gitea(publication)
    return evaluate(publication, port) if port is not None and stage is Stage.DISCUSS else None
