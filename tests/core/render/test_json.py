"""The JSON of a review: its schema, its fields, and text that JSON cannot take as it is."""

import json
from collections.abc import Iterator
from importlib.resources import files
from io import StringIO
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from werkrevisor_core.models.change import Origin
from werkrevisor_core.models.classes import Category, ChangeKind
from werkrevisor_core.models.judges import BlockRating, Usage
from werkrevisor_core.models.ports import Side
from werkrevisor_core.models.result import Review
from werkrevisor_core.models.verdict import Decision, Evidence, Finding, Level, Mode, Reason
from werkrevisor_core.render.json import write_json
from werkrevisor_core.testing.build import BASE, HEAD, added, change_set, judged, modified, renamed


def closed(schema: Any) -> Any:
    """Return the schema with every object closed, so that a field nobody described is found."""
    if isinstance(schema, dict):
        inner = {key: closed(value) for key, value in schema.items()}
        return {**inner, "additionalProperties": False} if "properties" in inner else inner
    return [closed(value) for value in schema] if isinstance(schema, list) else schema


SCHEMA = json.loads(files("werkrevisor_core.render").joinpath("review.schema.json").read_text("utf-8"))


def written(review: Review) -> Any:
    stream = StringIO()
    write_json(review, stream)
    text = stream.getvalue()
    assert text.isascii()
    assert text.endswith("}\n")
    document = json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))
    Draft202012Validator(closed(SCHEMA)).validate(document)
    return document


def full() -> Review:
    rows = (
        judged(modified("B.java", "a\n", "b\n"), rules=("imports", "whitespace"), why="line 1: imports"),
        judged(added("docs/a.md", "x\ny\n"), Category.DOCS, approved=True),
        judged(renamed("old/c.c", "src/c.c"), why="line 2 is no import"),
    )
    return Review(
        change_set(*(row.change for row in rows)),
        rows,
        ChangeKind.REFACTORING,
        Mode.COMBINED,
        Level.ORANGE,
        Decision.BLOCK,
        (Reason("size", Level.ORANGE, "Too large.", (Evidence(count=31, limit=30),), "Split it.", "size"),),
        (
            Finding("model", "null", "src/c.c", Level.GREEN, "May be None.", 3, 5, Side.OLD, Level.RED, "x", "why"),
            Finding("rules", "prose", "docs/a.md", Level.ORANGE, "Long.", in_change=False),
        ),
        holds=("An open line comment.",),
        receipts=("Approved.",),
        ratings=(BlockRating("src/c.c", 1, 0.92, ("churn",)), BlockRating("src/c.c", 2, None, (), "too large")),
        notes=("Uncommitted work is not reviewed.",),
        usage=Usage(10, 2, 0.5, 1.5, 1),
        seconds=2.5,
    )


EXPECTED = {
    "schema": "werkrevisor/review/1",
    "verdict": "ORANGE",
    "decision": "block",
    "holds": ["An open line comment."],
    "mode": "combined",
    "change_kind": "refactoring",
    "base": BASE,
    "head": HEAD,
    "files": [
        {
            "path": "B.java",
            "old_path": None,
            "status": "modified",
            "category": "main",
            "added": 1,
            "removed": 1,
            "mechanical": ["imports", "whitespace"],
            "approved": False,
            "counts": False,
            "why": "line 1: imports",
        },
        {
            "path": "docs/a.md",
            "old_path": None,
            "status": "added",
            "category": "docs",
            "added": 2,
            "removed": 0,
            "mechanical": [],
            "approved": True,
            "counts": False,
            "why": "",
        },
        {
            "path": "src/c.c",
            "old_path": "old/c.c",
            "status": "renamed",
            "category": "main",
            "added": 0,
            "removed": 0,
            "mechanical": [],
            "approved": False,
            "counts": True,
            "why": "line 2 is no import",
        },
    ],
    "reasons": [
        {
            "id": "size",
            "level": "ORANGE",
            "message": "Too large.",
            "advice": "Split it.",
            "rule": "size",
            "evidence": [
                {
                    "path": None,
                    "line": None,
                    "side": "new",
                    "was": None,
                    "now": None,
                    "count": 31,
                    "limit": 30,
                    "note": "",
                }
            ],
        }
    ],
    "findings": [
        {
            "id": "model/null",
            "path": "src/c.c",
            "start": 3,
            "end": 5,
            "side": "old",
            "level": "GREEN",
            "original_level": "RED",
            "message": "May be None.",
            "suggestion": "x",
            "note": "why",
            "in_change": True,
        },
        {
            "id": "rules/prose",
            "path": "docs/a.md",
            "start": None,
            "end": None,
            "side": "new",
            "level": "ORANGE",
            "original_level": None,
            "message": "Long.",
            "suggestion": "",
            "note": "",
            "in_change": False,
        },
    ],
    "receipts": ["Approved."],
    "ratings": [
        {"path": "src/c.c", "block": 1, "percentile": 0.92, "tags": ["churn"], "abstained": ""},
        {"path": "src/c.c", "block": 2, "percentile": None, "tags": [], "abstained": "too large"},
    ],
    "notes": ["Uncommitted work is not reviewed."],
    "usage": {
        "tokens_in": 10,
        "tokens_out": 2,
        "cost": 0.5,
        "seconds": 1.5,
        "calls": 1,
        "wall_seconds": 2.5,
        "mechanical_files": ["B.java"],
        "approved_files": ["docs/a.md"],
    },
}


