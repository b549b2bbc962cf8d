"""Cuts the prose of a document into lines, sentences, paragraphs and headings.

Code blocks, inline code and links are no prose: code blocks are left out, and each inline code or
link is replaced by one placeholder, so that the words around it stay a sentence.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from enum import StrEnum
from typing import Final

from werkrevisor_core.patterns import lazy
from werkrevisor_core.records import frozen
from werkrevisor_rules._support.markdown import Markdown

PLACEHOLDER: Final = "\ufffc"
"""Stands for an inline code or a link."""

_LEADING: Final = lazy(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(?:\[[ xX]\][ \t]+)?")
_NEW_BLOCK: Final = lazy(r"[ \t]*(?:[-*+|>]|\d{1,9}[.)])(?:[ \t]|$)|[ \t]*\|")
_UNDERLINE: Final = lazy(r"[ \t]*(?:=+|-+)[ \t]*$")
_LINK: Final = lazy(
    r"!?\[[^\[\]]{0,2000}\](?:\([^()]{0,2000}\)|\[[^\[\]]{0,2000}\]|:[ \t]\S{0,2000})|<?\bhttps?://[^\s<>]*>?"
)
_SENTENCE_END: Final = lazy(r"[.!?…][\"'*_)\]»”]*(?=\s)")


class ScopeKind(StrEnum):
    """What a writing rule is held against."""

    LINE = "line"
    SENTENCE = "sentence"
    PARAGRAPH = "paragraph"
    HEADING = "heading"


@frozen
class Scope:
    """A piece of prose with its first and last line, 1-based."""

    kind: ScopeKind
    start: int
    end: int
    text: str


def scopes(document: Markdown) -> Iterator[Scope]:
    """Yield every piece of prose of every kind."""
    titles = {heading.line: heading.text for heading in document.headings}
    block: list[str] = []
    start = 0
    for number, line in enumerate((*document.lines, ""), 1):
        is_text = number <= len(document.lines) and document.is_text[number - 1]
        prose = is_text and bool(line.strip()) and not _UNDERLINE.match(line)
        if block and (not prose or number in titles or _NEW_BLOCK.match(line)):
            yield from _block(start, block)
            block = []
        if number in titles:
            text = mask(titles[number])
            yield Scope(ScopeKind.HEADING, number, number, text)
            yield Scope(ScopeKind.LINE, number, number, text)
        elif prose:
            start = start if block else number
            block.append(_LEADING.sub("", line, count=1))


def _block(start: int, lines: list[str]) -> Iterator[Scope]:
    text = mask("\n".join(lines))
    for number, line in enumerate(text.split("\n"), start):
        yield Scope(ScopeKind.LINE, number, number, line)
    end = start + len(lines) - 1
    yield Scope(ScopeKind.PARAGRAPH, start, end, text.replace("\n", " "))
    at = 0
    number = start
    for stop in [*(match.end() for match in _SENTENCE_END.finditer(text)), len(text)]:
        piece = text[at:stop]
        lead = piece[: len(piece) - len(piece.lstrip())]
        first = number + lead.count("\n")
        number += piece.count("\n")
        at = stop
        if piece.strip():
            yield Scope(ScopeKind.SENTENCE, first, number, piece.strip().replace("\n", " "))


def mask(text: str) -> str:
    """Replace inline code and links by a placeholder each; line ends inside them stay."""
    return _LINK.sub(_placeholder, _without_code(text))


def _placeholder(match: "re.Match[str]") -> str:
    return PLACEHOLDER + "\n" * match[0].count("\n")


def _without_code(text: str) -> str:
    """Replace inline code: a run of backticks up to the next run of the same length."""
    runs = [(match.start(), match.end()) for match in re.finditer("`+", text)]
    by_length: dict[int, list[int]] = defaultdict(list)
    for index in range(len(runs) - 1, -1, -1):
        by_length[runs[index][1] - runs[index][0]].append(index)
    out = []
    at = index = 0
    while index < len(runs):
        start, end = runs[index]
        same = by_length[end - start]
        while same and same[-1] <= index:
            same.pop()
        if not same:
            index += 1
            continue
        closing = same[-1]
        code = text[start : runs[closing][1]]
        out += [text[at:start], PLACEHOLDER, "\n" * code.count("\n")]
        at = runs[closing][1]
        index = closing + 1
    return "".join([*out, text[at:]])
