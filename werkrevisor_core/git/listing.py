"""Git's own list of the changed files, and the comparison of the diff reader's result with it.

The list comes from `git diff-tree --raw --numstat -z`, which quotes nothing and needs no parsing of
text that an author can choose. Where the reader found something else, the file is unread.
"""

import sys
from collections.abc import Iterator, Sequence
from typing import Final

from attrs import evolve, field

from werkrevisor_core.diff.hunks import NoPatch
from werkrevisor_core.diff.source import DiffSource, chunks
from werkrevisor_core.errors import GitError
from werkrevisor_core.models.change import FileChange, Status
from werkrevisor_core.records import frozen

_STATUS: Final = {
    b"A": Status.ADDED,
    b"D": Status.REMOVED,
    b"M": Status.MODIFIED,
    b"R": Status.RENAMED,
    b"C": Status.COPIED,
    b"T": Status.TYPE_CHANGED,
}
_ABSENT: Final = b"000000"


@frozen(slots=True)
class Counts:
    """Lines added and removed as `--numstat` claims them; `binary` where it counts none."""

    added: int
    removed: int
    binary: bool


@frozen(slots=True)
class Listed:
    """One changed file as git lists it; None where a side does not exist."""

    path: str
    old_path: str
    status: Status
    old_mode: str | None
    new_mode: str | None
    old_blob: str | None
    new_blob: str | None
    counts: Counts | None = None


@frozen
class Listing:
    """Git's list by path, and the paths that it names twice (only a damaged tree has such)."""

    files: dict[str, Listed] = field(factory=dict)
    twice: set[str] = field(factory=set)


def read_listing(source: DiffSource) -> Listing:
    """Read the output of `git diff-tree --raw --numstat -z`.

    Raises:
        GitError: git printed something else.
    """
    listing = Listing()
    fields = _fields(source)
    for entry in fields:
        try:
            if entry.startswith(b":"):
                _read_raw(listing, entry, fields)
            else:
                _read_counts(listing, entry, fields)
        except (ValueError, KeyError, StopIteration):
            raise GitError("git's list of the changed files cannot be read: its version may be unknown") from None
    return listing


def _fields(source: DiffSource) -> Iterator[bytes]:
    rest = b""
    for _, chunk in chunks(source, 0, source.size):
        *whole, rest = (rest + chunk).split(b"\0")
        yield from whole
    if rest:
        raise GitError("git's list of the changed files is cut off")


def _read_raw(listing: Listing, entry: bytes, fields: Iterator[bytes]) -> None:
    old_mode, new_mode, old_blob, new_blob, letter = entry[1:].split(b" ")
    status = _STATUS[letter[:1]]
    old_path = path = _text(next(fields))
    if status in (Status.RENAMED, Status.COPIED):
        path = _text(next(fields))
    if path in listing.files:
        listing.twice.add(path)
    listing.files[path] = Listed(
        path,
        old_path,
        status,
        _mode(old_mode),
        _mode(new_mode),
        None if old_mode == _ABSENT else old_blob.decode("ascii"),
        None if new_mode == _ABSENT else new_blob.decode("ascii"),
    )


def _read_counts(listing: Listing, entry: bytes, fields: Iterator[bytes]) -> None:
    added, removed, name = entry.split(b"\t", 2)
    if not name:  # of a rename or copy both names follow
        next(fields)
        name = next(fields)
    path = _text(name)
    binary = added == removed == b"-"
    counts = Counts(0, 0, binary=True) if binary else Counts(int(added), int(removed), binary=False)
    listed = listing.files[path]
    if listed.counts is not None:
        listing.twice.add(path)
    listing.files[path] = evolve(listed, counts=counts)


def _text(path: bytes) -> str:
    return path.decode("utf-8", "surrogateescape")


def _mode(mode: bytes) -> str | None:
    return None if mode == _ABSENT else sys.intern(mode.decode("ascii"))


def compare(files: Sequence[FileChange], listing: Listing) -> tuple[FileChange, ...]:
    """Return the files that the reader found, completed and checked by git's own list.

    Modes, blob ids and the binary flag of a file whose content did not change stand only in the
    list. A file on which both disagree, or that only one of them names, is `unread`.
    """
    left = dict(listing.files)
    result = []
    for file in files:
        listed = left.pop(file.path, None)
        if listed is None:
            result.append(_unread(file, "git's own list of the changed files does not name it"))
        elif file.path in listing.twice:
            result.append(_unread(_completed(file, listed), "git's own list of the changed files names it twice"))
        else:
            result.append(_checked(file, listed))
    result += [_from_list(listed) for listed in left.values()]
    result.sort(key=lambda file: file.path)
    return tuple(result)


def _unread(file: FileChange, why: str) -> FileChange:
    return file if file.unread else evolve(file, unread=why)


def _from_list(listed: Listed) -> FileChange:
    counts = listed.counts or Counts(0, 0, binary=False)
    return FileChange(
        listed.path,
        listed.old_path,
        listed.status,
        NoPatch(),
        listed.old_mode,
        listed.new_mode,
        listed.old_blob,
        listed.new_blob,
        counts.binary,
        counts.added,
        counts.removed,
        "git's own list of the changed files names it, and the diff does not show it",
    )


def _checked(file: FileChange, listed: Listed) -> FileChange:
    difference = _difference(file, listed)
    if difference is None:
        return _completed(file, listed)
    return _unread(_corrected(file, listed), f"the diff and git's own list of the changed files differ in {difference}")


def _difference(file: FileChange, listed: Listed) -> str | None:
    """Name the first thing in which both differ; what the diff leaves out is no difference."""
    pairs = (
        ("the status", file.status, listed.status),
        ("the old path", file.old_path, listed.old_path),
        ("the old mode", file.old_mode or listed.old_mode, listed.old_mode),
        ("the new mode", file.new_mode or listed.new_mode, listed.new_mode),
        ("the old content's id", file.old_blob or listed.old_blob, listed.old_blob),
        ("the new content's id", file.new_blob or listed.new_blob, listed.new_blob),
    )
    for name, shown, expected in pairs:
        if shown != expected:
            return name
    return _difference_of_counts(file, listed)


def _difference_of_counts(file: FileChange, listed: Listed) -> str | None:
    counts = listed.counts
    if counts is None:
        return "the line counts"
    if listed.status is Status.TYPE_CHANGED:
        # The diff shows all old lines removed and all new ones added; the list compares the contents.
        return None
    if counts.binary != file.binary and not (counts.binary and listed.old_blob == listed.new_blob):
        return "whether it is binary"
    if (file.added, file.removed) != (counts.added, counts.removed):
        return "the line counts"
    return None


def _completed(file: FileChange, listed: Listed) -> FileChange:
    counts = listed.counts
    binary = file.binary or (counts is not None and counts.binary)
    shown = (file.old_mode, file.new_mode, file.old_blob, file.new_blob, file.binary)
    known = (listed.old_mode, listed.new_mode, listed.old_blob, listed.new_blob, binary)
    if shown == known:
        return file
    return evolve(
        file,
        old_mode=listed.old_mode,
        new_mode=listed.new_mode,
        old_blob=listed.old_blob,
        new_blob=listed.new_blob,
        binary=binary,
    )


def _corrected(file: FileChange, listed: Listed) -> FileChange:
    """Give an unread file what git's list says, so that gates by path, status and mode still see the truth."""
    counts = listed.counts or Counts(file.added, file.removed, binary=file.binary)
    completed = _completed(file, listed)
    return evolve(
        completed,
        old_path=listed.old_path,
        status=listed.status,
        added=counts.added,
        removed=counts.removed,
    )
