import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from werkrevisor_core.render.visible import visible


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("src/Größe.md", "src/Größe.md"),
        ("a\nb", "a<U+000A>b"),
        ("a\rb", "a<U+000D>b"),
        ("a\tb", "a<U+0009>b"),
        ("\x1b[31m", "<U+001B>[31m"),
        ("\x9b31m", "<U+009B>31m"),
        ("evil\u202egpj.exe", "evil<U+202E>gpj.exe"),
        ("a\u2066b", "a<U+2066>b"),
        ("a\u200bb", "a<U+200B>b"),
        ("a\ufeffb", "a<U+FEFF>b"),
        ("a\u2028b", "a<U+2028>b"),
        ("a\u00a0b", "a<U+00A0>b"),
        ("a\u3164b", "a<U+3164>b"),
        ("a\ufe0fb", "a<U+FE0F>b"),
        ("a\U000e0041b", "a<U+E0041>b"),
        ("a\U000e0100b", "a<U+E0100>b"),
        ("a\udcffb\udc80", "a\\xffb\\x80"),
        ("a\ud800b", "a<U+D800>b"),
        ("", ""),
    ],
)
def test_characters_without_a_shape_are_written_out(text: str, expected: str) -> None:
    assert visible(text) == expected


def test_kept_characters_stay() -> None:
    assert visible("\tx\n", keep="\t") == "\tx<U+000A>"


def test_a_long_text_loses_its_middle_and_says_how_much() -> None:
    text = "a" * 159 + " " * 3000 + "z" * 841
    expected = "a" * 159 + "  [... 3,760 of 4,000 characters left out ...] " + "z" * 80
    assert visible(text, 240) == expected


def test_the_cut_never_splits_a_written_out_character() -> None:
    shown = visible("\u202e" * 100, 24)
    assert shown == "<U+202E><U+202E> [... 97 of 100 characters left out ...] <U+202E>"


def test_a_text_that_grows_beyond_the_limit_is_cut() -> None:
    assert visible("\x00" * 10, 30) == "<U+0000><U+0000> [... 7 of 10 characters left out ...] <U+0000>"


@given(st.text(alphabet=st.characters(), max_size=300), st.integers(min_value=12, max_value=200))
def test_every_result_is_one_bounded_line_that_can_be_encoded(text: str, limit: int) -> None:
    shown = visible(text, limit)
    shown.encode("utf-8")
    assert len(shown) <= limit + 60
    assert len(shown.splitlines()) <= 1
    assert shown.isprintable()


@given(st.text(alphabet=string.printable.strip() + " ", max_size=200))
def test_printable_ascii_stays_as_it_is(text: str) -> None:
    assert visible(text, 200) == text
