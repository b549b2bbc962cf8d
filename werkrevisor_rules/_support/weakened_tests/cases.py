"""Finds the literal cases of a test: in its marks, in the tables it loops over, and how often it runs."""

import re
from collections.abc import Iterable, Mapping
from typing import Final

from werkrevisor_rules._support.weakened_tests.bodies import Body
from werkrevisor_rules._support.weakened_tests.declarations import Declaration
from werkrevisor_rules._support.weakened_tests.frameworks import FACTS
from werkrevisor_rules._support.weakened_tests.syntax import Kind as Syntax
from werkrevisor_rules._support.weakened_tests.syntax import Node, named
from werkrevisor_rules._support.weakened_tests.tables import rows_of

_PARAM_SKIP: Final = re.compile(
    r"\b(?:marks\s*=\s*(?:\[\s*)?(?:\w+\.)*(?:skip|xfail)|Ignore\w*\(|\.SetIgnore|\.Explicit\(|Skip\s*=)"
)
_RUN_WORDS: Final = ("max_examples", "Repeat", "with_cases", "checkAll", "forAll", "MaxCount", "numRuns", "cases")
_RUNS: Final = re.compile(
    r"\b(?:max_examples\s*=|(?:RepeatedTest|Repeat|with_cases|checkAll|forAll)\s*\(|(?:MaxCount|numRuns|cases)\s*:)"
    r"\s*(\d[\d_]*)"
)


def runs(test: Declaration) -> int | None:
    """Return how often a test runs with made-up data, None where it does not say."""
    texts = (test.raw, *(mark.text for mark in (*test.marks, *test.inherited)))
    likely = (text for text in texts if any(word in text for word in _RUN_WORDS))
    found = next((found for text in likely if (found := _RUNS.search(text))), None)
    return None if found is None else int(found[1].replace("_", ""))


def case_rows(test: Declaration, body: Body, known: Mapping[str, Node]) -> tuple[list[str], bool]:
    """Return the literal cases of a test in canonical text, and whether further ones come from elsewhere."""
    facts = FACTS[test.language]
    rows: list[str] = []
    elsewhere = False
    for mark in (*test.marks, *(around for around in test.inherited if around.name == "each")):
        name = mark.name.rsplit("::", 1)[-1]
        if mark.name == "each" or facts.cases.fullmatch(name):
            if mark.expand is None:
                continue
            found = _rows_of_mark(mark.expand(), mark.name, known, test.language)
            elsewhere = elsewhere or found is None
            rows += found or []
    for table in body.tables:
        rows += table.rows
    if "dataProvider" in test.raw and (provider := re.search(r"dataProvider\s*=\s*\"(\w+)\"", test.raw)):
        elsewhere = elsewhere or provider[1] not in known
    return rows, elsewhere


def _rows_of_mark(node: Node, name: str, known: Mapping[str, Node], language: str) -> list[str] | None:
    """Return the rows of a mark; None where they come from elsewhere."""
    if language == "csharp" or name in ("case", "test_case"):
        args = next(
            (
                part
                for part in node.walk()
                if part.kind is Syntax.ARGS or part.type in ("attribute_argument_list", "token_tree")
            ),
            None,
        )
        text = node.text if args is None else args.text
        return None if re.search(r"\bnameof\b|\btypeof\b", text) else [text]
    if name == "each" and language != "python":
        if node.type == "template_string":
            lines = [line for line in node.text.split("\n") if "${" in line]
            return lines or None
        given = node if node.kind is not Syntax.ARGS else (node.parts[0] if node.parts else None)
        return _argument_rows(given, known)
    if language == "python":
        args = node.get("args")
        values = [named(part)[1] for part in (args.parts if args else [])]
        for value in values[1:2] or values[:1]:
            found = _argument_rows(value, known)
            if found is not None:
                return found
        return None
    return _rows_of_annotation(node, name)


def _rows_of_annotation(node: Node, name: str) -> list[str] | None:
    """Return the rows of an annotation of the JVM: of its first collection, of a text block, or single values."""
    for part in node.walk():
        if part.kind is Syntax.COLLECTION and (found := rows_of(part)) is not None:
            return list(found)
    texts = [part.text for part in node.walk() if part.kind is Syntax.STRING]
    lines = [line for text in texts for line in text.split("\n") if "," in line or "|" in line]
    if lines or "alue" not in node.text + name:
        return lines or None
    return [part.text for part in node.walk() if part.kind in (Syntax.STRING, Syntax.NUMBER)] or None


def _argument_rows(node: Node | None, known: Mapping[str, Node]) -> list[str] | None:
    if node is None:
        return None
    found = rows_of(node)
    if found is None and node.kind is Syntax.NAME and node.name in known:
        found = rows_of(known[node.name])
    return None if found is None else list(found)


def skipped_rows(rows: Iterable[str]) -> list[str]:
    """Return the cases that are marked as skipped."""
    return [row for row in rows if _PARAM_SKIP.search(row.replace(" ", ""))]
