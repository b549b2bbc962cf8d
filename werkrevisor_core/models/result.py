"""The outcome of one review: all that the comment, the formats and the reporters are made from."""

from attrs import field

from werkrevisor_core.models.change import ChangeSet
from werkrevisor_core.models.classes import ChangeKind, JudgedFile
from werkrevisor_core.models.judges import BlockRating, Usage
from werkrevisor_core.models.verdict import Decision, Finding, Level, Mode, Reason
from werkrevisor_core.records import frozen


@frozen
class Review:
    """One finished review.

    `reasons` are sorted worst first, `findings` by path and line. `holds` says what keeps the merge
    waiting although the decision is `pass`. `receipts` are the carry-over's sentences. `ratings`
    are Jev's, most risky first. `notes` are plain remarks for the reader, e.g. that uncommitted
    work is not reviewed. `seconds` is wall time. `decided_by` says which person decided what, on which
    head, where the decision passes through one. `withheld` says why the forge gets neither approval,
    success nor merge for this head, whatever the decision (a draft, a base branch that is not gated).
    """

    change: ChangeSet
    files: tuple[JudgedFile, ...] = field(repr=False)
    kind: ChangeKind
    mode: Mode
    verdict: Level
    decision: Decision
    reasons: tuple[Reason, ...] = ()
    findings: tuple[Finding, ...] = ()
    holds: tuple[str, ...] = ()
    receipts: tuple[str, ...] = ()
    ratings: tuple[BlockRating, ...] = ()
    notes: tuple[str, ...] = ()
    usage: Usage = Usage()
    config_digest: str = ""
    seconds: float = 0.0
    decided_by: tuple[str, ...] = ()
    withheld: tuple[str, ...] = ()
