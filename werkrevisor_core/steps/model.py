"""Step 6: the model reads the files that count, and nothing of any other file."""

import functools
import operator
from collections.abc import Sequence
from typing import Final

from attrs import evolve, field

from werkrevisor_core.errors import ContentsUnavailable
from werkrevisor_core.models.change import Status
from werkrevisor_core.models.classes import JudgedFile
from werkrevisor_core.models.context import Reading, ReviewContext
from werkrevisor_core.models.judges import FileToReview, ModelAnswer, ModelRequest, Purpose, Usage
from werkrevisor_core.models.ports import Side
from werkrevisor_core.models.verdict import Evidence, Finding, Level, Reason
from werkrevisor_core.records import frozen

RULE: Final = "model"


@frozen
class ModelResult:
    """What the model step brings: who read what, findings, reasons, cost."""

    reading: Reading = field(factory=Reading)
    findings: tuple[Finding, ...] = ()
    reasons: tuple[Reason, ...] = ()
    usage: Usage = field(factory=Usage)


def build_request(context: ReviewContext) -> ModelRequest:
    """Build the request: diff and full content of the files that count.

    A file that cannot be shown in full (binary, unread, not UTF-8) is named as not sendable, so it
    ends as not read.
    """
    counting = context.counting()
    wanted = [file for file in counting if _sendable(file)]
    context.contents.prefetch([(Side.NEW, file.path) for file in wanted if file.change.status is not Status.REMOVED])
    files = []
    unsendable = [file.path for file in counting if not _sendable(file)]
    for file in wanted:
        try:
            diff = file.change.patch.text().decode("utf-8")
            content = _content(context, file)
        except UnicodeDecodeError:
            unsendable.append(file.path)
            continue
        files.append(FileToReview(file.path, file.change.old_path, file.change.status, diff, content))
    return ModelRequest(Purpose.REVIEW, context.kind, tuple(files), tuple(sorted(unsendable)))


def _sendable(file: JudgedFile) -> bool:
    return file.change.unread is None and not file.change.binary


def _content(context: ReviewContext, file: JudgedFile) -> str | None:
    if file.change.status is Status.REMOVED:
        return None
    try:
        data = context.contents.read(Side.NEW, file.path)
    except ContentsUnavailable:
        return None
    return None if data is None else data.decode("utf-8")


def confirm_request(request: ModelRequest, findings: Sequence[Finding]) -> ModelRequest:
    """Build the second request: only the findings in doubt and the files that they stand in."""
    paths = {finding.path for finding in findings}
    return evolve(
        request,
        purpose=Purpose.CONFIRM,
        files=tuple(file for file in request.files if file.path in paths),
        unsendable=(),
        findings=tuple(findings),
    )


def combine(request: ModelRequest, answers: Sequence[ModelAnswer], auto_approvable: Sequence[str]) -> ModelResult:
    """Combine the answers of the engines; a file is read only if each of them read it in full."""
    sent = frozenset(file.path for file in request.files)
    if not answers:
        return ModelResult(Reading(sent=sent, asked=False), reasons=(_unavailable(),))
    read = functools.reduce(operator.and_, (answer.read - answer.partly for answer in answers)) & sent
    partly = functools.reduce(operator.or_, (answer.partly for answer in answers))
    findings = tuple(_checked(finding, answer.engine, request) for answer in answers for finding in answer.findings)
    usage = functools.reduce(operator.add, (answer.usage for answer in answers), Usage())
    reasons = tuple(
        reason for answer in answers if (reason := _other_kind(request, answer, auto_approvable)) is not None
    )
    return ModelResult(Reading(read, partly, sent, asked=True), findings, reasons, usage)


def _unavailable() -> Reason:
    return Reason(
        "model_unavailable",
        Level.ERROR,
        "The mode needs a model, and no engine is installed and configured.",
        (),
        "The operator configures an engine or another `[engine] mode`; a human approval of this exact head "
        "passes it, too.",
        RULE,
    )


def _other_kind(request: ModelRequest, answer: ModelAnswer, auto_approvable: Sequence[str]) -> Reason | None:
    """The model may see another kind of change than the paths tell; that matters if a human has to look at it."""
    if answer.kind is None or answer.kind is request.kind or answer.kind.value in auto_approvable:
        return None
    return Reason(
        "model_kind",
        Level.YELLOW,
        f"By its paths this change is of the kind {request.kind}; the model sees the kind {answer.kind} in it.",
        (Evidence(was=request.kind.value, now=answer.kind.value),),
        "A human reviewer decides.",
        RULE,
    )


def _checked(finding: Finding, engine: str, request: ModelRequest) -> Finding:
    """Name the engine as the reviewer, and mark a finding that points outside of what was sent."""
    sent = {file.path: file for file in request.files}
    inside = finding.path in sent and _has_lines(sent[finding.path], finding)
    note = finding.note if inside else "It points outside of the change."
    start, end = (finding.start, finding.end) if inside else (None, None)
    return evolve(finding, reviewer=engine, start=start, end=end, in_change=inside, note=note, from_model=True)


def _has_lines(file: FileToReview, finding: Finding) -> bool:
    if finding.start is None:
        return True
    last = finding.end if finding.end is not None else finding.start
    if not 1 <= finding.start <= last:
        return False
    return finding.side is Side.OLD or file.content is None or last <= file.content.count("\n") + 1


def to_confirm(findings: Sequence[Finding], very_risky: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return the findings that need a second, independent reading: RED ones, and those on very risky blocks."""
    return tuple(finding for finding in findings if finding.level is Level.RED or finding in very_risky)


def after_confirmation(
    findings: Sequence[Finding], doubtful: Sequence[Finding], confirmed: Sequence[Finding]
) -> tuple[Finding, ...]:
    """Lower each RED finding that the second call does not confirm to ORANGE; it stays visible, marked."""
    kept = {_key(finding) for finding in confirmed}
    return tuple(
        evolve(
            finding,
            level=Level.ORANGE,
            original_level=Level.RED,
            note="A second, independent reading did not confirm it.",
        )
        if finding.level is Level.RED and finding in doubtful and _key(finding) not in kept
        else finding
        for finding in findings
    )


def is_confirmed(finding: Finding, confirmed: Sequence[Finding]) -> bool:
    """Tell whether the second call confirms a finding."""
    return _key(finding) in {_key(other) for other in confirmed}


def _key(finding: Finding) -> tuple[str, str, int | None, int | None]:
    return finding.rule, finding.path, finding.start, finding.end
