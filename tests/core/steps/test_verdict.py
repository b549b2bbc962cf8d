import itertools

import pytest
from attrs import evolve

from werkrevisor_core.errors import RuleError
from werkrevisor_core.models.change import ReadFault
from werkrevisor_core.models.context import Adjustment, Reading
from werkrevisor_core.models.verdict import Decision, Finding, Level, Reason
from werkrevisor_core.steps.verdict import (
    OVERRIDABLE_ERRORS,
    HumanApproval,
    adjusted,
    crash_reasons,
    decide,
    floor,
    sort_findings,
    sort_reasons,
    worst,
)
from werkrevisor_core.testing.build import HEAD, change_set, context, judged, modified

FILE = modified("A.java", "a\n", "b\n")


def reason(level=Level.YELLOW, name="r", message="m"):
    return Reason(name, level, message)


def finding(level=Level.ORANGE, path="A.java", start=1):
    return Finding("model", "x", path, level, "m", start, start)


def test_the_verdict_is_the_worst_of_reasons_and_findings():
    assert worst((), ()) is Level.GREEN
    assert worst([reason(Level.YELLOW)], [finding(Level.GREEN)]) is Level.YELLOW
    assert worst([reason(Level.YELLOW)], [finding(Level.RED)]) is Level.RED


HERE = HumanApproval("anna", HEAD, after_errors=True)
EARLY = HumanApproval("anna", HEAD)
ELSEWHERE = HumanApproval("anna", "c" * 40, after_errors=True)


@pytest.mark.parametrize(
    ("verdict", "approval", "decision"),
    [
        (Level.GREEN, None, Decision.PASS),
        (Level.YELLOW, None, Decision.WAIT),
        (Level.YELLOW, HERE, Decision.PASS),
        (Level.YELLOW, ELSEWHERE, Decision.WAIT),
        (Level.ORANGE, None, Decision.BLOCK),
        (Level.ORANGE, HERE, Decision.PASS),
        (Level.ORANGE, ELSEWHERE, Decision.BLOCK),
        (Level.RED, HERE, Decision.BLOCK),
    ],
)
def test_the_decision_follows_from_the_verdict_and_an_approval_of_this_head(verdict, approval, decision):
    given = [reason(verdict)] if verdict else []
    assert decide(given, (), HEAD, approval) is decision
    assert decide((), [finding(verdict)], HEAD, approval) is decision


@pytest.mark.parametrize(
    "names", [*itertools.combinations(sorted(OVERRIDABLE_ERRORS), 2), *[(n,) for n in OVERRIDABLE_ERRORS]]
)
def test_an_error_of_coverage_passes_with_an_approval_that_came_after_it(names):
    reasons = [reason(Level.ERROR, name) for name in names]
    assert decide(reasons, (), HEAD, HERE) is Decision.PASS
    assert decide(reasons, (), HEAD, EARLY) is Decision.BLOCK
    assert decide(reasons, (), HEAD, ELSEWHERE) is Decision.BLOCK
    assert decide(reasons, (), HEAD, None) is Decision.BLOCK


@pytest.mark.parametrize(
    "reasons",
    [
        [reason(Level.ERROR, "rule_crashed")],
        [reason(Level.ERROR, "skipped_files"), reason(Level.ERROR, "config")],
        [reason(Level.ERROR, "skipped_files"), reason(Level.RED, "own_config")],
    ],
)
def test_every_other_error_needs_the_fault_mended(reasons):
    assert decide(reasons, (), HEAD, HERE) is Decision.BLOCK


@pytest.mark.parametrize("level", [Level.RED, Level.ERROR])
def test_a_finding_that_no_human_overrides_is_not_hidden_by_an_error(level):
    reasons = [reason(Level.ERROR, "skipped_files")]
    assert decide(reasons, [finding(Level.ORANGE)], HEAD, HERE) is Decision.PASS
    assert decide(reasons, [finding(level)], HEAD, HERE) is Decision.BLOCK


def test_a_bare_diff_has_no_head_that_anybody_could_approve():
    assert decide([reason()], (), None, HumanApproval("anna", "")) is Decision.WAIT


@pytest.mark.parametrize(
    ("given", "read", "held"),
    [
        (context(judged(FILE)), (), True),
        (context(judged(FILE)), ("A.java",), False),
        (context(judged(FILE, rules=("imports",))), (), False),
        (context(judged(FILE, approved=True)), (), False),
        (context(judged(modified("A.java", "a\n", "b\n", unread="cut"))), ("A.java",), True),
        (context(change=change_set(faults=(ReadFault("cut"),))), (), True),
        (context(), (), True),
    ],
)
def test_the_core_holds_a_green_where_something_was_not_read(given, read, held):
    reasons = floor(given, Reading(frozenset(read)), Level.GREEN)
    assert [r.id for r in reasons] == (["not_read"] if held else [])
    assert floor(given, Reading(frozenset(read)), Level.YELLOW) == ()


def test_findings_are_lowered_and_never_raised_or_deleted():
    findings = (finding(Level.ORANGE), finding(Level.GREEN))
    changed = adjusted(
        findings,
        [
            Adjustment(0, Level.YELLOW, "approved"),
            Adjustment(0, Level.GREEN, "unchanged"),
            Adjustment(0, Level.RED, "no"),
            Adjustment(1, Level.RED, "no"),
        ],
    )
    assert [(f.level, f.original_level, f.note) for f in changed] == [
        (Level.GREEN, Level.ORANGE, "unchanged"),
        (Level.GREEN, None, ""),
    ]


def test_a_hint_may_be_kept_out_of_the_line_comments_and_nothing_else_may():
    hint, doubt = finding(Level.GREEN), finding(Level.ORANGE)
    only = [Adjustment(index, Level.GREEN, "old text", result_comment_only=True) for index in (0, 1)]
    quiet, lowered = adjusted((hint, doubt), only)
    assert (quiet.line_comment, quiet.note, quiet.original_level) == (False, "old text", None)
    assert (lowered.line_comment, lowered.level) == (True, Level.GREEN)
    (noted,) = adjusted((evolve(hint, note="kept"),), [Adjustment(0, Level.GREEN, "", result_comment_only=True)])
    assert (noted.line_comment, noted.note) == (False, "kept")


def test_reasons_come_worst_first_and_findings_by_place():
    low, high, other = reason(Level.YELLOW, "a"), reason(Level.RED, "b"), reason(Level.RED, "a")
    assert sort_reasons([low, high, other]) == (other, high, low)
    first, second, third = finding(path="a", start=9), finding(path="b", start=None), finding(path="b", start=2)
    assert sort_findings([third, second, first]) == (first, second, third)


def test_a_crash_is_an_error_that_names_the_rule():
    (made,) = crash_reasons([RuleError("size", "werkrevisor_gate", "ValueError: no")])
    assert (made.id, made.level, made.rule) == ("rule_crashed", Level.ERROR, "size")
    assert made.message == "The rule size failed in werkrevisor_gate: ValueError: no."
