"""Collects what the forge knows of a pull request, in two rounds of requests that run at the same time.

Their number depends on the number of rounds and reviews, never on that of files: six in the first round; in
the second the commits, the base branch, the timeline, one per head whose statuses are read, and one per
review of the bot that has line comments.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from attrs import evolve, field, frozen

from werkrevisor_core.marks.codec import Comment, Read, read_comments
from werkrevisor_core.marks.keys import Keyring, Origin
from werkrevisor_core.models.forge import CheckStatus, LineComment, PullRequestFacts
from werkrevisor_core.steps.ledger import Ledger, entries, read_ledger
from werkrevisor_gitea.client import Client
from werkrevisor_gitea.errors import BadAnswer, NotFound
from werkrevisor_gitea.line_marks import Place, read_line_mark
from werkrevisor_gitea.people import involved, is_same, login, person_reviews, pushed_heads, strangers
from werkrevisor_gitea.wire import (
    Branch,
    Commit,
    IssueComment,
    PullRequest,
    Repository,
    Review,
    ReviewComment,
    Status,
    TimelineEntry,
)

PREFIX: Final = "werkrevisor/"
"""What the contexts of the gate's own statuses begin with; the base branch follows."""
MOST_HEADS: Final = 200
MOST_REVIEWS: Final = 100
"""Heads and reviews of the bot of one pull request above which it is not read any more."""
_ID: Final = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")


@frozen
class First:
    """The first round: what has to be known before the rest can be asked for."""

    bot: str
    repository: Repository
    pull: PullRequest
    reviews: tuple[Review, ...] = field(repr=False)
    comments: tuple[IssueComment, ...] = field(repr=False)


@frozen
class Collected:
    """All that was read: neutral facts, the ledger, and what the publisher starts from."""

    first: First
    facts: PullRequestFacts
    ledger: Ledger
    origin: Origin
    timeline: tuple[TimelineEntry, ...] = field(repr=False)

    @property
    def notes(self) -> tuple[str, ...]:
        """Remarks for the reader of the review."""
        found = self.facts.strangers
        if not found:
            return ()
        shown = ", ".join(found[:5]) + (f" and {len(found) - 5} more" if len(found) > 5 else "")
        return (f"Commits here name addresses that belong to no account, so who made them is not known: {shown}.",)


@frozen
class _Second:
    commits: tuple[Commit, ...]
    branch: Branch
    timeline: tuple[TimelineEntry, ...]
    lines: tuple[tuple[Review, tuple[ReviewComment, ...]], ...]
    statuses: Mapping[str, tuple[Status, ...] | None]


def own_context(base_branch: str) -> str:
    """Return the context of the gate's status for a base branch."""
    return f"{PREFIX}{base_branch}"


def read_first(client: Client, number: int) -> First:
    """Read the pull request, its reviews and comments, the repository, and whose token it is.

    Raises:
        ForgeError: one of them cannot be read.
    """
    calls: list[Callable[[], object]] = [
        client.me,
        client.repository.get,
        partial(client.pulls.get, number),
        partial(client.reviews.list, number),
        partial(client.comments.list, number),
    ]
    me, repository, pull, reviews, comments = client.gather(calls)
    return First(me.login, repository, pull, reviews, comments)  # type: ignore[attr-defined, arg-type]


def collect(client: Client, first: First, keyring: Keyring, reviewed: Iterable[str] = ()) -> Collected:
    """Read the rest and say it in neutral words.

    Args:
        client: the client.
        first: the first round.
        keyring: the keys with which the markers are checked.
        reviewed: heads of this pull request that this machine remembers to have reviewed.

    Raises:
        ForgeError: something cannot be read, or there is more of it than is read.
    """
    pull, bot = first.pull, first.bot
    if not pull.base.sha:
        raise BadAnswer(f"the base branch {pull.base.ref} of pull request {pull.number} is gone; give it another base")
    if pull.user is None:
        raise BadAnswer(f"the server does not say who opened pull request {pull.number}; the next run tries again")
    origin = Origin(client.url, first.repository.id)
    texts = [Comment(each.id, login(each.user), each.body) for each in first.comments]
    read = read_comments(texts, bot, keyring, origin, pull.number)
    second = _second(client, first, read, frozenset(reviewed))
    ledger = _ledger(first, read, second)
    facts = _facts(client, first, second, _lines(first, second, keyring, origin))
    known = facts.involved | _forgotten(read, second.timeline)
    facts = evolve(facts, markers=read.markers, edited=ledger.edited, ignored=read.ignored, involved=known)
    return Collected(first, facts, ledger, origin, second.timeline)


