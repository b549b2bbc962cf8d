"""The comment on the forge: the report in Markdown, bounded."""

from typing import Final

from werkrevisor_core import __version__
from werkrevisor_core.models.result import Review
from werkrevisor_core.render.report import report
from werkrevisor_core.render.sections import assemble
from werkrevisor_core.render.style import MarkdownStyle

COMMENT_LIMIT: Final = 60_000
"""Bytes of a comment at most: Gitea on MySQL stores a review of up to 64 KiB and fails above."""


def render_comment(review: Review, *, outlook: str = "", version: str = __version__, limit: int = COMMENT_LIMIT) -> str:
    """Return the comment of a review as Markdown.

    Args:
        review: the finished review; all its text may be hostile.
        outlook: a sentence of our own (Markdown, trusted) on what the forge does next, e.g. that the
            merge is scheduled; empty where nothing was done.
        version: of werkrevisor, for the folded part.
        limit: bytes of UTF-8 at most.

    Returns:
        Markdown with one line end at its end; what did not fit is counted in it.
    """
    style = MarkdownStyle()
    return assemble(report(review, style, version, outlook), style, limit)
