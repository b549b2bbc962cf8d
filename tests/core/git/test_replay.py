from contextlib import contextmanager

import pytest

from werkrevisor_core.errors import ContentsUnavailable, GitError
from werkrevisor_core.git import replay as module
from werkrevisor_core.git.source import Limits, open_source
from werkrevisor_core.models.change import ReadFault, Status
from werkrevisor_core.models.ports import Side
from werkrevisor_core.models.replay import Region
from werkrevisor_core.testing.build import change_set

TEXT = "".join(f"{number}\n" for number in range(20))


@contextmanager
def replayed(repo, base, head, approved_base, approved, **limits):
    with open_source(repo.path, Limits(**limits)) as source:
        yield source.replay(source.change_set(base, head)).replay(approved_base, approved)


@pytest.fixture
def history(repo):
    """Return ids: the first base, the approved head on it, a base that edited elsewhere, the head rebased onto that."""
    first = repo.commit({"a": TEXT, "b": "b\n", "c": "c\n"})
    approved = repo.commit({"a": TEXT.replace("3\n", "three\n", 1)})
    repo.git("checkout", "-q", "-b", "next", first)
    base = repo.commit({"a": TEXT.replace("17\n", "seventeen\n"), "c": "other\n"})
    head = repo.commit({"a": TEXT.replace("17\n", "seventeen\n").replace("3\n", "three\n", 1)})
    return first, approved, base, head


def test_a_rebase_without_conflict_leaves_no_difference(repo, history):
    first, approved, base, head = history
    with replayed(repo, base, head, first, approved) as found:
        assert found.impossible == ""
        assert found.difference == ()
        assert found.conflicts == {}
        assert [file.path for file in found.approved] == [file.path for file in found.result] == ["a"]
        assert found.base_touched == {"a": "a", "c": "c"}
        assert found.before.read(Side.OLD, "a") == TEXT.encode()
        assert found.before.read(Side.NEW, "a") == TEXT.replace("3\n", "three\n", 1).encode()


def test_what_the_head_has_beside_it_is_the_difference(repo, history):
    first, approved, base, _ = history
    repo.git("mv", "b", "d")
    head = repo.commit({"a": TEXT.replace("17\n", "seventeen\n").replace("3\n", "four\n", 1)})
    with replayed(repo, base, head, first, approved) as found:
        assert [(file.path, file.status) for file in found.difference] == [
            ("a", Status.MODIFIED),
            ("b", Status.REMOVED),
            ("d", Status.ADDED),
        ]
        (block,) = [block for hunk in found.difference[0].patch.hunks() for block in hunk.blocks()]
        assert (block.removed, block.added) == ((b"three",), (b"four",))


def test_a_conflict_of_lines_has_regions_and_another_has_none(repo):
    first = repo.commit({"a": TEXT, "b": "b\n", "bin": b"\0"})
    approved = repo.commit({"a": TEXT.replace("3\n", "three\n", 1), "b": "bb\n", "bin": b"\1\0"})
    repo.git("checkout", "-q", "-b", "next", first)
    repo.git("rm", "-q", "b")
    base = repo.commit({"a": TEXT.replace("3\n", "drei\n", 1), "bin": b"\2\0"})
    with replayed(repo, base, base, first, approved) as found:
        # 0 to 2, the mark, "three", the mark, "drei", the mark
        assert found.conflicts == {"a": (Region(4, 6, 8),), "b": (), "bin": ()}


def test_a_text_that_looks_like_a_conflict_is_none(repo):
    fake = "<<<<<<< ours\nx\n=======\ny\n>>>>>>> theirs\n"
    first = repo.commit({"a": fake + TEXT})
    approved = repo.commit({"a": fake + TEXT.replace("3\n", "three\n", 1)})
    repo.git("checkout", "-q", "-b", "next", first)
    base = repo.commit({"a": fake + TEXT.replace("3\n", "drei\n", 1)})
    with replayed(repo, base, base, first, approved) as found:
        assert found.conflicts == {"a": (Region(9, 11, 13),)}


def test_a_line_of_equals_signs_makes_the_approved_side_longer(repo):
    first = repo.commit({"a": "x\n"})
    approved = repo.commit({"a": "title\n=======\ntext\n"})
    repo.git("checkout", "-q", "-b", "next", first)
    base = repo.commit({"a": "y\n"})
    with replayed(repo, base, base, first, approved) as found:
        assert found.conflicts == {"a": (Region(1, 5, 7),)}


