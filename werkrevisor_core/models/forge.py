"""What a forge knows of a pull request, in words that belong to no forge.

The forge package fills these; gates and steps read them. Times are seconds since the epoch (UTC).
Nothing here is believed because the forge shows it: an approval is judged by its `head`, its
`base_branch` and whether a person ended it.
"""

from enum import StrEnum

from werkrevisor_core.models.verdict import Decision, Level
from werkrevisor_core.records import frozen


class ReviewState(StrEnum):
    """What a person said in a review."""

    APPROVED = "approved"
    CHANGES_REQUESTED = "changes_requested"
    COMMENTED = "commented"


@frozen
class PersonReview:
    """One submitted review of a person (or of the bot itself).

    `head` is the commit that it names, `base_branch` the base at its time. `official` is what the
    forge said when the review was first seen. `ended_by` and `ended_why` say which person ended it
    and how (a dismissal with words of their own, a later request for changes); empty where nobody
    did. A dismissal by a push is no person's word and leaves both empty.
    """

    id: int
    login: str
    state: ReviewState
    head: str
    base_branch: str
    at: float
    official: bool = True
    ended_by: str = ""
    ended_why: str = ""


@frozen
class CheckStatus:
    """The newest status of one context on a commit, and who posted it."""

    context: str
    state: str
    creator: str
    description: str = ""


@frozen
class LineComment:
    """A line comment of the bot that may hold the merge.

    `resolved_by` and `replied_by` are logins. `lowered` says that the finding was lowered from
    ORANGE or RED, so that only a human reviewer answers it. `finding` is the key of the finding that
    it was written for (`steps.line_comments.finding_key`), empty where that is not known.
    """

    id: int
    path: str
    line: int
    head: str
    resolved_by: tuple[str, ...] = ()
    replied_by: tuple[str, ...] = ()
    lowered: bool = False
    finding: str = ""


@frozen
class ReasonMark:
    """A reason that stood at a reviewed head: its id, level and hashes of its evidence.

    `evidence` holds one hash per piece of evidence, without line numbers (a rebase moves lines), sorted
    and joined by blanks (`steps.answers.reason_mark`).
    """

    id: str
    level: Level
    evidence: str


@frozen
class FileMark:
    """The fingerprints of one file: of its header and, in order, of its blocks (hexadecimal).

    `blocks` is None where a large pull request keeps only one hash per file, in `whole`.
    """

    path: str
    header: str
    blocks: tuple[str, ...] | None
    whole: str = ""


@frozen
class Marker:
    """What a valid, signed marker of the bot says about one reviewed head.

    `sequence` counts the bot's reviews of the pull request from 1. `approvals` are the ids of
    human approvals that were official when this head was reviewed. `files` are fingerprints, empty
    where the change set was too large to keep them. `comment` is the id of the comment. `key_id` names
    the host key that signed it, with which its fingerprints were made, too. `named_at` is when the ERROR
    reasons that stand in it were first named for this head. All times are those of the forge's clock.
    `involved` are the logins that had a hand in this very head: a later one may not name them any more.
    """

    server: str
    repository_id: int
    pull_request: int
    base_branch: str
    merge_base: str
    head: str
    verdict: Level
    decision: Decision
    complete: bool
    sequence: int
    at: float
    config_digest: str = ""
    reasons: tuple[ReasonMark, ...] = ()
    files: tuple[FileMark, ...] = ()
    approvals: tuple[int, ...] = ()
    approved_by_bot: bool = False
    comment: int = 0
    key_id: str = ""
    named_at: float = 0.0
    involved: tuple[str, ...] = ()


@frozen
class PullRequestFacts:
    """Everything that gates and steps may know about a pull request.

    `involved` are logins that opened it, pushed to it, or authored or committed a commit in it:
    nobody of them counts as its approver. `strangers` are commit identities (mail addresses) that
    belong to no known login; while there is one, it is said. `statuses` are the newest per context
    of the judged head, the bot's own ones included; `own_context` is `werkrevisor/<base>`.
    `own_ledger` are the bot's statuses of all earlier heads (head, description), newest first, the
    ledger against which markers are checked. `edited` are sentences on markers that are missing,
    older than the ledger or badly signed. `ignored` are sentences on comments that look like a
    marker and are none. `default_branch` is the repository's, gated where the host names no branch.
    """

    server: str
    repository_id: int
    number: int
    title: str
    poster: str
    bot: str
    head: str
    base_branch: str
    draft: bool = False
    involved: frozenset[str] = frozenset()
    strangers: tuple[str, ...] = ()
    reviews: tuple[PersonReview, ...] = ()
    statuses: tuple[CheckStatus, ...] = ()
    required_contexts: tuple[str, ...] = ()
    own_context: str = ""
    own_ledger: tuple[tuple[str, str], ...] = ()
    markers: tuple[Marker, ...] = ()
    edited: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    line_comments: tuple[LineComment, ...] = ()
    default_branch: str = ""
