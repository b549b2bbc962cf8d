"""The section `[pr_doc]`, and the documents of a change that it names."""

from collections.abc import Iterable

from werkrevisor_core.errors import ContentsUnavailable
from werkrevisor_core.globs import Globs, glob_fault
from werkrevisor_core.models.change import FileChange, Status
from werkrevisor_core.models.classes import JudgedFile
from werkrevisor_core.models.context import ReviewContext
from werkrevisor_core.models.ports import Contents, Side
from werkrevisor_core.records import frozen
from werkrevisor_core.rule import setting


@frozen
class PrDocSettings:
    """The section `[pr_doc]`."""

    globs: tuple[str, ...] = setting(
        (),
        "Globs of the document that every change must bring; nothing is asked for where there are none.",
        check=glob_fault,
    )
    required_headings: tuple[str, ...] = setting((), "Headings that the document must have, of any level.")
    verified_by_heading: str = setting(
        "Verified by", "Heading under which the document links its tests; empty to check no links."
    )
    open_questions_heading: str = setting(
        "Open Questions", "Heading under which an open task keeps the change from passing."
    )


def documents(context: ReviewContext, globs: tuple[str, ...]) -> tuple[JudgedFile, ...]:
    """Return the changed files that exist at the head and match one of the globs."""
    if not globs:
        return ()
    wanted = Globs(globs)
    return tuple(
        file
        for file in context.files
        if file.change.status is not Status.REMOVED and wanted.match(file.path) is not None
    )


def prefetch(contents: Contents, paths: Iterable[str]) -> None:
    """Ask for the bytes of these paths at the head in one go."""
    contents.prefetch([(Side.NEW, path) for path in paths])


def head_text(contents: Contents, file: FileChange) -> str | None:
    """Return the text of a changed file at the head, or None where it is not known.

    An added file is known from its hunks alone.
    """
    data = read_head(contents, file.path)
    if data is None and file.status is Status.ADDED and file.unread is None and not file.binary:
        lines = [line[1:] for hunk in file.patch.hunks() for line in hunk.lines]
        data = b"\n".join(lines)
    return None if data is None else data.decode("utf-8", "replace")


def read_head(contents: Contents, path: str) -> bytes | None:
    """Return the bytes of a path at the head, or None where they are not known or not there."""
    try:
        return contents.read(Side.NEW, path)
    except ContentsUnavailable:
        return None
