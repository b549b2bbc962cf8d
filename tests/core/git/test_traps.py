"""Faults that tools of this kind had: changes of paths, modes and kinds, on real git."""

import os

import pytest

from werkrevisor_core.git.source import open_source
from werkrevisor_core.models.change import ChangeSet, FileChange, Status

A, D, M, R, T = Status.ADDED, Status.REMOVED, Status.MODIFIED, Status.RENAMED, Status.TYPE_CHANGED


def read(repo, base: str = "HEAD~1", head: str = "HEAD") -> ChangeSet:
    with open_source(repo.path) as source:
        change = source.change_set(source.resolve(base), source.resolve(head))
    assert change.faults == ()
    return change


def rows(change: ChangeSet) -> list[tuple[Status, str, str]]:
    assert [file.unread for file in change.files] == [None] * len(change.files)
    return [(file.status, file.old_path, file.path) for file in change.files]


def only(change: ChangeSet) -> FileChange:
    (file,) = change.files
    assert file.unread is None
    return file


@pytest.mark.parametrize("quote", ["true", "false"])
@pytest.mark.parametrize(
    "path", ["docs/Bug 排查.md", "sécurité/clé.txt", 'a "b"\t\\c.txt', "a b/x b/y.txt", "x\ny.txt"]
)
def test_odd_paths_are_one_modified_file(repo, path: str, quote: str) -> None:
    repo.git("config", "core.quotePath", quote)
    repo.commit({path: "one\n"})
    repo.commit({path: "two\n"})
    assert rows(read(repo)) == [(M, path, path)]


def test_path_that_is_no_utf8(repo) -> None:
    path = os.fsdecode(b"caf\xe9/\xff.txt")
    repo.commit({path: "one\n"})
    repo.commit({path: "two\n"})
    assert rows(read(repo)) == [(M, path, path)]


def test_space_in_the_path_of_new_files(repo) -> None:
    repo.commit({"x": "x\n"})
    repo.commit({"A B/c d.cs": "", "A B/e f.cs": "class E {}\n"})
    change = read(repo)
    assert rows(change) == [(A, "A B/c d.cs", "A B/c d.cs"), (A, "A B/e f.cs", "A B/e f.cs")]
    assert [file.added for file in change.files] == [0, 1]


def test_binary_as_the_first_file(repo) -> None:
    repo.commit({"a.png": b"\x89PNG\0\1", "b.txt": "b\n"})
    repo.commit({"a.png": b"\x89PNG\0\2", "b.txt": "c\n"})
    change = read(repo)
    assert rows(change) == [(M, "a.png", "a.png"), (M, "b.txt", "b.txt")]
    assert [file.binary for file in change.files] == [True, False]
    assert [(file.added, file.removed) for file in change.files] == [(0, 0), (1, 1)]


def test_empty_files_are_never_renames(repo) -> None:
    repo.commit({"old/__init__.py": "", "older/__init__.py": "", "k": "k\n"})
    repo.git("rm", "-q", "old/__init__.py", "older/__init__.py")
    repo.commit({"new/__init__.py": "", "newer/__init__.py": ""})
    assert repo.git("diff", "-M", "--name-status", "HEAD~1", "HEAD").count("R100") == 2
    assert rows(read(repo)) == [
        (A, "new/__init__.py", "new/__init__.py"),
        (A, "newer/__init__.py", "newer/__init__.py"),
        (D, "old/__init__.py", "old/__init__.py"),
        (D, "older/__init__.py", "older/__init__.py"),
    ]


def test_rename_with_a_change_of_mode(repo) -> None:
    repo.commit({"run.txt": "echo\n"})
    repo.git("mv", "run.txt", "run.sh")
    (repo.path / "run.sh").chmod(0o755)
    repo.commit()
    file = only(read(repo))
    assert (file.status, file.old_path, file.path) == (R, "run.txt", "run.sh")
    assert (file.old_mode, file.new_mode) == ("100644", "100755")
    assert file.old_blob == file.new_blob == repo.git("rev-parse", "HEAD:run.sh")


def test_pure_rename_has_modes_and_blobs(repo) -> None:
    repo.commit({"a.bin": b"\0\1\2", "a.txt": "a\n"})
    repo.git("mv", "a.bin", "b.bin")
    repo.git("mv", "a.txt", "b.txt")
    repo.commit()
    change = read(repo)
    assert rows(change) == [(R, "a.bin", "b.bin"), (R, "a.txt", "b.txt")]
    assert [(file.old_mode, file.new_mode, file.binary) for file in change.files] == [
        ("100644", "100644", True),
        ("100644", "100644", False),
    ]