def _forgotten(read: Read, timeline: Iterable[TimelineEntry]) -> frozenset[str]:
    """Return who was involved according to the markers, where a retarget made the forge forget who pushed."""
    if not any(entry.type == "change_target_branch" for entry in timeline):
        return frozenset()
    return frozenset(name for marker in read.markers for name in marker.involved)


def _second(client: Client, first: First, read: Read, reviewed: frozenset[str]) -> _Second:
    number = first.pull.number
    own = [review for review in _own(first) if review.comments_count > 0]
    if len(own) > MOST_REVIEWS:
        raise BadAnswer(
            f"pull request {number} has {len(own)} reviews of the bot with line comments, and more than "
            f"{MOST_REVIEWS} are not read: open a new one with the same branch"
        )
    hidden = sum(review.comments_count for review in first.reviews)
    expected = [comment.id for comment in first.comments]
    calls: list[Callable[[], object]] = [
        partial(client.pulls.commits, number),
        partial(client.branches.get, first.pull.base.ref),
        partial(client.timeline.list, number, hidden=hidden, expected=expected),
        partial(_statuses, client, [first.pull.head.sha], set()),
        *(partial(client.reviews.comments, number, review.id) for review in own),
    ]
    commits, branch, timeline, statuses, *lines = client.gather(calls)
    known = {marker.head for marker in read.markers}
    judged = {review.commit_id for review in _own(first)} | reviewed
    heads = _earlier(first, [*known, *judged, *pushed_heads(timeline)])  # type: ignore[arg-type]
    earlier = _statuses(client, heads, judged - known)
    found = {**statuses, **earlier}  # type: ignore[dict-item]
    return _Second(commits, branch, timeline, tuple(zip(own, lines, strict=True)), found)  # type: ignore[arg-type]


def _own(first: First) -> list[Review]:
    return [review for review in first.reviews if is_same(login(review.user), first.bot)]


def _earlier(first: First, heads: Iterable[str]) -> list[str]:
    found = [head for head in dict.fromkeys(heads) if _ID.fullmatch(head) and head != first.pull.head.sha]
    if len(found) > MOST_HEADS:
        raise BadAnswer(
            f"pull request {first.pull.number} had {len(found)} heads, and more than {MOST_HEADS} are not read: "
            "open a new one with the same branch"
        )
    return found


def _statuses(
    client: Client, heads: Sequence[str], wanted: set[str] | frozenset[str]
) -> dict[str, tuple[Status, ...] | None]:
    """Read the statuses of commits; None where an overwritten one was collected that somebody should know of."""
    rows = client.gather([partial(_statuses_of, client, head) for head in heads])
    return {head: found for head, found in zip(heads, rows, strict=True) if found is not None or head in wanted}


def _statuses_of(client: Client, head: str) -> tuple[Status, ...] | None:
    try:
        return client.statuses.list(head)
    except NotFound:
        return None  # an overwritten commit goes when the server collects what no branch holds


def _ledger(first: First, read: Read, second: _Second) -> Ledger:
    rows = [
        (head, row.description)
        for head, statuses in second.statuses.items()
        for row in statuses or ()
        if row.context.startswith(PREFIX) and is_same(login(row.creator), first.bot)
    ]
    gone = [
        f"The statuses of the earlier head {head[:12]} cannot be read any more, and no result comment tells of it."
        for head, statuses in second.statuses.items()
        if statuses is None
    ]
    broken = (*read.broken, *gone, *_unconfirmed(first, read, second, rows))
    return read_ledger(rows, read.markers, broken, first.pull.number, first.pull.head.sha)


