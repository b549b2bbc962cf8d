"""Makes a hint of a finding that stands on lines which were approved before.

What it looks at:
    Findings whose lines all lie in blocks that an earlier approval covers: one of a person that is
    carried over, or for findings of the model the gate's own GREEN review of an earlier head.

Why:
    A model finds something else in the same text each time it is asked. What was approved should not
    block again after a rebase; what is new beside it still does.

Example:
    A person approved the head A, a correction after a merge is risky, and the model finds something on a
    line of A: that is a hint, and a finding on the correction keeps its level.

Options:
    None.

Not covered:
    Reasons of gates, findings that are ERROR, and findings with no line or with a line that is not
    approved among theirs.
"""

from collections.abc import Iterable
from typing import Final

from werkrevisor_core.markers import hookimpl
from werkrevisor_core.models.context import Adjustment, LineSpan, ReviewContext
from werkrevisor_core.models.verdict import Finding, Level
from werkrevisor_core.rule import Phase, RuleInfo

RULE = RuleInfo(name="approved_lines", phase=Phase.ADJUST, since="0.1.0")

_BY_PEOPLE: Final = "A person approved these lines in an earlier head."
_BY_THE_GATE: Final = "These lines were found GREEN in an earlier head."


def _covers(spans: Iterable[LineSpan], finding: Finding) -> bool:
    """Tell whether every line of a finding lies in one of the spans."""
    if finding.start is None or not finding.in_change:
        return False
    at, last = finding.start, finding.end if finding.end is not None else finding.start
    for span in sorted(spans, key=lambda span: span.first):
        if (span.path, span.side) == (finding.path, finding.side) and span.first <= at <= span.last:
            at = span.last + 1
    return at > last >= finding.start


def evaluate(context: ReviewContext, findings: tuple[Finding, ...]) -> tuple[Adjustment, ...]:
    """Return an adjustment for every finding on approved lines alone."""
    approved = [span for approval in context.approvals for span in approval.approved_lines]
    reviewed = [span for approval in context.approvals for span in approval.reviewed_lines]
    found = []
    for index, finding in enumerate(findings):
        if not Level.GREEN < finding.level < Level.ERROR:
            continue
        if _covers(approved, finding):
            found.append(Adjustment(index, Level.GREEN, _BY_PEOPLE))
        elif finding.from_model and _covers(reviewed, finding):
            found.append(Adjustment(index, Level.GREEN, _BY_THE_GATE))
    return tuple(found)


@hookimpl
def werkrevisor_adjust(context: ReviewContext, findings: tuple[Finding, ...]) -> tuple[Adjustment, ...]:
    """Lower findings on approved lines."""
    return evaluate(context, findings)
