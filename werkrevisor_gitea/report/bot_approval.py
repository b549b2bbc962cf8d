"""Approves the judged head in the bot's name.

What it looks at:
    The decision, and the pull request as it is before and after the approval.

Why:
    The branch rule requires an approval of a listed account. It names the judged head; where the head or
    the base branch moved meanwhile it is taken back at once.

Example:
    A GREEN head is approved. So is a YELLOW one that a human approved before a rebase, and the approval
    names that human.

Options:
    None.

Not covered:
    Drafts, base branches that are not gated, and pull requests of the bot itself: they get none.
"""

from werkrevisor_core.markers import hookimpl
from werkrevisor_core.models.publishing import Publication, Reported, Stage
from werkrevisor_core.render.markdown import prose
from werkrevisor_core.rule import Phase, RuleInfo
from werkrevisor_gitea.publishing import Publishing, gitea, may_approve

RULE = RuleInfo(name="bot_approval", phase=Phase.REPORT, since="0.1.0")

_SHORT = 12


def _body(publication: Publication) -> str:
    review = publication.review
    first = f"{review.verdict.name}: the gate lets this head pass."
    return " ".join([first, *(prose(sentence) for sentence in review.decided_by)])


def _stands(port: Publishing) -> tuple[bool, str]:
    """Return whether the judged head has the bot's approval, and who took it away for good."""
    ended = {review.id: review.ended_by for review in port.facts.reviews}
    own = port.own_reviews()
    asked = any(each.state == "REQUEST_REVIEW" for each in own)  # which clears `official`
    here = [each for each in own if each.state == "APPROVED" and each.commit_id == port.head]
    by = next((ended[each.id] for each in here if ended.get(each.id)), "")
    return any(not each.dismissed and (each.official or not asked) for each in here), by


def evaluate(publication: Publication, port: Publishing) -> Reported | None:
    """Approve where that is not done yet."""
    if not may_approve(publication, port):
        return None
    stands, ended_by = _stands(port)
    if ended_by:
        return Reported((f"{ended_by} dismissed the bot's approval of this head, so it is not given again.",))
    if moved := port.moved(reviews=True):
        return Reported(stopped=moved)
    if stands:
        return None
    port.remove_pending()
    given = port.approve(_body(publication))
    if moved := port.moved():
        port.client.reviews.delete(port.number, given)
        return Reported(("The approval is taken back.",), stopped=moved)
    return Reported((f"The head {port.head[:_SHORT]} is approved.",))


@hookimpl
def werkrevisor_report(publication: Publication, stage: Stage) -> Reported | None:
    """Approve the judged head."""
    port = gitea(publication)
    return evaluate(publication, port) if port is not None and stage is Stage.APPROVE else None
