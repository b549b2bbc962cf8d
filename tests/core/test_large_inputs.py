"""Huge inputs end with a clear verdict, within 60 seconds and 1 GB of memory (issue 3, build 3).

The seconds are those of the processor, so that a busy machine fails nothing.
"""

import json
import resource
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

import werkrevisor_core.render

SCHEMA = json.loads(Path(werkrevisor_core.render.__file__).with_name("review.schema.json").read_text())
SECONDS = 60
BYTES = 1 << 30
MANY = 200_000
ONE_FILE = (
    "diff --git a/src/d{0}/F{1}.java b/src/d{0}/F{1}.java\n"
    "index 1111111..2222222 100644\n"
    "--- a/src/d{0}/F{1}.java\n"
    "+++ b/src/d{0}/F{1}.java\n"
    "@@ -1,3 +1,4 @@\n"
    " package p;\n"
    "+import java.util.List;\n"
    " import java.util.Map;\n"
    " \n"
)


@pytest.fixture
def limited(tmp_path):
    """Review within the limits; returns the JSON, checked against its schema and the exit status."""

    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))

    def run(*arguments, cwd=None):
        done = subprocess.run(
            [sys.executable, "-m", "werkrevisor_core.cli.main", "review", "--format", "json", *map(str, arguments)],
            cwd=cwd or tmp_path,
            preexec_fn=limit,
            capture_output=True,
            check=False,
        )
        assert done.stderr == b""
        result = json.loads(done.stdout)
        assert done.returncode == ["GREEN", "YELLOW", "ORANGE", "RED", "ERROR"].index(result["verdict"])
        return result

    return run


def check(result):
    jsonschema.validate(result, SCHEMA)
    return {reason["id"]: reason for reason in result["reasons"]}


def write_diff(path, lines):
    """Write the diff of one added text file with these lines, piece by piece."""
    with path.open("wb") as file:
        file.write(b"diff --git a/big.txt b/big.txt\nnew file mode 100644\nindex 0000000..1111111\n")
        file.write(b"--- /dev/null\n+++ b/big.txt\n@@ -0,0 +1,%d @@\n" % len(lines))
        for line in lines:
            file.write(b"+%s\n" % line)


def test_a_diff_of_200_000_files(tmp_path, limited):
    """Every second file changes an import only; the others are read by nobody."""
    diff = tmp_path / "many.diff"
    with diff.open("w") as file:
        for number in range(MANY):
            text = ONE_FILE.format(number % 500, number)
            file.write(text.replace("import java.util.List;", "int x = 1;") if number % 2 else text)
    result = limited("--diff", diff)
    assert (result["verdict"], len(result["files"])) == ("ORANGE", MANY)
    assert {tuple(file["mechanical"]) for file in result["files"] if not file["counts"]} == {("imports",)}
    reasons = check({**result, "files": result["files"][:1000], "usage": {**result["usage"], "mechanical_files": []}})
    assert set(reasons) == {"size", "not_reviewed", "unverified_input"}
    assert reasons["size"]["evidence"][0]["count"] == MANY // 2


@pytest.mark.parametrize("other", [b"", b"x"], ids=["alone", "beside another line"])
def test_a_line_of_50_mb_in_a_diff(tmp_path, limited, other):
    write_diff(tmp_path / "long.diff", [b"y" * (50 << 20), other])
    result = limited("--diff", tmp_path / "long.diff")
    reasons = check(result)
    assert result["verdict"] == "YELLOW"
    assert {"not_reviewed", "unverified_input"} == set(reasons)
    assert [(file["path"], file["added"], file["mechanical"]) for file in result["files"]] == [("big.txt", 2, [])]


def test_a_long_line_beside_an_import_is_not_mechanical(tmp_path, limited):
    text = b"diff --git a/a.java b/a.java\nindex 1111111..2222222 100644\n--- a/a.java\n+++ b/a.java\n@@ -1,1 +1,2 @@\n"
    (tmp_path / "long.diff").write_bytes(text + b"+import a.B;\n //" + b"y" * (50 << 20) + b"\n")
    result = limited("--diff", tmp_path / "long.diff")
    check(result)
    (file,) = result["files"]
    assert (file["mechanical"], file["why"]) == ([], "a line is too long to judge")


def test_10_mb_of_nul_in_a_diff_that_are_no_diff(tmp_path, limited):
    (tmp_path / "nul.diff").write_bytes(b"\0" * (10 << 20))
    result = limited("--diff", tmp_path / "nul.diff")
    assert (result["verdict"], "skipped_files" in check(result)) == ("ERROR", True)


@pytest.mark.parametrize("end", [b"", b"\n"], ids=["cut off", "whole"])
def test_10_mb_of_nul_in_a_hunk(tmp_path, limited, end):
    text = b"diff --git a/a.java b/a.java\nindex 1111111..2222222 100644\n--- a/a.java\n+++ b/a.java\n@@ -1,1 +1,2 @@\n"
    (tmp_path / "nul.diff").write_bytes(text + b" import a.A;\n+" + b"\0" * (10 << 20) + end)
    result = limited("--diff", tmp_path / "nul.diff")
    reasons = check(result)
    assert result["files"][0]["mechanical"] == []
    assert result["verdict"] == ("ORANGE" if end else "ERROR")
    assert ("hidden_text" in reasons) == bool(end)
    assert ("skipped_files" in reasons) == (not end)


@pytest.mark.parametrize(
    ("data", "binary"),
    [(b"z" * (50 << 20) + b"\n", False), (b"\0" * (10 << 20), True)],
    ids=["50 MB line", "10 MB NUL"],
)
def test_a_huge_file_in_a_range(repo, limited, data, binary):
    repo.commit({"a.java": "class A {}\n"})
    repo.commit({"big.txt": data, "a.java": "import a.B;\nclass A {}\n"})
    result = limited("--base", "HEAD~1", cwd=repo.path)
    reasons = check(result)
    assert result["verdict"] == "YELLOW"
    assert ("file_modes" in reasons) == binary
    files = {file["path"]: file for file in result["files"]}
    assert (files["big.txt"]["added"], files["big.txt"]["mechanical"]) == (0 if binary else 1, [])
    assert files["a.java"]["mechanical"] == ["imports"]


def test_a_range_of_200_000_files(repo, limited):
    """Made with `git fast-import`; the contents are few, the paths many."""
    stream = [b"blob\nmark :1\ndata 2\na\n\n", b"commit refs/heads/main\ncommitter A <a@b> 1 +0000\ndata 0\n"]
    stream += [b"M 100644 :1 k\n", b"commit refs/heads/main\ncommitter A <a@b> 2 +0000\ndata 0\n"]
    stream += [b"M 100644 :1 d%d/f%d.java\n" % (number % 500, number) for number in range(MANY)]
    repo.git("fast-import", "--quiet", given=b"".join(stream))
    result = limited("--base", "main~1", "--head", "main", cwd=repo.path)
    assert (result["verdict"], len(result["files"])) == ("ORANGE", MANY)
    assert all(file["status"] == "added" and file["added"] == 1 for file in result["files"])
