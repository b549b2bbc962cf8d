"""Tells code from comments, strings, templates and regular expressions in JavaScript and TypeScript.

Whether a slash begins a regular expression depends on what stands before it. Where that cannot be
told, or where JSX text may stand, the reader says `LexDoubt` rather than guess.
"""

import re
from collections.abc import Iterator
from typing import Final

from werkrevisor_core.patterns import lazy
from werkrevisor_core.records import frozen
from werkrevisor_rules._support.lexing import COMMENT, LITERAL, LexDoubt, Regions

_MAX_NESTING: Final = 50

_TOKEN: Final = lazy(
    rb"(?P<c>//[^\n]*|/\*.*?\*/)"
    rb"|(?P<l>\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*')"
    rb"|(?P<template>`)"
    rb"|(?P<slash>/(?!\*))"
    rb"|(?P<bracket>[(){}\[\]])"
    rb"|(?P<tag><(?=[A-Za-z>/]))"
    rb"|(?P<import>(?<![\w$.#\x80-\xff])import(?![\w$\x80-\xff]))"
    rb"|(?P<bad>/\*|[\"'])",
    re.DOTALL,
)
_REGEX: Final = lazy(rb"/(?:[^/\\\[\n]|\\[^\n]|\[(?:[^\]\\\n]|\\[^\n])*\])+/[A-Za-z]*")
_TEMPLATE_PART: Final = lazy(rb"\\.|`|\$\{", re.DOTALL)
_BEFORE_REGEX: Final = frozenset(b"(,=:[!&|?{;+-*%<>~^")
_WORD_BEFORE: Final = lazy(
    rb"(?<![\w$.#\x80-\xff])(?:return|typeof|case|in|delete|void|instanceof|new|do|else|throw|default|extends)$"
)
_UNSURE_BEFORE: Final = lazy(rb"(?<![\w$.])(?:of|await|yield)$|\+\+$|--$|[./\x80-\xff]$|[\w$)\]}'\"`]!$|(?<!=)>$")
"""What may stand before a division and before a regular expression; `!` may assert a value in TypeScript."""
_CLOSING_TAG: Final = lazy(rb"/[ \t\r\n]*(?:[A-Za-z_$][\w$.:-]*[ \t\r\n]*)?>")
_NEAR: Final = 200
"""Bytes before a slash that are looked at."""
_WORD: Final = 16
"""Bytes that hold each of the words above and what stands before it."""
_BLANK: Final = b" \t\r\n\f"
_HTML_COMMENT: Final = lazy(rb"<!--|^\s*-->", re.MULTILINE)


@frozen
class Token:
    """One token that matters: its name (`c`, `l`, `bracket`, `tag`, `import`) and its span."""

    name: str
    start: int
    end: int


def tokens(text: bytes, at: int = 0, *, jsx: bool = True) -> Iterator[Token]:
    """Yield comments, literals, brackets, tags and the word `import`, lazily.

    Args:
        text: the text.
        at: where code begins.
        jsx: whether there may be elements, so that `</` may close one.

    Raises:
        LexDoubt: where code cannot be told from the rest.
    """
    last = (at, False)
    while (match := _TOKEN.search(text, at)) is not None:
        name = match.lastgroup or "bad"
        start, at = match.span()
        if name == "bad":
            raise LexDoubt(f"an open comment or string at byte {start}")
        if name == "template":
            at = template_end(text, start, 0, jsx=jsx)
            name = "l"
        elif name == "slash":
            end = _slash_end(text, start, last, jsx=jsx)
            if end is None:
                continue
            at = end
            name = "l"
        last = (at, name == "c")
        yield Token(name, start, at)


def template_end(text: bytes, start: int, depth: int, *, jsx: bool = True) -> int:
    """Return the end of a template literal, with what its substitutions nest.

    Raises:
        LexDoubt: it is not closed or nests too deep.
    """
    if depth > _MAX_NESTING:
        raise LexDoubt("templates nested too deep")
    at = start + 1
    while (match := _TEMPLATE_PART.search(text, at)) is not None:
        at = match.end()
        if match.group() == b"`":
            return at
        if match.group() == b"${":
            at = _substitution_end(text, at, depth, jsx=jsx)
    raise LexDoubt(f"an open template at byte {start}")


