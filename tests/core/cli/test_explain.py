"""`werkrevisor explain`: the proof per file, or the first line that no rule explains."""

import pytest

JAVA = "class Shop {\n    int price = 1;\n}\n"


@pytest.fixture
def mixed(repo):
    """One mechanical file, one that is not, one renamed."""
    body = "x = 1\n" * 20
    repo.commit({"A.java": f"import java.util.Map;\n\n{JAVA}", "B.java": JAVA, "old.py": body})
    repo.git("checkout", "-q", "-b", "topic")
    repo.git("mv", "old.py", "new.py")
    repo.commit(
        {"A.java": f"import java.util.List;\nimport java.util.Map;\n\n{JAVA}", "B.java": JAVA.replace("1", "2")}
    )
    return repo


def test_every_file_is_explained(mixed, werkrevisor):
    ran = werkrevisor("explain")
    assert (ran.status, ran.err) == (0, "")
    lines = ran.out.splitlines()
    at = lines.index("A.java: modified, main, mechanical (imports)")
    assert lines[at + 1].startswith("  +1 imports: ")
    assert "B.java: modified, main, not mechanical: line 2 removes what no rule explains: int price = 1;" in lines
    assert "new.py (was old.py): renamed, main, mechanical (renamed)" in lines
    assert [line.split(":")[0] for line in lines if not line.startswith(" ")] == [
        "A.java",
        "B.java",
        "new.py (was old.py)",
    ]


def test_one_file_by_its_path(mixed, werkrevisor):
    ran = werkrevisor("explain", "B.java")
    assert ran.out.splitlines()[0].startswith("B.java: ")
    assert "A.java" not in ran.out


def test_a_renamed_file_by_its_old_path(mixed, werkrevisor):
    assert werkrevisor("explain", "old.py").out.startswith("new.py (was old.py): renamed")


def test_the_reasons_of_a_file_stand_below_it(mixed, werkrevisor):
    assert "  YELLOW not_reviewed: " in werkrevisor("explain", "B.java").out
    assert "YELLOW" not in werkrevisor("explain", "A.java").out


def test_an_unknown_path(mixed, werkrevisor):
    words = werkrevisor("explain", "C.java").complaint
    assert words == "the change does not touch C.java; leave the path out to see every file"


def test_a_hostile_path_stays_on_one_line(repo, werkrevisor):
    repo.commit({"a": "a\n"})
    repo.commit({"b\n\x1b[2J\u202e": "b\n"})
    ran = werkrevisor("explain", "--base", "HEAD~1")
    assert ran.out.splitlines()[0].startswith(r"b\n\u001b[2J\u202e: added, ")
    assert r"does not touch x\n\u001b[2J;" in werkrevisor("explain", "--base", "HEAD~1", "x\n\x1b[2J").complaint


def test_a_faulty_config_is_an_error(mixed, tmp_path, werkrevisor):
    (tmp_path / "host.toml").write_text("[size]\nmax_files = 'x'\n")
    ran = werkrevisor("explain", "--config", tmp_path / "host.toml")
    assert ran.status == 4
    assert "not mechanical: it was not judged: the review could not be done" in ran.out


def test_what_was_not_read_is_said_first(tmp_path, werkrevisor):
    (tmp_path / "a.diff").write_text("no diff\n")
    ran = werkrevisor("explain", "--diff", tmp_path / "a.diff")
    assert ran.status == 4
    assert ran.out.splitlines()[0] == "not read: no `diff --git` line, so this is no git diff (line 1 of the diff)"
