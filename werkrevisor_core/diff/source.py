"""Where diff text lies. It is read piece by piece, so a diff may be larger than the memory."""

import os
from collections.abc import Iterator
from typing import Protocol

from attrs import field

from werkrevisor_core.records import frozen

CHUNK = 1 << 20
"""Bytes read at once while a diff is scanned."""


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


@frozen
class FileSource:
    """Diff text in an open regular file; the file must stay open and unchanged while it is read."""

    descriptor: int
    size: int

    def read(self, start: int, end: int) -> bytes:
        """Return the bytes from `start` up to `end`."""
        parts = []
        while start < end:
            part = os.pread(self.descriptor, end - start, start)
            if not part:
                break
            parts.append(part)
            start += len(part)
        return parts[0] if len(parts) == 1 else b"".join(parts)


def chunks(source: DiffSource) -> Iterator[tuple[int, bytes]]:
    """Yield (offset, bytes) over the whole text."""
    for start in range(0, source.size, CHUNK):
        yield start, source.read(start, min(start + CHUNK, source.size))
