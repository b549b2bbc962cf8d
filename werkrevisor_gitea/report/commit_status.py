"""Posts the commit status `werkrevisor/<base branch>` of the judged head.

What it looks at:
    The decision, what holds the merge, and the newest status in the gate's context.

Why:
    The branch rule requires this status. A status belongs to a commit, so its name carries the base branch:
    success for a lax branch must not open a strict one. Its end, e.g. `[7:3]`, makes it an entry of the
    ledger that nobody can edit.

Example:
    GREEN with an open line comment is pending, and success when the comment is answered.

Options:
    None.

Not covered:
    Statuses that others post in the gate's name (`status_forged`).
"""

from werkrevisor_core.markers import hookimpl
from werkrevisor_core.models.publishing import Publication, Reported, Stage
from werkrevisor_core.models.result import Review
from werkrevisor_core.models.verdict import Decision, Level
from werkrevisor_core.render.wording import STATUS_LIMIT, status_description
from werkrevisor_core.rule import Phase, RuleInfo
from werkrevisor_gitea.publishing import Publishing, gitea, may_succeed

RULE = RuleInfo(name="commit_status", phase=Phase.REPORT, since="0.1.0")


def state_of(review: Review) -> str:
    """Return the state that a review has while it is no success."""
    if review.decision is not Decision.BLOCK:
        return "pending"
    return "error" if review.verdict is Level.ERROR else "failure"


def _description(publication: Publication, port: Publishing) -> str:
    from werkrevisor_core.steps.ledger import tagged  # noqa: PLC0415 (local reviews need none)

    text = status_description(publication.review)
    return tagged(text, port.number, port.sequence, STATUS_LIMIT) if port.sequence else text


def evaluate(publication: Publication, port: Publishing, stage: Stage) -> Reported | None:
    """Post the status where it is not there yet: success at the very end, everything else at once."""
    succeeds = may_succeed(publication)
    if stage is not (Stage.ALLOW if succeeds else Stage.SAY):
        return None
    state, text = "success" if succeeds else state_of(publication.review), _description(publication, port)
    if port.has_status(state, text):
        return None
    if succeeds and (moved := port.moved(reviews=True)):
        return Reported(stopped=moved)
    posted = port.post_status(state, text)
    return Reported((f"The status is {state}.",) if posted else ())


@hookimpl
def werkrevisor_report(publication: Publication, stage: Stage) -> Reported | None:
    """Post the status of the judged head."""
    port = gitea(publication)
    return evaluate(publication, port, stage) if port is not None else None
