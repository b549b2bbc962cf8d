"""Tells where white space has no meaning, for one side of a hunk in a language of known rules."""

from collections.abc import Sequence
from functools import cached_property
from typing import Final

from attrs import define, field

from werkrevisor_core.models.change import Hunk
from werkrevisor_core.models.ports import Side
from werkrevisor_core.patterns import lazy
from werkrevisor_rules._support import lexing_ecmascript
from werkrevisor_rules._support.lexing import COMMENT, LEXICONS, LITERAL, LexDoubt, Regions
from werkrevisor_rules._support.space import LINE_BREAKS, SPACE
from werkrevisor_rules._support.views import FileSides, begins_in_comment, offsets_of, start_of

_ELEMENTS: Final = frozenset({"jsx", "tsx"})
_TYPED_ONLY: Final = frozenset({"ts", "mts", "cts"})
_DIRECTIVE: Final = lazy(
    rb"[\"`]|@(?:ts-|vite|jsx|flow|license|preserve|cc_on|if|jest|vitest)|eslint|webpack|istanbul|c8 |prettier|biome"
    rb"|@cc|//(?:usr|bin|opt)/|sourceMapp|sourceURL|pragma|NOLINT|clang-format|noinspection|language=|spotless|formatter:|<reference|#"
)
"""What makes a comment one that a tool may read."""
_INCLUDE: Final = lazy(
    rb"(?:.*\*/)?+[ \t]*(?:#|%:|\?\?=)[ \t]*(?:include|import|embed|error|warning|pragma|ident|line|\\|\?\?/)"
    rb"|[ \t]*(?:export[ \t]+)?import[ \t]*<|.*__has_"
)
"""A line of C in which white space may belong to a name or a message."""
_DIRECTIVE_LINE: Final = lazy(rb"(?:.*\*/)?+[ \t]*(?:#|%:|\?\?=)(?![ \t]*(?:define|if|elif|undef)\b)")
_GOES_ON: Final = (b"\\", b"??/")
"""What joins a line to the next one in the languages of the C family."""
_EXAMPLE: Final = lazy(rb"(?i:output:)")
_GO_DIRECTIVE: Final = lazy(rb"[ \t]*//(?:[a-z]+:|[ \t]*\+build|export |line |extern )")
_GO_PROSE: Final = lazy(rb"// (?!\+build|Code generated|#|line )")
"""A comment of Go that stands in no function, where it could be the expected output of an example."""
_GO_HEAD: Final = lazy(rb"[ \t]*(?:package\b|import\b|\")")


@define(slots=False)
class Source:
    """A text in a language of known rules; what is asked of it is found out once.

    Args:
        text: the whole file, or one side of a hunk.
        family: a value of `lexing.FAMILIES`.
        extension: the extension of the file.
    """

    text: bytes = field(repr=False)
    family: str
    extension: str

    @cached_property
    def understood(self) -> bool:
        """Whether lines end as git thinks, and the text is none of another kind (of Qt Linguist, in XML)."""
        is_xml = self.family == "ecmascript" and self.text.lstrip()[:1] == b"<"
        return not is_xml and LINE_BREAKS.search(self.text) is None

    @cached_property
    def spans(self) -> bool:
        """Whether a literal could go over a line end."""
        if self.family == "ecmascript":
            spans = any(mark in self.text for mark in lexing_ecmascript.MAY_SPAN)
            return spans or (self.may_show_text and lexing_ecmascript.OPEN_ATTRIBUTE.search(self.text) is not None)
        return LEXICONS[self.family].may_span(self.text) or (self.has_example and self.has_blocks)

    @cached_property
    def regions(self) -> Regions | None:
        """The comments and literals, None where the text is not understood."""
        try:
            if self.may_show_text and lexing_ecmascript.TEXT_MARKS.search(self.text):
                return None
            return _regions(self.family, self.text, jsx=self.extension not in _TYPED_ONLY)
        except LexDoubt:
            return None

    @cached_property
    def has_blocks(self) -> bool:
        """Whether there are block comments."""
        return b"/*" in self.text or b"*/" in self.text

    @cached_property
    def may_show_text(self) -> bool:
        """Whether there may be JSX elements, whose text is no code."""
        may = self.family == "ecmascript" and self.extension not in _TYPED_ONLY
        return may and lexing_ecmascript.JSX.search(self.text) is not None

    @cached_property
    def has_example(self) -> bool:
        """Whether comments may be the expected output of an example."""
        return self.family == "go" and _EXAMPLE.search(self.text) is not None

    @cached_property
    def has_cgo(self) -> bool:
        """Whether comments may be code in C."""
        return self.family == "go" and b'"C"' in self.text

    @cached_property
    def needs_line_ends(self) -> bool:
        """Whether the text begins with a shebang."""
        return self.text.startswith(b"#!") and not self.text.startswith(b"#![")


