"""A repository that tries to run code here, or to change what the review sees."""

import os
import stat

import pytest

from werkrevisor_core.errors import ContentsUnavailable, GitError
from werkrevisor_core.git.source import Limits, open_source
from werkrevisor_core.models.change import Status
from werkrevisor_core.models.ports import Side

OLD = "def allowed(user):\n    return user.admin\n"
NEW = "def allowed(user):\n    return True\n"


def read(repo, base="HEAD~1", head="HEAD"):
    with open_source(repo.path) as source:
        change = source.change_set(source.resolve(base), source.resolve(head))
        return change, [file.patch.hunks() for file in change.files]


def assert_seen(repo, path="a.py"):
    """The change of OLD to NEW is seen in full."""
    change, hunks = read(repo)
    found = {file.path: (file, hunk) for file, hunk in zip(change.files, hunks, strict=True)}
    file, (hunk,) = found[path]
    assert (file.status, file.binary, file.unread) == (Status.MODIFIED, False, None)
    assert (file.added, file.removed) == (1, 1)
    assert hunk.lines == (b" def allowed(user):", b"-    return user.admin", b"+    return True")
    assert change.faults == ()


ATTRIBUTES = [
    "*.py -diff",
    "*.py binary",
    "*.py diff=evil",
    "*.py -text eol=crlf",
    "*.py working-tree-encoding=UTF-16",
    "*.py filter=evil",
    "*.py export-ignore linguist-generated",
    "[attr]hidden -diff\n*.py hidden",
]


def evil_config(repo, trap):
    for key in ("diff.evil.textconv", "diff.evil.command", "diff.external", "filter.evil.clean", "filter.evil.smudge"):
        repo.git("config", key, str(trap))
    repo.git("config", "diff.evil.cachetextconv", "true")
    repo.git("config", "diff.evil.binary", "true")


@pytest.mark.parametrize("place", ["base", "head", "info"])
@pytest.mark.parametrize("line", ATTRIBUTES)
def test_attributes_hide_nothing(repo, trap, canary, line, place):
    first = {"a.py": OLD, **({".gitattributes": line + "\n"} if place == "base" else {})}
    repo.commit_blobs(first)
    repo.commit_blobs({"a.py": NEW, **({".gitattributes": line + "\n"} if place == "head" else {})})
    repo.write(".gitattributes", line + "\n")
    if place == "info":
        repo.write(".git/info/attributes", line + "\n")
    evil_config(repo, trap)
    assert_seen(repo)
    assert not canary.exists()


def test_control_the_trap_snaps(repo, trap, canary):
    repo.commit({"a.py": OLD, ".gitattributes": "*.py diff=evil\n"})
    repo.commit({"a.py": NEW})
    evil_config(repo, trap)
    repo.git("diff", "HEAD~1", "HEAD", check=False)
    assert canary.exists()


@pytest.mark.parametrize("kind", ["blob", "commit", "tree"])
def test_replaced_objects(repo, kind):
    base = repo.commit({"a.py": OLD})
    head = repo.commit({"a.py": NEW})
    name = {"blob": ":a.py", "commit": "", "tree": "^{tree}"}[kind]
    repo.git("replace", repo.git("rev-parse", "HEAD" + name), repo.git("rev-parse", "HEAD~1" + name))
    assert repo.git("diff", base, head) == ""  # git itself is fooled
    assert_seen(repo)


def test_grafts_do_not_move_the_merge_base(repo):
    root = repo.commit({"a.py": OLD})
    head = repo.commit({"a.py": NEW})
    last = repo.commit({"b.py": "b\n"})
    repo.write(".git/info/grafts", f"{last}\n")
    with open_source(repo.path) as source:
        change = source.change_set(root, last)
        assert change.merge_base == root
        assert [file.path for file in change.files] == ["a.py", "b.py"]
        assert source.parents(last) == (head,)
        assert source.resolve("HEAD~1") == head
    assert repo.git("rev-parse", "HEAD~1", check=False) != head  # git itself is fooled


