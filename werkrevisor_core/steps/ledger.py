"""The bot's commit statuses as a ledger: they cannot be edited, and comments can.

Every status that ends a review carries the pull request's number and the review's sequence number at
the end of its description, e.g. `YELLOW: a human has to approve this head (size) [7:3]`. A marker that
is missing or older than that was edited by somebody, and rounds are counted from both.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from werkrevisor_core.models.context import History, Round
from werkrevisor_core.models.forge import FileMark, Marker, PersonReview, PullRequestFacts
from werkrevisor_core.models.result import Review
from werkrevisor_core.models.verdict import Decision, Level
from werkrevisor_core.records import frozen
from werkrevisor_core.steps.answers import reason_mark, stood

_TAG: Final = re.compile(r" \[([0-9]{1,9}):([0-9]{1,9})\]\Z")
_SHORT: Final = 12


@frozen
class Entry:
    """One status of the bot that ended a review of this pull request; `verdict` is None where it names none."""

    head: str
    verdict: Level | None
    sequence: int


@frozen
class Ledger:
    """What statuses and markers together say.

    `edited` are sentences on comments that somebody changed or deleted, `next_sequence` is the number
    of the review that runs now, `last_complete` the marker of the last completely reviewed other head.
    """

    history: History
    edited: tuple[str, ...]
    next_sequence: int
    last_complete: Marker | None


@frozen
class Turn:
    """The number of a review, from the ledger, and its time by the forge's clock (the `Date` of an answer)."""

    sequence: int
    at: float


def tagged(description: str, pull_request: int, sequence: int, limit: int) -> str:
    """Return the description of a status with its place in the ledger, at most `limit` characters long."""
    tag = f" [{pull_request}:{sequence}]"
    room = limit - len(tag)
    shown = description if len(description) <= room else description[: room - 3].rstrip() + "..."
    return shown + tag


def entries(rows: Iterable[tuple[str, str]], pull_request: int) -> tuple[Entry, ...]:
    """Return the entries of one pull request among the bot's statuses.

    A status belongs to a commit, which several pull requests may share; one without a tag (e.g. that a
    review is running) is no entry.

    Args:
        rows: (head, description) of statuses that the bot's own account posted, in any order.
        pull_request: its number.
    """
    return tuple(_entries(rows, pull_request))


def _entries(rows: Iterable[tuple[str, str]], pull_request: int) -> Iterator[Entry]:
    for head, description in rows:
        tag = _TAG.search(description)
        if tag is not None and int(tag[1]) == pull_request:
            name = description.partition(":")[0]
            yield Entry(head, Level[name] if name in Level.__members__ else None, int(tag[2]))


def read_ledger(
    rows: Sequence[tuple[str, str]],
    markers: Sequence[Marker],
    broken: Sequence[str],
    pull_request: int,
    head: str,
) -> Ledger:
    """Hold the markers against the ledger.

    Args:
        rows: (head, description) of the bot's statuses on all known heads, the judged one included.
        markers: the valid markers.
        broken: sentences on comments of the bot whose marker is not valid.
        pull_request: its number.
        head: the judged commit, which is no earlier round.
    """
    newest_status = _newest(entries(rows, pull_request))
    newest_marker = _newest_marker(markers)
    edited = (*broken, *_edited(newest_status, newest_marker))
    sequences = [entry.sequence for entry in newest_status.values()] + [marker.sequence for marker in markers]
    complete = [marker for marker in newest_marker.values() if marker.complete and marker.head != head]
    return Ledger(
        History(tuple(_rounds(newest_status, newest_marker, head))),
        edited,
        max(sequences, default=0) + 1,
        max(complete, key=lambda marker: marker.sequence, default=None),
    )


def _newest(found: Iterable[Entry]) -> dict[str, Entry]:
    newest: dict[str, Entry] = {}
    for entry in sorted(found, key=lambda entry: entry.sequence):
        newest[entry.head] = entry
    return newest


def _newest_marker(markers: Iterable[Marker]) -> dict[str, Marker]:
    newest: dict[str, Marker] = {}
    for marker in sorted(markers, key=lambda marker: marker.sequence):
        newest[marker.head] = marker
    return newest


def _edited(statuses: dict[str, Entry], markers: dict[str, Marker]) -> Iterator[str]:
    for entry in sorted(statuses.values(), key=lambda entry: entry.sequence):
        marker = markers.get(entry.head)
        shown = entry.head[:_SHORT]
        if marker is None:
            yield f"The head {shown} has a status of the bot, and its result comment is gone or not valid."
        elif marker.sequence < entry.sequence:
            yield (
                f"The result comment of the head {shown} is older than the bot's status there "
                f"(review {marker.sequence} instead of {entry.sequence})."
            )


def _rounds(statuses: dict[str, Entry], markers: dict[str, Marker], head: str) -> Iterator[Round]:
    rows: list[tuple[int, Round]] = []
    for name, marker in markers.items():
        entry = statuses.get(name)
        if entry is None or marker.sequence >= entry.sequence:
            rows.append((marker.sequence, Round(name, marker.verdict, marker.complete)))
    told = {row.head for _, row in rows}
    for name, entry in statuses.items():
        if name not in told:
            # A status that names no verdict tells of no complete review.
            verdict = Level.ERROR if entry.verdict is None else entry.verdict
            rows.append((entry.sequence, Round(name, verdict, verdict is not Level.ERROR)))
    rows = [row for row in rows if row[1].head != head]
    yield from (row for _, row in sorted(rows, key=lambda row: (row[0], row[1].head)))


def next_marker(
    review: Review,
    facts: PullRequestFacts,
    approvals: Iterable[PersonReview],
    files: tuple[FileMark, ...],
    turn: Turn,
) -> Marker:
    """Return the marker of a finished review.

    Args:
        review: the review; its change set has commits.
        facts: what the forge knew when it ran.
        approvals: the human approvals that stand, of any head; their ids are kept as seen official.
        files: the fingerprints of the change.
        turn: the review's number and time.
    """
    seen = {number for marker in facts.markers for number in marker.approvals}
    return Marker(
        server=facts.server,
        repository_id=facts.repository_id,
        pull_request=facts.number,
        base_branch=facts.base_branch,
        merge_base=review.change.merge_base or "",
        head=facts.head,
        verdict=review.verdict,
        decision=review.decision,
        complete=review.verdict is not Level.ERROR,
        sequence=turn.sequence,
        at=turn.at,
        config_digest=review.config_digest,
        reasons=tuple(reason_mark(reason) for reason in review.reasons),
        files=files,
        approvals=tuple(sorted(seen | {approval.id for approval in approvals})),
        approved_by_bot=_approves(review),
        named_at=_named_at(review, facts, turn.at),
        involved=tuple(sorted(facts.involved)),
    )


def _approves(review: Review) -> bool:
    return review.verdict is Level.GREEN and review.decision is Decision.PASS and not review.withheld


def _named_at(review: Review, facts: PullRequestFacts, now: float) -> float:
    """Return since when the ERROR reasons of this head are named; a comment written anew names them no later."""
    errors = [reason for reason in review.reasons if reason.level is Level.ERROR]
    before = [
        marker.named_at
        for marker in facts.markers
        if marker.head == facts.head and errors and all(stood(error, marker.reasons) for error in errors)
    ]
    return min(before, default=now)
