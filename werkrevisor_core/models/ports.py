"""The two read-only ports through which rules reach beyond the change set."""

from collections.abc import Iterable
from enum import StrEnum
from typing import Protocol

from werkrevisor_core.errors import ContentsUnavailable


class Side(StrEnum):
    """Which version of a file: at the merge base (old) or at the head (new)."""

    OLD = "old"
    NEW = "new"


class Contents(Protocol):
    """Bytes of a path at a pinned commit.

    A rule that needs several files calls `prefetch` first, so that a remote repository is asked
    once and not file by file.
    """

    def prefetch(self, wanted: Iterable[tuple[Side, str]]) -> None:
        """Fetch the blobs of these paths in one go; unknown paths are no error."""

    def read(self, side: Side, path: str) -> bytes | None:
        """Return the bytes of a file, or None where that side has no such file.

        Raises:
            ContentsUnavailable: the file cannot be read here (bare diff, too large, no regular
                file); the caller must take that for "not known", never for "empty".
        """


class NoContents:
    """The contents port of a bare diff: nothing is known."""

    def prefetch(self, wanted: Iterable[tuple[Side, str]]) -> None:
        """Do nothing."""

    def read(self, side: Side, path: str) -> bytes | None:
        """Raise ContentsUnavailable."""
        raise ContentsUnavailable(f"the contents of {path} are not known: the review reads a bare diff ({side} side)")
