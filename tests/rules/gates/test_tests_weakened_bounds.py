"""How much is compared, through whole reviews: hostile files end within their bound and are named."""

import json
import subprocess
import sys

import pytest

from werkrevisor_core.testing.build import DictContents, modified
from werkrevisor_core.testing.run import run

TEST = {
    "tests/test_a.py": "def test_a():\n    assert f() == 1\n",
    "src/test/java/ATest.java": "class ATest {\n  @Test void a() { assertEquals(1, f()); }\n}\n",
    "src/test/kotlin/ATest.kt": "class ATest {\n  @Test fun a() { assertEquals(1, f()) }\n}\n",
    "src/a.test.ts": "it('a', () => { expect(f()).toBe(1); });\n",
    "a/a_test.go": "package a\n\nfunc TestA(t *testing.T) { require.Equal(t, 1, f()) }\n",
    "tests/a.rs": "#[test]\nfn a() { assert_eq!(f(), 1); }\n",
    "A.Tests/ATests.cs": "public class ATests {\n  [Fact] public void A() { Assert.Equal(1, F()); }\n}\n",
}
HOSTILE = {
    "a megabyte of open brackets": "(" * 1_000_000,
    "a line of a million characters": "x" * 1_000_000 + "\n",
    "a hundred thousand tests": None,
}
CONFIG = {
    ".gitea/workflows/ci.yml": (
        "on: [pull_request]\njobs:\n  a:\n    steps:\n      - run: pytest\n",
        {
            "nested lists": "on: " + "[" * 100_000 + "\n",
            "nested dashes": "- " * 100_000 + "\n",
            "a hundred thousand steps": "on: [pull_request]\njobs:\n  a:\n    steps:\n"
            + "".join(f"      - run: pytest tests/{n}\n" for n in range(100_000)),
        },
    ),
    "package.json": ('{"scripts": {"test": "jest"}}\n', {"nested objects": '{"a":' * 100_000 + "\n"}),
    "pyproject.toml": ("[tool.pytest.ini_options]\naddopts = '-x'\n", {"nested arrays": "a = " + "[" * 100_000 + "\n"}),
    "pom.xml": ("<project><build/></project>\n", {"nested elements": "<a>" * 100_000 + "\n"}),
    "jest.config.js": ("module.exports = { retry: 0 }\n", {"nested objects": "module.exports = " + "{a:" * 100_000}),
}


def not_compared(path, old, new):
    """Return the notes of a whole review of one file; the patch is short, what is compared are the contents."""
    contents = DictContents({path: old}, {path: new})
    reviewed = run(modified(path, old, "x\n"), contents=contents)
    found = [piece for reason in reviewed.reasons if reason.id == "tests_weakened" for piece in reason.evidence]
    assert {reason.id for reason in reviewed.reasons} & {"rule_crashed", "rule_late"} == set()
    return [piece.note.partition(":")[0] for piece in found if piece.path == path]


@pytest.mark.parametrize("path", TEST)
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_test_file_is_named_by_a_whole_review(path, name):
    text = HOSTILE[name]
    more = "".join(TEST[path].replace("a()", f"a{n}()") for n in range(100_000)) if text is None else text
    assert not_compared(path, TEST[path], TEST[path] + more) == ["not-compared"]


@pytest.mark.parametrize(("path", "name"), [(path, name) for path, (_, texts) in CONFIG.items() for name in texts])
def test_a_hostile_configuration_is_named_by_a_whole_review(path, name):
    old, texts = CONFIG[path]
    assert not_compared(path, old, texts[name]) == ["not-compared"]


def test_a_whole_review_of_a_diff_without_tests_loads_no_parser(tmp_path):
    diff = "diff --git a/src/a.py b/src/a.py\n--- a/src/a.py\n+++ b/src/a.py\n@@ -1 +1 @@\n-a = 1\n+a = 2\n"
    (tmp_path / "a.diff").write_text(diff, encoding="utf-8")
    code = (
        "import json, sys\n"
        "from werkrevisor_core.cli.main import main\n"
        "main(['review', '--format=json', '--diff', 'a.diff'])\n"
        "names = ('tree_sitter', 'weakened_tests.change', 'weakened_tests.reading', 'weakening_config.change')\n"
        "print(json.dumps([name for name in sys.modules if any(part in name for part in names)]))\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    lines = ran.stdout.splitlines()
    assert json.loads(lines[-1]) == []
    assert any('"verdict"' in line or '"level"' in line for line in lines[:-1]), ran.stdout


def test_a_test_file_of_many_lines_is_compared_in_a_whole_review():
    path = "tests/test_a.py"
    old = "".join(f"def test_{n}():\n    assert f({n}) == 1\n    assert g({n}) == 2\n\n\n" for n in range(4_000))
    new = old.replace("    assert g(3999) == 2\n", "")
    reviewed = run(modified(path, "a\n", "b\n"), contents=DictContents({path: old}, {path: new}))
    found = [piece.note for reason in reviewed.reasons if reason.id == "tests_weakened" for piece in reason.evidence]
    assert found == ["assertion-removed: test_3999"]