@define
class Spacing:
    """One side of a hunk. `place` counts the lines of that side from 0.

    `offsets` is where each of its lines begins in the text of the source; `first_known` says that it
    is known what stands above.
    """

    source: Source
    _lines: Sequence[bytes]
    _offsets: list[int]
    _first_known: bool
    _continued: int = field(init=False)
    _nearest: tuple[list[bytes], list[bytes]] | None = field(default=None, init=False)
    _directives: frozenset[int] | None = field(default=None, init=False)

    def __attrs_post_init__(self) -> None:
        """Count the lines at the begin that continue, by backslashes, what may begin above the hunk."""
        ends = (place for place, line in enumerate(self._lines) if not line.rstrip(SPACE).endswith(_GOES_ON))
        self._continued = -1 if self._first_known else next(ends, len(self._lines))

    def line_is_free(self, place: int) -> bool:
        """Tell whether the white space around a line belongs to no literal."""
        if place <= self._continued or self.source.has_cgo:
            return False
        if not self.source.spans:
            return True
        regions = self.source.regions
        if regions is None:
            return False
        start = self._offsets[place]
        end = start + len(self._lines[place].rstrip(SPACE))
        return not any(self._is_fixed(regions, regions.inside(at)) for at in (start, end))

    def _is_fixed(self, regions: Regions, index: int) -> bool:
        if index < 0:
            return False
        if regions.kinds[index] == LITERAL:
            return True
        doc = self.source.text[regions.starts[index] : regions.starts[index] + 3]
        return (self.source.family == "rust" and doc in (b"/**", b"/*!")) or (
            self.source.has_example and doc[:2] == b"/*"
        )

    def gap_is_idle(self, place: int, column: int) -> bool:
        """Tell whether a run of white space inside a line only separates tokens or words of a comment."""
        line = self._lines[place]
        if self.source.family in ("c", "csharp") and (_INCLUDE.match(line) or place in self._long_directives()):
            return False
        if self.source.may_show_text or (place == 0 and self._offsets[0]):
            return False  # text of an element, or a line of which the one above is not shown
        if not self._first_known and self.source.extension in _ELEMENTS:
            return False
        marks = (
            lexing_ecmascript.LITERAL_MARKS
            if self.source.family == "ecmascript"
            else LEXICONS[self.source.family].quotes
        )
        if not self.source.spans and not marks.search(line) and not self.source.has_blocks:
            return True
        regions = self.source.regions
        index = -1 if regions is None else regions.at(self._offsets[place] + column)
        if regions is None or index < 0:
            return regions is not None
        return regions.kinds[index] == COMMENT and self._is_prose(line, regions.starts[index], regions.ends[index])

    def _long_directives(self) -> frozenset[int]:
        """Return the lines that go on, behind a backslash, with a directive in which white space may count."""
        if self._directives is None:
            found = []
            inside = goes_on = False
            for place, line in enumerate(self._lines):
                inside = inside if goes_on else _DIRECTIVE_LINE.match(line) is not None
                if goes_on and inside:
                    found.append(place)
                goes_on = line.rstrip(SPACE).endswith(_GOES_ON)
            self._directives = frozenset(found)
        return self._directives

    def _is_prose(self, line: bytes, start: int, end: int) -> bool:
        """Tell whether no tool reads the white space of the comment at `start`."""
        if self.source.family == "rust" or self.source.has_example:
            return False
        if self.source.family == "go" and not _GO_PROSE.match(line):
            return False
        return not _DIRECTIVE.search(self.source.text, start, end)

    def blank_is_idle(self, place: int) -> bool:
        """Tell whether a blank line may come or go."""
        if place == 0 and (self._offsets[0] or not self._first_known):
            return False  # the line above is not shown
        before = self._lines[place - 1] if place else b""
        above, after = self._neighbours(place)
        if before.rstrip(SPACE).endswith(_GOES_ON) or (after[:2] == b"#!" and after[:3] != b"#!["):
            return False
        if self.source.family == "kotlin" and after.lstrip(SPACE)[:1] == b"{":
            return False
        if self.source.family == "go" and not self._go_blank_is_idle(above, after):
            return False
        if not self.source.spans:
            return True
        regions = self.source.regions
        return regions is not None and not self._is_fixed(regions, regions.inside(self._offsets[place]))

    def _neighbours(self, place: int) -> tuple[bytes, bytes]:
        """Return the nearest lines above and below that are not blank, empty where there are none."""
        if self._nearest is None:
            self._nearest = _last_texts(self._lines), _last_texts(self._lines[::-1])[::-1]
        return self._nearest[0][place], self._nearest[1][place]

    def _go_blank_is_idle(self, before: bytes, after: bytes) -> bool:
        """A blank line ends a comment group, which may be a constraint, a preamble or expected output."""
        is_comment = before.lstrip(SPACE)[:2] == b"//" or before.rstrip(SPACE).endswith(b"*/")
        if not before:
            return self._first_known
        if _GO_DIRECTIVE.match(before) or _GO_DIRECTIVE.match(after) or self.source.has_cgo:
            return False
        if not is_comment:
            return True
        return bool(after) and not _GO_HEAD.match(after) and after.lstrip(SPACE)[:2] not in (b"//", b"/*")


