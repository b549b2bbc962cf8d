"""What reporters get and give back: a finished review on its way to a forge, stage by stage."""

from enum import StrEnum

from attrs import field

from werkrevisor_core.models.forge import PullRequestFacts
from werkrevisor_core.models.result import Review
from werkrevisor_core.records import frozen


class Stage(StrEnum):
    """The steps of publishing, in this order: what opens a way to the base branch comes last."""

    TAKE_BACK = "take_back"
    RECORD = "record"
    DISCUSS = "discuss"
    SAY = "say"
    ASK = "ask"
    APPROVE = "approve"
    ALLOW = "allow"
    MERGE = "merge"


@frozen
class Publication:
    """One review to be published.

    `port` belongs to the forge's own package, whose reporters know its type. `halted` says why nothing but
    taking back is left to do, e.g. that the head has moved since; empty while all is well.
    """

    review: Review
    facts: PullRequestFacts
    port: object = field(repr=False)
    halted: str = ""


@frozen
class Reported:
    """What one reporter did in one stage: sentences for the operator, and why all has to stop, if it has."""

    done: tuple[str, ...] = ()
    stopped: str = ""


@frozen
class Published:
    """What came of publishing: what was done, why it was stopped, and what failed (sentences)."""

    done: tuple[str, ...] = ()
    stopped: str = ""
    failed: tuple[str, ...] = ()

    @property
    def whole(self) -> bool:
        """Whether everything was published."""
        return not self.stopped and not self.failed
