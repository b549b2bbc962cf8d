import subprocess
import sys
from pathlib import Path

import pytest

from werkrevisor_core.models.change import Origin
from werkrevisor_core.models.classes import Category
from werkrevisor_core.models.verdict import Level
from werkrevisor_core.testing.build import (
    DictContents,
    added,
    change_set,
    context,
    judged,
    modified,
    removed,
    renamed,
)
from werkrevisor_core.testing.cases import load_cases, run_case
from werkrevisor_rules.gates import tests_weakened
from werkrevisor_rules.gates.tests_weakened import Settings, evaluate

CASES = load_cases(Path(__file__).parents[1] / "cases" / "tests_weakened.toml")

PATHS = {
    "python": "tests/test_a.py",
    "java": "src/test/java/ATest.java",
    "kotlin": "src/test/kotlin/ATest.kt",
    "typescript": "src/a.test.ts",
    "go": "a/a_test.go",
    "rust": "tests/a.rs",
    "csharp": "A.Tests/ATests.cs",
}
TESTS = {
    "python": "def test_{n}():\n    assert f({n}) == 1\n",
    "java": "@Test void t{n}() {{ assertEquals(1, f({n})); }}\n",
    "kotlin": "@Test fun t{n}() {{ assertEquals(1, f({n})) }}\n",
    "typescript": "it('t{n}', () => {{ expect(f({n})).toBe(1); }});\n",
    "go": "func TestA{n}(t *testing.T) {{ require.Equal(t, 1, f({n})) }}\n",
    "rust": "#[test] fn t{n}() {{ assert_eq!(f({n}), 1); }}\n",
    "csharp": "[Fact] public void T{n}() {{ Assert.Equal(1, F({n})); }}\n",
}
IN_CLASS = {"java", "kotlin", "csharp"}


def many(language, count):
    body = "".join(TESTS[language].format(n=n) for n in range(count))
    return f"class A {{\n{body}}}\n" if language in IN_CLASS else body


def said(*files, settings=None, **contents):
    return evaluate(context(*files, contents=DictContents(**contents)), settings or Settings())


def pieces(*files, settings=None, **contents):
    result = said(*files, settings=settings, **contents)
    return () if result is None else result.reasons[0].evidence


def one(path, old, new, **given):
    return pieces(modified(path, old, new), old={path: old}, new={path: new}, **given)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case):
    run_case(tests_weakened, case)


HOSTILE = {
    "a megabyte of open brackets": "(" * 1_000_000,
    "open brackets, one a line": "(\n" * 300_000,
    "type arguments without end": "a<\n" * 300_000,
    "a line of a million characters": "x" * 1_000_000 + "\n",
}


@pytest.mark.parametrize("language", PATHS)
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_file_is_named_as_not_compared(language, text):
    old = many(language, 1)
    # Built from a short text: what the gate reads are the contents.
    path = PATHS[language]
    found = pieces(modified(path, old, "x\n"), old={path: old}, new={path: old + text})
    assert [piece.note.partition(":")[0] for piece in found] == ["not-compared"]


@pytest.mark.parametrize("language", PATHS)
def test_a_hundred_thousand_tests_are_named_as_not_compared(language):
    old, path = many(language, 1), PATHS[language]
    found = pieces(modified(path, old, "x\n"), old={path: old}, new={path: many(language, 100_000)})
    assert [piece.note for piece in found] == ["not-compared: not compared: it has more than 2000000 bytes"]


@pytest.mark.parametrize("language", PATHS)
def test_tests_beyond_their_number_are_named_as_not_compared(language):
    old, path = many(language, 1), PATHS[language]
    bounds = Settings(max_tests=3)
    found = pieces(modified(path, old, "x\n"), old={path: old}, new={path: many(language, 4)}, settings=bounds)
    assert [piece.note for piece in found] == ["not-compared: not compared: it has more than 3 tests"]


def test_files_beyond_the_bytes_of_a_change_are_named_each():
    files = [f"tests/test_{n}.py" for n in range(3)]
    old = dict.fromkeys(files, "def test_a():\n    assert f() == 1\n")
    new = dict.fromkeys(files, "def test_a():\n    assert f() == 2\n")
    changed = [modified(path, old[path], new[path]) for path in files]
    found = pieces(*changed, old=old, new=new, settings=Settings(max_total_bytes=140))
    assert [piece.path for piece in found] == files[2:]


