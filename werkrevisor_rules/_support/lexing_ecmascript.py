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
_WORD_BEFORE: Final = lazy(rb"(?<![\w$.])(?:return|typeof|case|in|delete|void|instanceof|new|do|else|throw|default)$")
_UNSURE_BEFORE: Final = lazy(rb"(?<![\w$.])(?:of|await|yield)$|\+\+$|--$|\*/$")
"""What may stand before a division and before a regular expression."""
_HTML_COMMENT: Final = lazy(rb"<!--|^\s*-->", re.MULTILINE)


@frozen
class Token:
    """One token that matters: its name (`c`, `l`, `bracket`, `tag`, `import`) and its span."""

    name: str
    start: int
    end: int


def tokens(text: bytes, at: int = 0) -> Iterator[Token]:
    """Yield comments, literals, brackets, tags and the word `import`, lazily.

    Raises:
        LexDoubt: where code cannot be told from the rest.
    """
    code_end = at
    while (match := _TOKEN.search(text, at)) is not None:
        name = match.lastgroup or "bad"
        start, at = match.span()
        if name == "bad":
            raise LexDoubt(f"an open comment or string at byte {start}")
        if name == "template":
            at = template_end(text, start, 0)
            name = "l"
        elif name == "slash":
            end = _slash_end(text, start, code_end)
            if end is None:
                continue
            at = end
            name = "l"
        if name != "c":
            code_end = at
        yield Token(name, start, at)


def template_end(text: bytes, start: int, depth: int) -> int:
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
            at = _substitution_end(text, at, depth)
    raise LexDoubt(f"an open template at byte {start}")


def _substitution_end(text: bytes, at: int, depth: int) -> int:
    open_braces = 1
    code_end = at
    while (match := _TOKEN.search(text, at)) is not None:
        name = match.lastgroup
        start, at = match.span()
        if name == "bad":
            break
        if name == "template":
            at = template_end(text, start, depth + 1)
        elif name == "slash":
            at = _slash_end(text, start, code_end) or at
        elif match.group() == b"{":
            open_braces += 1
        elif match.group() == b"}":
            open_braces -= 1
            if not open_braces:
                return at
        if name != "c":
            code_end = at
    raise LexDoubt("an open substitution in a template")


def _slash_end(text: bytes, start: int, floor: int) -> int | None:
    """Return the end of a regular expression that begins at `start`, None for a division."""
    before = text[max(floor, start - 200) : start].rstrip(b" \t\r\n")
    last = before[-1:] or text[max(0, floor - 1) : floor]
    if _UNSURE_BEFORE.search(before):
        raise LexDoubt(f"a slash at byte {start} that is a division or a regular expression")
    if text[start - 1 : start] == b"<":
        return None  # the closing tag of an element
    if not last or last[0] in _BEFORE_REGEX or _WORD_BEFORE.search(before):
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


def regions(text: bytes) -> Regions:
    """Find comments and literals.

    Raises:
        LexDoubt: where code cannot be told from the rest.
    """
    if _HTML_COMMENT.search(text):
        raise LexDoubt("a comment in the manner of HTML")
    starts: list[int] = []
    ends: list[int] = []
    kinds: list[str] = []
    for token in tokens(text):
        if token.name in ("c", "l"):
            starts.append(token.start)
            ends.append(token.end)
            kinds.append(COMMENT if token.name == "c" else LITERAL)
    return Regions(starts, ends, kinds)


MAY_SPAN: Final = (b"`", b"\\\n", b"\\\r\n")
"""Bytes one of which occurs in a text where a literal spans lines (JSX attributes aside)."""

LITERAL_MARKS: Final = lazy(rb"[\"'`/]")
"""What must occur on a line that holds a literal or a comment."""

JSX: Final = lazy(rb"</|/>|<>")
"""What occurs in every text with JSX elements."""
