"""Calls a human where head after head is RED.

What it looks at:
    The earlier heads of the pull request, newest first, as far as each was RED. A head whose review
    could not be done (ERROR) neither counts nor ends the row.

Why:
    RED is lifted by a new commit only. Where the RED itself is wrong, an agent commits again and again,
    and the pull request never reaches a person who could tell.

Example:
    With `max_red_rounds = 3` the fourth RED head in a row gets the reason `red_escalated`, and the human
    reviewers are asked for a review. It stays RED.

Options:
    `[gate] max_red_rounds`; with 0 nobody is called.

Not covered:
    Whether the commits in between made anything better; each head is a round.
"""

from werkrevisor_core.config.sections import GateSettings
from werkrevisor_core.markers import hookimpl
from werkrevisor_core.models.context import ReviewContext
from werkrevisor_core.models.verdict import Evidence, Level, Reason
from werkrevisor_core.rule import Phase, RuleInfo

RED_ESCALATED = "red_escalated"

RULE = RuleInfo(
    name="red_rounds",
    phase=Phase.ESCALATE,
    since="0.1.0",
    reasons=(RED_ESCALATED,),
    settings=GateSettings,
    section="gate",
)


def _red_in_a_row(context: ReviewContext) -> int:
    count = 0
    for past in reversed(context.history.rounds):
        if not past.complete or past.verdict is Level.ERROR:
            continue
        if past.verdict is not Level.RED:
            break
        count += 1
    return count


def evaluate(context: ReviewContext, verdict: Level, settings: GateSettings) -> Reason | None:
    """Return the reason that calls a human, or None."""
    if verdict is not Level.RED or not settings.max_red_rounds:
        return None
    count = _red_in_a_row(context)
    if count < settings.max_red_rounds:
        return None
    return Reason(
        id=RED_ESCALATED,
        level=Level.RED,
        message="The automatic rounds end here: head after head is RED, and a human decides how to go on.",
        evidence=(Evidence(count=count, limit=settings.max_red_rounds, note="earlier heads in a row were RED"),),
        advice="A human reviewer finds out whether the change or the judgement is wrong, e.g. has the change "
        "restructured, or what misjudges it mended in a pull request of its own.",
        rule=RULE.name,
    )


@hookimpl
def werkrevisor_escalate(context: ReviewContext, verdict: Level, settings: GateSettings) -> Reason | None:
    """Call a human after too many RED rounds."""
    return evaluate(context, verdict, settings)
