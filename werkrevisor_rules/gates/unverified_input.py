"""Asks a human where a review came from a bare diff.

What it looks at:
    Where the change was read from.

Why:
    A diff on its own may be cut at a file border, and nothing in it would tell.

Example:
    `werkrevisor review --diff FILE` gives YELLOW, the same change read from git does not.

Options:
    None.

Not covered:
    A diff that is cut inside a file: that is noticed when it is read, see `coverage`.
"""

from werkrevisor_core.markers import hookimpl
from werkrevisor_core.models.change import Origin
from werkrevisor_core.models.context import GateResult, ReviewContext
from werkrevisor_core.models.verdict import Evidence, Level, Reason
from werkrevisor_core.rule import Phase, RuleInfo

RULE = RuleInfo(name="unverified_input", phase=Phase.GATES, since="0.1.0")


def evaluate(context: ReviewContext) -> GateResult | None:
    """Return a reason where the change set was not read from git, or None."""
    if context.change.origin is not Origin.DIFF:
        return None
    reason = Reason(
        id=RULE.name,
        level=Level.YELLOW,
        message="The review read a bare diff, which may lack whole files.",
        evidence=(Evidence(count=len(context.change.files), note="files in the diff"),),
        advice="Review the git range instead, or let a human compare the list of files with the change.",
        rule=RULE.name,
    )
    return GateResult((reason,))


@hookimpl
def werkrevisor_gate(context: ReviewContext) -> GateResult | None:
    """Say that a bare diff proves nothing about what is missing."""
    return evaluate(context)