def test_commit_graph_that_lies_about_parents(repo):
    root = repo.commit({"a.py": OLD})
    good = repo.commit({"b.py": "b\n"})
    middle = repo.commit({"a.py": NEW})
    head = repo.commit({"c.py": "c\n"})
    repo.git("commit-graph", "write", "--reachable")
    path = repo.path / ".git/objects/info/commit-graph"
    graph = bytearray(path.read_bytes())
    # gitformat-commit-graph: 8 bytes of header, then rows of (4 bytes id, 8 bytes offset); CDAT holds
    # 36 bytes per commit in the order of the ids: tree, two parents by position, generation and date.
    rows = {bytes(graph[at : at + 4]): int.from_bytes(graph[at + 4 : at + 12], "big") for at in range(8, 68, 12)}
    order = sorted((root, good, middle, head))
    place = rows[b"CDAT"] + 36 * order.index(middle) + 20
    assert int.from_bytes(graph[place : place + 4], "big") == order.index(good)
    graph[place : place + 4] = order.index(root).to_bytes(4, "big")
    path.chmod(0o644)
    path.write_bytes(graph)
    assert repo.git("merge-base", good, head) == root  # git itself is fooled
    with open_source(repo.path) as source:
        assert source.resolve("HEAD~2") == good
        assert source.change_set(good, head).merge_base == good


SETTINGS = {
    "diff.renames": "false",
    "diff.renameLimit": "1",
    "diff.noprefix": "true",
    "diff.mnemonicPrefix": "true",
    "diff.srcPrefix": "zz/",
    "diff.context": "0",
    "diff.interHunkContext": "99",
    "diff.suppressBlankEmpty": "true",
    "diff.ignoreSubmodules": "all",
    "diff.submodule": "log",
    "diff.algorithm": "patience",
    "diff.relative": "true",
    "diff.wsErrorHighlight": "all",
    "diff.colorMoved": "zebra",
    "color.ui": "always",
    "core.quotePath": "true",
    "core.bigFileThreshold": "1",
    "core.bare": "true",
    "core.worktree": "/",
    "core.abbrev": "4",
    "core.warnAmbiguousRefs": "false",
    "core.attributesFile": "evil-attributes",
    "merge.directoryRenames": "true",
    "log.showSignature": "true",
}


@pytest.mark.parametrize("key", SETTINGS)
def test_configuration_changes_nothing(repo, key):
    repo.commit({"a.py": OLD, "old/name.py": "1\n2\n3\n4\n5\n"})
    repo.git("mv", "old", "new")
    repo.commit({"a.py": NEW, "new/name.py": "1\n2\n3\n4\n5\n6\n"})
    expected = read(repo)[1]
    repo.write("evil-attributes", "*.py -diff\n")
    repo.git("config", key, SETTINGS[key])
    change, hunks = read(repo)
    assert hunks == expected
    assert [(file.status, file.old_path, file.path, file.unread) for file in change.files] == [
        (Status.MODIFIED, "a.py", "a.py", None),
        (Status.RENAMED, "old/name.py", "new/name.py", None),
    ]


def test_programs_named_in_the_configuration_never_run(repo, trap, canary):
    repo.commit({"a.py": OLD})
    repo.commit({"a.py": NEW})
    included = repo.path.parent / "included"
    included.write_text(f'[core]\n\tfsmonitor = "{trap}"\n[alias]\n\trev-parse = "!{trap}"\n')
    for key in (
        "core.fsmonitor",
        "core.pager",
        "pager.diff",
        "pager.diff-tree",
        "pager.rev-parse",
        "core.editor",
        "core.askPass",
        "core.sshCommand",
        "core.gitProxy",
        "core.alternateRefsCommand",
        "credential.helper",
        "diff.external",
        "gpg.program",
        "interactive.diffFilter",
        "uploadpack.packObjectsHook",
    ):
        repo.git("config", key, str(trap))
    for name in ("rev-parse", "for-each-ref", "diff", "diff-tree", "merge-base", "cat-file"):
        repo.git("config", f"alias.{name}", f"!{trap}")
    repo.git("config", "include.path", str(included))
    assert_seen(repo)
    assert not canary.exists()


def test_hooks_never_run(repo, trap, canary):
    repo.commit({"a.py": OLD})
    repo.commit({"a.py": NEW})
    hooks = repo.path.parent / "hooks"
    for folder in (repo.path / ".git/hooks", hooks):
        folder.mkdir(exist_ok=True)
        for name in ("reference-transaction", "post-checkout", "post-index-change", "fsmonitor-watchman", "pre-commit"):
            (folder / name).write_bytes(trap.read_bytes())
            (folder / name).chmod(0o755)
    repo.git("config", "core.hooksPath", str(hooks))
    assert_seen(repo)
    assert not canary.exists()


