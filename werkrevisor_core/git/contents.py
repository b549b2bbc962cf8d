"""The contents port over git: bytes of a path at the merge base or the head."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Final

from attrs import define, field

from werkrevisor_core.errors import ContentsUnavailable, GitError
from werkrevisor_core.git.command import plain
from werkrevisor_core.git.objects import TREE_MODE, Entry, Found, Objects
from werkrevisor_core.models.change import REGULAR_MODES, SUBMODULE_MODE, SYMLINK_MODE
from werkrevisor_core.models.ports import Side

FILE_BYTES: Final = 16 << 20
"""Bytes of one file above which its contents are not read."""
KEPT_BYTES: Final = 256 << 20
"""Bytes kept of all files together; what was dropped is read again."""

_KINDS: Final = {SYMLINK_MODE: "a symbolic link", SUBMODULE_MODE: "a submodule", TREE_MODE: "a folder"}


def read_entry(objects: Objects, path: str, entry: Entry, most: int) -> bytes:
    """Return the bytes of a regular file.

    Raises:
        ContentsUnavailable: it is no regular file, it is too large, or the clone lacks it.
        GitError: git stopped or takes too long.
    """
    check_regular(path, entry)
    return _data(path, objects.one(entry.object_id, most), most)


def check_regular(path: str, entry: Entry) -> None:
    """Refuse what is no regular file.

    Raises:
        ContentsUnavailable: it is a symbolic link, a submodule or a folder.
    """
    if entry.mode not in REGULAR_MODES:
        raise ContentsUnavailable(f"{plain(path)} is {_KINDS.get(entry.mode, 'no regular file')}, not a regular file")


def _data(path: str, found: Found | None, most: int) -> bytes:
    if found is None:
        raise ContentsUnavailable(f"the contents of {plain(path)} are missing in this clone: it is partial or damaged")
    if found.kind != "blob":
        raise ContentsUnavailable(f"{plain(path)} is damaged in this repository: run `git fsck` in it")
    if found.data is None:
        raise ContentsUnavailable(f"{plain(path)} has {found.size:,} bytes and is not read above {most:,}")
    return found.data


@define
class GitContents:
    """Files of two commits, read when asked for and kept within bounds.

    `commits` names the commit of each side, `most` the bytes above which a file is not read.
    """

    _objects: Objects
    _commits: Mapping[Side, str]
    _most: int = FILE_BYTES
    _room: int = KEPT_BYTES  # bytes still free
    _kept: dict[str, bytes] = field(factory=dict)

    def prefetch(self, wanted: Iterable[tuple[Side, str]]) -> None:
        """Read these files in one go, as far as there is room; what fails here fails again in `read`."""
        with suppress(GitError):
            missing = dict.fromkeys(
                entry.object_id
                for side, path in wanted
                if (entry := self._objects.entry(self._commits[side], path)) is not None
                and entry.mode in REGULAR_MODES
                and entry.object_id not in self._kept
            )
            for object_id, found in self._objects.read(missing, self._most):
                if found is None or found.data is None or found.kind != "blob":
                    continue
                if len(found.data) > self._room:
                    break
                self._keep(object_id, found.data)

    def read(self, side: Side, path: str) -> bytes | None:
        """Return the bytes of a file, or None where that side has no such file.

        Raises:
            ContentsUnavailable: the file cannot be read: no regular file, too large, missing in a
                partial clone, or git failed.
        """
        try:
            entry = self._objects.entry(self._commits[side], path)
            if entry is None:
                return None
            check_regular(path, entry)
            kept = self._kept.get(entry.object_id)
            if kept is None:
                kept = read_entry(self._objects, path, entry, self._most)
                self._keep(entry.object_id, kept)
        except GitError as fault:
            raise ContentsUnavailable(f"the contents of {plain(path)} cannot be read: {fault}") from None
        return kept

    def _keep(self, object_id: str, data: bytes) -> None:
        self._kept[object_id] = data
        self._room -= len(data)
        while self._room < 0 and self._kept:
            self._room += len(self._kept.pop(next(iter(self._kept))))
