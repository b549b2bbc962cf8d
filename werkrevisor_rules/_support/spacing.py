"""Tells where white space has no meaning, for one side of a hunk in a language of known rules."""

import re
from collections.abc import Sequence
from typing import Final

from attrs import define, field

from werkrevisor_rules._support import lexing_ecmascript
from werkrevisor_rules._support.lexing import COMMENT, LEXICONS, LITERAL, LexDoubt, Regions
from werkrevisor_rules._support.space import SPACE
from werkrevisor_rules._support.views import FileText, begins_in_comment, offsets_of

_TYPED_ONLY: Final = frozenset({"ts", "mts", "cts"})
_DIRECTIVE: Final = re.compile(
    rb"[\"`]|@(?:ts-|vite|jsx|flow|license|preserve|cc_on|if|jest|vitest)|eslint|webpack|istanbul|c8 |prettier|biome"
    rb"|sourceMapp|sourceURL|pragma|NOLINT|clang-format|noinspection|language=|spotless|formatter:|<reference|#"
)
"""What makes a comment one that a tool may read."""
_INCLUDE: Final = re.compile(rb"[ \t]*#[ \t]*(?:include|import|embed|error|warning|pragma)")
_GO_DIRECTIVE: Final = re.compile(rb"[ \t]*//(?:[a-z]+:|[ \t]*\+build|export |line |extern )")
_GO_PROSE: Final = re.compile(rb"// (?!\+build|Code generated|#|line )")
"""A comment of Go that stands in no function, where it could be the expected output of an example."""
_CGO: Final = re.compile(rb'"C"')
_COMMENT_MARK: Final = (b"/*", b"*/")
_GO_HEAD: Final = re.compile(rb"[ \t]*(?:package\b|import\b|\")")


@define
class Spacing:
    """One side of a hunk. `place` counts the lines of that side of the hunk from 0.

    `shift` is where those lines begin in `text`: 0 for the text of the hunk alone.
    """

    _family: str
    _extension: str
    _lines: Sequence[bytes]
    _text: bytes
    _offsets: list[int]
    _first_known: bool
    needs_line_ends: bool
    _spans: bool
    _regions: Regions | None = field(default=None, init=False)
    _doubtful: bool = field(default=False, init=False)

    def line_is_free(self, place: int) -> bool:
        """Tell whether the white space around a line belongs to no literal."""
        if not self._first_known and self._continues(place):
            return False
        if self._family == "go" and _CGO.search(self._text):
            return False
        if not self._spans:
            return True
        regions = self._lexed()
        if regions is None:
            return False
        start = self._offsets[place]
        end = start + len(self._lines[place].rstrip(SPACE))
        return not any(self._is_fixed(regions, regions.inside(at)) for at in (start, end))

    def _continues(self, place: int) -> bool:
        """Tell whether a line continues, by backslashes, something that began above the hunk."""
        while place > 0 and self._lines[place - 1].rstrip(SPACE).endswith(b"\\"):
            place -= 1
        return place == 0

    def _is_fixed(self, regions: Regions, index: int) -> bool:
        if index < 0:
            return False
        if regions.kinds[index] == LITERAL:
            return True
        doc = self._text[regions.starts[index] : regions.starts[index] + 3]
        return self._family == "rust" and doc in (b"/**", b"/*!")

    def gap_is_idle(self, place: int, column: int) -> bool:
        """Tell whether a run of white space inside a line only separates tokens or words of a comment."""
        line = self._lines[place]
        if self._family == "c" and _INCLUDE.match(line):
            return False
        typed_only = self._family != "ecmascript" or self._extension in _TYPED_ONLY
        if not typed_only and lexing_ecmascript.JSX.search(self._text):
            return False
        marks = lexing_ecmascript.LITERAL_MARKS if self._family == "ecmascript" else LEXICONS[self._family].quotes
        if not self._spans and not marks.search(line) and not any(mark in self._text for mark in _COMMENT_MARK):
            return True
        regions = self._lexed()
        index = -1 if regions is None else regions.at(self._offsets[place] + column)
        if regions is None or index < 0:
            return regions is not None
        return regions.kinds[index] == COMMENT and self._is_prose(line, regions.starts[index], regions.ends[index])

    def _is_prose(self, line: bytes, start: int, end: int) -> bool:
        """Tell whether no tool reads the white space of the comment at `start`."""
        if self._family == "rust" or (self._family == "go" and not _GO_PROSE.match(line)):
            return False
        return not _DIRECTIVE.search(self._text, start, end)

    def blank_is_idle(self, place: int) -> bool:
        """Tell whether a blank line may come or go."""
        if place == 0 and not self._first_known:
            return False
        before = self._lines[place - 1] if place else b""
        after = next((line for line in self._lines[place + 1 :] if line.strip(SPACE)), b"")
        if before.rstrip(SPACE).endswith(b"\\") or (after[:2] == b"#!" and after[:3] != b"#!["):
            return False
        if self._family == "kotlin" and after.lstrip(SPACE)[:1] == b"{":
            return False
        if self._family == "go" and not self._go_blank_is_idle(place, after):
            return False
        if not self._spans:
            return True
        regions = self._lexed()
        return regions is not None and not self._is_fixed(regions, regions.inside(self._offsets[place]))

    def _go_blank_is_idle(self, place: int, after: bytes) -> bool:
        """A blank line ends a comment group, which may be a constraint, a preamble or expected output."""
        before = next((line for line in reversed(self._lines[:place]) if line.strip(SPACE)), b"")
        is_comment = before.lstrip(SPACE)[:2] == b"//" or before.rstrip(SPACE).endswith(b"*/")
        if not before:
            return place == 0 or self._first_known
        if _GO_DIRECTIVE.match(before) or _GO_DIRECTIVE.match(after) or _CGO.search(self._text):
            return False
        if not is_comment:
            return True
        return bool(after) and not _GO_HEAD.match(after) and after.lstrip(SPACE)[:2] not in (b"//", b"/*")

    def _lexed(self) -> Regions | None:
        """Return the comments and literals of the text, None where it is not understood."""
        if self._regions is None and not self._doubtful:
            try:
                self._regions = _regions(self._family, self._text)
            except LexDoubt:
                self._doubtful = True
        return self._regions


