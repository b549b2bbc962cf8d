"""Reads the header of one file in git's diff: names, status, modes, blob ids, binary mark.

unidiff takes status and names from what the hunks look like, which went wrong in eleven ways;
here both come from the header lines, and a line that git does not write is a fault.
"""

import re
from typing import Final, NamedTuple

from attrs import define

from werkrevisor_core.diff.names import NameFault, check_path, common_path, two_names, unquote
from werkrevisor_core.models.change import Status
from werkrevisor_core.records import frozen

# The header of a plain modification, nine in ten files of a diff. The bound on the path keeps the
# back reference from taking quadratic time on a hostile line.
_PLAIN: Final = re.compile(
    rb"diff --git a/([^\"\n\t\r]{1,4096}) b/\1\n"
    rb"index ([0-9a-f]{4,64})\.\.([0-9a-f]{4,64}) (100644|100755|120000|160000)\n"
    rb"--- a/\1\t?\n\+\+\+ b/\1\t?\n(?=@@ )"
)
_MODES: Final = {mode.encode(): mode for mode in ("100644", "100755", "120000", "160000")}
_INDEX: Final = re.compile(rb"index ([0-9a-f]{4,64})\.\.([0-9a-f]{4,64})(?: ([0-7]{6}))?")
_MODE: Final = re.compile(rb"[0-7]{6}")
_PERCENT: Final = re.compile(rb"(?:dis)?similarity index (\d{1,3})%")
_BODY: Final = re.compile(rb"^(?:@@ |Binary files |GIT binary patch\r?$)", re.MULTILINE)
_BINARY_LINE: Final = re.compile(rb"(?:literal \d+|delta \d+|[A-Za-z][0-9A-Za-z!#$%&()*+;<=>?@^_`{|}~-]+|)")


@frozen(slots=True)
class Header:
    """What the header of one file says. `body` is the offset of the first hunk in the section."""

    path: str
    old_path: str
    status: Status
    old_mode: str | None
    new_mode: str | None
    old_blob: str | None
    new_blob: str | None
    binary: bool
    body: int
    similarity: int | None = None
    crlf: bool = False


class HeaderFault(ValueError):
    """The header is not one that git writes; `path` is what it seems to be about, for the report."""

    def __init__(self, why: str, path: str | None = None) -> None:
        super().__init__(why)
        self.path = path


class PlainHeader(NamedTuple):
    """What the header of a plain modification says; `body` is the offset of the first hunk in the section."""

    path: str
    mode: str
    old_blob: str
    new_blob: str
    body: int


def plain_header(section: bytes) -> PlainHeader | None:
    """Parse the header of a file whose content alone changed; None where it is another one, or a fault.

    Args:
        section: the diff text of one file, from `diff --git` on.
    """
    match = _PLAIN.match(section)
    if match is None:
        return None
    name, old_blob, new_blob, mode = match.groups()
    try:
        return PlainHeader(check_path(name), _MODES[mode], old_blob.decode(), new_blob.decode(), match.end())
    except NameFault:
        return None


def parse_header(section: bytes) -> Header:
    """Parse the header of one file.

    Args:
        section: the diff text of one file, from `diff --git` on.

    Raises:
        HeaderFault: a combined diff, or lines that git does not write.
    """
    first, _, _ = section.partition(b"\n")
    if not first.startswith(b"diff --git "):
        raise HeaderFault("a combined diff (of a merge commit) shows no change that could be judged", _seems(first))
    body_at = _BODY.search(section)
    body = body_at.start() if body_at else len(section)
    lines = section[:body].split(b"\n")
    if lines.pop() != b"":
        raise HeaderFault("the header ends in the middle of a line", _seems(first))
    crlf = all(line.endswith(b"\r") for line in lines)
    if crlf:
        lines = [line[:-1] for line in lines]
    try:
        said = _read_lines(lines[1:])
        old, new = _names(lines[0][len(b"diff --git ") :], said)
        binary = _binary(section[body:], crlf=crlf)
        return Header(
            check_path(new),
            check_path(old),
            said.status,
            said.old_mode,
            said.new_mode,
            None if said.status is Status.ADDED else said.old_blob,
            None if said.status is Status.REMOVED else said.new_blob,
            binary=binary,
            body=len(section) if binary else body,
            similarity=said.similarity,
            crlf=crlf,
        )
    except (NameFault, HeaderFault) as fault:
        raise HeaderFault(str(fault), _seems(first)) from None


@define
class _Lines:
    """What the extended header lines said so far."""

    status: Status = Status.MODIFIED
    old_name: bytes | None = None
    new_name: bytes | None = None
    old_mode: str | None = None
    new_mode: str | None = None
    old_blob: str | None = None
    new_blob: str | None = None
    minus: bytes | None = None
    plus: bytes | None = None
    similarity: int | None = None


