"""Hostile text stays text: what we write is parsed by an independent Markdown parser."""

import re
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from werkrevisor_core.render import markdown
from werkrevisor_core.render.style import MarkdownStyle
from werkrevisor_core.render.visible import PATH_LIMIT, SNIPPET_LIMIT, visible

PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])

HOSTILE = [
    "`", "``", "```", "|", "||", "a|b\n-|-\n", "<b>", "</details>", "<!--", "-->", "<img src=x>", "<script>",
    "&lt;", "&#64;all", "@all", "@bob", "#1", "!5", "owner/repo#1", "repo@deadbeef", "deadbeef", "1234567",
    "GH-12", "ABC-1", "\n", "\r", "\r\n", "\t", "\x00", "\x1b[2J", "\x85", "\u2028", "\u202e", "\u200b",
    "\udcff", "\ud800", "www.example.com", "http://example.com/", "https://x.y", "ftp://a.b", "mailto:a@b.c",
    "a@b.c", "javascript:alert(1)", ":x:", ":100:", "*a*", "**", "_a_", "__init__", "~~a~~", "~", "$x$", "$$",
    "^", "[a](b)", "![a](b)", "[a][b]", "[a]: b", "[[wiki]]", "[^1]", "[ ] ", "[x] ", "- ", "+ ", "* ", "1. ",
    "1) ", "# ", "> ", "---", "===", "    ", ": ", "\\", "\\\n", "  \n", " ", "a", "B.java", "x_y", "é", "(",
    ")", "'", '"', ".", "!", ",", "/", "{", "}", "=", "\u21b5",
]  # fmt: skip

fragment = st.one_of(st.sampled_from(HOSTILE), st.text(max_size=3))
text = st.lists(st.one_of(fragment, fragment.map(" {} ".format)), max_size=12).map("".join)

ACTIVE = re.compile(
    r"@\w|[#!]\d|www\.|://|mailto:|(?<!\w)[0-9a-f]{7,64}(?!\w)|:[-+\w]+:|\[\[|[<>&\\`*~$^|]|(?<!\w)[A-Z]{1,10}-[1-9]\d*(?!\w)"
)
"""What the forge or Markdown would act on in plain text."""

FRAMES = ["{}", "- {}", "- **RED** `id`: {}", "  - {}", "see {} (imports), {} and 2 more."]


def leaves(source: str) -> list[Token]:
    """Return the inline tokens, after checking that there are no blocks but paragraphs and lists of ours."""
    blocks = PARSER.parse(source)
    kinds = {token.type for token in blocks}
    listed = {"bullet_list_open", "bullet_list_close", "list_item_open", "list_item_close"}
    assert kinds <= {"paragraph_open", "paragraph_close", "inline"} | listed
    assert sum(token.type == "list_item_open" for token in blocks) == source.lstrip().startswith("- ")
    assert sum(token.type == "inline" for token in blocks) <= 1
    return [leaf for token in blocks if token.type == "inline" for leaf in token.children or []]


WRITERS = [markdown.name, markdown.code, markdown.prose]


def check_inert(written: str, frame: str) -> None:
    assert "\n" not in written
    found = leaves(frame.replace("{}", written))
    ours = {"text", "code_inline"} | ({"strong_open", "strong_close"} if "**RED**" in frame else set())
    assert {leaf.type for leaf in found} <= ours
    plain = "\0".join(leaf.content for leaf in found if leaf.type == "text")
    assert not ACTIVE.search(plain)


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("write", WRITERS)
@settings(max_examples=150, deadline=None)
@given(hostile=text)
def test_no_hostile_text_becomes_markup(write: Callable[[str], str], frame: str, hostile: str) -> None:
    check_inert(write(hostile), frame)


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("write", WRITERS)
def test_no_single_hostile_text_becomes_markup(write: Callable[[str], str], frame: str) -> None:
    for hostile in HOSTILE:
        check_inert(write(hostile), frame)
        check_inert(write(f"a {hostile} b"), frame)


@settings(max_examples=150, deadline=None)
@given(hostile=text)
def test_a_name_and_a_quoted_line_read_as_they_are(hostile: str) -> None:
    for written, shown in (
        (markdown.name(hostile), visible(hostile, PATH_LIMIT)),
        (markdown.code(hostile), visible(hostile, SNIPPET_LIMIT, keep="\t")),
    ):
        found = leaves(f"x {written} y")
        assert "".join(leaf.content for leaf in found) == f"x {shown or '(nothing)'} y"


