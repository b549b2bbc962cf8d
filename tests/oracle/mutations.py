"""Small edits of source text, harmless ones and ones that only look harmless.

Each takes lines and a source of choices, and returns new lines. Whether an edit kept the program is
not known here: the oracle says so.
"""

import re
from collections.abc import Callable
from typing import Protocol

Lines = list[str]


class Choices(Protocol):
    """What a mutation needs of `random.Random` (hypothesis has one, too)."""

    def randrange(self, stop: int, /) -> int:
        """Return a number below `stop`."""


IMPORTS = {
    "java": ("import java.util.Map;", "import static a.b.C.run;", "package net.example;", "import a.b.*;"),
    "kt": ("import java.util.Map", "import a.b.C as D", "package net.example"),
    "go": ('import "os"', '\t"os"', '\t_ "embed"', '\tm "math/rand"'),
    "rs": ("use std::fmt;", "use std::io::{Read, Write};", "pub use a::b;", "#[cfg(test)] use a::b;"),
    "ts": (
        "import { a } from './a';",
        "import a from 'a';",
        "import './side';",
        "  b,",
        "import type { T } from './t';",
    ),
    "c": ("#include <stdio.h>", "import a;", "use a;"),
}
FAMILY = {"kts": "kt", "js": "ts", "jsx": "ts", "mjs": "ts", "tsx": "ts", "h": "c", "cpp": "c", "cc": "c", "hpp": "c"}
_IMPORT_LINE = re.compile(r"^\s*(?:import|package|use|from|[\w.*_]* ?\"[\w./-]+\"$)")
_WRAPS = (("/*", "*/"), ("`", "`"), ('"""', '"""'), ("if (x) {", "}"), ("// \\", ""), ('r#"', '"#;'), ("{", "}"))


def _spot(lines: Lines, choose: Choices) -> int:
    return choose.randrange(len(lines)) if lines else 0


def _import_spot(lines: Lines, choose: Choices) -> int:
    found = [i for i, line in enumerate(lines) if _IMPORT_LINE.match(line)]
    return found[choose.randrange(len(found))] if found and choose.randrange(4) else _spot(lines, choose)


def reindent(lines: Lines, choose: Choices, _: str) -> Lines:
    """Give a run of lines another indentation."""
    start = _spot(lines, choose)
    end = min(len(lines), start + 1 + choose.randrange(6))
    pad = ("  ", "\t", "    ", "")[choose.randrange(4)]
    return [pad + line if line.strip() and start <= i < end else line for i, line in enumerate(lines)]


def respace(lines: Lines, choose: Choices, _: str) -> Lines:
    """Change the amount of white space at one place of a line."""
    at = _spot(lines, choose)
    runs = list(re.finditer(r"[ \t]+", lines[at])) if lines else []
    if not runs:
        return lines
    run = runs[choose.randrange(len(runs))]
    other = (" ", "  ", "\t", "   ", "")[choose.randrange(5)]
    return [*lines[:at], lines[at][: run.start()] + other + lines[at][run.end() :], *lines[at + 1 :]]


def trail(lines: Lines, choose: Choices, _: str) -> Lines:
    """Put white space or a backslash at the end of a line, or take it away."""
    at = _spot(lines, choose)
    end = (" ", "\t", "\r", " \\", "")[choose.randrange(5)]
    return [*lines[:at], lines[at].rstrip(" \t\r\\") + end, *lines[at + 1 :]] if lines else lines


def blank(lines: Lines, choose: Choices, _: str) -> Lines:
    """Put a blank line in."""
    at = _spot(lines, choose)
    return [*lines[:at], ("", "  ", "\t")[choose.randrange(3)], *lines[at:]]


def unblank(lines: Lines, choose: Choices, _: str) -> Lines:
    """Take a blank line out."""
    found = [i for i, line in enumerate(lines) if not line.strip()]
    if not found:
        return lines
    at = found[choose.randrange(len(found))]
    return lines[:at] + lines[at + 1 :]


def join(lines: Lines, choose: Choices, _: str) -> Lines:
    """Join two lines."""
    at = _spot(lines, choose)
    if at + 1 >= len(lines):
        return lines
    return [*lines[:at], lines[at] + " " + lines[at + 1].strip(), *lines[at + 2 :]]


