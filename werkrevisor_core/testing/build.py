"""Builds file changes and contexts for tests without git.

    context(modified("A.java", "class A {}\\n", "class A { int x; }\\n"))

Text is str (encoded as UTF-8) or bytes. Lines are compared with difflib, three lines of context.
"""

from collections.abc import Iterable, Mapping
from difflib import SequenceMatcher
from typing import Any

from attrs import field

from werkrevisor_core.diff.hunks import NoPatch, SpanPatch
from werkrevisor_core.diff.source import BytesSource
from werkrevisor_core.errors import ContentsUnavailable
from werkrevisor_core.models.change import ChangeSet, FileChange, Origin, Patch, Status
from werkrevisor_core.models.classes import Category, ChangeKind, Classification, JudgedFile
from werkrevisor_core.models.context import ReviewContext
from werkrevisor_core.models.forge import PullRequestFacts
from werkrevisor_core.models.ports import Side
from werkrevisor_core.models.verdict import Mode
from werkrevisor_core.records import frozen

Text = str | bytes

BASE = "a" * 40
HEAD = "b" * 40


def to_bytes(text: Text) -> bytes:
    """Return bytes; str is encoded as UTF-8 (lone surrogates as the bytes they stand for)."""
    return text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text


def _lines(text: Text) -> tuple[list[bytes], bool]:
    data = to_bytes(text)
    lines = data.split(b"\n")
    if lines[-1] == b"":
        return lines[:-1], False
    return lines, True


def _range(start: int, stop: int) -> bytes:
    count = stop - start
    return b"%d,%d" % (start + 1 if count else start, count)


def hunk_text(old: Text, new: Text, context: int = 3) -> bytes:
    """Return the hunks between two texts as git prints them (without a heading)."""
    before, before_open = _lines(old)
    after, after_open = _lines(new)
    # An unterminated last line differs from a terminated one.
    keys_before = [*before[:-1], before[-1] + b"\0"] if before and before_open else before
    keys_after = [*after[:-1], after[-1] + b"\0"] if after and after_open else after
    out: list[bytes] = []
    matcher = SequenceMatcher(None, keys_before, keys_after, autojunk=False)
    for group in matcher.get_grouped_opcodes(context):
        first, last = group[0], group[-1]
        out.append(b"@@ -%s +%s @@\n" % (_range(first[1], last[2]), _range(first[3], last[4])))
        for tag, i1, i2, j1, j2 in group:
            if tag == "equal":
                out += _marked(b" ", before, i1, i2, unterminated=before_open)
                continue
            out += _marked(b"-", before, i1, i2, unterminated=before_open)
            out += _marked(b"+", after, j1, j2, unterminated=after_open)
    return b"".join(out)


def _marked(marker: bytes, lines: list[bytes], start: int, stop: int, *, unterminated: bool) -> Iterable[bytes]:
    for index in range(start, stop):
        yield marker + lines[index] + b"\n"
        if unterminated and index == len(lines) - 1:
            yield b"\\ No newline at end of file\n"


def patch(text: bytes) -> Patch:
    """Return a patch over hunks in memory."""
    return SpanPatch(BytesSource(text), 0, len(text)) if text else NoPatch()


def change(path: str, status: Status, old: Text | None, new: Text | None, **given: Any) -> FileChange:
    """Build a file change from its two versions (None where a side does not exist).

    `given` overrides fields of `FileChange`, e.g. `old_path`, `new_mode`, `binary`, `unread`.
    """
    text = hunk_text(old or b"", new or b"")
    added = sum(1 for line in text.split(b"\n") if line[:1] == b"+")
    removed = sum(1 for line in text.split(b"\n") if line[:1] == b"-")
    fields: dict[str, Any] = {
        "path": path,
        "old_path": path,
        "status": status,
        "patch": patch(text),
        "old_mode": None if old is None else "100644",
        "new_mode": None if new is None else "100644",
        "added": added,
        "removed": removed,
    }
    return FileChange(**{**fields, **given})


def modified(path: str, old: Text, new: Text, **given: Any) -> FileChange:
    """Build a modified file."""
    return change(path, Status.MODIFIED, old, new, **given)


def added(path: str, new: Text, **given: Any) -> FileChange:
    """Build an added file."""
    return change(path, Status.ADDED, None, new, **given)


def removed(path: str, old: Text, **given: Any) -> FileChange:
    """Build a removed file."""
    return change(path, Status.REMOVED, old, None, **given)


def renamed(old_path: str, path: str, old: Text = "x\n", new: Text | None = None, **given: Any) -> FileChange:
    """Build a renamed file, with identical content unless `new` is given."""
    return change(path, Status.RENAMED, old, old if new is None else new, old_path=old_path, **given)


@frozen
class DictContents:
    """A contents port over dictionaries: `old` and `new` map paths to text."""

    old: Mapping[str, Text] = field(factory=dict)
    new: Mapping[str, Text] = field(factory=dict)
    unavailable: frozenset[str] = frozenset()

    def prefetch(self, wanted: Iterable[tuple[Side, str]]) -> None:
        """Do nothing: everything is here."""

    def read(self, side: Side, path: str) -> bytes | None:
        """Return the bytes, None where the side has no such path."""
        if path in self.unavailable:
            raise ContentsUnavailable(f"the contents of {path} are not known")
        files = self.old if side is Side.OLD else self.new
        text = files.get(path)
        if text is None and any(other.startswith(path + "/") for other in files):
            raise ContentsUnavailable(f"{path} is a folder")
        return None if text is None else to_bytes(text)


def change_set(*files: FileChange, **given: Any) -> ChangeSet:
    """Build a change set from a git range (made-up commit ids)."""
    fields: dict[str, Any] = {
        "files": tuple(sorted(files, key=lambda file: file.path)),
        "origin": Origin.GIT,
        "repository": "example/shop",
        "base_branch": "main",
        "merge_base": BASE,
        "head": HEAD,
    }
    return ChangeSet(**{**fields, **given})


def pull_request(**given: Any) -> PullRequestFacts:
    """Build what a forge knows of a pull request of `ada` to the gated branch `main`, reviewed by `werkrevisor`."""
    fields: dict[str, Any] = {
        "server": "https://git.example.org",
        "repository_id": 3,
        "number": 7,
        "title": "A change",
        "poster": "ada",
        "bot": "werkrevisor",
        "head": HEAD,
        "base_branch": "main",
        "default_branch": "main",
        "involved": frozenset({"ada"}),
        "own_context": "werkrevisor/main",
    }
    return PullRequestFacts(**{**fields, **given})


def judged(
    file: FileChange, category: Category = Category.MAIN, rules: tuple[str, ...] = (), why: str = "", **given: Any
) -> JudgedFile:
    """Build a judged file; mechanical where `rules` are named."""
    return JudgedFile(file, Classification(rules, why), category, **given)


def context(*files: FileChange | JudgedFile, contents: DictContents | None = None, **given: Any) -> ReviewContext:
    """Build the context of a gate. Bare file changes count as main code that is not mechanical."""
    rows = [file if isinstance(file, JudgedFile) else judged(file) for file in files]
    rows.sort(key=lambda row: row.path)
    fields: dict[str, Any] = {
        "change": given.pop("change", None) or change_set(*(row.change for row in rows)),
        "files": tuple(rows),
        "kind": ChangeKind.MIXED,
        "mode": Mode.RULES,
        "contents": contents or DictContents(),
        "auto_approvable": ("mechanical_only", "docs_only", "tests_only", "refactoring"),
    }
    return ReviewContext(**{**fields, **given})
