from difflib import SequenceMatcher

import pytest
from hypothesis import given
from hypothesis import strategies as st

from werkrevisor_rules._support.lines import MOST_LINES, WORK, found_in

texts = st.lists(st.sampled_from("abcd"), max_size=12)


def test_lines_are_found_where_they_stand():
    assert found_in("abc", "abc") == [0, 1, 2]
    assert found_in("abc", "axc") == [0, None, 2]
    assert found_in("abc", "xbcy") == [None, 1, 2, None]
    assert found_in("", "a") == [None]
    assert found_in("a", "") == []


@given(texts, texts)
def test_what_is_found_is_the_same_line_in_the_same_order(old, new):
    places = found_in(old, new)
    found = [place for place in places if place is not None]
    assert found == sorted(set(found))
    assert all(old[place] == line for place, line in zip(places, new, strict=True) if place is not None)


@given(st.permutations("abcdefgh"), st.permutations("abcdefgh"))
def test_without_common_ends_it_is_what_difflib_finds(old, new):
    if old[0] == new[0] or old[-1] == new[-1]:
        return
    expected = [None] * len(new)
    for block in SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks():
        for step in range(block.size):
            expected[block.b + step] = block.a + step
    assert found_in(old, new) == expected


def test_what_was_not_compared_within_the_budget_counts_as_not_found():
    # Each of 4,000 equal lines stands 4,000 times on the other side: 16 million steps for the first look alone.
    old = ["start", *["same"] * 4_000, "old", "end"]
    new = ["start", "new", *["same"] * 4_000, "end"]
    places = found_in(old, new)
    assert (places[0], places[-1]) == (0, len(old) - 1)
    assert places[1:-1] == [None] * 4_001
    assert found_in(old, new, work=10**9)[2] is not None


@pytest.fixture
def spent(monkeypatch):
    """Count the steps of difflib's innermost loop, which is what takes the time."""
    steps = [0]
    look = SequenceMatcher.find_longest_match

    def counting(self, alo=0, ahi=None, blo=0, bhi=None):
        steps[0] += sum(len(self.b2j.get(self.a[at], ())) + 1 for at in range(alo, ahi))
        return look(self, alo, ahi, blo, bhi)

    monkeypatch.setattr(SequenceMatcher, "find_longest_match", counting)
    return steps


def test_five_megabytes_of_hostile_repetition_are_not_even_looked_at(spent):
    line = "x" * 49
    old = [line if number % 2 else "" for number in range(200_000)]
    assert sum(len(each) + 1 for each in old) > 5_000_000
    assert found_in(old, ["first", *old, "last"]) == [None] * 200_002
    assert spent == [0]


def test_what_the_budget_does_not_reach_in_five_megabytes_counts_as_not_found(spent):
    """Each look costs a million steps for the repeated lines alone, so the third one is the last."""
    long = "x" * 79
    parts = [[f"{part} {number} {long}" for number in range(10_000)] for part in range(6)]
    repeated = ["same"] * 1_000
    old = [line for part in parts for line in ["old", *part]] + repeated
    new = [line for part in parts for line in [f"new {part[0]}", *part]] + ["new", *repeated, "end"]
    assert sum(len(each) + 1 for each in new) > 5_000_000
    places = found_in(old, new)
    assert 0 < spent[0] <= WORK
    assert all(place is None or old[place] == line for place, line in zip(places, new, strict=True))
    whole = [places[1 + 10_001 * part : 10_001 * (part + 1)] for part in range(6)]
    found = [None not in part for part in whole]
    assert [set(part) == {None} for part in whole] == [not each for each in found]
    assert 0 < sum(found) < 6
    assert None not in found_in(old, new, work=10**9)[1:10_001]


def test_texts_of_too_many_lines_are_not_compared():
    lines = ["a"] * (MOST_LINES + 1)
    assert found_in(lines, lines) == [None] * len(lines)
