from itertools import product

import pytest

from werkrevisor_core.models.classes import ChangeKind
from werkrevisor_core.models.result import Review
from werkrevisor_core.models.verdict import Decision, Finding, Level, Mode, Reason
from werkrevisor_core.render.report import headline
from werkrevisor_core.render.style import PlainStyle
from werkrevisor_core.render.wording import STATUS_LIMIT, advice, status_description
from werkrevisor_core.testing.build import change_set


def review(verdict: Level, decision: Decision, *ids: str, **given: object) -> Review:
    reasons = tuple(Reason(name, verdict, "Something.") for name in ids)
    fields: dict[str, object] = {"reasons": reasons, **given}
    return Review(change_set(), (), ChangeKind.MIXED, Mode.RULES, verdict, decision, **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (review(Level.GREEN, Decision.PASS), "GREEN: nothing stands against it"),
        (review(Level.GREEN, Decision.PASS, holds=("CI",)), "GREEN: nothing stands against it (the merge still waits)"),
        (
            review(Level.YELLOW, Decision.WAIT, "risky_paths", "not_reviewed", "risky_paths"),
            "YELLOW: a human has to approve this head (risky_paths, not_reviewed)",
        ),
        (review(Level.ORANGE, Decision.BLOCK, "size"), "ORANGE: doubtful, a human may approve this head (size)"),
        (review(Level.RED, Decision.BLOCK, "own_config"), "RED: must not be merged, needs a new commit (own_config)"),
        (review(Level.ERROR, Decision.BLOCK, "config"), "ERROR: the review could not be done in full (config)"),
        (review(Level.YELLOW, Decision.PASS, "size"), "YELLOW: approved by a human (size)"),
    ],
)
def test_the_status_begins_with_the_verdict_and_says_why(given: Review, expected: str) -> None:
    assert status_description(given) == expected


def test_findings_are_causes_too() -> None:
    finding = Finding("model", "x", "a.c", Level.RED, "Bad.")
    given = review(Level.RED, Decision.BLOCK, findings=(finding, finding))
    assert status_description(given) == "RED: must not be merged, needs a new commit (2 findings)"


def test_reasons_that_do_not_fit_are_counted() -> None:
    ids = [f"a_long_reason_name_{number:02}" for number in range(9)]
    line = status_description(review(Level.ERROR, Decision.BLOCK, *ids))
    assert line == (
        "ERROR: the review could not be done in full "
        "(a_long_reason_name_00, a_long_reason_name_01, a_long_reason_name_02 and 6 more)"
    )


@pytest.mark.parametrize(("verdict", "decision"), list(product(Level, Decision)))
def test_every_pair_of_verdict_and_decision_is_bounded_and_named(verdict: Level, decision: Decision) -> None:
    given = review(verdict, decision, *(f"{number}" * 70 for number in range(9)))
    line = status_description(given)
    assert line.startswith(f"{verdict.name}: ")
    assert len(line) <= STATUS_LIMIT
    assert headline(given, PlainStyle()).startswith(f"{verdict.name}, {decision.value}. ")


LIFTABLE = "approves this head after this comment"


@pytest.mark.parametrize("name", ["skipped_files", "out_of_budget", "model_unavailable"])
def test_an_incomplete_review_says_that_a_human_may_lift_it(name: str) -> None:
    assert LIFTABLE in headline(review(Level.ERROR, Decision.BLOCK, name), PlainStyle())


def test_other_errors_and_red_say_no_such_thing() -> None:
    red = Reason("own_config", Level.RED, "Faulty.")
    skipped = Reason("skipped_files", Level.ERROR, "Not read.")
    found = Finding("model", "x", "a.c", Level.RED, "Bad.")
    for given in (
        review(Level.ERROR, Decision.BLOCK, "skipped_files", "config"),
        review(Level.ERROR, Decision.BLOCK),
        review(Level.ERROR, Decision.BLOCK, reasons=(skipped, red)),
        review(Level.ERROR, Decision.BLOCK, reasons=(skipped,), findings=(found,)),
    ):
        assert LIFTABLE not in headline(given, PlainStyle())


def test_no_headline_but_of_a_pass_says_that_it_is_fine() -> None:
    for verdict in (Level.YELLOW, Level.ORANGE, Level.RED, Level.ERROR):
        assert "Nothing stands against" not in headline(review(verdict, Decision.BLOCK), PlainStyle())


def test_a_reason_without_advice_gets_that_of_its_level() -> None:
    assert advice(Reason("x", Level.RED, "Bad.")) == "The author mends this in a new commit."
    assert advice(Reason("x", Level.RED, "Bad.", advice="Ask Ada.")) == "Ask Ada."
