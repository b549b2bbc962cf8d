"""Keeps hints on text that the last round had already seen out of the line comments.

What it looks at:
    Hints in documents: files of the category docs and those that the globs of `[pr_doc]` name. Their
    lines are held against the file of the last head that was reviewed in full. A hint on a heading is
    about its whole section, one on several lines about all of them.

Why:
    Each fix of a document starts a new round, and a model then finds a new small point in text that the
    rounds before had seen. A line comment holds the merge, so that would never end.

Example:
    In the second round a hint on a paragraph that did not change stands only in the result comment, one
    on a changed line is a line comment as before.

Options:
    `[pr_doc] globs`, and `[review] doc_hint_line_comments`, with which hints of the model stay line
    comments on unchanged text, too.

Not covered:
    Findings on code, and findings of level YELLOW and above. Line comments of earlier rounds hold the
    merge until they are answered.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from werkrevisor_core.errors import ContentsUnavailable
from werkrevisor_core.globs import Globs
from werkrevisor_core.markers import hookimpl
from werkrevisor_core.models.classes import Category
from werkrevisor_core.models.context import Adjustment, ReviewContext
from werkrevisor_core.models.ports import Contents, Side
from werkrevisor_core.models.verdict import Finding, Level
from werkrevisor_core.rule import Phase, RuleInfo
from werkrevisor_rules._support.lines import found_in
from werkrevisor_rules._support.markdown import read_markdown
from werkrevisor_rules._support.pr_documents import PrDocSettings

RULE = RuleInfo(name="unchanged_text", phase=Phase.ADJUST, since="0.1.0", settings=PrDocSettings, section="pr_doc")

_NOTE: Final = "The last round had seen this text, so it is no line comment."


def _read(contents: Contents, path: str) -> bytes | None:
    try:
        return contents.read(Side.NEW, path)
    except ContentsUnavailable:
        return None


def _span(text: bytes, finding: Finding, start: int) -> range:
    """Return the 1-based lines that a finding is about."""
    lines = range(start, (finding.end if finding.end is not None else start) + 1)
    document = read_markdown(text.decode("utf-8", "replace"))
    heading = next((heading for heading in document.headings if heading.line in lines), None)
    if heading is None:
        return lines
    return range(lines.start, max(lines.stop, document.below(heading, nested=True).stop))


def _is_unchanged(places: Sequence[int | None], lines: range) -> bool:
    """Tell whether all these lines stand in the old text, with nothing taken out between them.

    Of several lines nothing may be taken out at their borders either: it belonged to the paragraph.
    """
    if not 1 <= lines.start < lines.stop <= len(places) + 1:
        return False
    if None in places[lines.start - 1 : lines.stop - 1]:
        return False
    wide = places[max(lines.start - 2, 0) : lines.stop]
    seen = [place for place in wide if place is not None]
    return len(lines) == 1 or all(following == place + 1 for place, following in pairwise(seen))


def evaluate(context: ReviewContext, findings: tuple[Finding, ...], settings: PrDocSettings) -> tuple[Adjustment, ...]:
    """Return an adjustment for every hint on unchanged text of a document."""
    earlier = context.earlier
    if earlier is None:
        return ()
    globs = Globs(settings.globs)
    documents = {
        file.path for file in context.files if file.category is Category.DOCS or globs.match(file.path) is not None
    }
    compared: dict[str, tuple[bytes, list[int | None]] | None] = {}
    found = []
    for index, finding in enumerate(findings):
        if finding.level is not Level.GREEN or finding.path not in documents or finding.side is not Side.NEW:
            continue
        if finding.start is None or (finding.from_model and context.doc_hint_line_comments):
            continue
        if finding.path not in compared:
            compared[finding.path] = _compared(earlier, context.contents, finding.path)
        text = compared[finding.path]
        if text is not None and _is_unchanged(text[1], _span(text[0], finding, finding.start)):
            found.append(Adjustment(index, Level.GREEN, _NOTE, result_comment_only=True))
    return tuple(found)


def _compared(earlier: Contents, now: Contents, path: str) -> tuple[bytes, list[int | None]] | None:
    """Return the text of a file and where the last round had each of its lines, None where that is not known."""
    old, new = _read(earlier, path), _read(now, path)
    if old is None or new is None:
        return None
    return new, found_in(old.split(b"\n"), new.split(b"\n"))


@hookimpl
def werkrevisor_adjust(
    context: ReviewContext, findings: tuple[Finding, ...], settings: PrDocSettings
) -> tuple[Adjustment, ...]:
    """Keep hints on unchanged text out of the line comments."""
    return evaluate(context, findings, settings)
