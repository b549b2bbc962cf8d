"""Asks a human unless this kind of change may be approved by a machine.

What it looks at:
    The kind of the change, told from the files that count, and the list `[categories]
    auto_approvable`. A change set without any file is a reason of its own.

Why:
    Which kinds of change need no human is a decision of the people who run the repository.

Example:
    A feature gives YELLOW as long as `feature` is not in `auto_approvable`.

Options:
    None here; `auto_approvable` stands in the section `[categories]`.

Not covered:
    Whether a kind is what the author calls it; it is told from paths and lines alone.
"""

from werkrevisor_core.markers import hookimpl
from werkrevisor_core.models.classes import ChangeKind
from werkrevisor_core.models.context import GateResult, ReviewContext
from werkrevisor_core.models.verdict import Evidence, Level, Reason
from werkrevisor_core.rule import Phase, RuleInfo

EMPTY = "empty"

RULE = RuleInfo(name="change_kind", phase=Phase.GATES, since="0.1.0", reasons=("change_kind", EMPTY), essential=True)


def evaluate(context: ReviewContext) -> GateResult | None:
    """Return a reason for an empty change, one for a kind that is not on the list, or None."""
    if context.kind is ChangeKind.EMPTY:
        return GateResult((_empty(context),))
    if context.kind.value in context.auto_approvable:
        return None
    allowed = ", ".join(context.auto_approvable) or "none"
    reason = Reason(
        id=RULE.name,
        level=Level.YELLOW,
        message=f"A change of the kind {context.kind.value} needs a human.",
        evidence=(Evidence(now=context.kind.value, note=f"kinds that need none: {allowed}"),),
        advice="A human reviewer has to approve this head; the host can add the kind to [categories] auto_approvable.",
        rule=RULE.name,
    )
    return GateResult((reason,))


def _empty(context: ReviewContext) -> Reason:
    return Reason(
        id=EMPTY,
        level=Level.YELLOW,
        message="The change is empty, so there is nothing to judge.",
        evidence=(
            Evidence(was=context.change.merge_base, now=context.change.head, count=0, note="files that changed"),
        ),
        advice="The author can push the missing commits or close the pull request.",
        rule=RULE.name,
    )


@hookimpl
def werkrevisor_gate(context: ReviewContext) -> GateResult | None:
    """Hold the kind of the change against the list."""
    return evaluate(context)
