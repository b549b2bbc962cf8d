"""Explains lines that differ in white space only, as `git diff -b --ignore-blank-lines` sees it.

What it looks at:
    Changed lines of languages whose lexical rules are known here, paired in their order, and blank
    lines. Beyond git, a change inside a literal, behind a backslash, of a line end that a shebang
    needs, or in a comment that a tool obeys is not explained.

Why:
    A new indentation gives nobody anything to judge where indentation has no meaning (seed PR#11,
    11.06).

Example:
    Tabs in place of spaces before `return 1;` in `a.c` are explained, in `a.py` never.

Options:
    `[mechanical] enabled` and `whitespace_significant`.

Not covered:
    Line breaks and spaces between tokens where there were none, which git shows too. Indentation
    that comes from nothing or vanishes wholly, for the same reason.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from attrs import define, field

from werkrevisor_core.markers import hookimpl
from werkrevisor_core.models.change import FileChange, Hunk, Status
from werkrevisor_core.models.classes import Classifier, Explained
from werkrevisor_core.models.ports import Contents, Side
from werkrevisor_core.patterns import lazy
from werkrevisor_core.rule import Phase, RuleInfo
from werkrevisor_rules._support.lexing import FAMILIES
from werkrevisor_rules._support.mechanical import MechanicalSettings, SignificantNames, extension
from werkrevisor_rules._support.space import LINE_BREAKS, SPACE, SpaceBlock, inner_runs, space_blocks
from werkrevisor_rules._support.spacing import Spacing, SpacingReader
from werkrevisor_rules._support.views import FileSides, side_lines

RULE = RuleInfo("whitespace", Phase.CLASSIFY, "0.1.0", settings=MechanicalSettings, section="mechanical")

_NOTHING: Final = Explained({})
_SAME: Final = "same text but for white space"
_BLANK: Final = "blank line"
_TRIES: Final = 20
"""Changed lines that are looked at before the whole file is read line by line."""
_TWICE: Final = 2
_CHANGED: Final = lazy(rb"\n[+-]")


@hookimpl
def werkrevisor_classifier(contents: Contents, settings: MechanicalSettings) -> Classifier | None:
    """Return the classifier, or None where mechanical changes are off."""
    if not settings.enabled:
        return None
    return WhitespaceClassifier(contents, SignificantNames(settings.whitespace_significant))


@define
class WhitespaceClassifier:
    """Explains the lines of a file that differ in white space only."""

    _contents: Contents
    _significant: SignificantNames

    def rules_out(self, file: FileChange, text: bytes, at: int) -> int:
        """Return where the first changed line begins that is not blank and stands nowhere else with other space."""
        name = extension(file.path)
        if name not in FAMILIES or file.status is not Status.MODIFIED or self._significant.match(file.path, name):
            return at
        squeezed = text.translate(None, SPACE)
        for _ in range(_TRIES):
            line = text[at + 1 : text.index(b"\n", at)].translate(None, SPACE)
            if line and squeezed.count(line) < _TWICE:
                return at
            following = _CHANGED.search(text, at)
            if following is None:
                break
            at = following.start() + 1
        return -1

    def explain(self, file: FileChange, hunks: Sequence[Hunk]) -> Iterator[Explained] | None:
        """Explain a modified file hunk by hunk; None where white space may have a meaning."""
        name = extension(file.path)
        family = FAMILIES.get(name)
        if family is None or file.status is not Status.MODIFIED or self._significant.match(file.path, name):
            return None
        return self._hunks(file, hunks, family)

    def _hunks(self, file: FileChange, hunks: Sequence[Hunk], family: str) -> Iterator[Explained]:
        reader: SpacingReader | None = None
        for hunk in hunks:
            blocks = space_blocks(hunk.lines)
            if not blocks or LINE_BREAKS.search(b"\n".join(hunk.lines)):
                yield _NOTHING
                continue
            reader = reader or SpacingReader(family, extension(file.path), FileSides(self._contents, file))
            yield Explained(_Answers(blocks, _Judge(hunk, reader)))


class _Answers(Mapping[int, str]):
    """What is explained of one hunk; a line is judged when it is asked about.

    Most files end at a line that no block of white space holds, and then nothing has to be judged.
    """

    def __init__(self, blocks: Sequence[SpaceBlock], judge: "_Judge") -> None:
        """Take the lines that white space may explain."""
        self._pairs = {line: pair for block in blocks for pair in block.pairs if pair[0] != pair[1] for line in pair}
        self._blank = {line for block in blocks for line in block.blank}
        self._judge = judge
        self._known: dict[int, str | None] = {}

    def _answer(self, line: int) -> str | None:
        if line not in self._known:
            pair = self._pairs.get(line)
            if pair is not None and self._judge.allows_pair(*pair):
                self._known.update(dict.fromkeys(pair, _SAME))
            elif line in self._blank and self._judge.allows_blank(line):
                self._known[line] = _BLANK
            else:
                self._known.update(dict.fromkeys(pair or (line,)))
        return self._known[line]

    def __contains__(self, line: object) -> bool:
        """Tell whether a line is explained."""
        return isinstance(line, int) and (line in self._pairs or line in self._blank) and self._answer(line) is not None

    def __getitem__(self, line: int) -> str:
        """Return the proof of a line."""
        if line not in self or (answer := self._answer(line)) is None:
            raise KeyError(line)
        return answer

    def __iter__(self) -> Iterator[int]:
        """Yield the lines that are explained."""
        return (line for line in sorted({*self._pairs, *self._blank}) if line in self)

    def __len__(self) -> int:
        """Return how many lines are explained."""
        return sum(1 for _ in self)


@define
class _Judge:
    """Says of the lines of one hunk where white space has no meaning in their language."""

    _hunk: Hunk
    _reader: SpacingReader
    _spacing: dict[Side, Spacing | None] = field(factory=dict, init=False)
    _places: dict[Side, dict[int, int]] = field(factory=dict, init=False)

    def _side(self, side: Side) -> Spacing | None:
        if side not in self._spacing:
            indices, lines = side_lines(self._hunk, side)
            self._places[side] = {index: place for place, index in enumerate(indices)}
            self._spacing[side] = self._reader.spacing(self._hunk, side, lines)
        return self._spacing[side]

    def allows_pair(self, old: int, new: int) -> bool:
        """Tell whether the white space that differs between a removed and an added line is idle."""
        before, after = self._side(Side.OLD), self._side(Side.NEW)
        if before is None or after is None:
            return False
        old_place, new_place = self._places[Side.OLD][old], self._places[Side.NEW][new]
        old_line, new_line = self._hunk.lines[old][1:], self._hunk.lines[new][1:]
        if not (before.line_is_free(old_place) and after.line_is_free(new_place)):
            return False
        if old_line.endswith(b"\r") is not new_line.endswith(b"\r") and (
            before.source.needs_line_ends or after.source.needs_line_ends
        ):
            return False
        stripped = old_line.rstrip(SPACE)
        if stripped[:2] == b"#!" and stripped[:3] != b"#![":
            return False
        if stripped.endswith((b"\\", b"??/")) and (
            old_line == new_line or old_line[len(stripped) :] != new_line[len(new_line.rstrip(SPACE)) :]
        ):
            return False
        return old_line.strip(SPACE) == new_line.strip(SPACE) or all(
            before.gap_is_idle(old_place, left) and after.gap_is_idle(new_place, right)
            for left, right in inner_runs(old_line, new_line)
        )

    def allows_blank(self, index: int) -> bool:
        """Tell whether a blank line that comes or goes has no meaning where it stands."""
        side = Side.OLD if self._hunk.lines[index][:1] == b"-" else Side.NEW
        spacing = self._side(side)
        return spacing is not None and spacing.blank_is_idle(self._places[side][index])


__all__ = ["RULE", "WhitespaceClassifier", "werkrevisor_classifier"]
