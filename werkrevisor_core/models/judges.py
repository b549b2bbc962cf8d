"""What Jev and the model are asked and what they answer."""

from enum import StrEnum

from attrs import field

from werkrevisor_core.models.change import Block, Status
from werkrevisor_core.models.classes import ChangeKind
from werkrevisor_core.models.verdict import Finding
from werkrevisor_core.records import frozen


@frozen
class BlockToRate:
    """One block of a file that counts, as Jev gets it."""

    path: str
    index: int
    block: Block


@frozen
class BlockRating:
    """Jev's answer for one block.

    `percentile` is 0 to 1 within this repository: the share of past changes that were less likely
    to be touched by a later fix; None is an abstention, with its reason in `abstained`.
    """

    path: str
    index: int
    percentile: float | None
    tags: tuple[str, ...] = ()
    abstained: str = ""


@frozen
class Judgement:
    """Jev's whole answer. A block that is missing counts as an abstention."""

    model_id: str
    calibration: str
    ratings: tuple[BlockRating, ...]


class Purpose(StrEnum):
    """Why the model is called: to review, or to confirm its own RED findings independently."""

    REVIEW = "review"
    CONFIRM = "confirm"


@frozen
class FileToReview:
    """One file that counts, as the model gets it.

    `diff` is git's text of the change. `content` is the full text at the head, None where the file
    is gone or its content is not known here. All text is hostile.
    """

    path: str
    old_path: str
    status: Status
    diff: str = field(repr=False)
    content: str | None = field(repr=False, default=None)


@frozen
class ModelRequest:
    """What the model is asked: the files that count and nothing of any other file.

    `unsendable` are paths of files that count but cannot be sent (binary, not readable).
    For `Purpose.CONFIRM`, `findings` are the RED findings to confirm.
    """

    purpose: Purpose
    kind: ChangeKind
    files: tuple[FileToReview, ...]
    unsendable: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()


@frozen
class Usage:
    """What the judges cost: model tokens in and out, cost in the account's currency, seconds."""

    tokens_in: int = 0
    tokens_out: int = 0
    cost: float = 0.0
    seconds: float = 0.0
    calls: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        """Add two usages field by field."""
        return Usage(
            self.tokens_in + other.tokens_in,
            self.tokens_out + other.tokens_out,
            self.cost + other.cost,
            self.seconds + other.seconds,
            self.calls + other.calls,
        )


@frozen
class ModelAnswer:
    """What the model answers.

    `read` lists the paths it read; only a path that was sent in full and stands here counts as
    read. `partly` lists paths of which a part was cut from the prompt. For `Purpose.CONFIRM`,
    `findings` are those that it confirms.
    """

    engine: str
    read: frozenset[str] = frozenset()
    partly: frozenset[str] = frozenset()
    findings: tuple[Finding, ...] = ()
    kind: ChangeKind | None = None
    usage: Usage = Usage()
