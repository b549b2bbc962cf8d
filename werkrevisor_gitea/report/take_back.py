"""Takes back what the bot granted before, wherever that does not hold any more.

What it looks at:
    The bot's own approvals, its success status on the judged head, and a scheduled merge.

Why:
    The forge takes back neither an approval of an older head nor a schedule, and a schedule merges whatever
    head first satisfies the rules.

Example:
    A new head was pushed after the bot had approved: the approval is deleted and the schedule cancelled
    before the new head is looked at any further.

Options:
    None; it cannot be switched off.

Not covered:
    What the forge does between a push and this run; the branch rule has to hold there
    (`werkrevisor protect`).
"""

from collections.abc import Callable, Iterator

from werkrevisor_core.errors import WerkrevisorError
from werkrevisor_core.markers import hookimpl
from werkrevisor_core.models.publishing import Publication, Reported, Stage
from werkrevisor_core.render.wording import status_description
from werkrevisor_core.rule import Phase, RuleInfo
from werkrevisor_gitea.publishing import Publishing, gitea, may_approve, may_merge, may_succeed

RULE = RuleInfo(name="take_back", phase=Phase.REPORT, since="0.1.0", essential=True)

_SUCCESS = "success"
_HALTED = "the pull request changed while this was published, so it is reviewed again"


def evaluate(publication: Publication, port: Publishing) -> Reported:
    """Take back everything that does not hold; one that fails does not keep the others from being tried."""
    if publication.halted and port.is_merged():
        return Reported()  # nothing that was granted can open a way any more
    done: list[str] = []
    faults: list[WerkrevisorError] = []
    steps: tuple[Callable[[Publication, Publishing], Iterator[str]], ...] = (_success, _approvals, _schedule)
    for step in steps:
        try:
            done += step(publication, port)
        except WerkrevisorError as error:
            faults.append(error)
    if faults:
        raise faults[0]
    return Reported(tuple(done))


def _success(publication: Publication, port: Publishing) -> Iterator[str]:
    newest = port.newest_status(fresh=bool(publication.halted))
    if newest is None or newest.status != _SUCCESS or may_succeed(publication):
        return
    text = (
        f"{publication.review.verdict.name}: {_HALTED}"
        if publication.halted
        else status_description(publication.review)
    )
    # It ends no review, so it carries no number: the result comment is not written yet.
    port.add_status("pending", text)
    yield f"The success of the head {port.head[:12]} is taken back."


def _approvals(publication: Publication, port: Publishing) -> Iterator[str]:
    keeps = may_approve(publication, port)
    for review in port.own_reviews():
        if review.state == "APPROVED" and not (keeps and review.commit_id == port.head):
            port.client.reviews.delete(port.number, review.id)
            yield f"The bot's approval of {review.commit_id[:12]} is taken back."


def _schedule(publication: Publication, port: Publishing) -> Iterator[str]:
    if may_merge(publication, port) and port.gate.merge == "schedule" and port.is_scheduled:
        return
    if port.client.pulls.cancel_schedule(port.number):
        yield "The scheduled merge is cancelled."


@hookimpl
def werkrevisor_report(publication: Publication, stage: Stage) -> Reported | None:
    """Take back before anything else."""
    port = gitea(publication)
    return evaluate(publication, port) if port is not None and stage is Stage.TAKE_BACK else None
