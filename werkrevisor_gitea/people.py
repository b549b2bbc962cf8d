"""Who said what in a pull request, and who had a hand in it: reviews, pushes and commits as neutral facts.

Nothing is concluded from `stale`, and from `dismissed` only where no entry of the timeline explains it. A review
belongs to the commit that it names and to the base branch at its time, which the timeline tells. The entry of a
dismissal can be edited and deleted by everybody who can write, so its words alone do not make it that of a push.
"""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from werkrevisor_core.models.forge import PersonReview, ReviewState
from werkrevisor_gitea.wire import Commit, PullRequest, Review, TimelineEntry, User

PUSH_TEXT: Final = "New commits pushed, approval review dismissed automatically according to repository settings"
"""The forge's own words for a dismissal by a push; not localised, the same in Forgejo."""
_STATES: Final[Mapping[str, ReviewState]] = MappingProxyType(
    {
        "APPROVED": ReviewState.APPROVED,
        "REQUEST_CHANGES": ReviewState.CHANGES_REQUESTED,
        "COMMENT": ReviewState.COMMENTED,
    }
)


def login(user: User | None) -> str:
    """Return the login of an account; empty for nobody."""
    return "" if user is None else user.login


def is_same(one: str, other: str) -> bool:
    """Tell whether two logins are the same account."""
    return one.casefold() == other.casefold()


def person_reviews(
    pull: PullRequest, reviews: Sequence[Review], timeline: Sequence[TimelineEntry]
) -> tuple[PersonReview, ...]:
    """Return the submitted reviews with the base branch at their time and who ended them."""
    submitted = tuple(_submitted(reviews))
    ends = {**_unexplained(submitted, timeline), **_ends(timeline)}
    return tuple(_person_review(review, _base_at(review, pull, timeline), ends) for review in submitted)


def _submitted(reviews: Sequence[Review]) -> Iterator[Review]:
    return (review for review in reviews if review.state in _STATES and review.user is not None)


def _person_review(review: Review, base: str, ends: Mapping[int, tuple[str, str]]) -> PersonReview:
    by, why = ends.get(review.id, ("", ""))
    return PersonReview(
        id=review.id,
        login=login(review.user),
        state=_STATES[review.state],
        head=review.commit_id,
        base_branch=base,
        at=review.submitted_at,
        official=review.official,
        ended_by=by,
        ended_why=why,
    )


def _ends(timeline: Sequence[TimelineEntry]) -> dict[int, tuple[str, str]]:
    """Return review id -> (who, words) of the dismissals by people."""
    pushers = {login(entry.user) for entry in timeline if entry.type == "pull_push"}
    return {
        entry.review_id: (login(entry.user) or "somebody", " ".join(entry.body.split())[:200] or "without a word")
        for entry in timeline
        if entry.type == "dismiss_review" and not _is_of_a_push(entry, pushers)
    }


def _is_of_a_push(entry: TimelineEntry, pushers: Collection[str]) -> bool:
    """Tell whether the forge itself dismissed: in its own words, which nobody edited, in the name of who pushed."""
    edited = entry.updated_at > entry.created_at
    return entry.body.strip() == PUSH_TEXT and not edited and login(entry.user) in pushers


def _unexplained(reviews: Sequence[Review], timeline: Sequence[TimelineEntry]) -> dict[int, tuple[str, str]]:
    """Return the reviews that are dismissed without an entry; a later decision of the same person makes none either."""
    told = {entry.review_id for entry in timeline if entry.type == "dismiss_review"}
    decisions = sorted(
        (review for review in reviews if review.state != "COMMENT"), key=lambda each: (each.submitted_at, each.id)
    )
    last = {login(review.user).casefold(): review.id for review in decisions}
    return {
        review.id: ("", "it is dismissed, and the timeline does not tell why")
        for review in decisions
        if review.dismissed and review.id not in told and review.id in last.values()
    }


def _base_at(review: Review, pull: PullRequest, timeline: Sequence[TimelineEntry]) -> str:
    """Return the base branch at the time of a review: today's, with all later changes taken back.

    The entry of the review itself stands where it was submitted. Without one its time decides, and a
    change in the same second counts as later.
    """
    places = [
        position for position, entry in enumerate(timeline) if entry.type == "review" and entry.review_id == review.id
    ]
    base = pull.base.ref
    for position in range(len(timeline) - 1, -1, -1):
        entry = timeline[position]
        if entry.type != "change_target_branch":
            continue
        later = position > places[0] if places else entry.created_at >= review.submitted_at
        if later:
            base = entry.old_ref
    return base


def involved(pull: PullRequest, commits: Sequence[Commit], timeline: Sequence[TimelineEntry]) -> frozenset[str]:
    """Return who opened the pull request, pushed to it, or authored or committed a commit in it."""
    names = [login(pull.user)]
    names += [login(entry.user) for entry in timeline if entry.type == "pull_push"]
    names += [login(user) for commit in commits for user in (commit.author, commit.committer)]
    return frozenset(name for name in names if name)


def strangers(commits: Sequence[Commit]) -> tuple[str, ...]:
    """Return the mail addresses in commits that belong to no account."""
    found: dict[str, None] = {}
    for commit in commits:
        for user, identity in ((commit.author, commit.commit.author), (commit.committer, commit.commit.committer)):
            if user is None:
                named = (identity.email or identity.name) if identity is not None else ""
                found[named or "no address at all"] = None
    return tuple(sorted(found))


def pushed_heads(timeline: Sequence[TimelineEntry]) -> Iterator[str]:
    """Yield the heads that pushes made, and those that they overwrote, as far as the timeline still tells."""
    for entry in timeline:
        if entry.type != "pull_push":
            continue
        try:
            ids = json.loads(entry.body)["commit_ids"]
        except (ValueError, KeyError, TypeError, RecursionError):
            continue
        if isinstance(ids, list):
            # Old and new head of a force push, else the pushed commits: the flag is wrong in some versions.
            yield from (each for each in (ids if len(ids) == 2 else ids[-1:]) if isinstance(each, str))
