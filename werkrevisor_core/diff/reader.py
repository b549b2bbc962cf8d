"""Reads a whole diff: bytes in, file changes out, and a fault for every byte that is neither.

The text is cut where a line begins with `diff --git`, `diff --cc` or `diff --combined`. No line of
a hunk can begin so (each has its one-byte marker), so cutting there never splits a sound hunk; a
hunk that is cut this way holds fewer lines than it claims, and its file is unread.
"""

import json
from collections.abc import Iterator
from functools import partial
from typing import Final

from attrs import evolve, fields

from werkrevisor_core.diff.headers import Header, HeaderFault, PlainHeader, parse_header, plain_header
from werkrevisor_core.diff.hunks import HunkFault, JoinedPatch, NoPatch, SpanPatch, count_lines
from werkrevisor_core.diff.source import DiffSource, chunks
from werkrevisor_core.forked import forked, pays
from werkrevisor_core.hidden import looks_plain
from werkrevisor_core.models.change import FileChange, Patch, ReadFault, Status
from werkrevisor_core.records import frozen

MAX_SECTION: Final = 128 << 20
"""Bytes of one file's diff above which it is not read; keeps memory bounded."""
MAX_LINES: Final = 2_000_000
"""Lines of one file's diff above which it is not read."""
EMPTY_BLOBS: Final = (
    "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
    "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
)
"""Ids of the empty blob, SHA-1 and SHA-256 (git's definition: hash of `blob 0\\0`)."""

LARGE: Final = 4 << 20
"""Bytes from which on it pays to read one half of a diff in another process."""
_PACKED: Final = [field.name for field in fields(FileChange) if field.name != "patch"]
_STARTS: Final = (b"diff --git ", b"diff --cc ", b"diff --combined ")
_MARK: Final = b"\ndiff --"
_LONGEST: Final = len(b"\ndiff --combined ")


@frozen
class DiffFiles:
    """What a diff holds: its files sorted by path, each path once, and what belongs to no file."""

    files: tuple[FileChange, ...]
    faults: tuple[ReadFault, ...]


def read_diff(source: DiffSource) -> DiffFiles:
    """Read a diff as git prints it.

    Never raises for what the text holds: a file that cannot be read comes out with `unread` set,
    text that belongs to no file as a fault.
    """
    files: dict[str, FileChange] = {}
    end_of_preamble = source.size
    for start, file in _read_files(source):
        end_of_preamble = min(end_of_preamble, start)
        known = files.get(file.path)
        files[file.path] = file if known is None else _twice(known, file)
    faults = _preamble(source, end_of_preamble, found=bool(files))
    return DiffFiles(tuple(files[path] for path in sorted(files)), tuple(faults))


