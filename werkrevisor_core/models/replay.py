"""What a replay of an approved change proves: the two ports of the carry-over and what they answer."""

from collections.abc import Sequence
from typing import Protocol

from attrs import field, frozen

from werkrevisor_core.models.change import FileChange
from werkrevisor_core.models.forge import FileMark, Marker
from werkrevisor_core.models.ports import Contents


@frozen
class Replayed:
    """An approved change, merged again onto the merge base of the new head, beside the new head.

    `impossible` says in a sentence why there was no replay; then nothing else is known. `approved` is
    the approved change itself, from its own merge base. `result` is what the replay changes of the new
    merge base, `difference` what the new head changes of the replay's result: nothing where both trees
    are equal. `conflicts` are the paths in which the replay met a conflict. `base_touched` are the
    paths, old and new ones, that the base changed between both merge bases. `before` and `after` hold
    the files: of the approved head and its merge base, and of the new head and the replay's result
    (that one as the old side).
    """

    impossible: str = ""
    approved: tuple[FileChange, ...] = ()
    result: tuple[FileChange, ...] = ()
    difference: tuple[FileChange, ...] = ()
    conflicts: frozenset[str] = frozenset()
    base_touched: frozenset[str] = frozenset()
    before: Contents | None = field(repr=False, default=None)
    after: Contents | None = field(repr=False, default=None)


class Replay(Protocol):
    """Merges an approved change onto the new merge base, with git's own merge and nothing else."""

    def replay(self, approved_base: str, approved: str) -> Replayed:
        """Merge again what lies between these two commits; never raises for what git cannot do.

        Args:
            approved_base: full id of the merge base of the approved head.
            approved: full id of the approved head.
        """


class Fingerprints(Protocol):
    """Makes the keyed fingerprints of changed files; the keys themselves stay inside."""

    def like(self, marker: Marker, files: Sequence[FileChange]) -> tuple[FileMark, ...] | None:
        """Return the fingerprints in the form in which this marker keeps its own, None where its key is not known."""
