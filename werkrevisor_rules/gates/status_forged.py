"""Stops a head on which somebody else posted a status in the gate's name.

What it looks at:
    The statuses of the judged head whose context begins with `werkrevisor/`, and who created them.

Why:
    Whoever may write may post a status of any name, and the forge merges on its name alone. Who does
    that in the gate's name wants to merge what it has not passed.

Example:
    `werkrevisor/main` with the state success, created by an author, gives RED.

Options:
    None.

Not covered:
    Statuses of other contexts (`ci_status`), and whether the branch rule lets anybody but the bot merge
    (`werkrevisor doctor`).
"""

from typing import Final

from werkrevisor_core.markers import hookimpl
from werkrevisor_core.models.context import GateResult, ReviewContext
from werkrevisor_core.models.verdict import Evidence, Level, Reason
from werkrevisor_core.rule import Phase, RuleInfo
from werkrevisor_rules._support.evidence import bounded

RULE = RuleInfo(name="status_forged", phase=Phase.GATES, since="0.1.0")

_OWN: Final = "werkrevisor/"


def evaluate(context: ReviewContext) -> GateResult | None:
    """Return a reason that names every forged status and its creator, or None."""
    facts = context.forge
    if facts is None:
        return None
    forged = [
        status
        for status in facts.statuses
        if (status.context == facts.own_context or status.context.startswith(_OWN))
        and status.creator.casefold() != facts.bot.casefold()
    ]
    if not forged:
        return None
    reason = Reason(
        id=RULE.name,
        level=Level.RED,
        message="A status of this head in the gate's name was not posted by the gate.",
        evidence=bounded(
            Evidence(note=f"{status.context} was set to {status.state} by {status.creator or 'nobody known'}")
            for status in forged
        ),
        advice="The maintainer asks who posted it; a new commit is reviewed anew.",
        rule=RULE.name,
    )
    return GateResult((reason,))


@hookimpl
def werkrevisor_gate(context: ReviewContext) -> GateResult | None:
    """Look for statuses in the gate's name."""
    return evaluate(context)
