"""Reads hunks by their declared counts.

What looks like a header inside a hunk is text, since a hunk ends where its counts are used up and
nowhere else. A line ends at `\\n` only. Text that the counts do not cover, or that is missing, is a
`HunkFault`, never silence.
"""

import re
from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import Final, overload

from werkrevisor_core.diff.source import DiffSource
from werkrevisor_core.models.change import Hunk, Patch
from werkrevisor_core.records import frozen

_AT: Final = rb"@@ -(\d{1,10})(?:,(\d{1,10}))? \+(\d{1,10})(?:,(\d{1,10}))? @@"
_RANGES: Final = re.compile(_AT)
_HEADER: Final = re.compile(_AT + rb" ?(.*)", re.DOTALL)
_MARKERS: Final = b" +-\\"
_MARKER_OF: Final = itemgetter(0)


class HunkFault(ValueError):
    """The text is not what its hunk headers say; the message says what is wrong."""


def parse_header(line: bytes) -> tuple[int, int, int, int, bytes]:
    """Return (old start, old count, new start, new count, heading) of an `@@` line.

    Raises:
        HunkFault: the line is no hunk header.
    """
    match = _HEADER.fullmatch(line)
    if match is None:
        raise HunkFault("text between the hunks")
    old_start, old_count, new_start, new_count, heading = match.groups()
    return int(old_start), int(old_count or 1), int(new_start), int(new_count or 1), heading


def parse_hunks(text: bytes) -> tuple[Hunk, ...]:
    """Parse the hunks of one file.

    Args:
        text: from the first `@@` up to the next file's header, final `\\n` included.

    Raises:
        HunkFault: fewer or other lines than the headers claim, or text that belongs to no hunk.
    """
    return tuple(iter_hunks(text))


def iter_hunks(text: bytes) -> Iterator[Hunk]:
    """Yield the hunks of one file one by one, so that who needs the first pays for the first alone.

    Raises:
        HunkFault: as `parse_hunks`, when the faulty place is reached.
    """
    if not text:
        return
    lines = text.split(b"\n")
    if lines.pop() != b"":
        raise HunkFault("the diff ends in the middle of a line")
    markers = bytes(map(_MARKER_OF, lines)) if all(lines) else b""  # an empty line has no marker
    at = 0
    before = _Progress()
    while at < len(lines) and (lines[at] or any(lines[at:])):  # blank lines behind the last hunk carry nothing
        found = _sound_hunk(lines, markers, at) or _one_hunk(lines, at)
        hunk, at = found
        before.check(hunk.old_start, hunk.old_count, hunk.new_start, hunk.new_count)
        yield hunk


def _sound_hunk(lines: list[bytes], markers: bytes, at: int) -> tuple[Hunk, int] | None:
    """Read a hunk by the counts of its markers alone; None where anything is out of the ordinary."""
    if not markers:
        return None
    end = markers.find(b"@", at + 1)
    run = markers[at + 1 : end if end >= 0 else len(markers)]
    plus, minus, context = run.count(b"+"), run.count(b"-"), run.count(b" ")
    old_start, old_count, new_start, new_count, heading = parse_header(lines[at])
    if plus + minus + context != len(run) or old_count != minus + context or new_count != plus + context:
        return None
    after = at + 1 + len(run)
    return Hunk(old_start, old_count, new_start, new_count, heading, tuple(lines[at + 1 : after])), after


def _one_hunk(lines: list[bytes], at: int) -> tuple[Hunk, int]:
    """Read the hunk whose header is `lines[at]`; return it and the index behind it."""
    old_start, old_count, new_start, new_count, heading = parse_header(lines[at])
    at += 1
    old_left, new_left = old_count, new_count
    body: list[bytes] = []
    old_ends = new_ends = False
    last = b""
    total = len(lines)
    while at < total and (old_left or new_left or lines[at][:1] == b"\\"):
        line = lines[at]
        marker = line[:1]
        if marker == b"\\":
            _check_end(last, old_ends, new_ends)
            old_ends |= last != b"+"
            new_ends |= last != b"-"
        else:
            if not line:  # an empty context line whose blank was stripped on the way; git takes it too
                line, marker = b" ", b" "
            _check_line(marker, old_left, new_left, old_ends=old_ends, new_ends=new_ends)
            old_left -= marker != b"+"
            new_left -= marker != b"-"
            body.append(line)
        last = marker
        at += 1
    if old_left or new_left:
        raise HunkFault("a hunk holds fewer lines than its header claims")
    return Hunk(old_start, old_count, new_start, new_count, heading, tuple(body), old_ends, new_ends), at


def _check_line(marker: bytes, old_left: int, new_left: int, *, old_ends: bool, new_ends: bool) -> None:
    if marker not in (b" ", b"+", b"-"):
        raise HunkFault("a hunk holds fewer lines than its header claims")
    if (marker != b"+" and (not old_left or old_ends)) or (marker != b"-" and (not new_left or new_ends)):
        raise HunkFault("a hunk holds other lines than its header claims")


def _check_end(last: bytes, old_ends: bool, new_ends: bool) -> None:
    if last not in (b" ", b"+", b"-") or (last != b"+" and old_ends) or (last != b"-" and new_ends):
        raise HunkFault("a marker for the end of the file stands where no line ends")


