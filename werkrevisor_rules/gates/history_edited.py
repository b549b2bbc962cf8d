"""Asks a human where somebody changed or deleted what the gate wrote before.

What it looks at:
    The result comments of earlier heads, held against the bot's commit statuses, which nobody can edit:
    a comment that is gone, is older than the status, or whose signature does not hold.

Why:
    Anyone who may write can edit and delete the bot's comments, and they are its memory: of what was
    approved, and of how often a pull request was RED.

Example:
    The comment of a RED head was deleted: YELLOW on the next head, and no approval is carried over.

Options:
    None.

Not covered:
    Changes of the visible text alone; it decides nothing, and the next review of the head writes it anew.
"""

from werkrevisor_core.markers import hookimpl
from werkrevisor_core.models.context import GateResult, ReviewContext
from werkrevisor_core.models.verdict import Evidence, Level, Reason
from werkrevisor_core.rule import Phase, RuleInfo
from werkrevisor_rules._support.evidence import bounded

RULE = RuleInfo(name="history_edited", phase=Phase.GATES, since="0.1.0")


def evaluate(context: ReviewContext) -> GateResult | None:
    """Return a reason that names every comment that was tampered with, or None."""
    if context.forge is None or not context.forge.edited:
        return None
    reason = Reason(
        id=RULE.name,
        level=Level.YELLOW,
        message="Somebody changed or deleted result comments of earlier reviews, so nothing is carried over.",
        evidence=bounded(Evidence(note=sentence) for sentence in context.forge.edited),
        advice="A human reviewer finds out who did that and why, reads the change and approves this head.",
        rule=RULE.name,
    )
    return GateResult((reason,))


@hookimpl
def werkrevisor_gate(context: ReviewContext) -> GateResult | None:
    """Report what was tampered with."""
    return evaluate(context)
