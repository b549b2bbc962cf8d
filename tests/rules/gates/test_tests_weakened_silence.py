"""Ways to make tests weaker that a comparison could pass over in silence: each is found or named as not compared."""

import pytest

from werkrevisor_core.models.change import Origin, Status
from werkrevisor_core.models.classes import Category
from werkrevisor_core.models.ports import NoContents
from werkrevisor_core.testing.build import (
    DictContents,
    added,
    change,
    change_set,
    context,
    judged,
    modified,
    removed,
    renamed,
)
from werkrevisor_rules.gates.tests_weakened import Settings, evaluate

TEST = "def test_a():\n    assert f() == 1\n    assert g() == 2\n"
LESS = "def test_a():\n    f()\n"
PATH = "tests/test_a.py"
GO = "package a\n\nfunc TestA(t *testing.T) {\n\trequire.InDelta(t, 1, f(), 0.1)\n}\n"
JAVA = "class ATest {\n  @Test void a() {\n    // first\n    assertEquals(1, f());\n  }\n}\n"


def notes(*files, old=None, new=None, unavailable=frozenset(), contents=None, **given):
    contents = contents or DictContents(old or {}, new or {}, unavailable)
    result = evaluate(context(*files, contents=contents, **given), Settings())
    return [] if result is None else [(piece.path, piece.note) for piece in result.reasons[0].evidence]


def kinds(*files, **given):
    return sorted({(path, note.partition(":")[0]) for path, note in notes(*files, **given)})


def one(path, old, new):
    return kinds(modified(path, old, new), old={path: old}, new={path: new})


def bare(file):
    """Return the kinds for a diff of which no contents are known."""
    return kinds(file, change=change_set(file, origin=Origin.DIFF), contents=NoContents())


LAYOUT = {
    "an assertion slips into a branch by its indent": (
        PATH,
        "def test_a():\n    if x:\n        f()\n    assert g() == 1\n",
        "def test_a():\n    if x:\n        f()\n        assert g() == 1\n",
        "unreachable",
    ),
    "an assertion slips behind the mark of a comment": (
        "src/test/java/ATest.java",
        JAVA,
        JAVA.replace("// first\n   ", "// first"),
        "assertion-removed",
    ),
    "a line break behind `return`": (
        "a.test.js",
        "it('a', () => {\n  return expect(f()).resolves.toBe(1);\n});\n",
        "it('a', () => {\n  return\n  expect(f()).resolves.toBe(1);\n});\n",
        "unreachable",
    ),
    "a line break behind `return` in Kotlin": (
        "src/test/kotlin/ATest.kt",
        "class ATest {\n  @Test fun a() {\n    return assertEquals(1, f())\n  }\n}\n",
        "class ATest {\n  @Test fun a() {\n    return\n    assertEquals(1, f())\n  }\n}\n",
        "unreachable",
    ),
}


@pytest.mark.parametrize("case", LAYOUT.values(), ids=LAYOUT)
def test_white_space_that_means_something_is_seen(case):
    path, old, new, kind = case
    assert one(path, old, new) == [(path, kind)]


@pytest.mark.parametrize("path", ["tests/checks_a.py", "lib/a.py", "tests/test_a.txt.py"])
def test_tests_that_come_where_no_framework_looks_are_undiscovered(path):
    discovered = path == "tests/test_a.txt.py"
    category = Category.MAIN if path == "lib/a.py" else Category.TESTS
    file = judged(added(path, TEST), category)
    found = kinds(removed(PATH, TEST), file, old={PATH: TEST}, new={path: TEST})
    lost = [(PATH, "test-removed")] if path == "lib/a.py" else [(path, "undiscovered")]
    assert found == ([] if discovered else lost)


def test_tests_in_a_class_that_another_one_inherits_are_run():
    body = "    def test_a(self):\n        assert f() == 1\n        assert g() == 2\n"
    base = "class Shared:\n" + body
    old = "import unittest\n\n\nclass TestA(unittest.TestCase):\n" + body
    new = "from shared import Shared\n\n\nclass TestA(Shared, unittest.TestCase):\n    pass\n"
    files = (modified(PATH, old, new), judged(added("tests/shared.py", base), Category.TESTS))
    assert kinds(*files, old={PATH: old}, new={PATH: new, "tests/shared.py": base}) == []


def test_a_weaker_copy_does_not_stand_for_the_removed_file():
    other = "tests/test_b.py"
    for file in (added(other, LESS), change(other, Status.COPIED, TEST, LESS, old_path=PATH)):
        assert kinds(removed(PATH, TEST), file, old={PATH: TEST}, new={other: LESS}) == [(PATH, "test-removed")]


