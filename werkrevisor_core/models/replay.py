"""What a replay of an approved change proves: the two ports of the carry-over and what they answer."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from attrs import field

from werkrevisor_core.models.change import FileChange
from werkrevisor_core.models.forge import FileMark, Marker
from werkrevisor_core.models.ports import Contents, NoContents
from werkrevisor_core.records import frozen


@frozen
class Region:
    """Lines in conflict, 1-based: that of the first mark, of the mark between both sides, of the last mark.

    The lines of the approved change stand between the first two marks.
    """

    first: int
    middle: int
    last: int


@frozen
class Replayed:
    """An approved change, merged again onto the merge base of the new head, beside the new head.

    `impossible` says in a sentence why there was no replay; then nothing else is known. `approved` is
    the approved change itself, from its own merge base. `result` is what the replay changes of the new
    merge base, `difference` what the new head changes of the replay's result (without renames): nothing
    where both trees are equal. `conflicts` maps the paths in which the replay met a conflict to the
    regions of its result that are in conflict, none where it is not one of lines. `base_touched` maps
    each path whose contents the base changed between both merge bases to its path at the older one.
    `before` holds the files of the approved head and its merge base.
    """

    impossible: str = ""
    approved: tuple[FileChange, ...] = ()
    result: tuple[FileChange, ...] = ()
    difference: tuple[FileChange, ...] = ()
    conflicts: Mapping[str, tuple[Region, ...]] = field(factory=dict)
    base_touched: Mapping[str, str] = field(factory=dict)
    before: Contents = field(repr=False, factory=NoContents)


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
