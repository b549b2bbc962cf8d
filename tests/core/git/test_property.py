"""Random pairs of trees: every change is found, and every text file can be rebuilt from its hunks."""

import re
from pathlib import Path

import pytest
from attrs import frozen
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from werkrevisor_core.git.source import open_source
from werkrevisor_core.models.change import FileChange, Hunk, Status

REGULAR, EXECUTABLE, LINK, SUBMODULE = "100644", "100755", "120000", "160000"


@frozen
class Blob:
    """One file of a tree. The data of a submodule is its commit id."""

    mode: str
    data: bytes


LINES = st.sampled_from(
    b"|one|two|\ttwo |three\r|\x0b\x0c\x1c\x85|\xe2\x80\xa8|\xff\xfe|a\rb|@@ -1 +1 @@|--- a/x|+++ b/x|-|+| "
    b"|diff --git a/x b/x|\\ No newline at end of file|Binary files a/x and b/x differ|rename from x"
    b"|index 1111111..2222222 100644".split(b"|")
)
TEXTS = st.builds(
    lambda lines, end: b"\n".join(lines) + end, st.lists(LINES, max_size=30), st.sampled_from([b"\n", b"", b"\n\n"])
)
BINARIES = st.sampled_from([b"\0", b"\x89PNG\0\1\n", b"x\n" * 300 + b"\0"])
LATE_NUL = st.just(b"a" * 8100 + b"\0\nb\n")
DATA = st.one_of(TEXTS, TEXTS, TEXTS, BINARIES, LATE_NUL)
NAMES = st.one_of(
    st.sampled_from(
        [b"a", b"b", b"a b", b" b", b"b ", b"a\tb", b'"', b"\\", b"a\nb", b"\r", b".gitattributes", b".gitmodules"]
    ),
    st.sampled_from([b"caf\xc3\xa9", b"\xff", b"\x01\x7f", b"-x", b"{a => b}", b"dev", b"null", b"\xe2\x80\xae"]),
)
PATHS = st.lists(NAMES, min_size=1, max_size=3).map(b"/".join)
BLOBS = st.one_of(
    st.builds(Blob, st.sampled_from([REGULAR, REGULAR, EXECUTABLE, LINK]), DATA),
    st.builds(Blob, st.just(SUBMODULE), st.sampled_from([b"1" * 40, b"2" * 40])),
)


@st.composite
def tree_pairs(draw) -> tuple[dict[bytes, Blob], dict[bytes, Blob]]:
    """Two trees that share some files, some contents and some names."""
    pool = draw(st.lists(BLOBS, min_size=1, max_size=6))
    some = st.one_of(st.sampled_from(pool), BLOBS)
    old = draw(st.dictionaries(PATHS, some, max_size=6))
    new = {path: draw(st.one_of(st.just(blob), some)) for path, blob in old.items() if draw(st.booleans())}
    new |= draw(st.dictionaries(PATHS, st.one_of(some, *map(st.just, old.values())), max_size=4))
    return without_conflicts(old), without_conflicts(new)


def without_conflicts(tree: dict[bytes, Blob]) -> dict[bytes, Blob]:
    """Drop files that stand where another one needs a folder."""
    return {path: blob for path, blob in tree.items() if not any(other.startswith(path + b"/") for other in tree)}


def fast_import(trees: list[dict[bytes, Blob]]) -> bytes:
    out = []
    for tree in trees:
        out.append(b"commit refs/heads/main\ncommitter A <a@example.org> 1 +0000\ndata 0\n")
        out.append(b"deleteall\n")
        for path, blob in tree.items():
            quoted = b'"' + b"".join(b"\\%03o" % byte for byte in path) + b'"'
            if blob.mode == SUBMODULE:
                out.append(b"M 160000 %s %s\n" % (blob.data, quoted))
            else:
                out.append(b"M %s inline %s\ndata %d\n%s\n" % (blob.mode.encode(), quoted, len(blob.data), blob.data))
    return b"".join(out)


def text(path: bytes) -> str:
    return path.decode("utf-8", "surrogateescape")


def shown(blob: Blob) -> bytes:
    """What git compares: of a submodule a line that names its commit."""
    return b"Subproject commit " + blob.data + b"\n" if blob.mode == SUBMODULE else blob.data


def rebuild(old: bytes, hunks: tuple[Hunk, ...]) -> bytes:
    lines = re.findall(rb"[^\n]*\n|[^\n]+\Z", old)
    out: list[bytes] = []
    at = 0
    for hunk in hunks:
        start = hunk.old_start - (1 if hunk.old_count else 0)
        out += lines[at:start]
        at = start
        for line in hunk.lines:
            if line[:1] == b"+":
                out.append(line[1:] + b"\n")
                continue
            assert lines[at].removesuffix(b"\n") == line[1:]
            if line[:1] == b" ":
                out.append(lines[at])
            at += 1
        assert hunk.old_unterminated == (hunk.old_count > 0 and not lines[at - 1].endswith(b"\n"))
        if hunk.new_unterminated:
            out[-1] = out[-1].removesuffix(b"\n")
    return b"".join(out + lines[at:])


def assert_hunks(file: FileChange, before: Blob | None, after: Blob | None) -> None:
    """The hunks lead from one version to the other."""
    old, new = (b"" if blob is None else shown(blob) for blob in (before, after))
    hunks = file.patch.hunks()
    if file.status is Status.TYPE_CHANGED:
        if not file.binary:
            assert rebuild(old, tuple(hunk for hunk in hunks if hunk.old_count)) == b""
            assert rebuild(b"", tuple(hunk for hunk in hunks if hunk.new_count)) == new
        return
    assert file.binary == any(
        b"\0" in blob.data[:8000] for blob in (before, after) if blob is not None and blob.mode != SUBMODULE
    )
    if not file.binary:
        assert rebuild(old, hunks) == new
    assert file.added == sum(line[:1] == b"+" for hunk in hunks for line in hunk.lines)
    assert file.removed == sum(line[:1] == b"-" for hunk in hunks for line in hunk.lines)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pairs")


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(pair=tree_pairs())
def test_random_trees(folder: Path, new_repo, pair) -> None:
    old, new = pair
    repo = new_repo(folder)
    repo.git("fast-import", "--quiet", "--force", given=fast_import([old, new]))
    with open_source(repo.path) as source:
        change = source.change_set(source.resolve("main~1"), source.resolve("main"))
        assert change.faults == ()
        assert [file.unread for file in change.files] == [None] * len(change.files)
        gone, come = set(), set()
        for file in change.files:
            before = old.get(file.old_path.encode("utf-8", "surrogateescape"))
            after = new.get(file.path.encode("utf-8", "surrogateescape"))
            assert (file.old_mode, file.new_mode) == (before and before.mode, after and after.mode)
            assert (before is None) == (file.status is Status.ADDED)
            assert (after is None) == (file.status is Status.REMOVED)
            gone |= {file.old_path} if before else set()
            come |= {file.path} if after else set()
            assert_hunks(file, before, after)
    assert gone == {text(path) for path in old if new.get(path) != old[path]}
    assert come == {text(path) for path in new if old.get(path) != new[path]}
