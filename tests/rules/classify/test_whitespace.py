import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from werkrevisor_core.models.ports import NoContents
from werkrevisor_core.testing.build import DictContents, modified
from werkrevisor_rules._support.mechanical import MechanicalSettings
from werkrevisor_rules.classify import whitespace

CODE = "a {\n  b\n  c\n}\n"
INDENTED = "a {\n  b\n    c\n}\n"


@pytest.mark.parametrize("path", ["src/a.c", "src/A.java"])
def test_scenario_11_06_a_new_indentation_is_mechanical(judge_text, path):
    assert judge_text(path, CODE, INDENTED).rules == ("whitespace",)


@pytest.mark.parametrize(
    "path",
    [
        *("app/a.py", "ci.yml", "x.yaml", "Makefile", "rules.mk", "README.md"),
        *("v.haml", "v.pug", "a.coffee", "a.nim", "a.fs"),
    ],
)
def test_scenario_11_06_a_new_indentation_is_not_mechanical_where_it_has_a_meaning(judge_text, path):
    assert judge_text(path, CODE, INDENTED).rules == ()


@pytest.mark.parametrize("path", ["a.unknown", "noextension", "a.php", "a.sql", "a.css", ".java"])
def test_a_file_type_of_unknown_rules_counts_as_significant(judge_text, path):
    assert judge_text(path, CODE, INDENTED).rules == ()


@pytest.mark.parametrize("pattern", ["*.c", "c", "a.c", "src/**", "*.[ch]", "src/a.c"])
def test_the_configured_names_are_significant(judge_text, pattern):
    assert judge_text("src/a.c", CODE, INDENTED, whitespace_significant=(pattern,)).rules == ()
    assert judge_text("lib/b.java", CODE, INDENTED, whitespace_significant=(pattern,)).rules == ("whitespace",)


def test_a_host_cannot_make_python_insignificant_by_taking_it_off_the_list(judge_text):
    assert judge_text("a.py", CODE, INDENTED, whitespace_significant=()).rules == ()


def test_nothing_is_explained_where_mechanical_changes_are_off(judge_text):
    assert judge_text("a.c", CODE, INDENTED, enabled=False).rules == ()


def test_the_proof_names_what_explains_each_line(judge_text):
    found = judge_text("a.c", "a {\n  b\n}\n", "a {\n\tb\n\n}\n")
    assert [(row.line, row.added, row.proof) for row in found.proof] == [
        (2, False, "same text but for white space"),
        (2, True, "same text but for white space"),
        (3, True, "blank line"),
    ]


def test_text_on_both_sides_of_a_blank_line_is_paired(judge_text):
    old = "a\n  b;\n  c;\n\n  d;\n\n\ne\n"
    new = "a\n\tb;\n\tc;\n\n\td;\n\ne\n"
    assert judge_text("a.c", old, new).rules == ("whitespace",)


def test_equal_lines_before_and_behind_a_change_do_not_make_it_mechanical(judge_text):
    found = judge_text("a.c", "a\n  b;\n  c;\n  d;\n", "a\n\tb;\n\tx;\n\td;\n")
    assert (found.rules, found.line) == ((), 3)


def test_a_hunk_without_context_does_not_hide_a_backslash_above(judge_hunk, judge_text):
    assert judge_hunk("a.c", b"@@ -2 +2 @@\n-  a \\\n+    a \\\n").rules == ()
    assert judge_text("a.c", "#define M \\\n  a \\\n  b\n", "#define M \\\n    a \\\n  b\n").rules == ("whitespace",)


def test_a_blank_line_without_context_is_not_explained(judge_hunk):
    assert judge_hunk("a.c", b"@@ -3,0 +4 @@\n+\n").rules == ()


def test_contents_that_do_not_fit_the_hunk_prove_nothing(judge_text):
    body = "".join(f"line{i};\n" for i in range(9))
    old, new = body + "  a;\n", body + "    a;\n"
    assert judge_text("a.c", old, new, DictContents({"a.c": old}, {"a.c": new})).rules == ("whitespace",)
    assert judge_text("a.c", old, new, DictContents({"a.c": old}, {"a.c": "x" * 300})).rules == ()


