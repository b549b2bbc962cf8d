"""Reads both texts of changed files through the contents port, all in one go."""

from collections.abc import Callable, Iterable

from werkrevisor_core.errors import ContentsUnavailable
from werkrevisor_core.models.change import FileChange, Status
from werkrevisor_core.models.classes import JudgedFile
from werkrevisor_core.models.ports import Contents, Side
from werkrevisor_rules._support.weakening import ChangedText, Kind, Weakened


def old_path(file: FileChange) -> str | None:
    """Return the path of the old version, None where the file is new (a copy leaves the old file where it is)."""
    return None if file.status in (Status.ADDED, Status.COPIED) else file.old_path


def new_path(file: FileChange) -> str | None:
    """Return the path of the new version, None where the file is gone."""
    return None if file.status is Status.REMOVED else file.path


def prefetch(contents: Contents, files: Iterable[FileChange]) -> None:
    """Ask for both versions of all files at once."""
    wanted: list[tuple[Side, str]] = []
    for file in files:
        old, new = old_path(file), new_path(file)
        wanted += [(Side.OLD, old)] if old is not None else []
        wanted += [(Side.NEW, new)] if new is not None else []
    if wanted:
        contents.prefetch(wanted)


def versions(contents: Contents, file: FileChange) -> tuple[bytes | None, bytes | None]:
    """Return the old and the new bytes; None where that side has no such file.

    Raises:
        ContentsUnavailable: a side that must exist is not known.
    """
    old, new = old_path(file), new_path(file)
    before = None if old is None else contents.read(Side.OLD, old)
    after = None if new is None else contents.read(Side.NEW, new)
    if (old is not None and before is None) or (new is not None and after is None):
        raise ContentsUnavailable(f"the contents of {file.path} are not known")
    return before, after


def changed_texts(
    files: Iterable[JudgedFile], contents: Contents, concerns: Callable[[str], bool]
) -> tuple[list[ChangedText], list[Weakened]]:
    """Return the texts of changed files, and those files of which they are not known.

    Args:
        files: the changed files; mechanical ones are left out.
        contents: their bytes.
        concerns: whether a path is wanted.
    """
    rows = [row for row in files if not row.mechanical and any(map(concerns, row.change.paths))]
    prefetch(contents, [row.change for row in rows])
    texts: list[ChangedText] = []
    unknown: list[Weakened] = []
    for row in rows:
        file = row.change
        try:
            old, new = (_decoded(data) for data in versions(contents, file))
        except ContentsUnavailable:
            unknown.append(_unknown(file))
            continue
        texts.append(ChangedText(file.path, file.old_path, file.status, row.category, old, new))
    return texts, unknown


def _decoded(data: bytes | None) -> str | None:
    return None if data is None else data.decode("utf-8", "surrogateescape")


def _unknown(file: FileChange) -> Weakened:
    side = Side.OLD if file.status is Status.REMOVED else Side.NEW
    return Weakened(file.path, None, side, Kind.NOT_COMPARED, note="not compared: its contents are not known here")
