"""Asks a human about text that cannot be seen or is taken for other text.

What it looks at:
    The added lines of every changed file, also of mechanical and generated ones, and the paths at
    the head: bidirectional controls, zero-width and other invisible characters, ASCII control
    characters, a carriage return inside a line, words whose letters come from scripts that look
    alike, and two changed paths that are equal but for case and composition (NFC).

Why:
    A compiler, a shell or an agent reads what a reviewer does not see: text in another order, a
    second variable of the same look, a sentence in characters without a shape (CVE-2021-42574,
    CVE-2021-42694).

Example:
    `isAdmin` with a Cyrillic `a` gives ORANGE, with line, column and the scripts.

Options:
    None.

Not covered:
    A path that collides with one that the change does not touch. Removed and unchanged lines.
    Emoji sequences and joiners in scripts that are written with them, which are text; a byte order
    mark at the start of a new file or of one that had it. Bytes that are no UTF-8. Whole words of a
    foreign script, and in documents words that plainly mix scripts.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from werkrevisor_core.globs import fold
from werkrevisor_core.hidden import Hidden, find_hidden, looks_plain, may_hide
from werkrevisor_core.markers import hookimpl
from werkrevisor_core.models.change import Block, FileChange, Status
from werkrevisor_core.models.classes import Category
from werkrevisor_core.models.context import GateResult, ReviewContext
from werkrevisor_core.models.verdict import Evidence, Level, Reason
from werkrevisor_core.patterns import lazy
from werkrevisor_core.rule import Phase, RuleInfo
from werkrevisor_rules._support.evidence import amount, bounded

RULE = RuleInfo(name="hidden_text", phase=Phase.GATES, since="0.1.0")

_MARK: Final = b"\xef\xbb\xbf"
_SPACES: Final = lazy(r"[^\S ]")


def _in_lines(file: FileChange, *, prose: bool) -> Iterator[Evidence]:
    """Yield the first hidden thing of each added line."""
    if file.plain:
        return
    text = file.patch.text()
    if not may_hide(text) and text.count(b"\r") == text.count(b"\r\n"):
        return
    for hunk in file.patch.hunks():
        for block in hunk.blocks():
            for number, line in enumerate(block.added, block.new_line):
                kept = line[len(_MARK) :] if number == 1 and _has_its_mark(file, block) else line
                if what := _hidden(kept, prose=prose):
                    yield Evidence(path=file.path, line=number, note=what)


def _has_its_mark(file: FileChange, block: Block) -> bool:
    """Tell whether the first line begins with a byte order mark that is not put before an old text."""
    before = block.added if file.status is Status.ADDED else block.removed
    return block.added[0].startswith(_MARK) and before[:1] != () and before[0].startswith(_MARK)


def _hidden(line: bytes, *, prose: bool) -> str | None:
    body = line.rstrip(b"\r")
    inner = body.find(b"\r")
    if inner < 0 and looks_plain(body):
        return None
    text = body.decode("utf-8", "surrogateescape")
    found = find_hidden(text, sequences=True, prose=prose)
    if found is not None:
        return f"column {found.column}: {found.what}"
    if inner >= 0:
        return f"column {text.index(chr(13)) + 1}: U+000D (carriage return) inside the line"
    return None


def _in_path(file: FileChange) -> Iterator[Evidence]:
    path = file.path
    if file.status is Status.REMOVED or (path.isascii() and path.isprintable()):
        return
    found = find_hidden(path)
    if found is None and (space := _SPACES.search(path)):
        found = Hidden(space.start() + 1, f"U+{ord(space.group(0)):04X} (white space other than a blank)")
    if found is not None:
        yield Evidence(path=path, note=f"path, column {found.column}: {found.what}")


def _alike(context: ReviewContext) -> Iterator[Evidence]:
    """Yield the paths at the head that another one equals but for case and composition."""
    seen: dict[str, str] = {}
    for path in _paths_at_head(context):
        other = seen.setdefault(fold(path), path)
        if other != path:
            yield Evidence(path=path, was=other, now=path, note="equal but for case and composition")
    for folded in sorted(_folders(seen) & seen.keys()):
        yield Evidence(path=seen[folded], note="a file named like a folder but for case and composition")


def _paths_at_head(context: ReviewContext) -> list[str]:
    paths = {file.path for file in context.change.files if file.status is not Status.REMOVED}
    paths |= {file.old_path for file in context.change.files if file.status is Status.COPIED}
    return sorted(paths)


def _folders(paths: Iterable[str]) -> set[str]:
    """Return all folders above the paths."""
    found: set[str] = set()
    for path in paths:
        folder = path.rpartition("/")[0]
        while folder and folder not in found:
            found.add(folder)
            folder = folder.rpartition("/")[0]
    return found


def evaluate(context: ReviewContext) -> GateResult | None:
    """Return one reason that names every place of hidden text, or None."""
    evidence = [*_alike(context)]
    for judged in context.files:
        evidence += _in_path(judged.change)
        evidence += _in_lines(judged.change, prose=judged.category is Category.DOCS)
    if not evidence:
        return None
    reason = Reason(
        id=RULE.name,
        level=Level.ORANGE,
        message=f"The change holds text that a reader does not see as it is, in {amount(len(evidence), 'place')}.",
        evidence=bounded(evidence),
        advice="The author can write such characters as escapes; a human reviewer who has looked at the bytes can "
        "approve this head.",
        rule=RULE.name,
    )
    return GateResult((reason,))


@hookimpl
def werkrevisor_gate(context: ReviewContext) -> GateResult | None:
    """Ask a human about text that hides."""
    return evaluate(context)