@settings(max_examples=300, deadline=None)
@given(hostile=text)
def test_a_message_reads_as_it_is_but_for_backticks_and_spaces(hostile: str) -> None:
    found = leaves(f"x {markdown.prose(hostile)} y")
    read = "".join(leaf.content for leaf in found)
    assert re.sub(r"[` ]", "", read) == re.sub(r"[` ]", "", f"x{markdown.one_line(hostile)}y")


@settings(max_examples=150, deadline=None)
@given(hostile=text)
def test_a_suggestion_stays_inside_its_fence(hostile: str) -> None:
    blocks = PARSER.parse("- a\n" + MarkdownStyle().block(hostile, "  ") + "\n- b")
    assert [token.type for token in blocks if token.type in ("fence", "html_block", "heading_open")] == ["fence"]
    assert [token.content for token in blocks if token.type == "inline"] == ["a", "b"]


@pytest.mark.parametrize(
    "name",
    [
        "B.java",
        "src/main/java/net/example/auth/Login.java",
        "a_b.py",
        ".werkrevisor.toml",
        ".gitea/workflows/ci.yml",
        "docs/2026-10-12-hints.md",
        "pkg/foo_test.go",
        "Makefile",
        "imports",
        "a__b.c",
        "V20240101__init.sql",
    ],
)
def test_harmless_names_stand_as_they_are(name: str) -> None:
    assert markdown.name(name) == name


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a b.c", "`a b.c`"),
        ("pkg/__init__.py", "`pkg/__init__.py`"),
        ("_a", "`_a`"),
        ("-rf", "`-rf`"),
        ("größe.md", "`größe.md`"),
        ("x`y", "``x`y``"),
        ("`", "`` ` ``"),
        (" a", "`  a `"),
        ("  ", "`  `"),
        ("", "(nothing)"),
        ("@all", "`@all`"),
        ("#1", "`#1`"),
        ("a|b", "`a|b`"),
        ("<b>.java", "`<b>.java`"),
        ("www.example.com", "`www.example.com`"),
        ("docs/deadbeef.md", "`docs/deadbeef.md`"),
        ("1234567", "`1234567`"),
        ("ABC-12", "`ABC-12`"),
        (":x:", "`:x:`"),
        ("-->", "`-->`"),
        ("a\nb", "`a<U+000A>b`"),
        ("caf\udce9.txt", "`caf\\xe9.txt`"),
        ("a" * 241, "`" + "a" * 160 + " [... 1 of 241 characters left out ...] " + "a" * 80 + "`"),
    ],
)
def test_other_names_stand_in_a_code_span(name: str, expected: str) -> None:
    assert markdown.name(name) == expected


def test_line_numbers_stand_inside_the_span() -> None:
    assert markdown.place("src/a.c", "7-9") == "src/a.c:7-9"
    assert markdown.place("a b.c", "7") == "`a b.c:7`"
    assert markdown.place("a b.c", "") == "`a b.c`"


CONFIG_FAULT = "[mechanical] imports.java has an invalid regex '(unclosed'"


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (CONFIG_FAULT, CONFIG_FAULT),
        ("The rule `x_y` failed.", "The rule `x_y` failed."),
        ("ask @all now", "ask `@all` now"),
        ("ask @all @bob now", "ask `@all @bob` now"),
        ("fixes #1, see PR#2", "fixes `#1`, see `PR#2`"),
        ("see #1: :x: and www.", "see `#1: :x:` and `www.`"),
        ("so @all.. or @a:b:", "so `@all.`. or `@a:b:`"),
        ("two\nlines\r\n\r\nhere", "two \u21b5 lines \u21b5 here"),
        ("an unclosed ` tick", "an unclosed `` ` `` tick"),
        ("`a``b`", "```a``b```"),
        ("`a`@b", "`a` `@b`"),
        ("1. no list", "`1.` no list"),
        ("- no list", "`-` no list"),
        ("[ ] no box", "`[` ] no box"),
        ("a - b 1. c", "a - b 1. c"),
        ("x <!-- y", "x `<!--` y"),
        ("", ""),
    ],
)  # fmt: skip
def test_messages_keep_their_words(message: str, expected: str) -> None:
    assert markdown.prose(message) == expected


def test_a_message_of_many_backticks_is_read_in_bounded_time_and_length() -> None:
    assert len(markdown.prose("`a``b" * 200_000)) < 5_000
