import pytest

from werkrevisor_rules._support.markdown import read_markdown
from werkrevisor_rules._support.prose import PLACEHOLDER, ScopeKind, mask, scopes


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a `b` c", "a @ c"),
        ("a ``b ` c`` d", "a @ d"),
        ("a ` b", "a ` b"),
        ("a `b `` c` d", "a @ d"),
        ("`` a ` b", "`` a ` b"),
        ("`a` `b`", "@ @"),
        ("a `b\nc` d", "a @\n d"),
        ("see [a b](c d) e", "see @ e"),
        ("see ![a](b)", "see @"),
        ("see [a][b] c", "see @ c"),
        ("[a]: https://b.org c", "@ c"),
        ("at <https://a.org> and https://b.org/c", "at @ and @"),
        ("[a\nb](c) d", "@\n d"),
        ("[a] (b) [c", "[a] (b) [c"),
        ("", ""),
    ],
)
def test_code_and_links_become_one_placeholder(text, expected):
    assert mask(text) == expected.replace("@", PLACEHOLDER)


def found(text, kind):
    return [(scope.start, scope.end, scope.text) for scope in scopes(read_markdown(text)) if scope.kind is kind]


def test_sentences_over_lines():
    text = "One. Two\ngoes on! (Three?) Four. \nFive e.g. six"
    assert found(text, ScopeKind.SENTENCE) == [
        (1, 1, "One."),
        (1, 2, "Two goes on!"),
        (2, 2, "(Three?)"),
        (2, 2, "Four."),
        (3, 3, "Five e.g."),
        (3, 3, "six"),
    ]


def test_sentence_end_before_a_blank_end_is_one_sentence():
    assert found("One. \n\n", ScopeKind.SENTENCE) == [(1, 1, "One.")]


def test_blocks_of_prose():
    text = "# T\na\nb\n\n- c\n  d\n- e\n1. f\n> g\n\n```\nx\n```\nh\n***\n"
    assert found(text, ScopeKind.PARAGRAPH) == [
        (2, 3, "a b"),
        (5, 6, "c d"),
        (7, 7, "e"),
        (8, 8, "f"),
        (9, 9, "g"),
        (14, 15, "h ***"),
    ]
    assert found(text, ScopeKind.HEADING) == [(1, 1, "T")]


def test_every_line_of_prose_and_every_heading_is_a_line():
    assert found("# T\na\n\n- b\n", ScopeKind.LINE) == [(1, 1, "T"), (2, 2, "a"), (4, 4, "b")]
