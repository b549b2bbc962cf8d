"""Ends the review as ERROR where something that had to be read was not.

What it looks at:
    In every mode, parts of the input that could not be read at all. After a model was asked, also
    the files that count and that it did not read, or only in part.

Why:
    What was not read must never look like something that was read and found harmless.

Example:
    The model lists `A.java` as read and leaves out `B.java`: ERROR with `B.java`.

Options:
    None.

Not covered:
    Mechanical files and files that an approval covers, since nobody has to read them.
"""

from collections.abc import Iterator

from werkrevisor_core.markers import hookimpl
from werkrevisor_core.models.context import GateResult, Reading, ReviewContext
from werkrevisor_core.models.verdict import Evidence, Level, Reason
from werkrevisor_core.rule import Phase, RuleInfo
from werkrevisor_rules._support.evidence import amount, bounded

SKIPPED = "skipped_files"

RULE = RuleInfo(name="coverage", phase=Phase.GATES, since="0.1.0", reasons=(SKIPPED,), essential=True)


def _unread(context: ReviewContext) -> Iterator[Evidence]:
    for fault in context.change.faults:
        yield Evidence(path=fault.path, line=fault.line, note=fault.why)
    for file in context.change.files:
        if file.unread is not None:
            yield Evidence(path=file.path, note=file.unread)


def _missed(context: ReviewContext, reading: Reading) -> Iterator[Evidence]:
    if not (context.mode.asks_model and reading.asked):
        return
    for file in context.counting():
        if file.change.unread is not None:
            continue
        if file.path in reading.partly:
            yield Evidence(path=file.path, note="the model read only a part of it")
        elif file.path not in reading.read:
            yield Evidence(path=file.path, note=_why(file.path, reading, binary=file.change.binary))


def _why(path: str, reading: Reading, *, binary: bool) -> str:
    if path in reading.sent:
        return "it was sent, and the model does not list it as read"
    return "it is binary and cannot be sent to the model" if binary else "it was not sent to the model"


def evaluate(context: ReviewContext, reading: Reading) -> GateResult | None:
    """Return one reason that names everything that was not read, or None."""
    evidence = [*_unread(context), *_missed(context, reading)]
    if not evidence:
        return None
    were = "was" if len(evidence) == 1 else "were"
    reason = Reason(
        id=SKIPPED,
        level=Level.ERROR,
        message=f"The review is incomplete: {amount(len(evidence), 'part')} of the change {were} not read in full.",
        evidence=bounded(evidence),
        advice="Mend what is named or run the review again; "
        "else a human reviewer has to read these parts and approve this very head.",
        rule=RULE.name,
    )
    return GateResult((reason,))


@hookimpl
def werkrevisor_coverage(context: ReviewContext, reading: Reading) -> GateResult | None:
    """Name what had to be read and was not."""
    return evaluate(context, reading)
