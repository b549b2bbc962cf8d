from hypothesis import given
from hypothesis import strategies as st

from werkrevisor_rules._support.anchors import CROSSED, anchored

texts = st.lists(st.sampled_from([b"a", b"b", b"c", b"d", b"}", b""]), max_size=8)


def lines(text):
    return [word.encode() for word in text.split(" ")]


def test_it_is_counted_how_many_common_lines_stand_above():
    assert anchored(lines("a b c"), lines("a x b c")) == ([0, 1, 2], [0, 1, 1, 2])


def test_lines_that_stand_twice_or_say_nothing_do_not_count():
    assert anchored(lines("a a b } c"), lines("a b } c")) == ([0, 0, 0, 1, 1], [0, 0, 1, 1])


def test_a_line_between_others_than_before_has_no_place():
    # In the second version b stands below x and y, and no line of the first has only them above.
    assert anchored(lines("a b x y"), lines("x y b a"))[1] == [0, CROSSED, CROSSED, CROSSED]
    assert anchored(lines("a b c d"), lines("b a c d"))[1] == [0, CROSSED, 2, 3]


@given(texts, texts)
def test_lines_with_the_same_place_have_the_same_lines_above(before, after):
    common = {each for each in before if each.strip(b"}") and before.count(each) == after.count(each) == 1}
    old, new = anchored(before, after)
    assert (len(old), len(new)) == (len(before), len(after))
    for at, place in enumerate(old):
        for then, other in enumerate(new):
            assert (place == other) == (common & set(before[:at]) == common & set(after[:then]))
