"""Bytes of files at two commits."""

import os

import pytest

from werkrevisor_core.errors import ContentsUnavailable, GitError
from werkrevisor_core.git.contents import GitContents
from werkrevisor_core.git.objects import parse_tree
from werkrevisor_core.git.source import Limits, open_source
from werkrevisor_core.models.change import ChangeSet, Origin
from werkrevisor_core.models.ports import Side


@pytest.fixture
def two(repo):
    repo.commit({"a": "old\n", "same/deep/file": "same\n", "gone": "gone\n", 'odd\nname \t"é': b"\0\xff\r\n"})
    repo.git("rm", "-q", "gone")
    repo.commit({"a": "new\n", "added": ""})
    return repo


def opened(source):
    return source.contents(source.change_set(source.resolve("HEAD~1"), source.resolve("HEAD")))


def test_both_sides(two):
    with open_source(two.path) as source:
        contents = opened(source)
        contents.prefetch([(Side.OLD, "a"), (Side.NEW, "a"), (Side.NEW, "missing"), (Side.NEW, "same")])
        for _ in range(2):
            assert contents.read(Side.OLD, "a") == b"old\n"
            assert contents.read(Side.NEW, "a") == b"new\n"
            assert contents.read(Side.NEW, "same/deep/file") == b"same\n"
            assert contents.read(Side.OLD, 'odd\nname \t"é') == b"\0\xff\r\n"
            assert contents.read(Side.NEW, "added") == b""
            assert contents.read(Side.OLD, "gone") == b"gone\n"


@pytest.mark.parametrize("path", ["gone", "nothing", "a/b", "same/deep/other", "", "/a", "a/", "./a", "same/../a", "A"])
def test_paths_that_do_not_exist(two, path):
    with open_source(two.path) as source:
        assert opened(source).read(Side.NEW, path) is None


def test_path_that_is_no_utf8(repo):
    path = os.fsdecode(b"\xff\xfe/\xe9")
    repo.commit()
    repo.commit({path: "x\n"})
    with open_source(repo.path) as source:
        assert opened(source).read(Side.NEW, path) == b"x\n"


def test_no_regular_files(two):
    (two.path / "link").symlink_to("a")
    two.git("add", "link")
    two.git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},sub")
    two.commit_index()
    with open_source(two.path) as source:
        contents = opened(source)
        contents.prefetch([(Side.NEW, path) for path in ("link", "sub", "same")])
        for path, kind in (("link", "a symbolic link"), ("sub", "a submodule"), ("same", "a folder")):
            with pytest.raises(ContentsUnavailable, match=f"{path} is {kind}"):
                contents.read(Side.NEW, path)
            with pytest.raises(ContentsUnavailable, match=f"{path} is {kind}"):
                source.read_file(source.resolve("HEAD"), path)


def test_too_large(two):
    two.commit({"large": "x" * 101, "fits": "x" * 100})
    with open_source(two.path, Limits(file_bytes=100)) as source:
        contents = opened(source)
        contents.prefetch([(Side.NEW, "large"), (Side.NEW, "fits")])
        with pytest.raises(ContentsUnavailable, match="large has 101 bytes and is not read above 100"):
            contents.read(Side.NEW, "large")
        assert contents.read(Side.NEW, "fits") == b"x" * 100
        assert contents.read(Side.NEW, "a") == b"new\n"


def test_many_files_in_one_go(repo):
    repo.commit()
    repo.commit({f"f{number}": f"{number}\n" for number in range(130)})
    with open_source(repo.path) as source:
        contents = opened(source)
        contents.prefetch([(Side.NEW, f"f{number}") for number in range(130)])
        source.close()  # what is kept needs no git any more
        assert [contents.read(Side.NEW, f"f{number}") for number in range(130)] == [
            f"{number}\n".encode() for number in range(130)
        ]


def test_large_answers_are_asked_for_in_parts(repo):
    repo.commit()
    repo.commit({f"f{number}": b"%d" % number * (12 << 20) for number in range(5)})
    with open_source(repo.path) as source:
        contents = opened(source)
        contents.prefetch([(Side.NEW, f"f{number}") for number in range(5)])
        for number in range(5):
            assert contents.read(Side.NEW, f"f{number}") == b"%d" % number * (12 << 20)


def test_what_is_kept_is_bounded(two):
    with open_source(two.path) as source:
        head = source.resolve("HEAD")
        objects = source._objects  # noqa: SLF001 - the bound is set where the source makes the port
        contents = GitContents(objects, {Side.OLD: head, Side.NEW: head}, room=6)
        contents.prefetch([(Side.NEW, "a"), (Side.NEW, "same/deep/file")])
        assert sorted(contents._kept.values()) == [b"new\n"]  # noqa: SLF001 - 4 of 6 bytes; 5 more do not fit
        assert contents.read(Side.NEW, "same/deep/file") == b"same\n"
        assert sorted(contents._kept.values()) == [b"same\n"]  # noqa: SLF001
        assert contents.read(Side.NEW, "a") == b"new\n"


def test_read_file_and_entry(two):
    with open_source(two.path) as source:
        head = source.resolve("HEAD")
        assert source.read_file(head, "a") == b"new\n"
        assert source.read_file(head, "gone") is None
        entry = source.entry(head, "a")
        assert entry is not None
        assert (entry.mode, entry.object_id) == ("100644", two.git("rev-parse", "HEAD:a"))
        assert source.entry(head, "gone") is None
        with pytest.raises(GitError, match="cannot be read"):
            source.read_file("1" * 40, "a")
        with pytest.raises(GitError, match="cannot be read"):
            source.read_file(two.git("rev-parse", "HEAD:a"), "a")


def test_missing_objects_are_unavailable_and_not_absent(two):
    for name in ("HEAD:a", "HEAD:same"):
        object_id = two.git("rev-parse", name)
        (two.path / ".git/objects" / object_id[:2] / object_id[2:]).unlink()
    with open_source(two.path) as source:
        head = source.resolve("HEAD")
        contents = source.contents(ChangeSet((), Origin.GIT, merge_base=head, head=head))
        contents.prefetch([(Side.NEW, "a"), (Side.NEW, "same/deep/file")])
        with pytest.raises(ContentsUnavailable, match="missing in this clone"):
            contents.read(Side.NEW, "a")
        with pytest.raises(ContentsUnavailable, match="cannot be read"):
            contents.read(Side.NEW, "same/deep/file")


def test_contents_of_a_bare_diff(two):
    with open_source(two.path) as source, pytest.raises(GitError, match="bare diff"):
        source.contents(ChangeSet((), Origin.DIFF))


ID = bytes(range(20))


@pytest.mark.parametrize(
    "data",
    [b"100644 a", b"100644 a\0short", b"100644\0" + ID, (b"100644 a\0" + ID) * 2, b"100644 a\0" + ID + b"x"],
)
def test_damaged_trees(data):
    with pytest.raises(GitError, match="damaged"):
        parse_tree(data, 20)


def test_modes_of_trees():
    rows = [(b"40000", "040000"), (b"100664", "100644"), (b"100755", "100755"), (b"100700", "100755")]
    for written, shown in rows:
        (entry,) = parse_tree(written + b" a\0" + ID, 20).values()
        assert (entry.mode, entry.object_id) == (shown, ID.hex())
