"""The two dresses of one report: Markdown for the forge, plain text for a terminal."""

from collections.abc import Sequence
from typing import Final, Protocol

from werkrevisor_core.models.verdict import Level
from werkrevisor_core.records import frozen
from werkrevisor_core.render import markdown
from werkrevisor_core.render.visible import PATH_LIMIT, PROSE_LIMIT, SNIPPET_LIMIT, visible

_COLOURS: Final = {Level.GREEN: 32, Level.YELLOW: 33, Level.ORANGE: 35, Level.RED: 31, Level.ERROR: 31}
"""ANSI foreground colours."""
_BLOCK_LINES: Final = 30
"""Lines of a suggestion that are shown."""


class Style(Protocol):
    """How the pieces of a report are written. All text handed in may be hostile."""

    def name(self, text: str) -> str:
        """Return a path or another name."""

    def place(self, path: str, lines: str) -> str:
        """Return a path with line numbers (may be empty) behind it."""

    def code(self, text: str) -> str:
        """Return an id."""

    def quote(self, text: str) -> str:
        """Return a quoted line of a file."""

    def prose(self, text: str, limit: int = PROSE_LIMIT) -> str:
        """Return a message of a rule, a model or a person, as one line."""

    def level(self, level: Level, text: str) -> str:
        """Return text (of our own) that stands out as this level."""

    def heading(self, title: str) -> str:
        """Return a heading (of our own)."""

    def block(self, text: str, indent: str) -> str:
        """Return several lines of code, each behind `indent`."""

    def folded(self, title: str, lines: Sequence[str]) -> str:
        """Return lines that matter less, under a title (both of our own)."""


def _block_lines(text: str) -> list[str]:
    lines = text.strip("\n").split("\n")
    shown = [visible(line.removesuffix("\r"), SNIPPET_LIMIT, keep="\t") for line in lines[:_BLOCK_LINES]]
    if len(lines) > _BLOCK_LINES:
        shown.append(f"[... {len(lines) - _BLOCK_LINES:,} more lines ...]")
    return shown


@frozen
class MarkdownStyle:
    """Markdown of Gitea and Forgejo."""

    def name(self, text: str) -> str:
        """Return a path: bare where harmless, else a code span."""
        return markdown.name(text)

    def place(self, path: str, lines: str) -> str:
        """Return path and lines: bare where harmless, else a code span."""
        return markdown.place(path, lines)

    def code(self, text: str) -> str:
        """Return a code span."""
        return markdown.code(text)

    def quote(self, text: str) -> str:
        """Return a code span."""
        return markdown.code(text)

    def prose(self, text: str, limit: int = PROSE_LIMIT) -> str:
        """Return one line of text in which only code spans are Markdown."""
        return markdown.prose(text, limit)

    def level(self, level: Level, text: str) -> str:  # noqa: ARG002 (Markdown knows no colour)
        """Return bold text."""
        return f"**{text}**"

    def heading(self, title: str) -> str:
        """Return a small heading."""
        return f"#### {title}"

    def block(self, text: str, indent: str) -> str:
        """Return a fenced block that nothing inside can end."""
        lines = _block_lines(text)
        fence = "`" * max(3, len(markdown.fence_for("\n".join(lines))))
        return "\n".join(indent + line for line in [fence, *lines, fence])

    def folded(self, title: str, lines: Sequence[str]) -> str:
        """Return a `<details>` element."""
        rows = "\n".join(f"- {line}" for line in lines)
        return f"<details>\n<summary>{title}</summary>\n\n{rows}\n\n</details>"


@frozen
class PlainStyle:
    """Text for a terminal; only `colour` makes escape sequences, never the text that is shown."""

    colour: bool = False

    def name(self, text: str) -> str:
        """Return a path as it is, oddities visible."""
        return visible(text, PATH_LIMIT)

    def place(self, path: str, lines: str) -> str:
        """Return path and lines."""
        return f"{self.name(path)}:{lines}" if lines else self.name(path)

    def code(self, text: str) -> str:
        """Return an id as it is, oddities visible."""
        return visible(text, SNIPPET_LIMIT)

    def quote(self, text: str) -> str:
        """Return a line of a file between backticks, oddities visible."""
        shown = visible(text, SNIPPET_LIMIT, keep="\t")
        return f"`{shown}`" if shown else "(nothing)"

    def prose(self, text: str, limit: int = PROSE_LIMIT) -> str:
        """Return a message as one line."""
        return markdown.one_line(text, limit)

    def level(self, level: Level, text: str) -> str:
        """Return text in the level's colour."""
        return f"\x1b[1;{_COLOURS[level]}m{text}\x1b[0m" if self.colour else text

    def heading(self, title: str) -> str:
        """Return a heading, bold with colour."""
        return f"\x1b[1m{title}\x1b[0m" if self.colour else title

    def block(self, text: str, indent: str) -> str:
        """Return the lines behind a bar."""
        return "\n".join(f"{indent}| {line}" for line in _block_lines(text))

    def folded(self, title: str, lines: Sequence[str]) -> str:
        """Return title and lines."""
        return "\n".join([self.heading(title), *(f"  {line}" for line in lines)])
