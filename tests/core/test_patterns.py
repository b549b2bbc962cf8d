"""Patterns that are compiled when first used behave like compiled ones."""

import re

import pytest

from werkrevisor_core.patterns import lazy


def test_it_matches_like_a_compiled_one():
    late, eager = lazy(r"(a)(b+)", re.IGNORECASE), re.compile(r"(a)(b+)", re.IGNORECASE)
    for text in ("xABBy", "ab", "", "b"):
        for method in ("match", "search", "fullmatch"):
            lazily, eagerly = getattr(late, method)(text), getattr(eager, method)(text)
            assert (lazily and lazily.groups()) == (eagerly and eagerly.groups())
        assert late.findall(text) == eager.findall(text)
        assert [match.span() for match in late.finditer(text)] == [match.span() for match in eager.finditer(text)]
        assert late.sub("-", text) == eager.sub("-", text)
        assert late.split(text) == eager.split(text)
    assert late.pattern == eager.pattern


def test_bytes():
    assert lazy(rb"\d+").findall(b"1 22") == [b"1", b"22"]


def test_nothing_is_compiled_before_it_is_used():
    broken = lazy("(")
    with pytest.raises(re.error):
        broken.match("x")


def test_other_attributes_do_not_exist():
    with pytest.raises(AttributeError):
        lazy("x").scanner  # noqa: B018 (reading it is the test)