def count_lines(text: bytes) -> tuple[int, int]:
    """Return (added, removed) of the hunks of one file, checked against their declared counts.

    Raises:
        HunkFault: as `parse_hunks`.
    """
    counted = _count_markers(text)
    if counted is not None:
        return counted
    added = removed = 0
    for hunk in iter_hunks(text):
        context = sum(1 for line in hunk.lines if line[:1] == b" ")
        added += hunk.new_count - context
        removed += hunk.old_count - context
    return added, removed


def _count_markers(text: bytes) -> tuple[int, int] | None:
    """Count by markers alone; None where anything is out of the ordinary.

    Lines of a sound hunk begin with space, `+` or `-`, so an `@` can only be a header, and a hunk
    is sound if the counts of its markers are the declared ones.

    Raises:
        HunkFault: the line numbers of the hunks contradict each other.
    """
    lines = text.split(b"\n")
    if lines.pop() != b"":
        return (0, 0) if not text else None
    try:
        markers = bytes(map(_MARKER_OF, lines))
    except IndexError:  # an empty line has no marker
        return None
    if markers.translate(None, b" +-@"):
        return None
    added = removed = at = 0
    total = len(markers)
    before = _Progress()
    while at < total:
        header = _RANGES.match(lines[at])
        if header is None:
            return None
        at += 1
        end = markers.find(b"@", at)
        end = end if end >= 0 else total
        plus, minus = markers.count(b"+", at, end), markers.count(b"-", at, end)
        old_start, old_count, new_start, new_count = header.groups(b"1")
        olds, news = int(old_count), int(new_count)
        if olds != end - at - plus or news != end - at - minus:
            return None
        before.check(int(old_start), olds, int(new_start), news)
        added += plus
        removed += minus
        at = end
    return added, removed


class _Progress:
    """Checks that hunks follow one another in both files and that their line numbers fit."""

    def __init__(self) -> None:
        self._old_end = 1
        self._shift = 0

    def check(self, old_start: int, old_count: int, new_start: int, new_count: int) -> None:
        """Take the next hunk.

        Raises:
            HunkFault: it overlaps the one before, or its two line numbers contradict each other.
        """
        # Git names the line before an empty side, not the line after it.
        old = old_start + (old_count == 0)
        new = new_start + (new_count == 0)
        if old < self._old_end or new - old != self._shift:
            raise HunkFault("the line numbers of its hunks contradict each other")
        self._old_end = old + old_count
        self._shift += new_count - old_count


class LazyHunks(Sequence[Hunk]):
    """The hunks of one file, each parsed when it is first asked for.

    The text must have been counted before (`count_lines`): a fault in it ends the sequence early.
    """

    def __init__(self, text: bytes) -> None:
        """Take the text of the hunks."""
        self._text = text
        self._parsed: list[Hunk] = []
        self._rest = iter_hunks(text)

    def __bool__(self) -> bool:
        """Tell whether there is any hunk."""
        return bool(self._text)

    def __iter__(self) -> Iterator[Hunk]:
        """Yield the hunks, those that were asked for before first."""
        at = 0
        while at < len(self._parsed) or self._parse_next():
            yield self._parsed[at]
            at += 1

    def __len__(self) -> int:
        """Return the number of hunks; parses all of them."""
        while self._parse_next():
            pass
        return len(self._parsed)

    @overload
    def __getitem__(self, index: int) -> Hunk: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Hunk]: ...
    def __getitem__(self, index: int | slice) -> Hunk | Sequence[Hunk]:
        """Return a hunk; parses up to the one that is asked for."""
        needed = index + 1 if isinstance(index, int) and index >= 0 else None
        while (needed is None or len(self._parsed) < needed) and self._parse_next():
            pass
        return self._parsed[index]

    def _parse_next(self) -> bool:
        try:
            self._parsed.append(next(self._rest))
        except (StopIteration, HunkFault):
            return False
        return True


@frozen(slots=True)
class SpanPatch:
    """The hunks of one file as a span of diff text."""

    source: DiffSource
    start: int
    end: int

    def text(self) -> bytes:
        """Return the hunks as git printed them."""
        return self.source.read(self.start, self.end)

    def hunks(self) -> tuple[Hunk, ...]:
        """Return the parsed hunks; empty where they cannot be read (the file then says `unread`)."""
        try:
            return parse_hunks(self.text())
        except HunkFault:
            return ()


@frozen
class JoinedPatch:
    """The hunks of a file that git prints as two entries: removed as one type, added as another."""

    parts: tuple[Patch, ...]

    def text(self) -> bytes:
        """Return the hunks as git printed them, one part after the other."""
        return b"".join(part.text() for part in self.parts)

    def hunks(self) -> tuple[Hunk, ...]:
        """Return the hunks of all parts."""
        return tuple(hunk for part in self.parts for hunk in part.hunks())


@frozen(slots=True)
class NoPatch:
    """The patch of a file without hunks."""

    def text(self) -> bytes:
        """Return no bytes."""
        return b""

    def hunks(self) -> tuple[Hunk, ...]:
        """Return no hunks."""
        return ()
