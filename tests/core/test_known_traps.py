"""Faults that tools of this kind had, tried on real git through the whole program.

Most are tried twice: on the range, and on the diff that `git diff` prints with its defaults.
"""

import json

import pytest

JAVA = "class Shop {\n    int price = 1;\n}\n"
PNG = b"\x89PNG\r\n\x1a\n\0"


def statuses(files):
    return {path: (file["status"], file["old_path"]) for path, file in files.items()}


BOTH_WAYS = pytest.mark.parametrize("way", ["range", "diff"])


@BOTH_WAYS
@pytest.mark.parametrize("quote", ["true", "false"])
def test_trap_01_a_quoted_path_with_spaces_is_one_file(repo, judged, way, quote):
    repo.git("config", "core.quotePath", quote)
    repo.commit({"docs/Bug 排查.md": "a\n"})
    repo.commit({"docs/Bug 排查.md": "b\n"})
    result, files, _ = judged(way)
    assert statuses(files) == {"docs/Bug 排查.md": ("modified", None)}
    assert result["change_kind"] == "docs_only"


@BOTH_WAYS
def test_trap_03_a_space_in_the_path_of_new_files(repo, judged, way):
    repo.commit({"x": "x\n"})
    repo.commit({"A B/c d.cs": "", "A B/e f.cs": "class E {}\n"})
    _, files, _ = judged(way)
    assert statuses(files) == {"A B/c d.cs": ("added", None), "A B/e f.cs": ("added", None)}
    assert [file["added"] for file in files.values()] == [0, 1]


@BOTH_WAYS
@pytest.mark.parametrize("quote", ["true", "false"])
def test_trap_05_a_risky_path_that_is_not_ascii(repo, judged, way, quote):
    repo.git("config", "core.quotePath", quote)
    repo.commit({"sécurité/clé.java": JAVA})
    repo.commit({"sécurité/clé.java": f"import a.B;\n{JAVA}"})
    _, _, reasons = judged(way, host='[risky_paths]\nglobs = ["/sécurité/"]\n')
    assert [item["path"] for item in reasons["risky_paths"]["evidence"]] == ["sécurité/clé.java"]


@pytest.mark.parametrize(("way", "options"), [("range", ()), ("diff", ()), ("diff", ("--binary",))])
def test_trap_07_a_binary_file_comes_first(repo, judged, way, options):
    repo.commit({"a.png": PNG + b"1", "b.java": JAVA})
    repo.commit({"a.png": PNG + b"2", "b.java": JAVA.replace("1", "2")})
    result, files, reasons = judged(way, options=options)
    assert statuses(files) == {"a.png": ("modified", None), "b.java": ("modified", None)}
    assert (files["b.java"]["added"], files["b.java"]["removed"]) == (1, 1)
    assert files["a.png"]["mechanical"] == []
    assert [item["path"] for item in reasons["file_modes"]["evidence"]] == ["a.png"]
    assert result["verdict"] == "YELLOW"


def test_trap_09_empty_files_are_never_moved_code(repo, judged):
    repo.commit({"old/__init__.py": "", "older/__init__.py": "", "k": "k\n"})
    repo.git("rm", "-q", "old/__init__.py", "older/__init__.py")
    repo.commit({"new/__init__.py": "", "newer/__init__.py": ""})
    assert repo.git("diff", "-M", "--name-status", "HEAD~1", "HEAD").count("R100") == 2
    result, files, _ = judged()
    assert statuses(files) == {
        "new/__init__.py": ("added", None),
        "newer/__init__.py": ("added", None),
        "old/__init__.py": ("removed", None),
        "older/__init__.py": ("removed", None),
    }
    assert all(file["counts"] and not file["mechanical"] for file in files.values())
    assert result["verdict"] == "YELLOW"


@BOTH_WAYS
def test_trap_11_a_rename_with_a_change_of_mode_is_no_pure_rename(repo, judged, way):
    repo.commit({"run.txt": "echo\n"})
    repo.git("mv", "run.txt", "run.sh")
    (repo.path / "run.sh").chmod(0o755)
    repo.commit()
    _, files, reasons = judged(way)
    assert statuses(files) == {"run.sh": ("renamed", "run.txt")}
    assert (files["run.sh"]["mechanical"], files["run.sh"]["counts"]) == ([], True)
    assert [item["path"] for item in reasons["file_modes"]["evidence"]] == ["run.sh"]