def partial_clone(repo, tmp_path):
    repo.git("config", "uploadpack.allowFilter", "true")
    clone = type(repo)(tmp_path / "clone")
    repo.git("clone", "-q", "--no-checkout", "--filter=blob:none", f"file://{repo.path}", str(clone.path))
    return clone


@pytest.mark.parametrize("url", ["path", "ext", "vcs"])
def test_partial_clone_is_one_sentence_and_never_fetches(repo, tmp_path, trap, canary, url):
    repo.commit({"a.py": OLD})
    repo.commit({"a.py": NEW})
    clone = partial_clone(repo, tmp_path)
    clone.git("config", "protocol.allow", "always")
    clone.git("config", "remote.origin.uploadpack", str(trap))
    if url == "ext":
        clone.git("config", "remote.origin.url", f"ext::{trap}")
    elif url == "vcs":
        clone.git("config", "remote.origin.vcs", "ext")
        clone.git("config", "remote.origin.url", str(trap))
    else:
        clone.git("config", "remote.origin.url", str(repo.path))
    with open_source(clone.path) as source:
        head = source.resolve("HEAD")
        with pytest.raises(GitError, match=r"this clone is partial.*git diff [0-9a-f]{12} [0-9a-f]{12}"):
            source.change_set(source.resolve("HEAD~1"), head)
        with pytest.raises(ContentsUnavailable, match="missing in this clone"):
            source.read_file(head, "a.py")
        assert source.read_file(head, "b.py") is None
        with pytest.raises(GitError, match="names no commit"):
            source.resolve("1" * 40)
    assert not canary.exists()
    clone.git("cat-file", "-p", "HEAD:a.py", check=False)
    assert canary.exists()  # git itself would have run it


def test_partial_clone_works_after_the_advice(repo, tmp_path):
    base = repo.commit({"a.py": OLD})
    head = repo.commit({"a.py": NEW})
    clone = partial_clone(repo, tmp_path)
    clone.git("diff", base, head)
    assert_seen(clone)


def test_submodule_urls_are_not_followed(repo, trap, canary):
    repo.commit({"a.py": OLD})
    repo.write(
        ".gitmodules", f'[submodule "s"]\n\tpath = sub\n\turl = ext::{trap}\n\tupdate = !{trap}\n\tignore = all\n'
    )
    repo.write("a.py", NEW)
    repo.git("add", "-A")
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},sub")
    repo.commit_index()
    repo.git("config", "protocol.ext.allow", "always")
    repo.git("config", "submodule.sub.ignore", "all")
    change, _ = read(repo)
    assert [(file.path, file.new_mode) for file in change.files] == [
        (".gitmodules", "100644"),
        ("a.py", "100644"),
        ("sub", "160000"),
    ]
    assert_seen(repo)
    assert not canary.exists()


@pytest.mark.parametrize("target", ["/etc/passwd", "../../../secret", ".git/config", "a.py"])
def test_symbolic_links_are_never_followed(repo, tmp_path, target):
    (tmp_path / "secret").write_text("secret\n")
    repo.commit({"a.py": OLD})
    (repo.path / "link").symlink_to(target)
    (repo.path / "folder").symlink_to("/etc")
    repo.commit({"a.py": NEW})
    with open_source(repo.path) as source:
        change = source.change_set(source.resolve("HEAD~1"), source.resolve("HEAD"))
        contents = source.contents(change)
        assert [(file.path, file.new_mode) for file in change.files] == [
            ("a.py", "100644"),
            ("folder", "120000"),
            ("link", "120000"),
        ]
        with pytest.raises(ContentsUnavailable, match="symbolic link"):
            contents.read(Side.NEW, "link")
        assert contents.read(Side.NEW, "folder/passwd") is None


def test_git_directory_behind_a_link(repo, tmp_path):
    repo.commit({"a.py": OLD})
    repo.commit({"a.py": NEW})
    (repo.path / ".git").rename(tmp_path / "elsewhere")
    (repo.path / ".git").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "elsewhere/objects").rename(tmp_path / "objects")
    (tmp_path / "elsewhere/objects").symlink_to(tmp_path / "objects")
    assert_seen(repo)


