"""What gates, judges and later steps may look at: the change, its files, history and ports."""

from attrs import field

from werkrevisor_core.models.change import ChangeSet
from werkrevisor_core.models.classes import ChangeKind, JudgedFile
from werkrevisor_core.models.forge import PersonReview, PullRequestFacts, ReasonMark
from werkrevisor_core.models.ports import Contents, Side
from werkrevisor_core.models.replay import Fingerprints, Replay
from werkrevisor_core.models.verdict import Finding, Level, Mode, Reason
from werkrevisor_core.records import frozen


@frozen
class Round:
    """One reviewed head of a pull request, newest last in `History.rounds`."""

    head: str
    verdict: Level
    complete: bool = True


@frozen
class History:
    """What is known of earlier reviews of the same pull request; empty for a local range."""

    rounds: tuple[Round, ...] = ()


@frozen
class LineSpan:
    """Lines of a changed file, 1-based and inclusive, on one side."""

    path: str
    first: int
    last: int
    side: Side = Side.NEW


@frozen
class CarriedApproval:
    """What a carry-over rule proves: these files are wholly covered by an approval.

    `receipt` is the sentence for the comment: approved head and by whom, new head, how many blocks
    are in place, new and missing. `by` are the people whose approval of `head` is carried, nobody where
    none is; `answers` are the reasons that stood there. `approved_lines` and `approved_blocks` (path,
    index) are in place and were approved by them, `reviewed_lines` by the bot itself. `corrections` are
    new blocks (path, index) that keep the approval where Jev and the gates have nothing against them.
    `hints` are findings of level GREEN, e.g. on what is missing.
    """

    files: frozenset[str]
    receipt: str
    complete: bool = False
    by: tuple[str, ...] = ()
    head: str = ""
    answers: tuple[ReasonMark, ...] = ()
    approved_lines: tuple[LineSpan, ...] = ()
    reviewed_lines: tuple[LineSpan, ...] = ()
    approved_blocks: frozenset[tuple[str, int]] = frozenset()
    corrections: frozenset[tuple[str, int]] = frozenset()
    hints: tuple[Finding, ...] = ()


@frozen
class ConfigChange:
    """What the change set does to the repository's own config file, judged by the core.

    `path` is `.werkrevisor.toml`. `faults` and `unknown` are sentences about the new version;
    both empty for a valid change. `regular` is False where the new version is no regular file;
    `readable` is False where the new version could not be read.
    """

    path: str
    faults: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    regular: bool = True
    readable: bool = True
    removed: bool = False


@frozen
class ReviewContext:
    """The frozen input of every gate and of the steps behind them.

    `files` are in the order of `change.files`. `auto_approvable` is the host's list of change
    kinds that may become GREEN. `config_warnings` are unknown names in the repository's config.
    `forge` is what the forge knows of the pull request, None for a local range. `human_approvals` are
    the human approvals of any head that stand, told from all others by the core. `replay` merges an
    approved change again, `fingerprints` makes those that a marker keeps, and `earlier` has the files
    of the last completely reviewed head as its new side; each is None where there is no such thing.
    `doc_hint_line_comments` says that hints of the model on unchanged text stay line comments.
    """

    change: ChangeSet
    files: tuple[JudgedFile, ...]
    kind: ChangeKind
    mode: Mode
    contents: Contents = field(repr=False)
    auto_approvable: tuple[str, ...] = ()
    history: History = History()
    approvals: tuple[CarriedApproval, ...] = ()
    config_change: ConfigChange | None = None
    config_warnings: tuple[str, ...] = ()
    forge: PullRequestFacts | None = None
    human_approvals: tuple[PersonReview, ...] = ()
    replay: Replay | None = field(repr=False, default=None)
    fingerprints: Fingerprints | None = field(repr=False, default=None)
    earlier: Contents | None = field(repr=False, default=None)
    doc_hint_line_comments: bool = False

    def counting(self) -> tuple[JudgedFile, ...]:
        """Return the files that count."""
        return tuple(file for file in self.files if file.counts)


@frozen
class GateResult:
    """What one gate says: reasons, findings, or both; both empty where nothing stands against it."""

    reasons: tuple[Reason, ...] = ()
    findings: tuple[Finding, ...] = ()


@frozen
class Reading:
    """Who read what: paths sent in full and listed as read, and why others were not."""

    read: frozenset[str] = frozenset()
    partly: frozenset[str] = frozenset()
    sent: frozenset[str] = frozenset()
    asked: bool = False


@frozen
class Adjustment:
    """A lower level for one finding (by its index in the findings handed in), with the reason why.

    `result_comment_only` keeps a hint (a finding of level GREEN) from becoming a line comment.
    """

    index: int
    level: Level
    note: str
    result_comment_only: bool = False