@pytest.mark.parametrize("contents", [DictContents(unavailable=frozenset({"a.c"})), "large"])
def test_contents_that_cannot_be_read_prove_nothing(judge_text, contents):
    body = "".join(f"line{i};\n" for i in range(9))
    old, new = body + "  a;\n", body + "    a;\n"
    if contents == "large":
        rest = "x;\n" * (1 << 21)
        contents = DictContents({"a.c": old + rest}, {"a.c": new + rest})
    assert judge_text("a.c", old, new, contents).rules == ()


def test_a_hunk_that_begins_inside_a_comment_is_read_as_one(judge_text):
    old = "".join(f" * it's line {i}\n" for i in range(9)) + " */\nint  x = 'a';\n"
    assert judge_text("a.java", "/*\n" + old, "/*\n" + old.replace("int  x", "int x")).rules == ("whitespace",)


# --- against git itself


def git_is_silent(folder, old, new):
    (folder / "old").write_bytes(old)
    (folder / "new").write_bytes(new)
    command = ["git", "diff", "--no-index", "-b", "--ignore-blank-lines", "--no-color", "old", "new"]
    return subprocess.run(command, cwd=folder, capture_output=True, check=False).stdout == b""


TOKENS = ["a", "b", "(", ")", ";", "//", "/*", "*/", '"', "'", "\\", "`", '"""', "${", "}", "{", "#"]
SPACES = ["", " ", "  ", "\t", " \t", "\r", "\x0b", "\x0c", "\u00a0", "\u2028"]
ENDS = ["\n", "\n", "\n", "\r\n", " \n", "\n\n", "\n \n"]
PIECE = st.tuples(
    st.sampled_from(SPACES), st.sampled_from(TOKENS), st.sampled_from(SPACES), st.sampled_from(["", *ENDS])
)
PATHS = st.sampled_from(["a.c", "a.java", "a.kt", "a.ts", "a.tsx", "a.go", "a.rs", "a.cs", "a.json"])


@st.composite
def respaced(draw):
    """Two texts with the same tokens and, mostly, other white space."""
    pieces = draw(st.lists(PIECE, min_size=1, max_size=12))
    old = "".join("".join(piece) for piece in pieces)
    parts = []
    for piece in pieces:
        if draw(st.integers(0, 3)):
            parts.append("".join(piece))
            continue
        end = draw(st.sampled_from(ENDS)) if piece[3] else ""
        parts.append(draw(st.sampled_from(SPACES)) + piece[1] + draw(st.sampled_from(SPACES)) + end)
    return old, "".join(parts)


@given(respaced(), PATHS)
@settings(max_examples=5 * settings().max_examples)
def test_what_is_mechanical_by_white_space_is_nothing_for_git(judge_pure, tmp_path_factory, texts, path):
    old, new = (text.encode() for text in texts)
    if old != new and judge_pure(path, old, new).rules:
        assert git_is_silent(tmp_path_factory.getbasetemp(), old, new)


LINE = st.tuples(
    st.sampled_from(["  a;", "  b;", "}", ""]),
    st.sampled_from(["  ", "\t", "    "]),
    st.sampled_from(["", " ", "\r"]),
    st.sampled_from(["", "\n", " \n\n"]),
)


@given(st.lists(LINE, min_size=1, max_size=9))
@settings(max_examples=5 * settings().max_examples)
def test_new_indentation_and_new_blank_lines_in_plain_code_are_mechanical(judge_pure, tmp_path_factory, lines):
    old = "".join(f"{text}\n" for text, _, _, _ in lines).encode()
    new = "".join(f"{text.replace('  ', lead)}{trail}\n{blank}" for text, lead, trail, blank in lines).encode()
    assert git_is_silent(tmp_path_factory.getbasetemp(), old, new)
    if old != new:
        assert judge_pure("a.java", old, new).rules == ("whitespace",)


def test_answers_are_a_mapping_of_the_explained_lines_alone():
    file = modified("a.c", "int f() {\n  a();\n  b();\n}\n", "int f() {\n    a();\n\n  c();\n}\n")
    made = whitespace.werkrevisor_classifier(contents=NoContents(), settings=MechanicalSettings())
    hunks = file.patch.hunks()
    (explained,) = list(made.explain(file, hunks))
    lines = explained.lines
    texts = {index: hunks[0].lines[index] for index in lines}
    assert texts == {1: b"-  a();", 3: b"+    a();", 4: b"+"}
    assert len(lines) == 3
    assert lines[4] == "blank line"
    with pytest.raises(KeyError):
        lines[2]
    assert "a" not in lines