def split(lines: Lines, choose: Choices, _: str) -> Lines:
    """Break a line at a blank."""
    at = _spot(lines, choose)
    words = lines[at].split(" ") if lines else []
    if len(words) < 2:
        return lines
    cut = 1 + choose.randrange(len(words) - 1)
    return [*lines[:at], " ".join(words[:cut]), " ".join(words[cut:]), *lines[at + 1 :]]


def add_import(lines: Lines, choose: Choices, extension: str) -> Lines:
    """Put an import line where imports stand, or anywhere."""
    known = IMPORTS[FAMILY.get(extension, extension)]
    at = _import_spot(lines, choose)
    return [*lines[:at], known[choose.randrange(len(known))], *lines[at:]]


def drop_import(lines: Lines, choose: Choices, _: str) -> Lines:
    """Take a line out, mostly an import."""
    at = _import_spot(lines, choose)
    return lines[:at] + lines[at + 1 :]


def move(lines: Lines, choose: Choices, _: str) -> Lines:
    """Move a line, mostly an import, to another place."""
    if not lines:
        return lines
    at = _import_spot(lines, choose)
    rest = lines[:at] + lines[at + 1 :]
    to = (
        choose.randrange(len(rest) + 1) if choose.randrange(2) else min(len(rest), max(0, at - 2 + choose.randrange(5)))
    )
    return [*rest[:to], lines[at], *rest[to:]]


def wrap(lines: Lines, choose: Choices, _: str) -> Lines:
    """Put a comment, a string or a scope around some lines."""
    start = _import_spot(lines, choose)
    end = min(len(lines), start + 1 + choose.randrange(3))
    before, after = _WRAPS[choose.randrange(len(_WRAPS))]
    if choose.randrange(2):
        return [*lines[:start], before, *lines[start:end], after, *lines[end:]]
    inner = lines[start:end] or [""]
    inner = [before + " " + inner[0], *inner[1:]]
    return [*lines[:start], *inner[:-1], inner[-1] + " " + after, *lines[end:]]


def prefix(lines: Lines, choose: Choices, _: str) -> Lines:
    """Put a mark before a line, or take its comment mark away."""
    at = _import_spot(lines, choose)
    if not lines:
        return lines
    marks = ("// ", "/* ", "*/ ", " * ", "@A ", "pub ", "export ", "#[x] ")
    line = lines[at]
    new = (
        re.sub(r"^(\s*)(//|/\*|\*/) ?", r"\1", line)
        if choose.randrange(3) == 0
        else marks[choose.randrange(len(marks))] + line
    )
    return [*lines[:at], new, *lines[at + 1 :]]


def rebind(lines: Lines, choose: Choices, _: str) -> Lines:
    """Change a word of a line, mostly of an import."""
    at = _import_spot(lines, choose)
    words = list(re.finditer(r"\w+", lines[at])) if lines else []
    if not words:
        return lines
    word = words[choose.randrange(len(words))]
    return [*lines[:at], lines[at][: word.start()] + "changed" + lines[at][word.end() :], *lines[at + 1 :]]


def append(lines: Lines, choose: Choices, _: str) -> Lines:
    """Put code or a comment mark behind a line, mostly an import."""
    at = _import_spot(lines, choose)
    tails = ("; run()", " /*", " //", " */", ", x", " {", " `", " as z", " \\", "; int x = 1;")
    return [*lines[:at], lines[at] + tails[choose.randrange(len(tails))], *lines[at + 1 :]] if lines else lines


Mutation = Callable[[Lines, Choices, str], Lines]
HARMLESS: tuple[Mutation, ...] = (reindent, trail, blank, unblank, add_import, drop_import, move)
ALL: tuple[Mutation, ...] = (*HARMLESS, respace, join, split, wrap, prefix, rebind, append)


def mutate(text: str, choose: Choices, extension: str, most: int = 4) -> str:
    """Return the text after one to `most` mutations; most of them look harmless."""
    lines = text.split("\n")
    for _ in range(1 + choose.randrange(most)):
        pool = HARMLESS if choose.randrange(3) else ALL
        lines = pool[choose.randrange(len(pool))](lines, choose, extension)
    return "\n".join(lines)
