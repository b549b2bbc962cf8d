"""Where diff text lies. It is read piece by piece, so a diff may be larger than the memory."""

import os
from collections.abc import Iterator
from typing import Protocol

from attrs import define, field

from werkrevisor_core.records import frozen

CHUNK = 1 << 20
"""Bytes read at once while a diff is scanned."""
AHEAD = 1 << 16
"""Bytes read at once where the parts of a diff are read one after the other."""
_NEAR = 4096
"""Bytes between two parts up to which the second follows the first; the header of a file lies between."""


class DiffSource(Protocol):
    """Diff text at rest."""

    @property
    def size(self) -> int:
        """Length in bytes."""

    def read(self, start: int, end: int) -> bytes:
        """Return the bytes from `start` up to `end`."""


@frozen
class BytesSource:
    """Diff text in memory."""

    data: bytes = field(repr=False)

    @property
    def size(self) -> int:
        """Length in bytes."""
        return len(self.data)

    def read(self, start: int, end: int) -> bytes:
        """Return the bytes from `start` up to `end`."""
        return self.data[start:end]


@define(eq=False)
class FileSource:
    """Diff text in an open regular file; the file must stay open and unchanged while it is read.

    Where its parts are read one after the other, more is read at once than is asked for.
    """

    descriptor: int
    size: int
    _begin: int = field(default=0, init=False)
    _held: bytes = field(default=b"", init=False, repr=False)
    _last: int = field(default=0, init=False)

    def read(self, start: int, end: int) -> bytes:
        """Return the bytes from `start` up to `end`."""
        offset = start - self._begin
        if offset < 0 or end - self._begin > len(self._held):
            follows = 0 <= start - self._last < _NEAR
            self._last = end
            if not follows or end - start >= AHEAD:
                return self._read(start, end)
            self._held, self._begin, offset = self._read(start, start + AHEAD), start, 0
        self._last = end
        return self._held[offset : offset + end - start]

    def _read(self, start: int, end: int) -> bytes:
        parts = []
        while start < end:
            part = os.pread(self.descriptor, end - start, start)
            if not part:
                break
            parts.append(part)
            start += len(part)
        return parts[0] if len(parts) == 1 else b"".join(parts)


def chunks(source: DiffSource, begin: int, end: int) -> Iterator[tuple[int, bytes]]:
    """Yield (offset, bytes) over the text from `begin` up to `end`."""
    for start in range(begin, end, CHUNK):
        yield start, source.read(start, min(start + CHUNK, end))
