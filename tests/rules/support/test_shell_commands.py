"""Shell text as it is understood: commands with their lines, and what becomes of their failures."""

import pytest

from werkrevisor_rules._support.weakening_config.shell import commands
from werkrevisor_rules._support.weakening_config.tree import MAX_TEXT, UnreadableConfig


def said(text, **given):
    return [(" ".join(one.words), one.ignored) for one in commands(text, **given)]


GOES_ON = "the shell goes on after a failure"
CASES = [
    ("a b # c\nd#e", [("a b", ""), ("d#e", "")]),
    ("a 'b c' \"d \\\" e\" f\\ g `h i`", [('a b c d \\" e f g `h i`', "")]),
    ("a \\\n  b\nc", [("a b", ""), ("c", "")]),
    ("a >x 2>&1 < y && b", [("a", ""), ("b", "")]),
    ("cat <<EOF\nx 'y\nEOF\nb", [("cat", ""), ("b", "")]),
    ("cat <<-'E'\nx\n", [("cat", "")]),
    ("cat <<< x\nb", [("cat", ""), ("b", "")]),
    ("a >", [("a", "")]),
    ("x=$(b | c (d))e f", [("x=$(b | c (d))e f", "")]),
    ("a $(b\nc)\nd", [("a $(b\nc)", ""), ("d", "")]),
    ("a ${{ x || y }} b", [("a ${{ x || y }} b", "")]),
    ("(a; b)", [("a", ""), ("b", "")]),
    ("f() { a; }", [("a", "")]),
    ("case $x in a) b;; esac", [("case $x in a", ""), ("b", "")]),
    ("for x in y; do a; done", [("for x in y", ""), ("a", "")]),
    ("while a; do b; done", [("a", "asked by `while`"), ("b", "")]),
    ("! a", [("a", "asked by `!`")]),
    ("a && b || c", [("a", "|| c"), ("b", "|| c"), ("c", "")]),
    ("a || { b; c; }; d", [("a", "|| b"), ("b", ""), ("c", ""), ("d", "")]),
    ("a || (b; exit 3)", [("a", ""), ("b", ""), ("exit 3", "")]),
    ("a || b && false", [("a", ""), ("b", ""), ("false", "")]),
    ("(a || b); exit 1", [("a", "|| b"), ("b", ""), ("exit 1", "")]),
    ("a ||", [("a", "")]),
    ("a |", [("a", "")]),
    ("{ a; } || true", [("a", "|| true"), ("true", "")]),
    ("a | b |& c", [("a", "| b"), ("b", ""), ("c", "")]),
    ("a & b", [("a", "&"), ("b", "")]),
    ("a; exit 0; b", [("a", ""), ("exit 0", "")]),
    ("if a; then exit 0; fi; b", [("a", "asked by `if`"), ("exit 0", ""), ("b", "")]),
    ("if true; then a; else b; fi", [("true", "asked by `if`"), ("a", "")]),
    ("} fi else\na", [("a", "")]),
    ("if a; b; then c; elif d; then e; fi", [("a", "asked by `if`"), ("b", ""), ("c", ""), ("d", "asked by `elif`"), ("e", "")]),
    (")", []),
    ("| a", [("a", "")]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_commands(text, expected):
    assert said(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\nb", [GOES_ON, ""]),
        ("a\nexit $?", ["", ""]),
        ("a\nexit 0", [GOES_ON, ""]),
        ("a\necho b\nexit 1", ["", "", ""]),
        ("set -eu\na\nb", ["", ""]),
        ("set -o errexit +x\na\nb", [GOES_ON, ""]),
        ("a || exit 1\nb", ["", GOES_ON, ""]),
        ("a | b\nc", ["| b", GOES_ON, ""]),
    ],
)
def test_a_shell_that_does_not_stop(text, expected):
    assert [ignored for _, ignored in said(text, stops=False)] == expected


def test_pipes():
    assert said("a | b", pipefail=True) == [("a", ""), ("b", "")]
    assert said("set -euo pipefail\na | b") == [("a", ""), ("b", "")]


def test_lines_and_conditions():
    found = commands("a\n\nif b\nthen\n  c \\\n d\nfi\ne || e -x", 10)
    assert [(one.words[0], one.line, one.condition, one.again) for one in found] == [
        ("a", 10, "", False),
        ("b", 12, "", False),
        ("c", 14, "b", False),
        ("e", 17, "", True),
        ("e", 17, "", False),
    ]


@pytest.mark.parametrize("text", ["'a", "a $(b", "(" * 60, "if " * 60, "x" * (MAX_TEXT + 1)])
def test_text_that_is_not_read(text):
    with pytest.raises(UnreadableConfig):
        commands(text)


@pytest.mark.parametrize("text", ["a && ", "a || ", "a | ", "a; ", "${{", "a <<b\n"])
def test_many_of_one_kind_take_no_square_of_time(text):
    assert commands(text * 20_000 + "\nz")[-1].words