@pytest.mark.parametrize("path", ["tests/test_a.pyi", "tests/test_a.txt", "tests/check_a.py"])
def test_a_rename_out_of_sight_names_the_tests(path):
    new = TEST + "\n# moved\n"
    found = notes(renamed(PATH, path, TEST, new), old={PATH: TEST}, new={path: new})
    assert found == [(path, "undiscovered: test_a")]


def test_python_that_cannot_be_read_is_named_where_its_text_shows_nothing():
    new = "def test_a(:\n    assert f() == 3\n    assert g() == 2\n"
    found = notes(modified(PATH, TEST, new), old={PATH: TEST}, new={PATH: new})
    assert [note.partition(" (")[0] for _, note in found] == [
        "not-compared: not compared: it is no Python that this version reads: invalid syntax"
    ]


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        (
            "src/a.test.ts",
            "it('a', () => {\n  expect(f(1)).toBe(1);\n});\n",
            "it('a', () => {\n  expect(f(1 2)).toBe(1);\n});\n",
        ),
        ("src/test/java/ATest.java", JAVA, JAVA.replace("assertEquals(1, f());", "assertEquals(1, f()) zz 2;")),
    ],
)
def test_a_changed_line_that_does_not_parse_is_named(path, old, new):
    assert (path, "not-compared") in one(path, old, new)


def test_a_fault_elsewhere_in_the_file_is_none_of_the_change():
    fault = "it('b', () => {\n  f(1 2);\n});\n"
    old, new = "it('a', () => {\n  expect(f()).toBe(1);\n});\n\n", "it('a', () => {\n  expect(f()).toBe(2);\n});\n\n"
    assert one("src/a.test.ts", old + fault, new + fault) == []


def test_a_file_with_many_faults_is_unread_as_a_whole():
    fault = "f(1 2);\n" * 200
    old, new = "it('a', () => {\n  expect(f()).toBe(1);\n});\n\n", "it('a', () => {\n  expect(f()).toBe(2);\n});\n\n"
    assert one("src/a.test.ts", old + fault, new + fault) == [("src/a.test.ts", "not-compared")]


def test_a_bare_diff_names_the_files_that_its_lines_do_not_clear():
    assert bare(modified("a_test.go", GO, GO.replace("0.1", "10"))) == [("a_test.go", "not-compared")]
    assert bare(modified(PATH, TEST, TEST.replace("== 2", "!= 0"))) == [(PATH, "not-compared")]
    assert bare(renamed(PATH, "tests/test_b.py", TEST, TEST.replace("2", "3"))) == [("tests/test_b.py", "not-compared")]


def test_a_bare_diff_holds_all_of_what_came_or_went():
    assert bare(added(PATH, TEST)) == []
    assert bare(added("tests/conftest.py", "collect_ignore_glob = ['*']\n")) == [("tests/conftest.py", "undiscovered")]
    assert bare(removed(PATH, TEST)) == [(PATH, "test-removed")]
    files = (removed(PATH, TEST), added("tests/test_b.py", TEST))
    assert kinds(*files, change=change_set(*files, origin=Origin.DIFF), contents=NoContents()) == []


def test_contents_of_one_file_that_are_not_known_are_said_so():
    found = notes(modified("a_test.go", GO, GO.replace("0.1", "10")), unavailable=frozenset({"a_test.go"}))
    assert found == [("a_test.go", "not-compared: not compared: its contents are not known here")]
    assert kinds(added(PATH, TEST), unavailable=frozenset({PATH})) == []


OTHER = {
    "spec/a_spec.rb": (
        "it 'adds' do\n  expect(f).to eq 1\n  expect(g).to eq 2\nend\n",
        "it 'adds' do\n  expect(f).to eq 1\nend\n",
        "assertion-removed",
    ),
    "tests/ATest.php": ("<?php\npublic function testA() {\n  f();\n}\n", "<?php\n", "test-removed"),
    "test/a_test.exs": (
        'test "a" do\n  assert f() == 1\nend\n',
        '@tag :skip\ntest "a" do\n  assert f() == 1\nend\n',
        "skip-added",
    ),
    "tests/a_test.cc": (
        "TEST(A, B) {\n  EXPECT_EQ(1, f());\n  EXPECT_EQ(2, g());\n}\n",
        "TEST(A, B) {\n  EXPECT_EQ(1, f());\n}\n",
        "assertion-removed",
    ),
    "src/test/scala/ASpec.scala": (
        'it("adds") {\n  assert(f == 1)\n}\n',
        'xit("adds") {\n  assert(f == 1)\n}\n',
        "skip-added",
    ),
}


