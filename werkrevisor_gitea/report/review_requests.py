"""Asks the listed people for their review, where a human has to decide.

What it looks at:
    The open reasons, whom the host lists for their paths, and what those people have said or been asked.

Why:
    A person is asked only where a person is needed. Being asked again takes the forge's word off an earlier
    approval, so nobody whose approval may be carried is asked, unless a row of RED rounds calls for a human.

Example:
    A YELLOW change under `payments/` asks the people whom `[gate] reviewers` names for it.

Options:
    `[gate] human_reviewers` and `[gate] reviewers`.

Not covered:
    Drafts, base branches that are not gated and pull requests of the bot itself: nobody is asked.
"""

from collections.abc import Iterator

from werkrevisor_core.globs import Globs
from werkrevisor_core.markers import hookimpl
from werkrevisor_core.models.forge import ReviewState
from werkrevisor_core.models.publishing import Publication, Reported, Stage
from werkrevisor_core.models.result import Review
from werkrevisor_core.models.verdict import Decision, Level
from werkrevisor_core.rule import Phase, RuleInfo
from werkrevisor_core.steps.verdict import OVERRIDABLE_ERRORS
from werkrevisor_gitea.publishing import Publishing, gitea

RULE = RuleInfo(name="review_requests", phase=Phase.REPORT, since="0.1.0")

_CALL = "red_escalated"


def is_called(review: Review) -> bool:
    """Tell whether a row of RED rounds calls for a human."""
    return any(reason.id == _CALL for reason in review.reasons)


def needs_human(review: Review) -> bool:
    """Tell whether an approval would change the decision."""
    if review.decision is Decision.PASS:
        return False
    if review.verdict in (Level.YELLOW, Level.ORANGE):
        return True
    errors = {reason.id for reason in review.reasons if reason.level is Level.ERROR}
    return review.verdict is Level.ERROR and bool(errors) and errors <= OVERRIDABLE_ERRORS


def _candidates(review: Review, port: Publishing) -> Iterator[str]:
    """Yield whom the host lists for what stands open: the people of a path's globs, everybody for other paths."""
    owners = [(Globs((glob,), folded=True), logins) for glob, logins in port.gate.reviewers.items()]
    for path in _paths(review):
        owned = [logins for glob, logins in owners if glob.match(path) is not None]
        for logins in owned or [port.gate.human_reviewers]:
            yield from logins


def _paths(review: Review) -> Iterator[str]:
    """Yield the paths that stand open; those of the whole change where a reason does not name its own."""
    yield from (finding.path for finding in review.findings if finding.level is not Level.GREEN)
    for reason in review.reasons:
        if reason.level is Level.GREEN:
            continue
        named = [piece.path for piece in reason.evidence if piece.path is not None]
        if named and len(named) == len(reason.evidence):
            yield from named
        else:
            yield from (path for file in review.change.files for path in file.paths)


def _excluded(review: Review, port: Publishing) -> set[str]:
    facts = port.facts
    out = {login.casefold() for login in (facts.bot, facts.poster, *facts.involved)}
    out |= {each.login.casefold() for each in facts.reviews if each.head == facts.head}
    if not is_called(review):
        out |= {each.login.casefold() for each in facts.reviews if each.state is ReviewState.APPROVED}
    asked = (each.user for each in port.now.reviews if each.state == "REQUEST_REVIEW")
    return out | {user.login.casefold() for user in asked if user is not None}


def wanted(review: Review, port: Publishing) -> tuple[str, ...]:
    """Return whom to ask; nobody where no human is needed."""
    if review.withheld or port.is_own or not (needs_human(review) or is_called(review)):
        return ()
    excluded = _excluded(review, port)
    found = {login.casefold(): login for login in _candidates(review, port)}
    return tuple(sorted(login for key, login in found.items() if key not in excluded))


def evaluate(publication: Publication, port: Publishing) -> Reported | None:
    """Ask one after the other: the forge would stop at the first whom it refuses."""
    from werkrevisor_gitea.errors import NotFound, Refused  # noqa: PLC0415

    done = []
    for login in wanted(publication.review, port):
        try:
            port.client.reviews.request(port.number, [login])
        except (NotFound, Refused) as error:
            done.append(f"{login} cannot be asked for a review: {error}")
        else:
            done.append(f"{login} is asked for a review.")
    return Reported(tuple(done)) if done else None


@hookimpl
def werkrevisor_report(publication: Publication, stage: Stage) -> Reported | None:
    """Ask people."""
    port = gitea(publication)
    return evaluate(publication, port) if port is not None and stage is Stage.ASK else None
