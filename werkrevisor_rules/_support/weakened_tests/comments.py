"""Finds runs of comments that only the new version of a text has: code that was commented out."""

import re
from collections.abc import Iterator
from typing import Final

from werkrevisor_core.records import frozen

_LINE: Final = re.compile(r"\s*(?://|#|--|\*(?!/))(.*)")


@frozen
class CommentRun:
    """Comment lines that follow each other: where, their text without marks and blanks, the first line."""

    path: str
    line: int
    text: str
    first: str


def _comment_lines(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield (line, text without mark, whole line) of lines that are comments from their first character on."""
    inside = False
    for number, line in enumerate(text.split("\n"), 1):
        stripped = line.strip()
        if inside or stripped.startswith("/*"):
            body = stripped.removeprefix("/*").partition("*/")[0]
            inside = "*/" not in stripped
            yield number, body, stripped
        elif found := _LINE.fullmatch(line):
            yield number, found[1], stripped


def new_comments(path: str, old: frozenset[str], text: str) -> list[CommentRun]:
    """Return the runs of comments of a text of which some line is no comment line of the old texts.

    Args:
        path: the path, for the runs.
        old: comment lines of all old versions.
        text: the new version.
    """
    out: list[CommentRun] = []
    run: list[tuple[int, str, str]] = []

    def close() -> None:
        fresh = [line for line in run if line[2] not in old]
        if fresh:
            out.append(CommentRun(path, fresh[0][0], "".join("".join(part.split()) for _, part, _ in run), fresh[0][2]))
        run.clear()

    for line in _comment_lines(text):
        if run and line[0] != run[-1][0] + 1:
            close()
        run.append(line)
    close()
    return out


def comment_lines(text: str) -> frozenset[str]:
    """Return the comment lines of a text."""
    return frozenset(whole for _, _, whole in _comment_lines(text))