@pytest.mark.parametrize("direction", ["file to link", "link to file"])
def test_change_of_type(repo, direction: str) -> None:
    modes = ("120000", "100644") if direction == "link to file" else ("100644", "120000")
    blob = repo.blob(b"target")
    repo.commit({"k": "k\n"})
    for mode in modes:
        repo.git("update-index", "--add", "--cacheinfo", f"{mode},{blob},a")
        repo.commit_index()
    found = only(read(repo))
    assert (found.status, found.path) == (T, "a")
    assert (found.old_mode, found.new_mode) == modes
    assert (found.added, found.removed) == (1, 1)  # the same bytes mean something else now


def test_head_that_merged_its_base(repo) -> None:
    repo.commit({"a": "a\n", "b": "b\n"})
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit({"a": "a\nmine\n"})
    repo.git("checkout", "-q", "main")
    repo.commit({"b": "b\ntheirs\n"})
    repo.git("checkout", "-q", "topic")
    repo.git("merge", "-q", "-m", "m", "main")
    assert rows(read(repo, "main", "topic")) == [(M, "a", "a")]


def test_edit_hidden_in_a_merge_commit(repo) -> None:
    repo.commit({"a": "a\n", "b": "b\n"})
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit({"a": "a\nmine\n"})
    repo.git("checkout", "-q", "main")
    repo.commit({"b": "b\ntheirs\n"})
    repo.git("checkout", "-q", "topic")
    repo.git("merge", "-q", "--no-commit", "main")
    repo.commit({"b": "b\ntheirs\nevil\n"}, "m")
    assert rows(read(repo, "main", "topic")) == [(M, "a", "a"), (M, "b", "b")]


def test_renamed_folder_names_every_old_path(repo) -> None:
    repo.git("config", "merge.directoryRenames", "true")
    repo.commit({"payments/a.py": "a\n" * 5, "payments/b.py": "b\n" * 5, "CODEOWNERS": "payments/ @x\n"})
    repo.git("mv", "payments", "pay")
    repo.commit({"pay/b.py": "b\n" * 5 + "c\n"})
    assert rows(read(repo)) == [(R, "payments/a.py", "pay/a.py"), (R, "payments/b.py", "pay/b.py")]


def test_kinds_are_told_apart(repo) -> None:
    repo.commit({"changed": "1\n2\n3\n", "gone": "unlike\nanything\n"})
    repo.git("rm", "-q", "gone")
    repo.commit({"changed": "1\n2\n4\n", "new": "fresh words\nhere\n"})
    assert rows(read(repo)) == [(M, "changed", "changed"), (D, "gone", "gone"), (A, "new", "new")]


def test_submodule_move_is_seen(repo) -> None:
    repo.commit({"k": "k\n"})
    for commit in ("1" * 40, "2" * 40):
        repo.git("update-index", "--add", "--cacheinfo", f"160000,{commit},sub")
        repo.commit_index()
    file = only(read(repo))
    assert (file.status, file.old_mode, file.new_mode) == (M, "160000", "160000")
    assert (file.old_blob, file.new_blob) == ("1" * 40, "2" * 40)
    assert (file.added, file.removed) == (1, 1)


def test_same_rename_whatever_the_user_configured(repo) -> None:
    repo.git("config", "diff.renames", "false")
    repo.git("config", "diff.renameLimit", "1")
    repo.commit({"a.py": "".join(f"{n}\n" for n in range(20))})
    repo.git("mv", "a.py", "b.py")
    repo.commit({"b.py": "".join(f"{n}\n" for n in range(21))})
    assert rows(read(repo)) == [(R, "a.py", "b.py")]


@pytest.mark.parametrize(("kept", "status"), [(10, R), (9, None)])
def test_rename_at_half_of_the_content(repo, kept: int, status: Status | None) -> None:
    repo.commit({"a": "".join(f"line {n:02}\n" for n in range(20))})
    repo.git("rm", "-q", "a")
    repo.commit({"b": "".join(f"line {n:02}\n" if n < kept else f"other{n:02}\n" for n in range(20))})
    expected = [(R, "a", "b")] if status else [(D, "a", "a"), (A, "b", "b")]
    assert rows(read(repo)) == expected


def test_text_that_looks_like_a_diff(repo) -> None:
    text = "diff --git a/x b/x\n@@ -1 +1 @@\n-a\n+b\n--- a/x\n+++ b/x\n"
    repo.commit({"a": "1\n"})
    repo.commit({"a": text, "b": text})
    change = read(repo)
    assert rows(change) == [(M, "a", "a"), (A, "b", "b")]
    assert [(file.added, file.removed) for file in change.files] == [(6, 1), (6, 0)]