LOOKS = (
    "diff --git a/x b/x",
    "index 1111111..2222222 100644",
    "--- a/x",
    "+++ b/x",
    "@@ -1 +1 @@",
    "-- a/x",
    "++ b/x",
    "\\ No newline at end of file",
    "Binary files a/x and b/x differ",
)


@BOTH_WAYS
def test_trap_13_text_that_looks_like_a_diff_is_text(repo, judged, way):
    lines = "".join(f"{line}\n" for line in LOOKS)
    repo.commit({"a.txt": f"begin\n{lines}end\n", "b.txt": "b\n"})
    repo.commit({"a.txt": f"begin\n{lines}+\n{lines}end\n", "b.txt": f"{lines}"})
    _, files, reasons = judged(way)
    assert statuses(files) == {"a.txt": ("modified", None), "b.txt": ("modified", None)}
    counts = {path: (file["added"], file["removed"]) for path, file in files.items()}
    assert counts == {"a.txt": (len(LOOKS) + 1, 0), "b.txt": (len(LOOKS), 1)}
    assert "skipped_files" not in reasons


@BOTH_WAYS
def test_trap_13_the_same_text_removed(repo, judged, way):
    lines = "".join(f"{line}\n" for line in LOOKS)
    repo.commit({"a.txt": f"begin\n{lines}end\n"})
    repo.commit({"a.txt": "begin\nend\n"})
    _, files, reasons = judged(way)
    assert {path: (file["added"], file["removed"]) for path, file in files.items()} == {"a.txt": (0, len(LOOKS))}
    assert "skipped_files" not in reasons


def test_trap_13_fewer_lines_than_a_hunk_claims(judged):
    text = (
        "diff --git a/a.java b/a.java\nindex 1..2 100644\n--- a/a.java\n+++ b/a.java\n@@ -1,9 +1,9 @@\n-import a.B;\n"
    )
    result, files, reasons = judged(diff=text.replace("1..2", "1111111..2222222"))
    assert result["verdict"] == "ERROR"
    assert files["a.java"]["mechanical"] == []
    assert [item["path"] for item in reasons["skipped_files"]["evidence"]] == ["a.java"]


def test_trap_15_a_diff_with_crlf_line_ends(repo, judged):
    repo.commit({"a.java": JAVA, "sub/b c.java": JAVA})
    repo.commit({"a.java": f"import a.B;\n{JAVA}", "sub/b c.java": JAVA.replace("1", "2"), "new.java": JAVA})
    text = (repo.git("diff", "HEAD~1", "HEAD") + "\n").replace("\n", "\r\n")
    result, files, _ = judged(diff=text)
    assert statuses(files) == {
        "a.java": ("modified", None),
        "new.java": ("added", None),
        "sub/b c.java": ("modified", None),
    }
    assert all(file["mechanical"] == [] for file in files.values())
    assert result["verdict"] != "GREEN"


@BOTH_WAYS
def test_trap_15_a_file_with_mixed_line_ends(repo, judged, way):
    repo.commit({"a.java": b"class A {\r\n  int a;\n  int b;\r\n}\n"})
    repo.commit({"a.java": b"class A {\r\n  int a;\n  int c;\r\n}\n"})
    _, files, reasons = judged(way)
    assert (files["a.java"]["added"], files["a.java"]["removed"], files["a.java"]["mechanical"]) == (1, 1, [])
    assert "skipped_files" not in reasons


def test_trap_17_a_head_that_merged_its_base(repo, werkrevisor):
    repo.commit({"a.java": JAVA, "b.java": JAVA})
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit({"a.java": JAVA.replace("1", "2")})
    repo.git("checkout", "-q", "main")
    merged = repo.commit({"b.java": JAVA.replace("1", "3"), "c.java": JAVA})
    repo.git("checkout", "-q", "topic")
    repo.git("merge", "-q", "-m", "merge", "main")
    result = json.loads(werkrevisor("review", "--format", "json").out)
    assert [file["path"] for file in result["files"]] == ["a.java"]
    assert result["base"] == merged


