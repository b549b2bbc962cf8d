"""What a file is: its category, the kind of a change, and whether a file changed only mechanically."""

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Protocol

from attrs import field

from werkrevisor_core.models.change import FileChange, Hunk
from werkrevisor_core.records import frozen


class Category(StrEnum):
    """What a path is. Where several match, the first in this order holds; where none, MAIN."""

    DB_SCHEMA = "db_schema"
    MAIN = "main"
    CONFIG = "config"
    TESTS = "tests"
    GENERATED = "generated"
    DOCS = "docs"


class ChangeKind(StrEnum):
    """What a change set is, told from the files that count."""

    MECHANICAL_ONLY = "mechanical_only"
    DOCS_ONLY = "docs_only"
    TESTS_ONLY = "tests_only"
    REFACTORING = "refactoring"
    FEATURE = "feature"
    CONFIG = "config"
    DB_SCHEMA = "db_schema"
    MIXED = "mixed"
    EMPTY = "empty"


@frozen
class Rebinding:
    """A name that an import-only change binds to another module."""

    name: str
    was: str
    now: str
    line: int | None = None


@frozen(slots=True)
class Explained:
    """What one classifier explains of one hunk.

    `lines` maps an index into `hunk.lines` to a few words of proof; lines that are missing are
    not explained by this classifier. `rebound` names what the imports of this hunk bind anew.
    """

    lines: Mapping[int, str]
    rebound: tuple[Rebinding, ...] = ()


@frozen
class WholeFile:
    """A classifier's word on a whole file without hunks, with its proof."""

    proof: str


@frozen(slots=True)
class WholePatch:
    """A classifier's word on all changed lines of a file.

    `lines` is how many it has explained, `proof` that of the first of them, `rebound` what they bind anew.
    """

    lines: int
    proof: str
    rebound: tuple[Rebinding, ...] = ()


class Classifier(Protocol):
    """Explains changed lines of files, one hunk at a time.

    The core asks only about files that could be mechanical at all: regular files with unchanged
    mode that exist before and after, read in full, text, no line too long to judge.
    """

    def explain(self, file: FileChange, hunks: Sequence[Hunk]) -> Iterator[Explained] | WholeFile | None:
        """Explain a file.

        Returns:
            An iterator that yields one `Explained` per hunk, in the order of `hunks`; the core
            pulls the next only while every line so far is explained by some classifier.
            `WholeFile` where the whole change is explained although there is no hunk.
            None where this classifier has nothing to say about the file.
        """


class RulesOut(Protocol):
    """What a classifier can do besides, so that most files cost little; one that cannot rules nothing out."""

    def rules_out(self, file: FileChange, text: bytes, at: int) -> int:
        """Tell fast of which changed line it is sure that this classifier does not explain it.

        Where all classifiers rule the same line out, nobody is asked to explain the file.

        Args:
            file: the file.
            text: the text of all its hunks.
            at: where a changed line begins (at its marker).

        Returns:
            Where the first such line begins, `at` or behind it; -1 where that is not sure of any.
        """


class ExplainsWhole(Protocol):
    """What a classifier can do besides, so that large changes cost little."""

    def explain_whole(self, file: FileChange, text: bytes) -> WholePatch | None:
        """Explain all changed lines of a file at once; None where it has to be asked hunk by hunk.

        Asked only about a file whose diff is plain, with no line too long to judge, and only where many files
        are judged. It must say what `explain` would.

        Args:
            file: the file.
            text: the text of all its hunks.
        """


@frozen(slots=True)
class LineProof:
    """One changed line and the rule that explains it. `line` is 1-based on its own side."""

    line: int
    added: bool
    rule: str
    proof: str


@frozen(slots=True)
class Classification:
    """Whether a file changed only mechanically.

    `rules` are the names of the rules that explain it, sorted; empty if it is not mechanical.
    `why` is one line: the proof in short, or the first thing that no rule explained. `proof` holds
    the first lines with the rule that explained each, at most `steps.classify.MAX_PROOF` of them; it is
    empty where a rule explained the file as a whole.
    """

    rules: tuple[str, ...]
    why: str
    line: int | None = None
    proof: tuple[LineProof, ...] = ()
    proved_lines: int = 0
    rebound: tuple[Rebinding, ...] = ()


@frozen(slots=True)
class JudgedFile:
    """A file change together with all that the review has found out about what it is.

    `old_category` is that of the old path of a rename or copy, None where there is no other path.
    """

    change: FileChange = field()
    classification: Classification
    category: Category
    approved: bool = False
    old_category: Category | None = None

    @property
    def path(self) -> str:
        """The new path."""
        return self.change.path

    @property
    def mechanical(self) -> bool:
        """Whether every changed line is explained by a rule."""
        return bool(self.classification.rules)

    @property
    def counts(self) -> bool:
        """Whether somebody has to judge it: neither mechanical nor wholly covered by an approval."""
        return not self.approved and not self.classification.rules