def test_environment_of_the_caller_changes_nothing(repo, tmp_path, trap, canary, monkeypatch):
    repo.commit({"a.py": OLD})
    repo.commit({"a.py": NEW})
    (tmp_path / "config").write_text(f"[diff]\n\texternal = {trap}\n\tnoprefix = true\n")
    other = type(repo).new(tmp_path / "other")
    other.commit({"x": "x\n"})
    for name, value in {
        "GIT_DIR": str(other.path / ".git"),
        "GIT_WORK_TREE": str(other.path),
        "GIT_INDEX_FILE": "/dev/null",
        "GIT_OBJECT_DIRECTORY": str(other.path / ".git/objects"),
        "GIT_EXTERNAL_DIFF": str(trap),
        "GIT_PAGER": str(trap),
        "GIT_CONFIG_GLOBAL": str(tmp_path / "config"),
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "diff.external",
        "GIT_CONFIG_VALUE_0": str(trap),
        "GIT_DIFF_OPTS": "--unified=0",
        "GIT_ATTR_SOURCE": "HEAD",
        "GIT_REPLACE_REF_BASE": "refs/heads/",
        "GIT_SHALLOW_FILE": str(tmp_path / "config"),
        "GIT_GRAFT_FILE": str(tmp_path / "config"),
        "GIT_EXEC_PATH": str(tmp_path),
        "GIT_TRACE": str(canary),
        "HOME": str(tmp_path),
    }.items():
        monkeypatch.setenv(name, value)
    assert_seen(repo)
    assert not canary.exists()


def test_git_of_the_reviewed_folder_is_never_run(repo, trap, canary, monkeypatch):
    repo.commit({"a.py": OLD})
    repo.commit({"a.py": NEW})
    (repo.path / "git").write_bytes(trap.read_bytes())
    (repo.path / "git").chmod(0o755)
    monkeypatch.chdir(repo.path)
    monkeypatch.setenv("PATH", f".:{os.environ['PATH']}")
    assert_seen(repo)
    assert not canary.exists()


@pytest.mark.parametrize("name", ["shallow", "commondir", "HEAD"])
def test_pipe_in_the_git_directory_does_not_hang(repo, name):
    repo.commit({"a.py": OLD})
    path = repo.path / ".git" / name
    path.unlink(missing_ok=True)
    os.mkfifo(path)
    assert stat.S_ISFIFO(path.stat().st_mode)
    with (
        pytest.raises(GitError, match=r"took too long|no regular file|no git repository"),
        open_source(repo.path, Limits(seconds=0.5)),
    ):
        raise AssertionError("a repository with a pipe in it was opened")


def test_folder_or_loop_in_place_of_a_file(repo):
    repo.commit({"a.py": OLD})
    (repo.path / ".git/shallow").mkdir()
    with pytest.raises(GitError, match="shallow is no regular file"), open_source(repo.path):
        raise AssertionError("a repository with a folder in place of a file was opened")
    (repo.path / ".git/shallow").rmdir()
    (repo.path / ".git/shallow").symlink_to("shallow")
    with pytest.raises(GitError, match="shallow cannot be read"), open_source(repo.path):
        raise AssertionError("a repository with a link to itself was opened")


def test_pipe_in_place_of_an_object_does_not_hang(repo):
    head = repo.commit({"a.py": OLD})
    path = repo.path / ".git/objects" / head[:2] / head[2:]
    path.unlink()
    os.mkfifo(path)
    with open_source(repo.path, Limits(seconds=0.5)) as source, pytest.raises(GitError, match="took too long"):
        source.resolve("HEAD")


def test_tree_that_names_a_path_twice(repo):
    repo.commit({"a.py": OLD})
    tree = b"".join(
        b"100644 a.py\0" + bytes.fromhex(repo.blob(text)) for text in (OLD.encode(), NEW.encode(), b"third\n")
    )
    tree_id = repo.git("hash-object", "-t", "tree", "-w", "--literally", "--stdin", given=tree)
    head = repo.git("commit-tree", "-p", "HEAD", "-m", "c", tree_id)
    change, _ = read(repo, "HEAD", head)
    assert [file.path for file in change.files] == ["a.py"]
    assert change.files[0].unread is not None