def _read_files(source: DiffSource) -> Iterator[tuple[int, FileChange]]:
    """Yield (start, file) of every file's part, in their order; of a large diff one half is read elsewhere."""
    middle = next(_section_starts(source, source.size // 2, source.size), None) if source.size >= LARGE else None
    if middle is None or not pays():
        yield from _read_part(source, 0, source.size)
        return
    with forked(partial(packed, source, middle, source.size)) as result:
        yield from _read_part(source, 0, middle)
        data = result()
    yield from _read_part(source, middle, source.size) if data is None else unpacked(source, data)


def _read_part(source: DiffSource, begin: int, end: int) -> Iterator[tuple[int, FileChange]]:
    for start, behind in sections(source, begin, end):
        yield start, _read_file(source, start, behind)


def packed(source: DiffSource, begin: int, end: int) -> bytes:
    """Return the files of a part of a diff as JSON: per file its start, what it holds, and the span of its hunks.

    Args:
        source: the diff.
        begin: where a file's part begins.
        end: where the part ends.
    """
    rows = []
    for start, file in _read_part(source, begin, end):
        patch = file.patch
        span = (patch.start, patch.end) if isinstance(patch, SpanPatch) else None
        rows.append([start, span, *(getattr(file, name) for name in _PACKED)])
    return json.dumps(rows).encode()


def unpacked(source: DiffSource, data: bytes) -> Iterator[tuple[int, FileChange]]:
    """Yield (start, file) of what `packed` returned."""
    statuses = {status.value: status for status in Status}
    for start, span, path, old_path, status, *rest in json.loads(data):
        patch: Patch = NoPatch() if span is None else SpanPatch(source, *span)
        yield start, FileChange(path, old_path, statuses[status], patch, *rest)


def sections(source: DiffSource, begin: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of every file's part of a diff.

    Args:
        source: the diff.
        begin: where the text begins that is cut; a line begins there.
        end: where it ends.
    """
    start: int | None = None
    for at in _section_starts(source, begin, end):
        if start is not None:
            yield start, at
        start = at
    if start is not None:
        yield start, end


def _section_starts(source: DiffSource, first: int, end: int) -> Iterator[int]:
    carried = b"" if first else b"\n"  # the text begins at the beginning of a line
    for offset, chunk in chunks(source, max(0, first - 1), end):
        text = carried + chunk
        begin = offset - len(carried)
        last = offset + len(chunk) >= end
        at = text.find(_MARK)
        # A mark too near the end of the chunk is looked at again with the next one.
        while at >= 0 and (last or at + _LONGEST <= len(text)):
            if text.startswith(_STARTS, at + 1):
                yield begin + at + 1
            at = text.find(_MARK, at + 1)
        carried = text[at:] if at >= 0 else text[-_LONGEST:]
        if at < 0 and carried.startswith(_MARK):
            carried = carried[1:]  # this mark has been yielded


def _preamble(source: DiffSource, end: int, *, found: bool) -> list[ReadFault]:
    """Say what stands before the first file: whatever is not blank was not read."""
    for offset, chunk in chunks(source, 0, source.size):
        text = chunk[: max(0, end - offset)]
        if text.strip():
            why = "text before the first `diff --git` line" if found else "no `diff --git` line, so this is no git diff"
            return [ReadFault(why, line=1 + text[: len(text) - len(text.lstrip())].count(b"\n"))]
        if offset + len(chunk) >= end:
            break
    return []


def _read_file(source: DiffSource, start: int, end: int) -> FileChange:
    if end - start > MAX_SECTION:
        head = source.read(start, min(end, start + (1 << 16)))
        return _unread(head, f"its diff is larger than {MAX_SECTION >> 20} MB")
    section = source.read(start, end)
    plain = plain_header(section)
    if plain is not None and end - start <= MAX_LINES:
        return _read_plain(source, (start, end), section, plain)
    try:
        header = parse_header(section)
    except HeaderFault as fault:
        return _unreadable(fault.path, str(fault))
    patch: Patch = SpanPatch(source, start + header.body, end) if header.body < len(section) else NoPatch()
    added = removed = 0
    unread = None
    try:
        _check_size(section)
        added, removed = count_lines(section[header.body :])
        _check_against_header(header, added, removed, hunks=header.body < len(section))
    except HunkFault as fault:
        unread, patch = str(fault), NoPatch()
    return FileChange(
        header.path,
        header.old_path,
        header.status,
        patch,
        header.old_mode,
        header.new_mode,
        header.old_blob,
        header.new_blob,
        header.binary,
        added,
        removed,
        unread,
        header.crlf,
        b"\r" not in section and looks_plain(section),
    )


def _read_plain(source: DiffSource, span: tuple[int, int], section: bytes, header: PlainHeader) -> FileChange:
    path, mode, old_blob, new_blob, body = header
    patch: Patch = SpanPatch(source, span[0] + body, span[1])
    added = removed = 0
    unread = None
    try:
        added, removed = count_lines(section[body:])
    except HunkFault as fault:
        unread, patch = str(fault), NoPatch()
    sure = b"\r" not in section and looks_plain(section)
    return FileChange(
        path, path, Status.MODIFIED, patch, mode, mode, old_blob, new_blob, False, added, removed, unread, False, sure
    )


def _check_size(section: bytes) -> None:
    if len(section) > MAX_LINES and section.count(b"\n") > MAX_LINES:
        raise HunkFault(f"its diff has more than {MAX_LINES:,} lines")


def _unread(head: bytes, why: str) -> FileChange:
    try:
        header = parse_header(head)
    except HeaderFault as fault:
        return _unreadable(fault.path, why)
    return FileChange(
        header.path, header.old_path, header.status, NoPatch(), header.old_mode, header.new_mode, unread=why
    )


def _unreadable(path: str | None, why: str) -> FileChange:
    name = path or "(no name)"
    return FileChange(name, name, Status.MODIFIED, NoPatch(), unread=why)


def _check_against_header(header: Header, added: int, removed: int, *, hunks: bool) -> None:
    """Refuse a header that promises a change which no hunk shows, and hunks that it rules out.

    Raises:
        HunkFault: header and hunks contradict each other.
    """
    if (header.status is Status.ADDED and removed) or (header.status is Status.REMOVED and added):
        raise HunkFault("the hunks show a side that the header says does not exist")
    if hunks or header.binary:
        return
    match header.status:
        case Status.ADDED:
            empty = _is_empty(header.new_blob)
        case Status.REMOVED:
            empty = _is_empty(header.old_blob)
        case Status.RENAMED | Status.COPIED:
            empty = header.similarity == 100 and header.old_blob == header.new_blob
        case _:
            empty = header.old_blob == header.new_blob and header.old_mode != header.new_mode
    if not empty:
        raise HunkFault("the header names a change of the content, and no hunk shows it")


def _is_empty(blob: str | None) -> bool:
    return blob is not None and any(empty.startswith(blob) for empty in EMPTY_BLOBS)


def _twice(first: FileChange, second: FileChange) -> FileChange:
    """Join the two entries that git prints for a change of type; any other pair is unread."""
    if first.status is Status.REMOVED and second.status is Status.ADDED and not (first.unread or second.unread):
        return evolve(
            second,
            status=Status.TYPE_CHANGED,
            patch=JoinedPatch((first.patch, second.patch)),
            old_mode=first.old_mode,
            old_blob=first.old_blob,
            binary=first.binary or second.binary,
            removed=first.removed,
            crlf_headers=first.crlf_headers or second.crlf_headers,
        )
    return evolve(second, unread=second.unread or first.unread or "it stands twice in the diff")