def _regions(family: str, text: bytes) -> Regions:
    if family == "ecmascript":
        return lexing_ecmascript.regions(text)
    lexicon = LEXICONS[family]
    if lexicon.hazard is not None and lexicon.hazard.search(text):
        raise LexDoubt("an escape that may end a comment or a literal")
    return lexicon.regions(text)


def spacing_of(
    family: str, extension: str, lines: Sequence[bytes], start: int, file: FileText | None
) -> Spacing | None:
    """Prepare one side of a hunk.

    Args:
        family: a value of `lexing.FAMILIES`.
        extension: the extension of the file.
        lines: the lines of this side of the hunk, without markers.
        start: the 1-based number of the first of them.
        file: the whole file, or None where it is not known; the hunk is then taken to begin in code, or
            in a block comment where one ends before any begins.

    Returns:
        The answers for this side, None where file and hunk disagree or the text has a hazard.
    """
    joined = b"\n".join(lines)
    text, shift = joined, 0
    if file is not None:
        text, shift = file.text, file.offset(start)
        fits = file.readable and text[shift : shift + len(joined)] == joined
        if not fits or text.count(b"\r") != text.count(b"\r\n"):
            return None
    elif start > 1 and begins_in_comment(joined):
        text, shift = b"/*" + joined, 2
    if family == "ecmascript":
        if text.lstrip()[:1] == b"<":
            return None  # XML, e.g. of Qt Linguist
        spans = any(mark in text for mark in lexing_ecmascript.MAY_SPAN)
    else:
        spans = LEXICONS[family].may_span(text)
    known = file is not None or start <= 1
    shebang = text.startswith(b"#!") and not text.startswith(b"#![")
    return Spacing(family, extension, lines, text, offsets_of(lines, shift), known, shebang, spans)
