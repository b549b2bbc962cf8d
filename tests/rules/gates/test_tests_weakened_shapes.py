"""Single shapes of assertions, marks and bodies: what was, what is, and what a reader would call it.

Each row of `cases/tests_weakened_shapes.jsonl` is the body of one test, or a whole file, before and after. An
empty list of kinds means that nothing got weaker.
"""

import json
from pathlib import Path

import pytest

from werkrevisor_core.models.change import Status
from werkrevisor_core.models.classes import Category
from werkrevisor_core.testing.build import DictContents, added, change, context, judged, modified, removed
from werkrevisor_rules.gates.tests_weakened import Settings, evaluate

FRAMES = {
    "python": ("tests/test_a.py", "def test_a(db):\n{}\n", "    "),
    "java": ("src/test/java/ATest.java", "class ATest {{\n  @Test\n  void a() {{\n{}\n  }}\n}}\n", "    "),
    "kotlin": ("src/test/kotlin/ATest.kt", "class ATest {{\n  @Test\n  fun a() {{\n{}\n  }}\n}}\n", "    "),
    "ts": ("src/a.test.ts", "it('a', async () => {{\n{}\n}});\n", "  "),
    "go": ("a/a_test.go", "package a\n\nfunc TestA(t *testing.T) {{\n{}\n}}\n", "\t"),
    "rust": ("tests/a.rs", "#[test]\nfn a() {{\n{}\n}}\n", "    "),
    "csharp": ("A.Tests/ATests.cs", "public class ATests {{\n  [Fact]\n  public void A() {{\n{}\n  }}\n}}\n", "    "),
}


def framed(language, body):
    path, frame, indent = FRAMES[language]
    return path, frame.format("\n".join(indent + line for line in body.split("\n")))


def kinds(*files, old, new):
    result = evaluate(context(*files, contents=DictContents(old, new)), Settings())
    return [] if result is None else sorted({piece.note.partition(":")[0] for piece in result.reasons[0].evidence})


def text(path, old, new):
    return kinds(modified(path, old, new), old={path: old}, new={path: new})


def body(language, old, new):
    path, before = framed(language, old)
    return text(path, before, framed(language, new)[1])


ROWS = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "cases" / "tests_weakened_shapes.jsonl").read_text("utf-8").splitlines()
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.get('language') or row['path']}: {row['new'][:60]}")
def test_a_shape(row):
    if "path" in row:
        assert text(row["path"], row["old"], row["new"]) == row["kinds"]
    else:
        assert body(row["language"], row["old"], row["new"]) == row["kinds"]


DATA = [
    ("tests/data/a.json", '[1,\n 2]\n', "[]\n", ["data-emptied"]),
    ("tests/data/a.json", '[1,\n 2]\n', "[1]\n", []),
    ("tests/data/a.json", "not json\n", "\n", ["data-emptied"]),
    ("tests/data/a.json", "[]\n\n", "[]\n", []),
    ("tests/data/a.csv", "# a,b\n1,2\n", "# a,b\n", ["data-emptied"]),
    ("tests/data/a.csv", "1,2\n3,4\n", "1,2\n", []),
]  # fmt: skip


@pytest.mark.parametrize(("path", "old", "new", "expected"), DATA)
def test_data_of_tests(path, old, new, expected):
    assert text(path, old, new) == expected


def test_data_that_goes_or_that_nobody_knows_is_left_to_the_tests_that_read_it():
    path = "tests/data/a.json"
    assert kinds(removed(path, "[1]\n"), old={path: "[1]\n"}, new={}) == []
    file = modified(path, "[1]\n", "[]\n")
    contents = DictContents({}, {}, frozenset({path}))
    assert evaluate(context(file, contents=contents), Settings()) is None


def test_a_doctest_that_is_new_may_be_skipped():
    path, old = "src/a.py", 'def f():\n    """Do.\n\n    >>> f()\n    1\n    """\n'
    skipped = old.replace(">>> f()", ">>> f()  # doctest: +SKIP")
    assert text(path, old, skipped) == ["skip-added"]
    fresh = old.replace("    1\n", "    1\n    >>> g()  # doctest: +SKIP\n")
    assert text(path, old, fresh) == []


def test_a_snapshot_that_went_alone_is_named():
    path = "src/__snapshots__/a.test.ts.snap"
    old = "exports[`a 1`] = `x`;\n\nexports[`b 1`] = `y`;\n"
    assert text(path, old, "exports[`a 1`] = `x`;\n") == ["snapshot-shrunk"]
    assert text(path, old, old.replace("`y`", "`z`")) == []


def test_a_case_that_moved_to_another_test_is_not_lost():
    rows = "@pytest.mark.parametrize('n', [{}])\ndef test_{}(n):\n    assert f(n) == 'odd'\n"
    old = rows.format("11, 13, 17", "a") + "\n\n" + rows.format("21, 23", "b")
    new = rows.format("11, 13", "a") + "\n\n" + rows.format("21, 23, 17", "b")
    assert text("tests/test_a.py", old, new) == []
    assert text("tests/test_a.py", old, new.replace("23, 17", "23, 29")) == ["cases-dropped"]


def test_a_helper_of_another_language_is_no_helper():
    path = FRAMES["java"][0]
    java = "class ATest {\n  @Test void a() { check(3); }\n}\n"
    less = "class ATest {\n  @Test void a() { f(3); }\n}\n"
    helper = "def check(n):\n    assert n == 3\n"
    files = (modified(path, java, less), judged(added("tests/helper.py", helper), Category.TESTS))
    assert kinds(*files, old={path: java}, new={path: less, "tests/helper.py": helper}) == ["assertion-removed"]


def test_a_copy_of_a_test_file_weakens_nothing():
    text_of = "def test_a():\n    assert f() == 1\n"
    file = change("tests/test_b.py", Status.COPIED, text_of, "def test_a():\n    f()\n", old_path="tests/test_a.py")
    assert kinds(file, old={"tests/test_a.py": text_of}, new={"tests/test_b.py": "def test_a():\n    f()\n"}) == []
