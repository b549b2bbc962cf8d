"""Compares what tests read: snapshots, data files of tests, and examples in Python's documentation strings."""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Final

from werkrevisor_core.models.change import FileChange, Status
from werkrevisor_core.models.ports import Side
from werkrevisor_core.patterns import lazy
from werkrevisor_rules._support.weakening import Kind, Weakened

_SNAPSHOT: Final = lazy(r"(?:.*/)?(?:__snapshots__/.*|[^/]+\.(?:snap|ambr|approved\.txt|verified\.txt))")
_DATA: Final = lazy(
    r"(?:.*/)?(?:tests?|spec|__tests__|testdata|fixtures|resources)/(?:.*/)?[^/]+\.(?:json|csv|tsv|txt|yaml|yml)"
)
_ENTRY: Final = lazy(r"^exports\[`(.+)`\]|^# name: (.+)$")
_DOCTEST_SKIP: Final = lazy(r"#\s*doctest:.*\+SKIP")


def is_snapshot(path: str) -> bool:
    """Return whether a path is a file of accepted outputs."""
    return _SNAPSHOT.fullmatch(path) is not None


def is_data(path: str) -> bool:
    """Return whether a path is data in a folder of tests."""
    return _DATA.fullmatch(path) is not None and not is_snapshot(path)


def _changed(file: FileChange) -> Iterator[tuple[bool, int, str]]:
    for hunk in file.patch.hunks():
        for old, new, line in hunk.numbered():
            if line[:1] in (b"+", b"-"):
                added = line[:1] == b"+"
                yield added, new if added else old, line[1:2001].decode("utf-8", "replace")


def snapshot_shrunk(file: FileChange, others: Sequence[FileChange]) -> list[Weakened]:
    """Report a snapshot that lost lines while nothing else changed that could explain it.

    Args:
        file: the snapshot.
        others: changed source files, tests and production code.
    """
    lines = list(_changed(file))
    removed = [(line, text) for added, line, text in lines if not added and text.strip()]
    if not removed or any(added and text.strip() for added, _, text in lines) or others:
        return []
    line, text = removed[0]
    return [
        Weakened(
            file.old_path,
            line,
            Side.OLD,
            Kind.SNAPSHOT_SHRUNK,
            "",
            text.strip()[:160],
            None,
            f"{len(removed)} lines gone",
        )
    ]


def data_emptied(file: FileChange, old: bytes | None, new: bytes | None) -> list[Weakened]:
    """Report a data file of tests that holds nothing any more."""
    if file.status is not Status.MODIFIED or not old or new is None:
        return []
    if not _holds(file.path, old) or _holds(file.path, new):
        return []
    line = next((line for added, line, text in _changed(file) if not added and text.strip()), 1)
    return [
        Weakened(
            file.old_path,
            line,
            Side.OLD,
            Kind.DATA_EMPTIED,
            "",
            f"{len(old)} bytes",
            f"{len(new)} bytes",
            "no data left",
        )
    ]


def _holds(path: str, data: bytes) -> bool:
    if path.endswith(".json"):
        try:
            return bool(json.loads(data))
        except (ValueError, RecursionError):
            return bool(data.strip())
    return any(line.strip() and not line.lstrip().startswith(b"#") for line in data.splitlines())


def doctest_skipped(file: FileChange) -> list[Weakened]:
    """Report an example in a documentation string that is skipped now."""
    if b"doctest" not in file.patch.text():
        return []
    lines = list(_changed(file))
    skips = [(line, text) for added, line, text in lines if added and _DOCTEST_SKIP.search(text) and ">>>" in text]
    gone = {re.sub(r"#\s*doctest:.*", "", text).strip() for added, _, text in lines if not added}
    out = []
    for line, text in skips:
        plain = re.sub(r"#\s*doctest:.*", "", text).strip()
        if plain in gone:
            out.append(Weakened(file.path, line, Side.NEW, Kind.SKIP_ADDED, plain, plain, text.strip()[:160]))
    return out
