"""Tells for every block of a new head whether the replay of an approved change put it there.

The difference between replay and new head says what is new or dropped. In files that the base touched,
too, a block must besides keep what encloses it and the lines above it, since a merge may land it in a
look-alike.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from typing import Final

from attrs import field

from werkrevisor_core.errors import ContentsUnavailable
from werkrevisor_core.models.change import REGULAR_MODES, Block, FileChange, Status
from werkrevisor_core.models.ports import Contents, Side
from werkrevisor_core.models.replay import Region, Replayed
from werkrevisor_core.records import frozen
from werkrevisor_rules._support.anchors import anchored
from werkrevisor_rules._support.enclosing import enclosing_paths, has_word
from werkrevisor_rules._support.lines import found_in

_Row = tuple[bool, bytes, tuple[bytes, int]]
"""A changed line with its side and its place: what encloses it, how many of the common lines stand above it."""
_NOTHING_SHOWN: Final = (Status.ADDED, Status.REMOVED, Status.RENAMED, Status.COPIED, Status.TYPE_CHANGED)


class Place(Enum):
    """Where a block of the new head comes from."""

    IN_PLACE = "in place"
    CORRECTION = "new, inside a conflict"
    NEW = "new"


@frozen
class PlacedFile:
    """A file of the new head: the place of each of its blocks, and whether its header is new."""

    change: FileChange
    header_new: bool
    blocks: tuple[Block, ...] = field(repr=False)
    places: tuple[Place, ...]

    @property
    def in_place(self) -> bool:
        """Whether nothing of the file is new."""
        return not self.header_new and all(place is Place.IN_PLACE for place in self.places)

    def count(self, *places: Place) -> int:
        """Return how many blocks have one of these places; a file without blocks counts as one."""
        if self.places:
            return sum(place in places for place in self.places)
        return int((Place.NEW if self.header_new else Place.IN_PLACE) in places)


@frozen
class Placed:
    """All files of the new head; paths of blocks that are missing there; lines new or lost in conflicts."""

    files: tuple[PlacedFile, ...]
    missing: tuple[str, ...] = ()
    corrected_lines: int = 0

    def count(self, *places: Place) -> int:
        """Return how many blocks have one of these places."""
        return sum(file.count(*places) for file in self.files)


@frozen
class _Difference:
    """The blocks in which the new head (new side) differs from the replay (old side), in order of lines."""

    file: FileChange | None = None
    blocks: tuple[Block, ...] = ()
    regions: tuple[Region, ...] = ()
    conflict: bool = False

    def touching_new(self, first: int, end: int) -> Sequence[Block]:
        """Return those that touch these lines (end exclusive) of the new head; beside them is touching."""
        return _touched(self.blocks, first, end)

    def touching_old(self, first: int, end: int) -> Sequence[Block]:
        """Return those that touch these lines (end exclusive) of the replay."""
        low = bisect_left(self.blocks, first, key=lambda block: block.old_line + len(block.removed))
        return self.blocks[low : bisect_right(self.blocks, end, key=lambda block: block.old_line)]

    def region_of(self, block: Block) -> Region | None:
        """Return the region in conflict in which a difference lies wholly."""
        at = bisect_right(self.regions, block.old_line, key=lambda region: region.first) - 1
        if at < 0 or block.old_line + max(len(block.removed), 1) - 1 > self.regions[at].last:
            return None
        return self.regions[at] if block.removed or block.old_line > self.regions[at].first else None


def placed(files: Iterable[FileChange], replayed: Replayed, contents: Contents, most_lost: int) -> Placed:
    """Tell for every block where it comes from.

    Args:
        files: the new head's change set.
        replayed: the replay beside the new head.
        contents: of the new head and its merge base.
        most_lost: lines of the approved change that a resolved conflict may lose; with more it dropped them.
    """
    by_path = {file.path: file for file in replayed.difference}
    paths = by_path.keys() | replayed.conflicts.keys()
    differences = {path: _difference(by_path.get(path), replayed.conflicts.get(path)) for path in paths}
    rows = tuple(_placed_file(file, differences, replayed, contents) for file in files)
    here = {row.change.path: row for row in rows}
    missing = [*_missing_blocks(replayed.result, differences, here)]
    told = {path for file in (*replayed.result, *(row.change for row in rows)) for path in file.paths}
    missing += sorted(by_path.keys() - told)
    lost = 0
    for path, difference in sorted(differences.items()):
        own = _own_lines(path, replayed) if difference.regions else None
        for region in difference.regions:
            gone, resolved = _resolution(difference, region, here.get(path), own)
            lost += gone
            if not resolved or gone > most_lost:
                missing.append(path)
    new = sum(
        max(len(block.added), len(block.removed))
        for row in rows
        for block, place in zip(row.blocks, row.places, strict=True)
        if place is Place.CORRECTION
    )
    return Placed(rows, tuple(missing), max(new, lost))


def _difference(file: FileChange | None, regions: tuple[Region, ...] | None) -> _Difference:
    return _Difference(file, () if file is None else _blocks(file), regions or (), conflict=regions is not None)


def _blocks(file: FileChange) -> tuple[Block, ...]:
    return tuple(block for hunk in file.patch.hunks() for block in hunk.blocks())


def _is_opaque(difference: _Difference) -> bool:
    """Tell whether replay and head differ in more than lines, or in a way that lines do not show."""
    if difference.conflict and not difference.regions:
        return True
    file = difference.file
    if file is None:
        return False
    return (
        file.status in _NOTHING_SHOWN
        or file.unread is not None
        or file.binary
        or not difference.blocks
        or file.old_mode != file.new_mode
        or file.new_mode not in REGULAR_MODES
    )


def _placed_file(
    file: FileChange, differences: dict[str, _Difference], replayed: Replayed, contents: Contents
) -> PlacedFile:
    blocks = _blocks(file)
    if file.unread is not None or any(_is_opaque(differences[path]) for path in file.paths if path in differences):
        return PlacedFile(file, True, blocks, (Place.NEW,) * len(blocks))
    difference = differences.get(file.path, _Difference())
    places = tuple(_place(block, difference) for block in blocks)
    enclosed = _enclosed(file, blocks, replayed, contents)
    return PlacedFile(
        file,
        False,
        blocks,
        tuple(
            place if fits or place is not Place.IN_PLACE else Place.NEW
            for place, fits in zip(places, enclosed, strict=True)
        ),
    )


def _place(block: Block, difference: _Difference) -> Place:
    touching = difference.touching_new(block.new_line, block.new_line + len(block.added))
    if not touching:
        return Place.IN_PLACE
    return Place.CORRECTION if all(difference.region_of(other) is not None for other in touching) else Place.NEW


def _missing_blocks(
    result: Iterable[FileChange], differences: dict[str, _Difference], here: dict[str, PlacedFile]
) -> Iterator[str]:
    """Yield the path of every block that the replay has and the new head lacks."""
    for file in result:
        row = here.get(file.path)
        opaque = any(_is_opaque(differences[path]) for path in file.paths if path in differences)
        if opaque and (row is None or file.status is Status.RENAMED):
            yield from [file.path] * max(1, len(_blocks(file)))
            continue
        difference = differences.get(file.path, _Difference())
        for block in _blocks(file):
            touching = difference.touching_old(block.new_line, block.new_line + len(block.added))
            if touching and not _in_region(block, difference) and not _is_kept(block, row, touching):
                yield file.path
        if opaque and not _blocks(file):
            yield file.path


def _in_region(block: Block, difference: _Difference) -> bool:
    end = block.new_line + len(block.added)
    return any(region.first <= end and region.last >= block.new_line for region in difference.regions)


def _is_kept(block: Block, row: PlacedFile | None, touching: Iterable[Block]) -> bool:
    """Tell whether a block of the replay stands whole inside a block of the new head at these differences."""
    return row is not None and any(
        _holds(other.removed, block.removed) and _holds(other.added, block.added)
        for place in touching
        for other in _touched(row.blocks, place.new_line, place.new_line + len(place.added))
    )


def _holds(lines: Sequence[bytes], part: Sequence[bytes]) -> bool:
    return not part or b"\n".join([b"", *part, b""]) in b"\n".join([b"", *lines, b""])


def _resolution(
    difference: _Difference, region: Region, row: PlacedFile | None, own: frozenset[bytes] | None
) -> tuple[int, bool]:
    """Return how many approved lines a resolved conflict lost, and whether the head has its own word in their place.

    What was lost is shown to nobody. So it takes as many new lines as those of the approved change (`own`,
    None where that is not known) that are gone, and blank ones are none.
    """
    lost: list[bytes] = []
    put = 0
    changed = False
    for block in difference.touching_old(region.first, region.last + 1):
        first = max(block.old_line, region.first + 1)
        lost += block.removed[first - block.old_line : max(first, region.middle) - block.old_line]
        put += sum(map(has_word, block.added))
        end = block.new_line + len(block.added)
        here = () if row is None else _touched(row.blocks, block.new_line, end)
        changed = changed or any(has_word(line) for other in here for line in (*other.removed, *other.added))
    gone = sum(has_word(line) and (own is None or line in own) for line in lost)
    return len(lost), changed and gone <= put


def _own_lines(path: str, replayed: Replayed) -> frozenset[bytes] | None:
    """Return the lines that the approved change adds to a file, None where it is not known which file that was."""
    known = {path, replayed.base_touched.get(path, path)}
    file = next((file for file in replayed.approved if not known.isdisjoint(file.paths)), None)
    return None if file is None else frozenset(line for block in _blocks(file) for line in block.added)


def _touched(blocks: Sequence[Block], first: int, end: int) -> Sequence[Block]:
    """Return the blocks that touch these lines (end exclusive) of the new side; beside them is touching."""
    low = bisect_left(blocks, first, key=lambda block: block.new_line + len(block.added))
    return blocks[low : bisect_right(blocks, end, key=lambda block: block.new_line)]


def _enclosed(file: FileChange, blocks: Sequence[Block], replayed: Replayed, contents: Contents) -> Sequence[bool]:
    """Tell for every block whether its lines are enclosed as the approved ones are."""
    touched = replayed.base_touched.get(file.old_path, replayed.base_touched.get(file.path))
    if touched is None:
        return [True] * len(blocks)
    approved = next((other for other in replayed.approved if touched in (other.old_path, other.path)), None)
    if approved is None:
        return [False] * len(blocks)
    before = _sides(approved, _blocks(approved), replayed.before)
    after = _sides(file, blocks, contents)
    if before is None or after is None:
        return [False] * len(blocks)
    found = found_in(*_with_places(before, after))
    fits = []
    at = 0
    for block in blocks:
        end = at + len(block.removed) + len(block.added)
        fits.append(None not in found[at:end])
        at = end
    return fits


@frozen
class _Sides:
    """A changed file: its path and all lines before and after, and its blocks, which fit them."""

    paths: tuple[str, str]
    lines: tuple[list[bytes], list[bytes]] = field(repr=False)
    blocks: Sequence[Block] = field(repr=False)

    def rows(self, *above: Sequence[int]) -> list[_Row]:
        """Return the changed lines in order, each with its side and its place."""
        old, new = (
            list(zip(enclosing_paths(path, lines), counts, strict=True))
            for path, lines, counts in zip(self.paths, self.lines, above, strict=True)
        )
        rows: list[_Row] = []
        for block in self.blocks:
            rows += [(False, line, old[block.old_line - 1 + at]) for at, line in enumerate(block.removed)]
            rows += [(True, line, new[block.new_line - 1 + at]) for at, line in enumerate(block.added)]
        return rows


def _sides(file: FileChange, blocks: Sequence[Block], contents: Contents) -> _Sides | None:
    """Read both sides of a file as far as its blocks need them; None where they cannot be read or do not fit."""
    old = _read(contents, Side.OLD, file.old_path) if any(block.removed for block in blocks) else b""
    new = _read(contents, Side.NEW, file.path) if any(block.added for block in blocks) else b""
    if old is None or new is None:
        return None
    lines = old.split(b"\n"), new.split(b"\n")
    for block in blocks:
        ends = block.old_line - 1 + len(block.removed), block.new_line - 1 + len(block.added)
        if (block.removed and ends[0] > len(lines[0])) or (block.added and ends[1] > len(lines[1])):
            return None
    return _Sides((file.old_path, file.path), lines, blocks)


def _with_places(before: _Sides, after: _Sides) -> tuple[list[_Row], list[_Row]]:
    """Return the changed lines of both, each with its place."""
    old = anchored(before.lines[0], after.lines[0])
    new = anchored(before.lines[1], after.lines[1])
    return before.rows(old[0], new[0]), after.rows(old[1], new[1])


def _read(contents: Contents, side: Side, path: str) -> bytes | None:
    try:
        return contents.read(side, path)
    except ContentsUnavailable:
        return None
