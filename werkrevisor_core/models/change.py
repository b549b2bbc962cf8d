"""What changed: change set, file change, hunk, block.

Lines are bytes, since what is reviewed is bytes: a line ends at `\\n` and nowhere else, and no
encoding is assumed. Paths are text, decoded as UTF-8 with `surrogateescape`, so any path that git
can store survives.
"""

from collections.abc import Iterator
from enum import StrEnum
from typing import Protocol

from attrs import field

from werkrevisor_core.records import frozen


class Status(StrEnum):
    """What happened to a file, as git's header says it (never guessed from its hunks)."""

    ADDED = "added"
    REMOVED = "removed"
    MODIFIED = "modified"
    RENAMED = "renamed"
    COPIED = "copied"
    TYPE_CHANGED = "type_changed"


REGULAR_MODES = frozenset({"100644", "100755"})
EXECUTABLE_MODE = "100755"
SYMLINK_MODE = "120000"
SUBMODULE_MODE = "160000"


@frozen(slots=True)
class Block:
    """One maximal run of removed and added lines inside a hunk.

    `old_line` and `new_line` are the 1-based numbers that the first removed and the first added
    line have (or would have) in the old and the new file. Lines are without marker and `\\n`.
    """

    old_line: int
    new_line: int
    removed: tuple[bytes, ...]
    added: tuple[bytes, ...]


@frozen(slots=True)
class Hunk:
    """One hunk, read by its declared counts.

    `lines` keep their one-byte marker (space, `-` or `+`) and lack their `\\n`. `old_unterminated`
    and `new_unterminated` say that the last old or new line has no `\\n` at the end of the file.
    `heading` is the text that git prints after the second `@@`.
    """

    old_start: int
    old_count: int
    new_start: int
    new_count: int
    heading: bytes
    lines: tuple[bytes, ...]
    old_unterminated: bool = False
    new_unterminated: bool = False

    def numbered(self) -> Iterator[tuple[int, int, bytes]]:
        """Yield (old line number, new line number, line with marker) for every line, 1-based.

        An added line carries the old number of the line that follows it, a removed one likewise.
        """
        old, new = self.old_start or 1, self.new_start or 1
        if self.old_count == 0:
            old = self.old_start + 1
        if self.new_count == 0:
            new = self.new_start + 1
        for line in self.lines:
            yield old, new, line
            marker = line[:1]
            old += marker != b"+"
            new += marker != b"-"

    def blocks(self) -> Iterator[Block]:
        """Yield the blocks of this hunk in order."""
        removed: list[bytes] = []
        added: list[bytes] = []
        at = (0, 0)
        for old, new, line in self.numbered():
            marker = line[:1]
            if marker == b" ":
                if removed or added:
                    yield Block(*at, tuple(removed), tuple(added))
                    removed, added = [], []
                continue
            if not removed and not added:
                at = (old, new)
            (removed if marker == b"-" else added).append(line[1:])
        if removed or added:
            yield Block(*at, tuple(removed), tuple(added))


class Patch(Protocol):
    """The hunks of one file; parsed when asked for and not kept, since a diff can be large."""

    def text(self) -> bytes:
        """Return the hunks as git printed them; empty where there are none."""

    def hunks(self) -> tuple[Hunk, ...]:
        """Return the parsed hunks; empty where there are none or where they cannot be read."""


@frozen(slots=True)
class FileChange:
    """One changed file.

    `path` is the new path (for a removed file the old one); `old_path` differs from it only for a
    rename or a copy. Modes are git's six octal digits, blobs full or abbreviated hex ids; None
    where unknown or where that side does not exist. `added` and `removed` count lines as claimed
    by git (`--numstat`) or, for a bare diff, by the hunk headers. `unread` says why the change
    could not be read; such a file is never mechanical and ends as `skipped_files`. `plain` says that
    its whole diff is known to be visible ASCII without a carriage return, so that nothing can hide.
    """

    path: str
    old_path: str
    status: Status
    patch: Patch = field(repr=False)
    old_mode: str | None = None
    new_mode: str | None = None
    old_blob: str | None = None
    new_blob: str | None = None
    binary: bool = False
    added: int = 0
    removed: int = 0
    unread: str | None = None
    crlf_headers: bool = False
    plain: bool = False

    @property
    def paths(self) -> tuple[str, ...]:
        """The path, and the old path where it is another one."""
        return (self.path,) if self.path == self.old_path else (self.path, self.old_path)


@frozen
class ReadFault:
    """A part of the input that was not read: where (file or 1-based line of the diff) and why."""

    why: str
    path: str | None = None
    line: int | None = None


class Origin(StrEnum):
    """Where a change set was read from."""

    GIT = "git"
    DIFF = "diff"


@frozen
class ChangeSet:
    """Everything between merge base and head.

    `files` are sorted by path, each path once. `merge_base` and `head` are full commit ids, None
    for a bare diff. `faults` are parts of the input that belong to no file and were not read.
    """

    files: tuple[FileChange, ...]
    origin: Origin
    repository: str = ""
    pull_request: int | None = None
    base_branch: str | None = None
    merge_base: str | None = None
    head: str | None = None
    faults: tuple[ReadFault, ...] = ()
