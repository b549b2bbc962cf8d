"""Writes hostile text into the Markdown of Gitea and Forgejo so that it stays text.

A backslash is not enough there: the server looks for mentions, references, commit ids and emoji in
the text *after* Markdown has been parsed, and leaves only code alone. So whatever is not plainly
harmless goes into a code span whose fence is longer than any run of backticks in it.
"""

import re
from collections.abc import Iterator
from typing import Final

from werkrevisor_core.patterns import lazy
from werkrevisor_core.render.visible import PATH_LIMIT, PROSE_LIMIT, SNIPPET_LIMIT, visible

_WORD: Final = r"[A-Za-z0-9]+(?:_+[A-Za-z0-9]+)*"
_NAME: Final = lazy(rf"\.?{_WORD}(?:[./-]\.?{_WORD})*")
"""A harmless name: underscores only inside words, where they are no emphasis."""
_ACTIVE: Final = lazy(
    r"(?<!\w)[0-9a-f]{7,64}(?!\w)"  # a commit id
    r"|(?<!\w)[A-Z]{1,10}-[1-9][0-9]*(?!\w)"  # an issue of an external tracker
    r"|(?i:www\.|://|mailto:|xmpp:)"  # links without brackets
    r"|:[-+\w]+:"  # emoji
    r"|![0-9\[]"  # a pull request, an image
    r"|\]\(|\]\[|\]:|\[\["  # links with brackets, wiki links
    r"|(?<!\w)_|_(?!\w)"  # emphasis
    r"|[^\w .,;:!?'\"()\[\]/%=+\-\u0080-\U0010ffff]"  # every other sign of ASCII
)
_BLOCK_START: Final = lazy(r"[-+:=]+|\d+[.)]|\[.?\]?")
"""A first word that would start a list, an underline, a definition or a check box."""
_TICKS: Final = lazy(r"`+")


def fence_for(text: str) -> str:
    """Return a run of backticks that is longer than any in the text."""
    return "`" * (max((len(run) for run in _TICKS.findall(text)), default=0) + 1)


def code_span(shown: str) -> str:
    """Return visible text (see `visible`) as a code span that nothing inside can end."""
    if not shown:
        return "(nothing)"
    fence = fence_for(shown)
    # Markdown takes away one space on each side, unless there is nothing but spaces.
    padded = shown.strip(" ") and (shown[0] in "` " or shown[-1] in "` ")
    return f"{fence} {shown} {fence}" if padded else f"{fence}{shown}{fence}"


def code(text: str, limit: int = SNIPPET_LIMIT) -> str:
    """Return text of any origin as a code span; tabs stay."""
    return code_span(visible(text, limit, keep="\t"))


def is_plain(text: str) -> bool:
    """Return whether a name can stand in Markdown as it is."""
    return len(text) <= PATH_LIMIT and _NAME.fullmatch(text) is not None and _ACTIVE.search(text) is None


def name(text: str) -> str:
    """Return a path or another name: as it is where that is harmless, else as a code span."""
    return text if is_plain(text) else code_span(visible(text, PATH_LIMIT))


def place(path: str, lines: str) -> str:
    """Return a path with the line numbers behind it, e.g. `src/a.c:7` or `src/a.c:7-9`."""
    if not lines:
        return name(path)
    return f"{path}:{lines}" if is_plain(path) else code_span(f"{visible(path, PATH_LIMIT)}:{lines}")


def one_line(text: str, limit: int = PROSE_LIMIT) -> str:
    """Return a message as one visible line: a line end becomes an arrow, a tab a space."""
    lines = (line.strip(" \t\r").replace("\t", " ") for line in text.split("\n"))
    return visible(" \u21b5 ".join(line for line in lines if line), limit)


def prose(text: str, limit: int = PROSE_LIMIT) -> str:
    """Return a message as one line of Markdown that reads as the text reads.

    Code spans of the text stay code spans; words that mean something to Markdown or to the forge
    become some; a line end is shown as an arrow.
    """
    shown = one_line(text, limit)
    out: list[str] = []
    for piece, is_code in _pieces(shown):
        for part in [code_span(piece)] if is_code else _plain_parts(piece, first=not out):
            if out and out[-1].endswith("`") and part.startswith("`"):
                out.append(" ")  # two spans that touch would be read as one
            out.append(part)
    return "".join(out)


def _pieces(text: str) -> Iterator[tuple[str, bool]]:
    """Yield (text, whether it is the inside of a code span), as Markdown itself would split it."""
    at = 0
    start = 0
    while (opening := _TICKS.search(text, at)) is not None:
        at = opening.end()
        closing = next((run for run in _TICKS.finditer(text, at) if len(run[0]) == len(opening[0])), None)
        if closing is None or not text[at : closing.start()].strip(" "):
            continue
        if opening.start() > start:
            yield text[start : opening.start()], False
        inside = text[at : closing.start()]
        yield inside[1:-1] if inside[0] == inside[-1] == " " else inside, True
        start = at = closing.end()
    if start < len(text):
        yield text[start:], False


def _plain_parts(text: str, *, first: bool) -> Iterator[str]:
    """Yield a text without code spans; each run of active words becomes one code span."""
    words = re.split(r"( +)", text)
    active = [bool(_ACTIVE.search(word)) for word in words]
    if first and _BLOCK_START.fullmatch(words[0]):
        active[0] = True
    at = 0
    while at < len(words):
        end = at + 1
        if active[at]:
            while end + 1 < len(words) and active[end + 1]:
                end += 2
            core, stop = _stopped("".join(words[at:end]))
            yield code_span(core) + stop
        elif words[at]:
            yield words[at]
        at = end


def _stopped(run: str) -> tuple[str, str]:
    """Split a stop off the end of active words, where it is not what makes them active."""
    core = run[:-1]
    last = core.rpartition(" ")[2]
    if run[-1] in ".,;?" or (run[-1] == ":" and ":" not in core):
        return (core, run[-1]) if _ACTIVE.search(last) else (run, "")
    return run, ""