def test_trap_17_an_edit_hidden_in_the_merge_commit(repo, werkrevisor):
    repo.commit({"a.java": JAVA})
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit({"t.java": JAVA})
    repo.git("checkout", "-q", "main")
    repo.commit({"b.java": JAVA})
    repo.git("checkout", "-q", "topic")
    repo.git("merge", "-q", "--no-commit", "--no-ff", "main")
    repo.commit({"evil.java": JAVA})
    result = json.loads(werkrevisor("review", "--format", "json").out)
    assert [file["path"] for file in result["files"]] == ["evil.java", "t.java"]


@pytest.mark.parametrize(
    "text",
    [
        "@@ -1 +1 @@\n-import a.B;\n+import a.C;\n",
        "--- a/x.java\n+++ b/x.java\n@@ -1 +1 @@\n-import a.B;\n+import a.C;\n",
        "-import a.B;\n+import a.C;\n",
        "diff --git\n@@ -1 +1 @@\n-import a.B;\n+import a.C;\n",
        "\0\0\0",
        "commit 1234\nAuthor: me\n\n    text\n",
    ],
)
def test_trap_19_hunks_without_names_are_an_error(judged, text):
    result, _, reasons = judged(diff=text)
    assert result["verdict"] == "ERROR"
    assert "skipped_files" in reasons


@BOTH_WAYS
def test_trap_21_an_archive_beside_code(repo, judged, way):
    repo.commit({"lib.jar": b"PK\x03\x04\0\1", "a.py": "a = 1\n"})
    repo.commit({"lib.jar": b"PK\x03\x04\0\2", "a.py": "a = 2\n"})
    _, files, reasons = judged(way)
    assert sorted(files) == ["a.py", "lib.jar"]
    assert [item["path"] for item in reasons["file_modes"]["evidence"]] == ["lib.jar"]
    assert all(file["counts"] for file in files.values())


@BOTH_WAYS
def test_trap_23_the_last_of_130_files_is_the_risky_one(repo, judged, way):
    repo.commit({"k": "k\n"})
    repo.commit({**{f"src/f{number:03}.java": JAVA for number in range(129)}, "zz/auth/Login.java": JAVA})
    _, files, reasons = judged(way, host='[risky_paths]\nglobs = ["**/auth/**"]\n')
    assert len(files) == 130
    assert [item["path"] for item in reasons["risky_paths"]["evidence"]] == ["zz/auth/Login.java"]


@BOTH_WAYS
def test_trap_25_a_renamed_folder_keeps_its_owner(repo, judged, way):
    body = "".join(f"line {number}\n" for number in range(20))
    repo.commit({"payments/a.java": body, "payments/deep/b.java": body + "b\n", "CODEOWNERS": "/payments/ @pay\n"})
    repo.git("mv", "payments", "pay")
    repo.commit()
    result, files, reasons = judged(way, host='[risky_paths]\nglobs = ["/payments/"]\n')
    assert statuses(files) == {
        "pay/a.java": ("renamed", "payments/a.java"),
        "pay/deep/b.java": ("renamed", "payments/deep/b.java"),
    }
    assert [item["path"] for item in reasons["risky_paths"]["evidence"]] == ["payments/a.java", "payments/deep/b.java"]
    assert result["verdict"] == "YELLOW"


@BOTH_WAYS
def test_trap_27_kinds_are_told_apart(repo, judged, way):
    repo.commit({"changed.java": JAVA, "gone.java": "x\ny\n"})
    repo.git("rm", "-q", "gone.java")
    repo.commit({"changed.java": JAVA.replace("1", "2"), "new.java": "a\nb\nc\n"})
    _, files, _ = judged(way)
    assert statuses(files) == {
        "changed.java": ("modified", None),
        "gone.java": ("removed", None),
        "new.java": ("added", None),
    }
    assert {path: (file["added"], file["removed"]) for path, file in files.items()} == {
        "changed.java": (1, 1),
        "gone.java": (0, 2),
        "new.java": (3, 0),
    }


@BOTH_WAYS
def test_trap_29_a_submodule_alone_is_not_mechanical(repo, judged, way):
    repo.commit({"a": "a\n"})
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},vendor/lib")
    repo.commit_index()
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{'2' * 40},vendor/lib")
    repo.commit_index()
    result, files, reasons = judged(way)
    assert statuses(files) == {"vendor/lib": ("modified", None)}
    assert (files["vendor/lib"]["mechanical"], files["vendor/lib"]["counts"]) == ([], True)
    assert [item["path"] for item in reasons["file_modes"]["evidence"]] == ["vendor/lib"]
    assert result["verdict"] == "YELLOW"