def _unconfirmed(first: First, read: Read, second: _Second, rows: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Yield a sentence on every approved head of which nothing tells whether its result comment is the newest.

    Reviews are numbered without gaps. Where the statuses of a head are gone, a number that is missing after that
    of its marker may have been another review of it, whose comment somebody put back to the older one.
    """
    numbers = {entry.sequence for entry in entries(rows, first.pull.number)}
    numbers |= {marker.sequence for marker in read.markers}
    approved = {review.commit_id for review in first.reviews if review.state == "APPROVED"}
    for marker in read.markers:
        later = range(marker.sequence + 1, max(numbers))
        if marker.head in approved and marker.head not in second.statuses and not numbers.issuperset(later):
            yield (
                f"The statuses of the earlier head {marker.head[:12]} cannot be read any more, so nothing tells "
                "whether its result comment is the newest."
            )


def _facts(client: Client, first: First, second: _Second, lines: tuple[LineComment, ...]) -> PullRequestFacts:
    pull, head = first.pull, first.pull.head.sha
    statuses = second.statuses.get(head)
    if statuses is None:
        raise BadAnswer(f"the server does not know the statuses of the head {head[:12]}; the next run tries again")
    branch = second.branch
    return PullRequestFacts(
        server=client.url,
        repository_id=first.repository.id,
        number=pull.number,
        title=pull.title,
        poster=login(pull.user),
        bot=first.bot,
        head=head,
        base_branch=pull.base.ref,
        draft=pull.draft,
        involved=involved(pull, second.commits, second.timeline),
        strangers=strangers(second.commits),
        reviews=person_reviews(pull, first.reviews, second.timeline),
        statuses=check_statuses(statuses, first.bot, own_context(pull.base.ref)),
        required_contexts=branch.status_check_contexts if branch.enable_status_check else (),
        own_context=own_context(pull.base.ref),
        own_ledger=tuple(
            (name, row.description)
            for name, rows in second.statuses.items()
            for row in rows or ()
            if name != head and row.context.startswith(PREFIX) and is_same(login(row.creator), first.bot)
        ),
        line_comments=lines,
        default_branch=first.repository.default_branch,
    )


def check_statuses(rows: Sequence[Status], bot: str, own: str) -> tuple[CheckStatus, ...]:
    """Return the newest status per context; in the gate's own contexts the newest of each creator.

    What the gate itself posted later does not make a forged one undone. What it said of this head for other
    base branches is left out: that is no CI, neither one that succeeded nor one that is missing.

    Args:
        rows: all statuses of the head, newest first.
        bot: the gate's own account.
        own: the gate's context for the base branch.
    """
    found: dict[tuple[str, str], CheckStatus] = {}
    for row in rows:
        creator = login(row.creator)
        gates = row.context.startswith(PREFIX)
        if gates and row.context != own and is_same(creator, bot):
            continue
        key = (row.context, creator.casefold() if gates else "")
        found.setdefault(key, CheckStatus(row.context, row.status, creator, row.description))
    return tuple(found.values())


def _lines(first: First, second: _Second, keyring: Keyring, origin: Origin) -> tuple[LineComment, ...]:
    return tuple(
        comment
        for review, rows in second.lines
        for comment in _threads(review, rows, first.bot, keyring, Place(origin, first.pull.number, review.commit_id))
    )


def _threads(
    review: Review, rows: Sequence[ReviewComment], bot: str, keyring: Keyring, place: Place
) -> Iterable[LineComment]:
    """Yield the line comments of the bot in one review, each with who resolved or answered its thread."""
    threads: dict[tuple[str, int, int], list[ReviewComment]] = {}
    for row in rows:
        threads.setdefault((row.path, row.position, row.original_position), []).append(row)
    for thread in threads.values():
        resolved = sorted({login(row.resolver) for row in thread if row.resolver is not None})
        replied = sorted({login(row.user) for row in thread if not is_same(login(row.user), bot)})
        for row in thread:
            if not is_same(login(row.user), bot):
                continue
            mark = read_line_mark(row.body, keyring, place)
            yield LineComment(
                id=row.id,
                path=row.path,
                line=row.position or row.original_position,
                head=review.commit_id,
                resolved_by=tuple(name for name in resolved if name),
                replied_by=tuple(name for name in replied if name),
                lowered=mark is None or mark.lowered,
                finding=mark.finding if mark is not None else "",
            )