def _substitution_end(text: bytes, at: int, depth: int, *, jsx: bool) -> int:
    open_braces = 1
    last = (at, False)
    while (match := _TOKEN.search(text, at)) is not None:
        name = match.lastgroup
        start, at = match.span()
        if name == "bad":
            break
        if name == "template":
            at = template_end(text, start, depth + 1, jsx=jsx)
        elif name == "slash":
            end = _slash_end(text, start, last, jsx=jsx)
            if end is None:
                continue
            at = end
        elif match.group() == b"{":
            open_braces += 1
        elif match.group() == b"}":
            open_braces -= 1
            if not open_braces:
                return at
        last = (at, name == "c")
    raise LexDoubt("an open substitution in a template")


def _slash_end(text: bytes, start: int, last_token: tuple[int, bool], *, jsx: bool) -> int | None:
    """Return the end of a regular expression that begins at `start`, None for a division.

    `last_token` says where the token before ends, and whether that is a comment.
    """
    floor, behind_comment = last_token
    tag = jsx and text[start - 1 : start] == b"<"
    if tag and _CLOSING_TAG.match(text, start):
        return None
    before = text[max(0, floor - 1, start - _NEAR) : start].rstrip(_BLANK)
    last = before[-1:]
    tail = before[-_WORD:]
    is_word = _WORD_BEFORE.search(tail)
    code_between = text[max(floor, start - _NEAR) : start].strip(_BLANK)
    if (
        tag
        or (behind_comment and (not code_between or is_word))
        or (not code_between and start - floor > _NEAR)
        or _UNSURE_BEFORE.search(tail)
        or (is_word and _may_be_member(before[: len(before) - len(is_word.group())], far=start - floor > _NEAR))
    ):
        raise LexDoubt(f"a slash at byte {start} that is a division or a regular expression")
    if not last or last[0] in _BEFORE_REGEX or is_word:
        match = _REGEX.match(text, start)
        if match is None:
            if text[start + 1 : start + 2] == b">":
                return None  # the end of an empty element
            raise LexDoubt(f"an open regular expression at byte {start}")
        return match.end()
    if last in (b")", b"}"):
        line_end = text.find(b"\n", start)
        rest = text[start + 1 : line_end if line_end >= 0 else len(text)]
        if any(mark in rest for mark in (b"/", b'"', b"'", b"`")):
            raise LexDoubt(f"a slash at byte {start} that is a division or a regular expression")
    return None


def _may_be_member(before: bytes, *, far: bool) -> bool:
    """Tell whether a word may be the name of a member, given what stands before it."""
    before = before.rstrip(_BLANK)
    return before.endswith(b".") or (far and not before)


def regions(text: bytes, *, jsx: bool = True) -> Regions:
    """Find comments and literals.

    Args:
        text: the text.
        jsx: whether there may be elements in it.

    Raises:
        LexDoubt: where code cannot be told from the rest.
    """
    if _HTML_COMMENT.search(text):
        raise LexDoubt("a comment in the manner of HTML")
    starts: list[int] = []
    ends: list[int] = []
    kinds: list[str] = []
    for token in tokens(text, jsx=jsx):
        if token.name in ("c", "l"):
            starts.append(token.start)
            ends.append(token.end)
            kinds.append(COMMENT if token.name == "c" else LITERAL)
    return Regions(starts, ends, kinds)


MAY_SPAN: Final = (b"`", b"\\\n", b"\\\r\n")
"""Bytes one of which occurs in a text where a literal spans lines (JSX attributes aside)."""

OPEN_ATTRIBUTE: Final = lazy(rb"=(?:[ \t\r\n]|/\*[^*]*\*/|//[^\n]*\n)*+(?:\"[^\"\n]*+\n|'[^'\n]*+\n)")
"""An attribute of an element whose text goes over a line end."""

TEXT_MARKS: Final = lazy(rb"(?:(?<!=)>(?=[^<>{}]*[<{])|\}(?=[^<>{};=]*[<{]))(?=[^<>{}]*(?:`|/\*|['\"/][^\n`]{0,300}`))")
"""What may be text of an element with a mark that, in code, begins or hides a template or a comment.

Behind a brace, what holds a semicolon or an equals sign is taken for code.
"""

LITERAL_MARKS: Final = lazy(rb"[\"'`/]")
"""What must occur on a line that holds a literal or a comment."""

JSX: Final = lazy(rb"</|/>|<>")
"""What occurs in every text with JSX elements."""
