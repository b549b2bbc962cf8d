"""Reads as much Markdown as the gates for documents need: headings, sections, and what is code.

Where a renderer would see text and this reader code, an open question could hide; so a fence or a
comment ends here where its container ends, and what is in doubt counts as text.
"""

import re
from bisect import bisect_right
from typing import Final

from attrs import define, field

from werkrevisor_core.patterns import lazy
from werkrevisor_core.records import frozen

_FENCE: Final = lazy(r"`{3,}(?=[^`]*$)|~{3,}")
_ITEM: Final = lazy(r"(?:[-*+]|\d{1,9}[.)])(?=[ \t]|$)")
_DEEPEST: Final = 50  # lists in one line; renderers stop there, too
_RULER: Final = lazy(r"(?:=+|-+)[ \t]*$")


@frozen
class Heading:
    """A heading; `line` is 1-based, `level` is 1 to 6."""

    line: int
    level: int
    text: str


@frozen
class Markdown:
    """A document: its lines without line ends, which of them are text, and its headings."""

    lines: tuple[str, ...]
    is_text: tuple[bool, ...]
    headings: tuple[Heading, ...]

    def titled(self, title: str) -> tuple[Heading, ...]:
        """Return the headings of this title, whatever their level, case and emphasis."""
        wanted = plain(title)
        return tuple(heading for heading in self.headings if plain(heading.text) == wanted)

    def below(self, heading: Heading, *, nested: bool) -> range:
        """Return the 1-based numbers of the lines under a heading.

        Args:
            heading: one of this document.
            nested: whether the sections of lower headings belong to it.
        """
        behind = bisect_right(self.headings, heading.line, key=lambda other: other.line)
        later = (self.headings[index] for index in range(behind, len(self.headings)))
        ends = (other.line for other in later if not (nested and other.level > heading.level))
        return range(heading.line + 1, next(ends, len(self.lines) + 1))


def plain(title: str) -> str:
    """Return a title without emphasis, case, colon at its end and needless blanks."""
    return " ".join(re.sub(r"[*_`~]", "", title).split()).rstrip(": ").casefold()


@define
class _Reader:
    """State of one pass over the lines of a document."""

    fence: str = ""
    comment: bool = False
    container: int = 0
    items: list[int] = field(factory=list)
    headings: list[Heading] = field(factory=list)

    def take(self, number: int, line: str, before: tuple[str, str]) -> bool:
        """Take the next line with the two text lines before it; return whether it is text."""
        bare = line.lstrip(" \t")
        indent = len(line[: len(line) - len(bare)].expandtabs(4))
        if (self.fence or self.comment) and bare and indent < self.container:
            self.fence, self.comment = "", False
        if self.fence:
            self._close_fence(bare, indent)
            return False
        if self.comment:
            self.comment = "-->" not in bare
            return False
        if not bare:
            return True
        while self.items and indent < self.items[-1]:
            self.items.pop()
        if indent - (self.items[-1] if self.items else 0) > 3:
            return True
        return self._start(number, bare, indent, before)

    def _close_fence(self, bare: str, indent: int) -> None:
        run = bare.rstrip(" \t")
        if indent - self.container <= 3 and len(run) >= len(self.fence) and not run.strip(self.fence[0]):
            self.fence = ""

    def _start(self, number: int, bare: str, indent: int, before: tuple[str, str]) -> bool:
        for _ in range(_DEEPEST):
            if (item := _ITEM.match(bare)) is None:
                break
            rest = bare[item.end() :].lstrip(" \t")
            width = len(bare) - len(rest) if rest else item.end() + 1
            indent += width
            self.items.append(indent)
            bare = rest
        self.container = self.items[-1] if self.items else 0
        if fence := _FENCE.match(bare):
            self.fence = fence[0]
            return False
        if bare.startswith("<!--"):
            self.comment = "-->" not in bare
            return False
        if not self.items:
            self._heading(number, bare, before)
        return True

    def _heading(self, number: int, bare: str, before: tuple[str, str]) -> None:
        level = len(bare) - len(bare.lstrip("#"))
        if 1 <= level <= 6 and bare[level : level + 1] in ("", " ", "\t"):
            self.headings.append(Heading(number, level, _without_closing(bare[level:].strip())))
        elif _RULER.match(bare) and _is_title(*before):
            self.headings.append(Heading(number - 1, 1 if bare[0] == "=" else 2, before[1].strip()))


def _without_closing(text: str) -> str:
    bare = text.rstrip("#")
    return bare.rstrip() if bare != text and (not bare or bare[-1] in " \t") else text


def _is_title(above: str, line: str) -> bool:
    """Whether an underlined line is a paragraph of its own, so that the underline makes it a heading."""
    start = line.lstrip(" ")
    return bool(start) and not above.strip() and start[0] not in "#>|\t<" and not _ITEM.match(start)


def read_markdown(text: str) -> Markdown:
    """Return what the gates need of a document."""
    lines = tuple(line.removesuffix("\r") for line in text.split("\n"))
    reader = _Reader()
    is_text = []
    above = line_before = ""
    for number, line in enumerate(lines, 1):
        is_text.append(reader.take(number, line, (above, line_before)))
        above, line_before = line_before, line if is_text[-1] else ""
    return Markdown(lines, tuple(is_text), tuple(reader.headings))
