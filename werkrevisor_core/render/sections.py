"""Puts the parts of a report together within a bound of bytes, and says what did not fit."""

from collections.abc import Sequence
from typing import Final, Protocol

from werkrevisor_core.records import frozen
from werkrevisor_core.render.style import Style
from werkrevisor_core.render.wording import number

_NOTICE_ROOM: Final = 240
"""Bytes kept for a section's heading and its notice of what was left out."""


class Item(Protocol):
    """One item of a section; its text is made when there may be room for it."""

    def text(self, style: Style) -> str:
        """Return the item's lines, joined, without a line end behind the last."""


@frozen
class Section:
    """A list under a heading; `noun` names one item where some are left out."""

    title: str
    noun: str
    items: Sequence[Item]


def assemble(parts: Sequence[str | Section], style: Style, limit: int) -> str:
    """Join the parts; what does not fit is counted, never dropped in silence.

    Args:
        parts: text is shown whole; sections get the room that is left, the earlier ones first.
            Empty parts are left out.
        style: how headings and items are written.
        limit: bytes of UTF-8 at most; the texts alone must be smaller.

    Returns:
        The report, with one line end at its end.
    """
    shown = [part for part in parts if (part if isinstance(part, str) else part.items)]
    room = limit - sum(_size(part) + 2 if isinstance(part, str) else _NOTICE_ROOM for part in shown)
    texts = []
    for part in shown:
        if isinstance(part, str):
            texts.append(part)
        else:
            text, room = _section_text(part, style, room)
            texts.append(text)
    return "\n\n".join(texts) + "\n"


def _section_text(section: Section, style: Style, room: int) -> tuple[str, int]:
    rows: list[str] = []
    for item in section.items:
        row = item.text(style)
        if _size(row) + 1 > room:
            break
        room -= _size(row) + 1
        rows.append(row)
    left_out = len(section.items) - len(rows)
    if left_out:
        counted = number(left_out, f"{'more ' if rows else ''}{section.noun}")
        command = style.code("werkrevisor review --format json")
        rows.append(f"- {counted} did not fit in here; {command} lists all.")
    return f"{style.heading(section.title)}\n\n" + "\n".join(rows), room


def _size(text: str) -> int:
    return len(text.encode("utf-8"))
