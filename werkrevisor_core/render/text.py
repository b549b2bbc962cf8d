"""The report for a terminal."""

from typing import Final

from werkrevisor_core import __version__
from werkrevisor_core.models.result import Review
from werkrevisor_core.render.report import report
from werkrevisor_core.render.sections import assemble
from werkrevisor_core.render.style import PlainStyle

TEXT_LIMIT: Final = 1_000_000
"""Bytes of text at most; more than anybody scrolls through, and the JSON has all."""


def render_text(review: Review, *, colour: bool = False, version: str = __version__, limit: int = TEXT_LIMIT) -> str:
    """Return the report of a review as plain text.

    Args:
        review: the finished review; controls in its text are neutralised, so it cannot drive the terminal.
        colour: whether headings and levels get ANSI colours.
        version: of werkrevisor, for the last part.
        limit: bytes of UTF-8 at most.

    Returns:
        Text with one line end at its end; what did not fit is counted in it.
    """
    style = PlainStyle(colour)
    return assemble(report(review, style, version), style, limit)