@pytest.mark.parametrize("path", OTHER)
def test_in_other_languages_the_text_is_looked_at(path):
    old, new, kind = OTHER[path]
    file = judged(modified(path, old, new), Category.TESTS)
    found = notes(file, old={path: old}, new={path: new})
    assert kind in {note.partition(":")[0] for _, note in found}
    assert all("tests in its language are not compared" in note for _, note in found)


def test_a_test_of_another_language_that_demands_as_much_is_no_evidence():
    old = "it 'adds' do\n  expect(f).to eq 1\nend\n"
    file = judged(modified("spec/a_spec.rb", old, old.replace("1", "2")), Category.TESTS)
    assert notes(file, old={"spec/a_spec.rb": old}, new={"spec/a_spec.rb": old.replace("1", "2")}) == []


NEW_FILES = {
    "tests/conftest.py": "import pytest\n\n\n@pytest.fixture(autouse=True)\ndef no():\n    pytest.skip('x')\n",
    "a/main_test.go": "package a\n\nfunc TestMain(m *testing.M) { os.Exit(0) }\n",
    "b/main_test.go": "package a\n\nfunc TestMain(m *testing.M) { setUp() }\n",
    "pytest.ini": "[pytest]\naddopts = -k 'not db'\n",
    "jest.config.js": "module.exports = { testPathIgnorePatterns: ['src/'] }\n",
}


@pytest.mark.parametrize("path", NEW_FILES)
def test_a_new_file_can_take_tests_away(path):
    assert [where for where, _ in notes(added(path, NEW_FILES[path]), new={path: NEW_FILES[path]})] == [path]


HARMLESS = {
    "tests/conftest.py": "import pytest\n\n\n@pytest.fixture\ndef no():\n    pytest.skip('x')\n",
    "a/main_test.go": "package a\n\nfunc TestMain(m *testing.M) { os.Exit(m.Run()) }\n",
    "pytest.ini": "[pytest]\naddopts = -ra\ntestpaths = tests\n",
    "tox.ini": "[flake8]\nextend-ignore = E203\n",
}


@pytest.mark.parametrize("path", HARMLESS)
def test_a_new_file_that_takes_nothing_away_is_no_evidence(path):
    assert notes(added(path, HARMLESS[path]), new={path: HARMLESS[path]}) == []


HOOKS = {
    "a hook sorts": ("def pytest_collection_modifyitems(items):\n    items[:] = sorted(items, key=str)\n", []),
    "a hook drops": ("def pytest_collection_modifyitems(items):\n    items[:] = items[:3]\n", ["undiscovered"]),
    "a hook refuses files": ("def pytest_ignore_collect(path):\n    return 'db' in str(path)\n", ["undiscovered"]),
    "a hook says nothing": ("def pytest_ignore_collect(path):\n    return None\n", []),
    "a status is made up": ("def pytest_sessionfinish(session):\n    session.exitstatus = 0\n", ["undiscovered"]),
    "a status is read": ("def pytest_sessionfinish(session, exitstatus):\n    print(exitstatus == 0)\n", []),
    "no file is left out": ("collect_ignore = []\n", []),
    "a file is left out": ("collect_ignore = ['test_db.py']\n", ["undiscovered"]),
}


@pytest.mark.parametrize("case", HOOKS.values(), ids=HOOKS)
def test_hooks_of_pytest(case):
    text, expected = case
    path, old = "tests/conftest.py", "import pytest\n"
    assert [kind for _, kind in one(path, old, old + "\n\n" + text)] == expected


def test_a_list_of_files_left_out_may_shrink():
    path, old = "tests/conftest.py", "collect_ignore = ['test_a.py', 'test_b.py']\n"
    assert one(path, old, "collect_ignore = ['test_a.py']\n") == []
    assert one(path, old, "collect_ignore = ['test_a.py', 'test_c.py']\n") == [(path, "undiscovered")]
    assert one(path, old, "collect_ignore = glob('*')\n") == [(path, "undiscovered")]


def test_a_byte_order_mark_does_not_keep_a_file_from_being_read():
    assert one(PATH, "\ufeff" + TEST, "\ufeff" + LESS) == [(PATH, "assertion-removed")]