def test_a_change_without_tests_loads_no_parser():
    code = """
import sys
from werkrevisor_core.testing.build import DictContents, context, modified
from werkrevisor_rules.gates.tests_weakened import Settings, evaluate
old, new = {"a.rs": "fn a() {}\\n"}, {"a.rs": "fn b() {}\\n"}
given = context(modified("a.rs", old["a.rs"], new["a.rs"]), contents=DictContents(old, new))
assert evaluate(given, Settings()) is None
loaded = [name for name in sys.modules if name.startswith("tree_sitter") or name.endswith("weakened_tests.change")]
assert loaded == [], loaded
old, new = {"a_test.go": "package a\\n"}, {"a_test.go": "package b\\n"}
evaluate(context(modified("a_test.go", "package a\\n", "package b\\n"), contents=DictContents(old, new)), Settings())
assert "tree_sitter" in sys.modules and "tree_sitter_go" in sys.modules and "tree_sitter_java" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_mechanical_file_is_no_evidence():
    path, old, new = "tests/test_a.py", "def test_a():\n    assert f() == 1\n", "def test_a():\n    f()\n"
    file = judged(modified(path, old, new), Category.TESTS, rules=("imports",))
    assert said(file, old={path: old}, new={path: new}) is None


def test_the_sentence_counts_files_and_names_what_was_not_compared():
    old = "def test_a():\n    assert f() == 1\n    assert g() == 2\n"
    new = old.replace("    assert g() == 2\n", "")
    files = {"tests/test_a.py": new, "tests/test_b.py": "(\n" * 300_000}
    result = said(
        modified("tests/test_a.py", old, new),
        modified("tests/test_b.py", old, "x\n"),
        old=dict.fromkeys(files, old),
        new=files,
    )
    reason = result.reasons[0]
    assert reason.level is Level.YELLOW
    assert reason.message == ("The change makes tests weaker in 1 file, and the tests of 1 file could not be compared.")
    assert reason.evidence[0].was == "assert g ( ) == 2"


def test_only_what_was_not_compared_is_a_sentence_of_its_own():
    result = said(modified("a_test.go", "x\n", "y\n"), old={"a_test.go": "x\n"}, new={"a_test.go": "(\n" * 9_000})
    assert result.reasons[0].message == "The tests of 1 file could not be compared."


def test_a_test_that_moves_to_another_file_is_not_removed():
    body = "def test_vat():\n    assert vat(3) == 19\n    assert net(3) == 81\n"
    old, rest = "def test_a():\n    assert f() == 1\n\n\n" + body, "def test_a():\n    assert f() == 1\n"
    files = (modified("tests/test_a.py", old, rest), added("tests/test_vat.py", body))
    assert said(*files, old={"tests/test_a.py": old}, new={"tests/test_a.py": rest, "tests/test_vat.py": body}) is None


def test_a_removed_file_of_tests_is_evidence_at_each_test():
    old = "def test_a():\n    assert f() == 1\n\n\ndef test_b():\n    assert g() == 2\n"
    found = pieces(removed("tests/test_a.py", old), old={"tests/test_a.py": old})
    assert [(piece.line, piece.note) for piece in found] == [(1, "test-removed: test_a"), (5, "test-removed: test_b")]


def test_a_test_that_goes_with_its_code_is_not_reported():
    old = "def test_a():\n    assert shop.discount(3) == 1\n"
    code, less = "def discount(n):\n    return 1\n\n\ndef total():\n    return 2\n", "def total():\n    return 2\n"
    found = said(
        removed("tests/test_a.py", old),
        modified("shop.py", code, less),
        old={"tests/test_a.py": old, "shop.py": code},
        new={"shop.py": less},
    )
    assert found is None


def test_a_rename_out_of_discovery_names_every_test():
    text = "it('a', () => {\n  expect(f()).toBe(1);\n});\n"
    new = text + "\n"
    found = pieces(
        renamed("src/a.test.ts", "src/a.checks.ts", text, new),
        old={"src/a.test.ts": text},
        new={"src/a.checks.ts": new},
    )
    assert [(piece.path, piece.note) for piece in found] == [("src/a.checks.ts", "undiscovered: 'a'")]


BARE = {
    "tests/test_a.py": (
        "def test_a():\n    assert f() == 1\n",
        "@pytest.mark.skip\ndef test_a():\n    assert f() == 1\n",
        "skip-added",
    ),
    "tests/test_b.py": ("def test_a():\n    assert f() == 1\n", "x = 1\n", "test-removed"),
    "a_test.go": (
        "package a\n\nfunc TestA(t *testing.T) {\n\trequire.True(t, a)\n\tf()\n}\n",
        "package a\n\nfunc TestA(t *testing.T) {\n\tf()\n}\n",
        "assertion-removed",
    ),
    "a.test.ts": ("it('a', f);\n", "it.only('a', f);\n", "only-added"),
}


@pytest.mark.parametrize("path", BARE)
def test_the_text_stands_in_where_the_contents_are_not_known(path):
    old, new, kind = BARE[path]
    file = modified(path, old, new)
    result = evaluate(
        context(
            file,
            change=change_set(file, origin=Origin.DIFF),
            contents=DictContents({path: old}, {path: new}, frozenset({path})),
        ),
        Settings(),
    )
    notes = [piece.note for piece in result.reasons[0].evidence]
    assert [note.partition(":")[0] for note in notes] == [kind]
    assert "not parsed: its contents are not known here" in notes[0]


def test_python_that_does_not_parse_falls_back_on_its_text():
    old = "def test_a():\n    assert f() == 1\n\n\ndef test_b():\n    assert g() == 1\n"
    found = one("tests/test_a.py", old, "def test_a(:\n    assert f() == 1\n")
    assert [piece.note.partition(":")[0] for piece in found] == ["test-removed"]
    assert "not parsed: it is no Python" in found[0].note


def test_a_mark_in_a_comment_or_a_string_is_no_mark():
    old = "package a\n\nfunc TestA(t *testing.T) {\n\trequire.Equal(t, 1, f())\n}\n"
    assert not one("a_test.go", old, old.replace("\treq", '\t// t.Skip("x")\n\tt.Log("t.Skip()")\n\treq'))


def test_settings_must_be_positive():
    with pytest.raises(ValueError, match="must be positive"):
        Settings(max_tests=0)
