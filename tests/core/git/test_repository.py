"""Finding a repository, naming commits, and the bare repository of our own."""

import os
from pathlib import Path

import pytest

from werkrevisor_core.errors import GitError, UsageError
from werkrevisor_core.git.command import git_version
from werkrevisor_core.git.repository import open_repository
from werkrevisor_core.git.source import open_source


def change_paths(path):
    with open_source(path) as source:
        change = source.change_set(source.resolve("HEAD~1"), source.resolve("HEAD"))
        assert source.contents(change).read("new", "a") == b"2\n"
        return [file.path for file in change.files]


def two_commits(repo):
    repo.commit({"a": "1\n", "sub/b": "b\n"})
    return repo.commit({"a": "2\n"})


def test_folder_inside_the_work_tree(repo):
    two_commits(repo)
    assert change_paths(repo.path / "sub") == ["a"]


def test_bare_repository(repo, tmp_path):
    two_commits(repo)
    repo.git("clone", "-q", "--bare", str(repo.path), str(tmp_path / "bare.git"))
    assert change_paths(tmp_path / "bare.git") == ["a"]


def test_linked_work_tree(repo, tmp_path):
    two_commits(repo)
    repo.git("worktree", "add", "-q", "--detach", str(tmp_path / "linked"))
    repo.git("-C", str(tmp_path / "linked"), "commit", "-q", "--allow-empty", "-m", "only here")
    with open_source(tmp_path / "linked") as source:
        assert source.resolve("HEAD~1") == repo.git("rev-parse", "HEAD")
        assert source.change_set(source.resolve("HEAD~1"), source.resolve("HEAD")).files == ()


def test_submodule(repo, tmp_path):
    two_commits(repo)
    outer = type(repo).new(tmp_path / "outer")
    outer.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(repo.path), "inner")
    assert change_paths(outer.path / "inner") == ["a"]


def test_borrowed_objects(repo, tmp_path):
    two_commits(repo)
    repo.git("clone", "-q", "--shared", str(repo.path), str(tmp_path / "shared"))
    assert change_paths(tmp_path / "shared") == ["a"]


def test_objects_borrowed_by_a_relative_path(repo, tmp_path):
    two_commits(repo)
    other = type(repo).new(tmp_path / "other")
    (other.path / ".git/objects/info/alternates").write_text("# ours\n\n../../../repo/.git/objects\n")
    other.git("update-ref", "refs/heads/main", repo.git("rev-parse", "HEAD"))
    assert change_paths(other.path) == ["a"]


def test_sha256(repo, tmp_path):
    other = type(repo).new(tmp_path / "sha256", "--object-format=sha256")
    head = two_commits(other)
    assert len(head) == 64
    assert change_paths(other.path) == ["a"]


@pytest.mark.parametrize(
    "name", [b"a b", b'"quoted"', b"back\\slash", b"#hash", b"line\nbreak", b"tab\t:colon", b"\xff\xfe", "ünï".encode()]
)
def test_odd_names_of_the_folder(repo, tmp_path, name):
    other = type(repo).new(tmp_path / os.fsdecode(name))
    two_commits(other)
    assert change_paths(other.path) == ["a"]


def test_our_repository_is_removed_and_nothing_is_written_to_theirs(repo, tmp_path, monkeypatch):
    two_commits(repo)
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    (tmp_path / "tmp").mkdir()
    before = {path: path.stat().st_mtime_ns for path in repo.path.rglob("*")}
    with open_repository(repo.path, 10) as (_, ours, _):
        assert Path(ours.directory).parent == tmp_path / "tmp"
        assert ours.run("rev-parse", "--is-bare-repository").out == b"true\n"
        assert ours.run("for-each-ref").out == b""
    assert change_paths(repo.path) == ["a"]
    assert list((tmp_path / "tmp").iterdir()) == []
    assert {path: path.stat().st_mtime_ns for path in repo.path.rglob("*")} == before


def test_our_repository_is_removed_after_a_fault(repo, tmp_path, monkeypatch):
    two_commits(repo)
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    (tmp_path / "tmp").mkdir()
    with pytest.raises(GitError, match="names no commit"), open_source(repo.path) as source:
        source.resolve("nothing")
    assert list((tmp_path / "tmp").iterdir()) == []


def test_no_place_for_our_repository(repo, tmp_path, monkeypatch):
    two_commits(repo)
    monkeypatch.setenv("TMPDIR", str(tmp_path / "missing"))
    with pytest.raises(GitError, match="set TMPDIR"), open_source(repo.path):
        raise AssertionError("a repository was made in a folder that does not exist")


def test_no_repository(tmp_path):
    with pytest.raises(UsageError, match=r"there is no git repository in .* --diff"), open_source(tmp_path):
        raise AssertionError("an empty folder was opened")


def test_no_folder(tmp_path):
    with pytest.raises(UsageError, match="is no folder"), open_source(tmp_path / "missing"):
        raise AssertionError("a missing folder was opened")


def test_unreadable_repository(repo):
    two_commits(repo)
    repo.write(".git/config", "[core]\n\trepositoryformatversion = 99\n")
    with pytest.raises(UsageError, match=r"repository in .* cannot be read: .*version"), open_source(repo.path):
        raise AssertionError("a repository of an unknown version was opened")


def test_no_git(repo, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UsageError, match="git was not found on the PATH"), open_source(repo.path):
        raise AssertionError("a repository was opened without git")


