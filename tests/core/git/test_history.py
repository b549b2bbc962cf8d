"""Merge bases, and when they can be trusted."""

import pytest

from werkrevisor_core.errors import GitError
from werkrevisor_core.git.source import open_source


def branch_and_main(repo, *, commits=1):
    """Make a main with a topic that left it, both `commits` long since; return (fork, main, topic)."""
    fork = repo.commit({"a": "a\n"})
    repo.git("checkout", "-q", "-b", "topic")
    for number in range(commits):
        topic = repo.commit({"t": f"{number}\n"})
    repo.git("checkout", "-q", "main")
    for number in range(commits):
        main = repo.commit({"m": f"{number}\n"})
    return fork, main, topic


def criss_cross(repo):
    """Make two branches that merged each other: two merge bases. Return (main, topic, bases)."""
    _, main, topic = branch_and_main(repo)
    repo.git("merge", "-q", "-m", "m", topic)
    crossed_main = repo.git("rev-parse", "HEAD")
    repo.git("checkout", "-q", "topic")
    repo.git("merge", "-q", "-m", "m", main)
    return crossed_main, repo.git("rev-parse", "HEAD"), {main, topic}


def shallow(repo, tmp_path, depth, *branches):
    clone = type(repo).new(tmp_path / "shallow")
    clone.git("remote", "add", "origin", f"file://{repo.path}")
    for branch in branches:
        clone.git("fetch", "-q", f"--depth={depth}", "origin", f"{branch}:{branch}", "--update-head-ok")
    return clone


def test_fork_point(repo):
    fork, main, topic = branch_and_main(repo)
    with open_source(repo.path) as source:
        assert source.merge_bases(main, topic) == (fork,)
        change = source.change_set(main, topic)
    assert (change.merge_base, change.head, change.faults) == (fork, topic, ())
    assert [file.path for file in change.files] == ["t"]


def test_nothing_between(repo):
    head = repo.commit({"a": "a\n"})
    with open_source(repo.path) as source:
        change = source.change_set(head, head)
    assert (change.files, change.faults, change.merge_base) == ((), (), head)


def test_head_behind_its_base_changes_nothing(repo):
    old = repo.commit({"a": "a\n"})
    new = repo.commit({"a": "b\n"})
    with open_source(repo.path) as source:
        assert source.change_set(new, old).files == ()


def test_criss_cross_is_a_fault(repo):
    main, topic, bases = criss_cross(repo)
    with open_source(repo.path) as source:
        assert set(source.merge_bases(main, topic)) == bases
        change = source.change_set(main, topic)
    assert change.merge_base in bases
    (fault,) = change.faults
    assert "2 merge bases" in fault.why
    assert "cannot be told" in fault.why


def test_unrelated_histories(repo):
    one = repo.commit({"a": "a\n"})
    repo.git("checkout", "-q", "--orphan", "other")
    other = repo.commit({"b": "b\n"})
    with open_source(repo.path) as source, pytest.raises(GitError, match="no common ancestor"):
        source.change_set(one, other)


def test_missing_commit(repo):
    head = repo.commit({"a": "a\n"})
    with open_source(repo.path) as source, pytest.raises(GitError, match="git cannot compare 111111111111"):
        source.change_set("1" * 40, head)


def test_parents(repo):
    root = repo.commit({"a": "a\n"})
    head = repo.commit({"a": "b\n"})
    with open_source(repo.path) as source:
        assert source.parents(root) == ()
        assert source.parents(head) == (root,)
        with pytest.raises(GitError, match="cannot be read"):
            source.parents("1" * 40)
        with pytest.raises(GitError, match="cannot be read"):
            source.parents(f"{head}\n{root}")


def test_shallow_clone_without_common_ancestor(repo, tmp_path):
    _, main, topic = branch_and_main(repo, commits=3)
    clone = shallow(repo, tmp_path, 2, "main", "topic")
    with open_source(clone.path) as source, pytest.raises(GitError, match="git fetch --unshallow"):
        source.change_set(main, topic)


def test_shallow_clone_that_is_long_enough(repo, tmp_path):
    repo.commit({"a": "0\n"})
    fork, main, topic = branch_and_main(repo, commits=3)
    clone = shallow(repo, tmp_path, 4, "main", "topic")
    assert clone.git("rev-parse", "--is-shallow-repository") == "true"
    with open_source(clone.path) as source:
        assert source.change_set(main, topic).merge_base == fork


def test_shallow_clone_cut_at_the_base(repo, tmp_path):
    repo.commit({"a": "0\n"})
    base = repo.commit({"a": "1\n"})
    head = repo.commit({"a": "2\n"})
    clone = shallow(repo, tmp_path, 2, "main")
    with open_source(clone.path) as source:
        assert source.change_set(base, head).merge_base == base
        with pytest.raises(GitError, match="cut off at"):
            source.parents(base)
        with pytest.raises(GitError, match=r"names no commit.*shallow"):
            source.resolve("HEAD~2")


def test_shallow_clone_in_which_a_nearer_ancestor_is_hidden(repo, tmp_path):
    """Topic forked, then merged main: cut behind that merge, the old fork looks like the merge base.

    fork - m1 - m2 (main)
      \\      \\
       t1 ---- merge - t2 (topic)
    """
    fork = repo.commit({"a": "a\n"})
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit({"t": "1\n"})
    repo.git("checkout", "-q", "main")
    merged = repo.commit({"m": "1\n"})
    main = repo.commit({"m": "2\n"})
    repo.git("checkout", "-q", "topic")
    repo.git("merge", "-q", "-m", "m", merged)
    topic = repo.commit({"t": "2\n"})
    with open_source(repo.path) as source:
        assert source.merge_bases(main, topic) == (merged,)
    # A clone that has `fork` through t1, but is cut off at main's tip.
    repo.write(".git/shallow", f"{main}\n")
    repo.git("update-ref", "refs/heads/fork", fork)
    with open_source(repo.path) as source, pytest.raises(GitError, match="git fetch --unshallow"):
        source.change_set(main, topic)


def test_shallow_clone_cut_on_the_way_to_a_known_ancestor(repo):
    """Main reaches the fork by one parent; its other parent is cut off and could hide a nearer one."""
    fork, _, topic = branch_and_main(repo)
    repo.git("checkout", "-q", "-b", "side", fork)
    side = repo.commit({"s": "s\n"})
    repo.git("checkout", "-q", "main")
    repo.git("merge", "-q", "-m", "m", side)
    merged = repo.git("rev-parse", "HEAD")
    with open_source(repo.path) as source:
        assert source.change_set(merged, topic).merge_base == fork
    repo.write(".git/shallow", f"{side}\n")
    with open_source(repo.path) as source, pytest.raises(GitError, match="git fetch --unshallow"):
        source.change_set(merged, topic)
    repo.write(".git/shallow", f"{fork}\n")
    with open_source(repo.path) as source:
        assert source.change_set(merged, topic).merge_base == fork
