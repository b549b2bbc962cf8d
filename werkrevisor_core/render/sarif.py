"""Writes a review as SARIF 2.1.0 (OASIS standard, errata 01): reasons and findings as results.

A reason is one result at its first piece of evidence that has a place; the others are related
locations. Messages are made visible first, since many readers of SARIF refuse lone surrogates.
"""

import json
from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import quote

from werkrevisor_core import __version__
from werkrevisor_core.models.ports import Side
from werkrevisor_core.models.result import Review
from werkrevisor_core.models.verdict import Evidence, Finding, Level, Reason
from werkrevisor_core.render.json import TextStream
from werkrevisor_core.render.markdown import one_line
from werkrevisor_core.render.visible import SNIPPET_LIMIT, visible
from werkrevisor_core.render.wording import advice, next_step

SCHEMA_URI: Final = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
RELATED_LOCATIONS: Final = 100
"""Related locations of one result; the properties of the result count what is left out."""
_ROOT: Final = "%SRCROOT%"
_LEVELS: Final = {
    Level.GREEN: "note",
    Level.YELLOW: "warning",
    Level.ORANGE: "error",
    Level.RED: "error",
    Level.ERROR: "error",
}

Json = dict[str, Any]


def write_sarif(review: Review, stream: TextStream, *, version: str = __version__) -> None:
    """Write a review to a stream as one SARIF log in ASCII with a line end behind it.

    Args:
        review: the finished review.
        stream: takes text, piece by piece.
        version: of werkrevisor.
    """
    encoder = json.JSONEncoder(ensure_ascii=True, allow_nan=False, indent=1)
    for piece in encoder.iterencode(sarif_log(review, version)):
        stream.write(piece)
    stream.write("\n")


def sarif_log(review: Review, version: str = __version__) -> Json:
    """Return the SARIF log of a review as plain dictionaries and lists."""
    rules = _rules(review)
    index = {rule["id"]: number for number, rule in enumerate(rules)}
    results = [*map(_reason_result, review.reasons), *map(_finding_result, review.findings)]
    for result in results:
        result["ruleIndex"] = index[result["ruleId"]]
    run = {
        "tool": {"driver": {"name": "werkrevisor", "version": version, "rules": rules}},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {_ROOT: {"description": {"text": "The root of the reviewed repository."}}},
        "invocations": [_invocation(review)],
        "results": results,
        "properties": {
            "verdict": review.verdict.name,
            "decision": review.decision.value,
            "changeKind": review.kind.value,
            "mode": review.mode.value,
            "mergeBase": review.change.merge_base,
            "head": review.change.head,
        },
    }
    return {"$schema": SCHEMA_URI, "version": "2.1.0", "runs": [run]}


def _rules(review: Review) -> list[Json]:
    """Return one descriptor per id, sorted; a reason names the rule that gave it."""
    given_by: dict[str, str] = {}
    for reason in review.reasons:
        given_by.setdefault(_id(reason.id), _id(reason.rule or reason.id))
    for finding in review.findings:
        given_by.setdefault(_id(finding.id), _id(finding.reviewer))
    return [{"id": rule_id, "properties": {"rule": given_by[rule_id]}} for rule_id in sorted(given_by)]


def _id(text: str) -> str:
    return visible(text, SNIPPET_LIMIT)


def _message(*sentences: str) -> Json:
    text = " ".join(one_line(sentence) for sentence in sentences if sentence)
    # `[text](1)` would be a link inside SARIF (section 3.11.6 of the standard).
    return {"text": text.replace("](", "]\\(") or "-"}


def _invocation(review: Review) -> Json:
    errors = [reason for reason in review.reasons if reason.level is Level.ERROR]
    return {
        "executionSuccessful": review.verdict is not Level.ERROR,
        "exitCode": int(review.verdict),
        "exitCodeDescription": next_step(review),
        "toolExecutionNotifications": [
            {"level": "error", "descriptor": {"id": _id(reason.id)}, "message": _message(reason.message)}
            for reason in errors
        ],
    }


def _reason_result(reason: Reason) -> Json:
    placed = [item for item in reason.evidence if item.path]
    result: Json = {
        "ruleId": _id(reason.id),
        "level": _LEVELS[reason.level],
        "message": _message(reason.message, advice(reason)),
        "properties": {"level": reason.level.name},
    }
    if placed:
        result["locations"] = [_evidence_location(placed[0])]
    if len(placed) > 1:
        related = placed[1 : RELATED_LOCATIONS + 1]
        result["relatedLocations"] = [_evidence_location(item) for item in related]
    if len(placed) > RELATED_LOCATIONS + 1:
        result["properties"]["relatedLocationsLeftOut"] = len(placed) - RELATED_LOCATIONS - 1
    return result


def _evidence_location(item: Evidence) -> Json:
    location = _location(item.path or "", item.line, item.line, item.side)
    said = ". ".join(_evidence_words(item))
    if said:
        location["message"] = _message(said)
    return location


def _evidence_words(item: Evidence) -> Iterator[str]:
    if item.side is Side.OLD:
        yield "In the old version" + (f", line {item.line}" if item.line else "")
    if item.note:
        yield item.note
    if item.was is not None:
        yield f"Was: {visible(item.was, SNIPPET_LIMIT)}"
    if item.now is not None:
        yield f"Now: {visible(item.now, SNIPPET_LIMIT)}"
    if item.count is not None:
        yield f"Count: {item.count}"
    if item.limit is not None:
        yield f"Limit: {item.limit}"


def _finding_result(finding: Finding) -> Json:
    result: Json = {
        "ruleId": _id(finding.id),
        "level": _LEVELS[finding.level],
        "message": _message(finding.message, finding.note),
        "locations": [_location(finding.path, finding.start, finding.end, finding.side)],
        "properties": {"level": finding.level.name, "inChange": finding.in_change},
    }
    if finding.original_level is not None:
        result["properties"]["originalLevel"] = finding.original_level.name
    return result


def _location(path: str, start: int | None, end: int | None, side: Side) -> Json:
    """Return a location; a line of the old version has no region, since the file at hand is the new one."""
    physical: Json = {"artifactLocation": {"uri": _uri(path), "uriBaseId": _ROOT}}
    if side is Side.NEW and start is not None and start >= 1:
        physical["region"] = {"startLine": start}
        if end is not None and end >= start:
            physical["region"]["endLine"] = end
    return {"physicalLocation": physical}


def _uri(path: str) -> str:
    """Return the path as a relative URI, the very bytes of its name percent-encoded."""
    try:
        raw = path.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # a surrogate that stands for no byte; no name that git stores has one
        raw = path.encode("utf-8", "surrogatepass")
    return quote(raw, safe="/")
