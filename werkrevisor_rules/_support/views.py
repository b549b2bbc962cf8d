"""One side of a hunk as text, in its whole file where the file can be read."""

from collections.abc import Sequence
from typing import Final

from attrs import define, field

from werkrevisor_core.errors import ContentsUnavailable
from werkrevisor_core.models.change import FileChange, Hunk
from werkrevisor_core.models.ports import Contents, NoContents, Side

_TOO_LARGE: Final = 4 << 20
"""Bytes above which a file is not worth its reading."""


@define
class FileText:
    """The text of one side of a file, with the places of its lines; read once, when first asked.

    Where `readable` is False the text is not known although it could be, so nothing may be assumed.
    """

    text: bytes
    readable: bool = True
    _breaks: list[int] = field(factory=list, init=False)

    def offset(self, line: int) -> int:
        """Return where a line begins (1-based); the length of the text for a line past the end."""
        if not self._breaks:
            self._breaks = [0]
            at = self.text.find(b"\n")
            while at >= 0:
                self._breaks.append(at + 1)
                at = self.text.find(b"\n", at + 1)
        return self._breaks[line - 1] if line <= len(self._breaks) else len(self.text)


@define
class FileSides:
    """Both versions of one changed file, read through the contents port when needed."""

    _contents: Contents
    _file: FileChange
    _known: dict[Side, FileText | None] = field(factory=dict, init=False)

    def get(self, side: Side) -> FileText | None:
        """Return one version; None where nothing but the hunks is known, as in a review of a bare diff."""
        if isinstance(self._contents, NoContents):
            return None
        if side not in self._known:
            self._known[side] = self._read(side)
        return self._known[side]

    def _read(self, side: Side) -> FileText | None:
        path = self._file.path if side is Side.NEW else self._file.old_path
        try:
            text = self._contents.read(side, path)
        except ContentsUnavailable:
            return FileText(b"", readable=False)
        if text is None:
            return None
        return FileText(text) if len(text) <= _TOO_LARGE else FileText(b"", readable=False)


def side_lines(hunk: Hunk, side: Side) -> tuple[list[int], list[bytes]]:
    """Return the lines of one side of a hunk without markers, and their indices in `Hunk.lines`."""
    other = 43 if side is Side.OLD else 45
    indices = [index for index, line in enumerate(hunk.lines) if line[0] != other]
    lines = hunk.lines
    return indices, [lines[index][1:] for index in indices]


def offsets_of(lines: Sequence[bytes], start: int = 0) -> list[int]:
    """Return where each line begins in the lines joined by newlines, and one more for the end."""
    out = [start]
    for line in lines:
        start += len(line) + 1
        out.append(start)
    return out


def start_of(hunk: Hunk, side: Side) -> int:
    """Return the 1-based number of the first line of one side."""
    if side is Side.OLD:
        return hunk.old_start if hunk.old_count else hunk.old_start + 1
    return hunk.new_start if hunk.new_count else hunk.new_start + 1


def begins_in_comment(text: bytes) -> bool:
    """Tell whether a block comment ends in a text before any begins, so that it begins inside one."""
    end = text.find(b"*/")
    return end >= 0 and text.find(b"/*", 0, end) < 0
