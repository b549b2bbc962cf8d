"""The words in which comparisons of tests and of their configuration say what got weaker."""

from enum import StrEnum

from attrs import field

from werkrevisor_core.models.change import Status
from werkrevisor_core.models.classes import Category
from werkrevisor_core.models.ports import Side
from werkrevisor_core.records import frozen


class Kind(StrEnum):
    """In which way tests got weaker; the first word of a note."""

    TEST_REMOVED = "test-removed"
    UNDISCOVERED = "undiscovered"
    COMMENTED_OUT = "commented-out"
    SKIP_ADDED = "skip-added"
    ONLY_ADDED = "only-added"
    RETRY_ADDED = "retry-added"
    TIMEOUT_RAISED = "timeout-raised"
    ASSERTION_REMOVED = "assertion-removed"
    MOCK_VERIFY_DROPPED = "mock-verify-dropped"
    LOOSENED = "loosened"
    TOLERANCE_RAISED = "tolerance-raised"
    EXCEPTION_WIDENED = "exception-widened"
    ALWAYS_TRUE = "always-true"
    UNREACHABLE = "unreachable"
    SWALLOWED = "swallowed"
    CASES_DROPPED = "cases-dropped"
    DATA_EMPTIED = "data-emptied"
    SNAPSHOT_SHRUNK = "snapshot-shrunk"
    NARROWED = "narrowed"
    NON_FAILING = "non-failing"
    PATH_FILTER = "path-filter"
    FLOOR_LOWERED = "floor-lowered"
    CI_STEP_DROPPED = "ci-step-dropped"
    NOT_COMPARED = "not-compared"


@frozen
class Weakened:
    """One way in which the change makes tests weaker, or one file that could not be compared.

    `line` is 1-based in the version named by `side`, None where there is none. `test` is the name of
    the test, the CI step or the key; `was` and `now` what stood there and stands there now, in short.
    `note` is a few words for the reader.
    """

    path: str
    line: int | None
    side: Side
    kind: Kind
    test: str = ""
    was: str | None = None
    now: str | None = None
    note: str = ""


@frozen
class ChangedText:
    """A changed file with both its texts.

    `path` is the new path (of a removed file the old one). A text is None where that side has no such
    file. Texts are decoded as UTF-8 with `surrogateescape`.
    """

    path: str
    old_path: str
    status: Status
    category: Category | None = None
    old: str | None = field(default=None, repr=False)
    new: str | None = field(default=None, repr=False)
