"""Looks at the text of hunks where a file could not be parsed: declarations gone, markers come."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from werkrevisor_core.models.change import FileChange
from werkrevisor_core.models.ports import Side
from werkrevisor_core.patterns import lazy
from werkrevisor_rules._support.weakening import Kind, Weakened

OTHER: Final = "other"
"""Stands for any language whose tests are not parsed."""

Line = tuple[bool, int, str]
_TESTS: Final = {
    "python": lazy(r"^\s*(?:async\s+)?def\s+(test\w*)"),
    "java": lazy(r"^\s*(?:public\s+|protected\s+)?void\s+(\w+)\s*\("),
    "kotlin": lazy(r"^\s*(?:\w+\s+)*fun\s+(`[^`]+`|\w+)\s*\("),
    "go": lazy(r"^func\s+(?:\([^)]*\)\s*)?((?:Test|Fuzz)\w*)\s*\("),
    "rust": lazy(r"^\s*(?:async\s+)?fn\s+(\w+)\s*\("),
    "csharp": lazy(r"^\s*public\s+(?:async\s+)?(?:void|Task)\s+(\w+)\s*\("),
    OTHER: lazy(
        r"^\s*(?:(?:public\s+|async\s+)*(?:def|func|function|void|fun)\s+(test\w*)|"
        r"(?:it|test|specify|scenario|Scenario:|@test)\s*\(?\s*(['\"`]?.{3,60})|TEST(?:_\w+|_CASE)?\s*\((.+)\))",
        re.IGNORECASE,
    ),
    "javascript": lazy(r"^\s*(?:it|test|specify)(?:\.\w+)*\(\s*['\"`](.+?)['\"`]\s*,"),
}
_MARKERS: Final = {
    "python": lazy(r"@(?:\w+\.)*(?:skip\w*|xfail|expectedFailure)\b|\b(?:pytest\.)?skip\(|self\.skipTest\("),
    "java": lazy(r"@(?:Ignore|Disabled)\b|\benabled\s*=\s*false|\bassume\w+\("),
    "kotlin": lazy(r"@(?:Ignore|Disabled)\b|\bassume\w+\("),
    "go": lazy(r"\bt\.Skip(?:f|Now)?\(|^//go:build "),
    "rust": lazy(r"#\[ignore|#\[cfg_attr\([^)]*ignore"),
    "csharp": lazy(r"\[(?:Ignore|Explicit)\b|\bSkip\s*="),
    OTHER: lazy(
        r"\b(?:x(?:it|describe|context|specify)|pending|skip\w*|markTestSkipped|XCTSkip\w*|GTEST_SKIP|DISABLED_\w+"
        r"|focus|fit|fdescribe)\b|@(?:tag :skip|Ignore|Disabled|skip|wip)|\.(?:only|skip)\b"
    ),
    "javascript": lazy(
        r"\b(?:it|test|describe|context|suite)\.(?:skip|only|todo|fixme)\b|\bx(?:it|describe|test)\(|\bf(?:it|describe)\("
    ),
}
_ASSERTIONS: Final = lazy(
    r"\b(?:(?:EXPECT|ASSERT|CHECK|REQUIRE)(?:_\w+)?\s*\(|assert\w*|expect\w*|refute\w*|is_deeply|verify|Assert\.\w+|require\.\w+|should\w*|Should)\b|\bt\.(?:Error|Fatal)f?\(|^\s*assert\b"
)
_COMMENT: Final = lazy(r"^\s*(?://|#(?![\[!])|/?\*)")
_QUOTED: Final = lazy(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'")
_FAMILY: Final = {"typescript": "javascript", "tsx": "javascript"}
_LONGEST: Final = 2_000


def changed_lines(file: FileChange) -> list[Line]:
    """Return the changed lines of a file: whether each was added, its number and its text."""
    out: list[Line] = []
    for hunk in file.patch.hunks():
        for old, new, line in hunk.numbered():
            if line[:1] in (b"+", b"-"):
                added = line[:1] == b"+"
                out.append((added, new if added else old, line[1 : _LONGEST + 1].decode("utf-8", "replace")))
    return out


def declared(files: Iterable[tuple[Sequence[Line], str]]) -> frozenset[str]:
    """Return the names of test declarations that the added lines of files hold, each with its language."""
    out = set()
    for lines, language in files:
        pattern = _TESTS[_FAMILY.get(language, language)]
        out |= {_named(found) for added, _, text in lines if added and (found := pattern.match(text))}
    return frozenset(out)


def weakened_by_text(
    file: FileChange, lines: Sequence[Line], language: str, added_names: frozenset[str], why: str
) -> list[Weakened]:
    """Return removed test declarations that nothing adds again, added markers, and assertions gone on balance.

    Args:
        file: the changed file.
        lines: its changed lines.
        language: its language; `OTHER` for any that is not known here.
        added_names: test names that the change adds anywhere.
        why: why the file was not parsed, for the note.
    """
    family = _FAMILY.get(language, language)
    note = f"not parsed: {why}"
    out: list[Weakened] = []
    asserted: list[tuple[int, str]] = []
    balance = 0
    for added, line, text in lines:
        if _COMMENT.match(text) and not (family == "go" and text.startswith("//go:build")):
            continue
        bare = _QUOTED.sub('""', text)
        if not added and (found := _TESTS[family].match(text)) and _named(found) not in added_names:
            out.append(
                Weakened(
                    file.old_path, line, Side.OLD, Kind.TEST_REMOVED, _named(found), text.strip()[:160], None, note
                )
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


def _named(found: re.Match[str]) -> str:
    return next((part.strip() for part in found.groups() if part), "")