@pytest.mark.parametrize("renames", ["false", "true", "copies"])
def test_trap_31_the_class_of_a_rename_does_not_hang_on_the_configuration(repo, judged, renames):
    repo.git("config", "diff.renames", renames)
    repo.commit({"old.java": JAVA})
    repo.git("mv", "old.java", "new.java")
    repo.commit()
    result, files, _ = judged()
    assert statuses(files) == {"new.java": ("renamed", "old.java")}
    assert (files["new.java"]["mechanical"], result["verdict"]) == (["renamed"], "GREEN")


def test_trap_31_a_diff_without_renames_claims_no_more_than_git(repo, judged):
    repo.commit({"old.java": JAVA})
    repo.git("mv", "old.java", "new.java")
    repo.commit()
    result, files, _ = judged("diff", options=("--no-renames",))
    assert statuses(files) == {"new.java": ("added", None), "old.java": ("removed", None)}
    assert all(file["counts"] for file in files.values())
    assert result["verdict"] == "YELLOW"


def test_trap_65_a_lock_file_does_not_count_for_the_size(repo, judged):
    repo.commit({"a.java": JAVA, "yarn.lock": "a\n"})
    repo.commit({"a.java": JAVA.replace("1", "2"), "yarn.lock": "".join(f"p{n}\n" for n in range(4000))})
    result, files, reasons = judged()
    assert files["yarn.lock"]["category"] == "generated"
    assert "size" not in reasons
    assert "yarn.lock" in [item["path"] for item in reasons["risky_paths"]["evidence"]]
    assert result["verdict"] == "YELLOW"


def test_trap_67_a_large_test_file_counts_for_the_size(repo, judged):
    repo.commit({"k": "k\n"})
    repo.commit({"tests/helpers.py": "".join(f"x{n} = {n}\n" for n in range(3000))})
    result, files, reasons = judged()
    assert files["tests/helpers.py"]["category"] == "tests"
    assert (reasons["size"]["evidence"][0]["count"], reasons["size"]["evidence"][0]["limit"]) == (3000, 1000)
    assert result["verdict"] == "ORANGE"


@pytest.mark.parametrize("path", [".gitea/workflows/ci.yml", ".forgejo/workflows/ci.yaml", ".github/workflows/ci.yml"])
def test_trap_69_a_workflow_alone_needs_a_human(repo, judged, path):
    repo.commit({path: "on: push\njobs: {}\n"})
    repo.commit({path: "on: pull_request_target\njobs: {}\n"})
    result, _, reasons = judged()
    assert result["change_kind"] == "config"
    assert {"risky_paths", "change_kind", "not_reviewed"} == set(reasons)
    assert result["verdict"] == "YELLOW"


@pytest.mark.parametrize(
    ("host", "words"),
    [
        ('[config.ignore]\nglob = ["*"]\n', "[config]"),
        ('[ignore]\nglob = ["*"]\n', "[ignore]"),
        ("[size]\nmax_file = 3\n", "[size] max_file"),
        ('[mechanical.imports]\njava = ["(unclosed"]\n', "[mechanical] imports.java has an invalid regex '(unclosed'"),
        ('[mechanical]\nenabled = "true"\n', "[mechanical] enabled"),
    ],
)
def test_trap_71_what_the_config_misspells_is_an_error_by_name(repo, judged, host, words):
    repo.commit({"a.java": JAVA})
    repo.commit({"a.java": f"import a.B;\n{JAVA}"})
    result, _, reasons = judged(host=host)
    assert (result["verdict"], list(reasons)) == ("ERROR", ["config"])
    assert any(words in item["note"] for item in reasons["config"]["evidence"])


def test_trap_71_an_unknown_rule_stops_the_start(repo, tmp_path, werkrevisor):
    repo.commit({"a.java": JAVA})
    repo.commit({"a.java": f"import a.B;\n{JAVA}"})
    (tmp_path / "host.toml").write_text('[plugins]\nenable = ["nonsuch"]\n')
    words = werkrevisor("review", "--base", "HEAD~1", "--config", tmp_path / "host.toml").complaint
    assert "'nonsuch'" in words