def _seems(first: bytes) -> str:
    """Return what a broken header seems to be about, for the report only."""
    name = first.split(b" ", 2)[-1].rstrip(b"\r")[:4096]
    try:
        names = two_names(name)
        path = common_path(*names) if names else None
    except NameFault:
        path = None
    return (path or name).decode("utf-8", "surrogateescape")


def _read_lines(lines: list[bytes]) -> _Lines:
    said = _Lines()
    for line in lines:
        if not line and said.minus is None:
            continue  # blank lines behind a header without hunks carry nothing
        key, _, rest = line.partition(b" ")
        second = rest.partition(b" ")[2]
        match (key, line):
            case (b"index", _):
                _read_index(said, line)
            case (b"---", _) if said.minus is None:
                said.minus = rest
            case (b"+++", _) if said.minus is not None and said.plus is None:
                said.plus = rest
            case (b"old" | b"new" | b"deleted", _):
                _read_mode(said, line)
            case (b"rename" | b"copy", _):
                _read_move(said, key, rest, second)
            case (b"similarity" | b"dissimilarity", _) if (percent := _PERCENT.fullmatch(line)) is not None:
                said.similarity = int(percent.group(1)) if key == b"similarity" else None
            case _:
                raise HeaderFault("a header line that git does not write")
    return said


def _read_index(said: _Lines, line: bytes) -> None:
    match = _INDEX.fullmatch(line)
    if match is None or said.old_blob is not None:
        raise HeaderFault("an `index` line that git does not write")
    said.old_blob, said.new_blob = match.group(1).decode(), match.group(2).decode()
    if match.group(3) is not None:
        said.old_mode = said.new_mode = match.group(3).decode()


def _read_mode(said: _Lines, line: bytes) -> None:
    words, _, mode = line.rpartition(b"mode ")
    if _MODE.fullmatch(mode) is None:
        raise HeaderFault("a mode that git does not write")
    text = mode.decode()
    match words:
        case b"old ":
            said.old_mode = text
        case b"new ":
            said.new_mode = text
        case b"new file ":
            said.new_mode, said.status = text, Status.ADDED
        case b"deleted file ":
            said.old_mode, said.status = text, Status.REMOVED
        case _:
            raise HeaderFault("a header line that git does not write")


def _read_move(said: _Lines, key: bytes, rest: bytes, name: bytes) -> None:
    said.status = Status.RENAMED if key == b"rename" else Status.COPIED
    if rest.startswith(b"from "):
        said.old_name = unquote(name)
    elif rest.startswith(b"to "):
        said.new_name = unquote(name)
    else:
        raise HeaderFault("a header line that git does not write")


def _names(rest: bytes, said: _Lines) -> tuple[bytes, bytes]:
    """Return (old path, new path) without prefixes, checked against the `---` and `+++` lines."""
    if said.status in (Status.RENAMED, Status.COPIED):
        if said.old_name is None or said.new_name is None:
            raise HeaderFault("a rename or copy without both names")
        old, new = said.old_name, said.new_name
        _check_first(rest, old, new)
    else:
        names = two_names(rest)
        path = common_path(*names) if names else None
        if path is None:
            raise HeaderFault("the header does not say which file it is about")
        old = new = path
    _check_name(said.minus, old, missing=said.status is Status.ADDED)
    _check_name(said.plus, new, missing=said.status is Status.REMOVED)
    if (said.minus is None) != (said.plus is None):
        raise HeaderFault("a header with only one of `---` and `+++`")
    return old, new


def _check_first(rest: bytes, old: bytes, new: bytes) -> None:
    """Check the names of a rename or copy against the first line of the header, as far as git tells them apart there.

    Raises:
        HeaderFault: it names other files.
    """
    if b'"' in rest:
        names = two_names(rest)
        same = names is None or all(name.endswith(path) for name, path in zip(names, (old, new), strict=True))
    else:
        same = rest.endswith(new) and old in rest[: len(rest) - len(new)]
    if not same:
        raise HeaderFault("the header names different files")


def _check_name(line: bytes | None, path: bytes, *, missing: bool) -> None:
    if line is None:
        return
    name = unquote(line.removesuffix(b"\t"))
    if missing:
        if name != b"/dev/null":
            raise HeaderFault("the header says that a side does not exist and names it all the same")
    elif name != path and (name[2:] != path or name[1:2] != b"/"):
        raise HeaderFault("the header names different files")


def _binary(body: bytes, *, crlf: bool) -> bool:
    """Tell whether the body is git's note or patch for a binary file.

    Raises:
        HeaderFault: other text stands with it.
    """
    if not body or body.startswith(b"@@ "):
        return False
    lines = body.rstrip(b"\n").split(b"\n")
    if crlf:
        lines = [line.removesuffix(b"\r") for line in lines]
    if lines[0].startswith(b"Binary files "):
        if len(lines) > 1 or not lines[0].endswith(b" differ"):
            raise HeaderFault("text behind the note on a binary file")
        return True
    if any(_BINARY_LINE.fullmatch(line) is None for line in lines[1:]):
        raise HeaderFault("text inside a binary patch")
    return True