def test_git_that_is_too_old(repo, tmp_path, monkeypatch):
    program = tmp_path / "bin/git"
    program.parent.mkdir()
    program.write_text('#!/bin/sh\n[ "$1" = version ] && echo "git version 1.8.3.1" || exit 129\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")
    with pytest.raises(UsageError, match=r"git 1\.8\.3\.1 is too old: install git 2\.38"), open_source(repo.path):
        raise AssertionError("a repository was opened with an old git")


@pytest.mark.parametrize(
    ("printed", "version"),
    [
        ("git version 2.39.5", (2, 39, 5)),
        ("git version 2.39.5 (Apple Git-154)", (2, 39, 5)),
        ("git version 2.45.0.rc1.windows.1", (2, 45, 0)),
    ],
)
def test_version(tmp_path, monkeypatch, printed, version):
    program = tmp_path / "git"
    program.write_text(f"#!/bin/sh\necho '{printed}'\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert git_version() == version


def test_version_that_is_none(tmp_path, monkeypatch):
    program = tmp_path / "git"
    program.write_text("#!/bin/sh\necho hello\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(GitError, match="did not answer with a version"):
        git_version()


def test_names_of_commits(repo):
    head = two_commits(repo)
    repo.git("tag", "-a", "-m", "t", "v1")
    with open_source(repo.path) as source:
        for name in ("HEAD", "main", "v1", "refs/tags/v1", head, head[:8], "@", "HEAD~0", "HEAD^{commit}", "HEAD^{/c}"):
            assert source.resolve(name) == head, name


@pytest.mark.parametrize(
    "name",
    ["", "nothing", "HEAD~9", "HEAD:a", "HEAD^{tree}", "^HEAD", "main..HEAD", "--all", "-h", "a\0b", "1" * 40, "a\nb"],
)
def test_names_of_nothing(repo, name):
    two_commits(repo)
    with open_source(repo.path) as source, pytest.raises(GitError, match="names no commit"):
        source.resolve(name)


def test_error_about_a_name_is_one_line(repo):
    two_commits(repo)
    with open_source(repo.path) as source, pytest.raises(GitError) as raised:
        source.resolve("a\nb\x1b[31m\u202e" + "x" * 5000)
    assert "`a\\x0ab\\x1b[31m\\x202exxx" in str(raised.value)
    assert len(str(raised.value)) < 400


def test_no_commit_yet(repo):
    with open_source(repo.path) as source, pytest.raises(GitError, match="`HEAD` names no commit"):
        source.resolve("HEAD")


@pytest.mark.parametrize("name", ["both", "abcdef0"])
def test_ambiguous_name(repo, name):
    head = two_commits(repo)
    repo.git("branch", name)
    repo.git("tag", name, "HEAD~1")
    repo.git("config", "core.warnAmbiguousRefs", "false")
    with open_source(repo.path) as source:
        with pytest.raises(GitError, match=rf"`{name}` is ambiguous.*refs/heads/{name}"):
            source.resolve(name)
        assert source.resolve(f"refs/heads/{name}") == head


def test_beginning_of_several_ids(repo):
    # A thousand ids of four digits (65,536 values): about seven of them begin alike.
    commit = "commit refs/heads/main\ncommitter A <a@example.org> {} +0000\ndata 0\n"
    repo.git("fast-import", "--quiet", given="".join(commit.format(number) for number in range(1000)).encode())
    ids = repo.git("rev-list", "main").split()
    beginnings = [commit_id[:4] for commit_id in ids]
    twice = next(beginning for beginning in beginnings if beginnings.count(beginning) > 1)
    with open_source(repo.path) as source, pytest.raises(GitError, match=f"`{twice}` is ambiguous.*more digits"):
        source.resolve(twice)


def test_branch_named_like_a_commit_does_not_shadow_it(repo):
    head = two_commits(repo)
    repo.git("update-ref", f"refs/heads/{head}", "HEAD~1")
    with open_source(repo.path) as source:
        assert source.resolve(head) == head


def test_default_base(repo):
    with open_source(repo.path) as source, pytest.raises(GitError, match="name the base with --base"):
        source.default_base()
    repo.commit({"a": "1\n"})
    for name in ("refs/remotes/origin/master", "refs/remotes/origin/main", "refs/heads/master"):
        repo.git("update-ref", name, "HEAD")
    repo.git("update-ref", "refs/remotes/origin/trunk", "HEAD")
    repo.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/trunk")
    repo.git("checkout", "-q", "--detach")
    for expected, gone in (
        ("refs/remotes/origin/trunk", "refs/remotes/origin/HEAD"),
        ("refs/heads/main", "refs/heads/main"),
        ("refs/heads/master", "refs/heads/master"),
        ("refs/remotes/origin/main", "refs/remotes/origin/main"),
        ("refs/remotes/origin/master", "refs/remotes/origin/master"),
    ):
        with open_source(repo.path) as source:
            assert source.default_base() == expected
            assert source.resolve(expected)
        if gone.endswith("HEAD"):
            repo.git("symbolic-ref", "--delete", gone)
        else:
            repo.git("update-ref", "-d", gone)


def test_default_base_is_no_tag(repo):
    two_commits(repo)
    repo.git("tag", "main", "HEAD~1")
    with open_source(repo.path) as source:
        assert source.resolve(source.default_base()) == repo.git("rev-parse", "refs/heads/main")
