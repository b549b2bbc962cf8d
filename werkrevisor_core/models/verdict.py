"""The words a review speaks in: level, decision, reason, evidence, finding."""

from enum import IntEnum, StrEnum

from werkrevisor_core.models.ports import Side
from werkrevisor_core.records import frozen


class Level(IntEnum):
    """How bad something is; the verdict is the worst. Its number is the exit status of `review`.

    A finding of level GREEN is a hint: it blocks nothing by itself.
    """

    GREEN = 0
    YELLOW = 1
    ORANGE = 2
    RED = 3
    ERROR = 4


class Decision(StrEnum):
    """What the forge is told. People change the decision, never the verdict."""

    PASS = "pass"  # noqa: S105 (a decision, no password)
    WAIT = "wait"
    BLOCK = "block"


class Mode(StrEnum):
    """Who judges: nobody, Jev alone, the model alone, or both."""

    RULES = "rules"
    CLASSIFIER = "classifier"
    LLM = "llm"
    COMBINED = "combined"

    @property
    def asks_jev(self) -> bool:
        """Whether Jev is asked in this mode."""
        return self in (Mode.CLASSIFIER, Mode.COMBINED)

    @property
    def asks_model(self) -> bool:
        """Whether the model is asked in this mode."""
        return self in (Mode.LLM, Mode.COMBINED)


@frozen
class Evidence:
    """One thing that a reason rests on.

    `path` and `line` (1-based, in the version named by `side`) say where, None where there is no
    place. `was` and `now` are what stood there and what stands there now, in short; `count` and
    `limit` are figures. `note` is a few words on this item alone.
    """

    path: str | None = None
    line: int | None = None
    side: Side = Side.NEW
    was: str | None = None
    now: str | None = None
    count: int | None = None
    limit: int | None = None
    note: str = ""


@frozen
class Reason:
    """One thing that stands against the change (or, at level GREEN, holds the merge only).

    `id` is machine-readable and stable, `message` one sentence for people, `advice` what to do
    next and who can, `rule` the plugin (or core module) that gave it.
    """

    id: str
    level: Level
    message: str
    evidence: tuple[Evidence, ...] = ()
    advice: str = ""
    rule: str = ""


@frozen
class Finding:
    """Something that a reviewer says about lines.

    `reviewer` is `rules`, `model` or a name; `rule` the id inside it. Lines are 1-based and
    inclusive on `side`; `start` is None for a finding with no line to stand on. `original_level`
    differs from `level` where the finding was lowered, and `note` then says why. `in_change` is
    False for a model's finding that points outside the diff. `line_comment` is False for a hint that
    stands in the result comment only, so that it holds no merge. `from_model` is set by the core.
    """

    reviewer: str
    rule: str
    path: str
    level: Level
    message: str
    start: int | None = None
    end: int | None = None
    side: Side = Side.NEW
    original_level: Level | None = None
    suggestion: str = ""
    note: str = ""
    in_change: bool = True
    line_comment: bool = True
    from_model: bool = False

    @property
    def id(self) -> str:
        """The finding's id, reviewer/rule."""
        return f"{self.reviewer}/{self.rule}"
