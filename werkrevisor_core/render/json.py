"""Writes a review as JSON, the interface `werkrevisor/review/1` (see `review.schema.json`).

Files are written one by one with ready-made pieces, since a change may have 200,000 of them; all
other parts are small. Everything is ASCII, so lone surrogates of a path survive as `\\udcXX`.
"""

import json
import math
from collections.abc import Iterator
from itertools import islice
from json.encoder import encode_basestring_ascii as quoted
from typing import Final, Protocol

from werkrevisor_core.models.classes import JudgedFile
from werkrevisor_core.models.judges import BlockRating
from werkrevisor_core.models.result import Review
from werkrevisor_core.models.verdict import Evidence, Finding, Reason

SCHEMA: Final = "werkrevisor/review/1"
"""Name and version of the format; a field may be added within a version, never changed or dropped."""
_BATCH: Final = 2_000
"""Files joined into one write."""


class TextStream(Protocol):
    """Where the JSON goes, e.g. standard output."""

    def write(self, text: str, /) -> object:
        """Take a piece of text."""


def write_json(review: Review, stream: TextStream) -> None:
    """Write a review to a stream as one JSON document with a line end behind it.

    Args:
        review: the finished review.
        stream: takes ASCII text, piece by piece.
    """
    head = {
        "schema": SCHEMA,
        "verdict": review.verdict.name,
        "decision": review.decision.value,
        "holds": list(review.holds),
        "mode": review.mode.value,
        "change_kind": review.kind.value,
        "base": review.change.merge_base,
        "head": review.change.head,
    }
    stream.write("{\n" + ",\n".join(f"{quoted(key)}: {_dumped(value)}" for key, value in head.items()))
    _write_list(stream, "files", map(_file, review.files))
    _write_list(stream, "reasons", (_dumped(_reason(reason)) for reason in review.reasons))
    _write_list(stream, "findings", (_dumped(_finding(finding)) for finding in review.findings))
    _write_list(stream, "receipts", map(quoted, review.receipts))
    _write_list(stream, "ratings", (_dumped(_rating(rating)) for rating in review.ratings))
    _write_list(stream, "notes", map(quoted, review.notes))
    _write_usage(stream, review)
    stream.write("\n}\n")


def _write_list(stream: TextStream, key: str, rows: Iterator[str]) -> None:
    stream.write(f",\n{quoted(key)}: ")
    _write_rows(stream, rows)


def _write_rows(stream: TextStream, rows: Iterator[str]) -> None:
    before = "[\n"
    while batch := list(islice(rows, _BATCH)):
        stream.write(before + ",\n".join(batch))
        before = ",\n"
    stream.write("[]" if before == "[\n" else "\n]")


def _dumped(value: object) -> str:
    return json.dumps(value, ensure_ascii=True, allow_nan=False)


def _file(file: JudgedFile) -> str:
    change = file.change
    path, old_path = change.path, change.old_path
    rules = file.classification.rules
    return (
        f'{{"path": {quoted(path)}, "old_path": {"null" if old_path == path else quoted(old_path)}, '
        f'"status": "{change.status.value}", "category": "{file.category.value}", '
        f'"added": {change.added}, "removed": {change.removed}, '
        f'"mechanical": [{", ".join(map(quoted, rules))}], "approved": {"true" if file.approved else "false"}, '
        f'"counts": {"true" if file.counts else "false"}, "why": {quoted(file.classification.why)}}}'
    )


def _reason(reason: Reason) -> dict[str, object]:
    return {
        "id": reason.id,
        "level": reason.level.name,
        "message": reason.message,
        "advice": reason.advice,
        "rule": reason.rule,
        "evidence": [_evidence(item) for item in reason.evidence],
    }


def _evidence(item: Evidence) -> dict[str, object]:
    return {
        "path": item.path,
        "line": item.line,
        "side": item.side.value,
        "was": item.was,
        "now": item.now,
        "count": item.count,
        "limit": item.limit,
        "note": item.note,
    }


def _finding(finding: Finding) -> dict[str, object]:
    original = finding.original_level
    return {
        "id": finding.id,
        "path": finding.path,
        "start": finding.start,
        "end": finding.end,
        "side": finding.side.value,
        "level": finding.level.name,
        "original_level": None if original is None or original is finding.level else original.name,
        "message": finding.message,
        "suggestion": finding.suggestion,
        "note": finding.note,
        "in_change": finding.in_change,
    }


def _rating(rating: BlockRating) -> dict[str, object]:
    return {
        "path": rating.path,
        "block": rating.index,
        "percentile": None if rating.percentile is None else _finite(rating.percentile),
        "tags": list(rating.tags),
        "abstained": rating.abstained,
    }


def _write_usage(stream: TextStream, review: Review) -> None:
    usage = review.usage
    figures = {
        "tokens_in": usage.tokens_in,
        "tokens_out": usage.tokens_out,
        "cost": _finite(usage.cost),
        "seconds": _finite(usage.seconds),
        "calls": usage.calls,
        "wall_seconds": _finite(review.seconds),
    }
    stream.write(',\n"usage": {' + ", ".join(f"{quoted(key)}: {_dumped(value)}" for key, value in figures.items()))
    stream.write(', "mechanical_files": ')
    _write_rows(stream, (quoted(file.path) for file in review.files if file.mechanical))
    stream.write(', "approved_files": ')
    _write_rows(stream, (quoted(file.path) for file in review.files if file.approved))
    stream.write("}")


def _finite(value: float) -> float | None:
    """Return the number, None where JSON has no word for it."""
    return value if math.isfinite(value) else None