def test_a_conflict_in_a_large_file_has_no_regions(repo):
    first = repo.commit({"a": TEXT})
    approved = repo.commit({"a": TEXT.replace("3\n", "three\n", 1)})
    repo.git("checkout", "-q", "-b", "next", first)
    base = repo.commit({"a": TEXT.replace("3\n", "drei\n", 1)})
    with replayed(repo, base, base, first, approved, file_bytes=10) as found:
        assert found.conflicts == {"a": ()}
        with pytest.raises(ContentsUnavailable):
            found.before.read(Side.NEW, "a")


def test_a_file_that_the_base_renamed_is_touched_only_where_it_was_edited_too(repo):
    first = repo.commit({"a": TEXT, "b": "b\n" * 20})
    approved = repo.commit({"a": TEXT.replace("3\n", "three\n", 1)})
    repo.git("checkout", "-q", "-b", "next", first)
    repo.git("mv", "a", "new")
    repo.git("mv", "b", "same")
    base = repo.commit({"new": TEXT.replace("17\n", "seventeen\n")})
    head = repo.commit({"new": TEXT.replace("17\n", "seventeen\n").replace("3\n", "three\n", 1)})
    with replayed(repo, base, head, first, approved) as found:
        assert found.difference == ()
        assert found.base_touched == {"new": "a"}


def test_only_the_tree_of_the_merge_base_is_taken_whatever_the_history(repo, history):
    first, approved, base, head = history
    repo.git("checkout", "-q", "-b", "later", base)
    repo.commit({"a": "all else\n"})  # the tip of the base moved on and is not looked at
    with replayed(repo, base, head, first, approved) as found:
        assert found.difference == ()


def test_what_the_repository_says_about_merging_is_not_heard(repo, history):
    first, approved, *_ = history
    (repo.path / ".git/info/attributes").write_text("* merge=union\n")
    repo.git("config", "merge.conflictStyle", "diff3")
    other = repo.commit({"a": TEXT.replace("3\n", "drei\n", 1), ".gitattributes": "* merge=union\n"})
    with replayed(repo, other, other, first, approved) as found:
        assert found.conflicts == {"a": (Region(4, 6, 8),)}


def test_nothing_stays_in_the_repository(repo, history):
    before = repo.git("count-objects", "-v")
    first, approved, base, head = history
    with replayed(repo, base, head, first, approved):
        pass
    assert repo.git("count-objects", "-v") == before


@pytest.mark.parametrize("gone", ["approved", "base"])
def test_a_commit_that_is_not_there_makes_it_impossible(repo, history, gone):
    first, approved, base, head = history
    ends = (first, "d" * 40) if gone == "approved" else ("d" * 40, approved)
    with replayed(repo, base, head, *ends) as found:
        assert found.impossible == "the commit dddddddddddd cannot be read: run `git fsck` in the repository"


def test_an_old_git_makes_it_impossible(repo, history, monkeypatch):
    monkeypatch.setattr(module, "git_version", lambda git: (2, 37, 9))
    first, approved, base, head = history
    with replayed(repo, base, head, first, approved) as found:
        assert found.impossible == "git 2.37.9 cannot merge again what was approved: install git 2.38"


@pytest.mark.parametrize("option", ["_MERGE", "_AUTHOR", "_RAW"])
def test_a_git_that_fails_makes_it_impossible(repo, history, monkeypatch, option):
    monkeypatch.setattr(module, option, ("no-such-command",))
    first, approved, base, head = history
    with replayed(repo, base, head, first, approved) as found:
        assert "git cannot" in found.impossible


def test_a_diff_that_cannot_be_read_makes_it_impossible(repo, history, monkeypatch):
    first, approved, base, head = history
    fault = ReadFault("text of no file")
    with open_source(repo.path) as source:
        port = source.replay(source.change_set(base, head))
        monkeypatch.setattr(port, "_between", lambda *_: ((), (fault,)))
        found = port.replay(first, approved)
    assert found.impossible == "what was approved cannot be compared with this head: text of no file"


def test_a_conflict_of_links_has_no_regions(repo):
    first = repo.commit({"a": TEXT})
    ids = []
    for branch, target in (("one", "x"), ("two", "y")):
        repo.git("checkout", "-q", "-B", branch, first)
        (repo.path / "link").symlink_to(target)
        ids.append(repo.commit())
    with replayed(repo, ids[1], ids[1], first, ids[0]) as found:
        assert set(found.conflicts.values()) == {()}
        assert any(path.startswith("link") for path in found.conflicts)


def test_a_bare_diff_has_no_replay(repo, history):
    with open_source(repo.path) as source, pytest.raises(GitError, match="onto a bare diff"):
        source.replay(change_set(merge_base=None, head=None))