def test_the_schema_itself_is_valid() -> None:
    Draft202012Validator.check_schema(SCHEMA)


def test_every_field_of_a_full_review() -> None:
    document = written(full())
    assert document == EXPECTED
    assert list(document) == list(EXPECTED)


def test_a_bare_diff_has_no_commits() -> None:
    change = change_set(origin=Origin.DIFF, merge_base=None, head=None)
    document = written(Review(change, (), ChangeKind.EMPTY, Mode.RULES, Level.YELLOW, Decision.WAIT))
    assert (document["base"], document["head"], document["files"]) == (None, None, [])


@pytest.mark.parametrize("path", ["caf\udce9.txt", "\ud800", 'a"\\\n\x00\x1f\u2028\U0001f600', "</script>"])
def test_any_text_survives(path: str) -> None:
    row = judged(modified(path, "a\n", "b\n"), rules=(path,), why=path)
    reason = Reason(path, Level.YELLOW, path, (Evidence(path, 1, was=path, now=path, note=path),), path, path)
    finding = Finding(path, "x", path, Level.YELLOW, path, suggestion=path, note=path)
    document = written(
        Review(
            change_set(row.change),
            (row,),
            ChangeKind.MIXED,
            Mode.RULES,
            Level.YELLOW,
            Decision.WAIT,
            (reason,),
            (finding,),
            (path,),
            (path,),
            (BlockRating(path, 0, None, (path,), path),),
            (path,),
        )
    )
    assert document["files"][0]["path"] == document["files"][0]["why"] == path
    assert document["files"][0]["mechanical"] == document["usage"]["mechanical_files"] == [path]
    assert document["reasons"][0]["evidence"][0]["path"] == path
    assert document["findings"][0]["message"] == document["notes"][0] == path


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_what_is_no_number_is_null(number: float) -> None:
    usage = Usage(cost=number, seconds=number)
    ratings = (BlockRating("a.c", 0, number),)
    document = written(
        Review(
            change_set(),
            (),
            ChangeKind.EMPTY,
            Mode.RULES,
            Level.GREEN,
            Decision.PASS,
            ratings=ratings,
            usage=usage,
            seconds=number,
        )
    )
    assert document["ratings"][0]["percentile"] is None
    assert [document["usage"][key] for key in ("cost", "seconds", "wall_seconds")] == [None, None, None]


def test_many_files_are_written_piece_by_piece() -> None:
    rows = tuple(judged(modified(f"f{number:05}.c", "a\n", "b\n")) for number in range(5_000))
    pieces: list[str] = []

    class Stream:
        def write(self, text: str, /) -> None:
            pieces.append(text)

    change = change_set(*(row.change for row in rows))
    write_json(Review(change, rows, ChangeKind.MIXED, Mode.RULES, Level.YELLOW, Decision.WAIT), Stream())
    assert [file["path"] for file in json.loads("".join(pieces))["files"]] == [row.path for row in rows]
    assert max(_lengths(pieces)) < sum(_lengths(pieces)) / 2


def _lengths(pieces: list[str]) -> Iterator[int]:
    return map(len, pieces)