def _last_texts(lines: Sequence[bytes]) -> list[bytes]:
    """Return for each line the nearest one before it that is not blank."""
    out = []
    last = b""
    for line in lines:
        out.append(last)
        if line.strip(SPACE):
            last = line
    return out


def _regions(family: str, text: bytes, *, jsx: bool) -> Regions:
    if family == "ecmascript":
        return lexing_ecmascript.regions(text, jsx=jsx)
    lexicon = LEXICONS[family]
    if lexicon.hazard is not None and lexicon.hazard.search(text):
        raise LexDoubt("an escape that may end a comment or a literal")
    return lexicon.regions(text)


@define
class SpacingReader:
    """Prepares the sides of the hunks of one file; a whole version of the file is read once."""

    _family: str
    _extension: str
    _sides: FileSides
    _whole: dict[Side, Source] = field(factory=dict, init=False)

    def spacing(self, hunk: Hunk, side: Side, lines: Sequence[bytes]) -> Spacing | None:
        """Return the answers for one side; None where it is not understood, or file and hunk disagree.

        Where the file is not known, the hunk is taken to begin in code, or in a block comment where one
        ends before any begins.
        """
        start = start_of(hunk, side)
        joined = b"\n".join(lines)
        file = None if start <= 1 else self._sides.get(side)
        shift = 0
        if file is not None:
            shift = file.offset(start)
            if not file.readable or file.text[shift : shift + len(joined)] != joined:
                return None
            source = self._whole.get(side) or Source(file.text, self._family, self._extension)
            self._whole[side] = source
        else:
            shift = 2 if start > 1 and begins_in_comment(joined) else 0
            source = Source(b"/*" + joined if shift else joined, self._family, self._extension)
        if not source.understood:
            return None
        return Spacing(source, lines, offsets_of(lines, shift), start <= 1 or file is not None)
