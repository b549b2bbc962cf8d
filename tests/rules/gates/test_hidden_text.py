from pathlib import Path

import pytest

from werkrevisor_core.hidden import find_hidden, may_hide
from werkrevisor_core.testing.build import context, modified
from werkrevisor_core.testing.cases import load_cases, run_case
from werkrevisor_rules.gates import hidden_text

CASES = load_cases(Path(__file__).parents[1] / "cases" / "hidden_text.toml")
OVERRIDE = "\u202e".encode()


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case):
    run_case(hidden_text, case)


def test_a_byte_that_is_no_utf_8_hides_nothing_beside_it():
    result = hidden_text.evaluate(context(modified("a.c", b"x\n", b"\xff" + OVERRIDE + b"x\n\xe9t\xe9\n")))
    [reason] = result.reasons
    [evidence] = reason.evidence
    assert (evidence.line, evidence.note) == (1, "column 2: U+202E (right-to-left override)")


def test_the_characters_themselves_are_in_no_note():
    [reason] = hidden_text.evaluate(context(modified("a.c", "x\n", "\u202e\u200b\u0430a\n"))).reasons
    assert all(text.isascii() for text in (reason.message, reason.advice, *(one.note for one in reason.evidence)))


def test_hunks_of_plain_files_are_not_even_read(monkeypatch):
    file = modified("a.c", "int a;\r\n", "int b;\r\n")
    monkeypatch.setattr(type(file.patch), "hunks", lambda patch: pytest.fail("read the hunks"))
    assert hidden_text.evaluate(context(file)) is None


@pytest.mark.parametrize(
    "line",
    ["a" * 200_000 + " \u00e9", "\u0430" * 200_000, "\u0430x " * 100_000, "\U0001f44d\u200d" * 100_000, "%1" * 100_000],
)
def test_a_line_without_end_is_searched_once(line):
    found = find_hidden(line, sequences=True)
    assert (found is not None) == (line[1:2] in {"x", "\u200d"})


@pytest.mark.parametrize(
    ("text", "maybe"),
    [(b"plain\n", False), ("\u00e9\u4e2d".encode(), False), (b"\x00", True), ("\u043f".encode(), True)],
)
def test_the_quick_look_is_sure_only_of_nothing(text, maybe):
    assert may_hide(text) is maybe
