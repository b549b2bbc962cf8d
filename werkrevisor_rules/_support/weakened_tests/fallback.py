"""Looks at the text of hunks where a file could not be parsed: declarations gone, markers come."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from werkrevisor_core.models.change import FileChange
from werkrevisor_core.models.ports import Side
from werkrevisor_core.patterns import lazy
from werkrevisor_rules._support.weakening import Kind, Weakened

_TESTS: Final = {
    "python": lazy(r"^\s*(?:async\s+)?def\s+(test\w*)"),
    "java": lazy(r"^\s*(?:public\s+|protected\s+)?void\s+(\w+)\s*\("),
    "kotlin": lazy(r"^\s*(?:\w+\s+)*fun\s+(`[^`]+`|\w+)\s*\("),
    "go": lazy(r"^func\s+(?:\([^)]*\)\s*)?((?:Test|Fuzz)\w*)\s*\("),
    "rust": lazy(r"^\s*(?:async\s+)?fn\s+(\w+)\s*\("),
    "csharp": lazy(r"^\s*public\s+(?:async\s+)?(?:void|Task)\s+(\w+)\s*\("),
    "javascript": lazy(r"^\s*(?:it|test|specify)(?:\.\w+)*\(\s*['\"`](.+?)['\"`]\s*,"),
}
_MARKERS: Final = {
    "python": lazy(r"@(?:\w+\.)*(?:skip\w*|xfail|expectedFailure)\b|\b(?:pytest\.)?skip\(|self\.skipTest\("),
    "java": lazy(r"@(?:Ignore|Disabled)\b|\benabled\s*=\s*false|\bassume\w+\("),
    "kotlin": lazy(r"@(?:Ignore|Disabled)\b|\bassume\w+\("),
    "go": lazy(r"\bt\.Skip(?:f|Now)?\(|^//go:build "),
    "rust": lazy(r"#\[ignore|#\[cfg_attr\([^)]*ignore"),
    "csharp": lazy(r"\[(?:Ignore|Explicit)\b|\bSkip\s*="),
    "javascript": lazy(
        r"\b(?:it|test|describe|context|suite)\.(?:skip|only|todo|fixme)\b|\bx(?:it|describe|test)\(|\bf(?:it|describe)\("
    ),
}
_ASSERTIONS: Final = lazy(
    r"\b(?:assert\w*|expect|verify|Assert\.\w+|require\.\w+|should\w*|Should)\b|\bt\.(?:Error|Fatal)f?\(|^\s*assert\b"
)
_COMMENT: Final = lazy(r"^\s*(?://|#(?![\[!])|/?\*)")
_QUOTED: Final = lazy(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'")
_FAMILY: Final = {"typescript": "javascript", "tsx": "javascript"}
_LONGEST: Final = 2_000


def _lines(file: FileChange) -> Iterator[tuple[bool, int, str]]:
    for hunk in file.patch.hunks():
        for old, new, line in hunk.numbered():
            if line[:1] in (b"+", b"-"):
                added = line[:1] == b"+"
                yield added, new if added else old, line[1 : _LONGEST + 1].decode("utf-8", "replace")


def declared(files: Iterable[tuple[FileChange, str]]) -> frozenset[str]:
    """Return the names of test declarations that the added lines of files hold."""
    out = set()
    for file, language in files:
        pattern = _TESTS[_FAMILY.get(language, language)]
        out |= {found[1] for added, _, text in _lines(file) if added and (found := pattern.match(text))}
    return frozenset(out)


def weakened_by_text(file: FileChange, language: str, added_names: frozenset[str], why: str) -> list[Weakened]:
    """Return removed test declarations that nothing adds again, added markers, and assertions gone on balance.

    Args:
        file: the changed file.
        language: its language.
        added_names: test names that the change adds anywhere.
        why: why the file was not parsed, for the note.
    """
    family = _FAMILY.get(language, language)
    note = f"not parsed: {why}"
    out: list[Weakened] = []
    asserted: list[tuple[int, str]] = []
    balance = 0
    for added, line, text in _lines(file):
        if _COMMENT.match(text) and not (family == "go" and text.startswith("//go:build")):
            continue
        bare = _QUOTED.sub('""', text)
        if not added and (found := _TESTS[family].match(text)) and found[1] not in added_names:
            out.append(
                Weakened(file.old_path, line, Side.OLD, Kind.TEST_REMOVED, found[1], text.strip()[:160], None, note)
            )
        if added and _MARKERS[family].search(bare):
            kind = Kind.ONLY_ADDED if re.search(r"\.only\b|\bf(?:it|describe)\(", bare) else Kind.SKIP_ADDED
            out.append(Weakened(file.path, line, Side.NEW, kind, "", None, text.strip()[:160], note))
        if _ASSERTIONS.search(bare) and "import" not in bare:
            balance += 1 if added else -1
            if not added:
                asserted.append((line, text.strip()[:160]))
    if balance < 0 and not out:
        line, text = asserted[0]
        out.append(Weakened(file.old_path, line, Side.OLD, Kind.ASSERTION_REMOVED, "", text, None, note))
    return out
