import pytest
from attrs import evolve

from werkrevisor_core.config.sections import GateSettings
from werkrevisor_core.models.forge import PersonReview, ReviewState
from werkrevisor_core.models.verdict import Decision, Finding, Level, Reason
from werkrevisor_core.steps.requests import to_request
from werkrevisor_core.testing.build import HEAD, change_set, modified, pull_request
from werkrevisor_core.testing.run import run

GATE = GateSettings(human_reviewers=("Bob", "eve"), reviewers={"db/**": ("dora",)})
YELLOW = run(modified("src/a.py", "a\n", "b\n"))
APPROVED = PersonReview(5, "bob", ReviewState.APPROVED, "c" * 40, "main", 100.0)
ESCALATED = Reason("red_escalated", Level.RED, "m")
SKIPPED = Reason("skipped_files", Level.ERROR, "m")


def asked(review=YELLOW, approvals=(), **facts):
    return to_request(review, pull_request(**facts), GATE, approvals)


def with_(*reasons, **given):
    return evolve(YELLOW, reasons=reasons, **given)


def test_those_are_asked_whose_approval_is_missing():
    assert asked() == ("Bob", "eve")
    both = evolve(YELLOW, change=change_set(modified("db/a", "a\n", "b\n"), modified("src/a.py", "a\n", "b\n")))
    assert asked(both) == ("Bob", "dora", "eve")
    assert asked(both, [evolve(APPROVED, head=HEAD)]) == ("dora",)
    assert asked(evolve(YELLOW, change=change_set())) == ("Bob", "eve")


def test_nobody_is_asked_who_could_not_approve():
    assert asked(poster="bob") == ("eve",)
    assert asked(involved=frozenset({"EVE"})) == ("Bob",)
    assert asked(bot="eve") == ("Bob",)


def test_nobody_is_asked_whose_approval_may_be_carried():
    assert asked(approvals=[APPROVED]) == ("eve",)


@pytest.mark.parametrize(
    "review",
    [
        evolve(YELLOW, decision=Decision.PASS),
        evolve(YELLOW, withheld=("the pull request is a draft",)),
        with_(Reason("x", Level.RED, "m")),
        with_(SKIPPED, evolve(SKIPPED, id="config")),
        evolve(YELLOW, findings=(Finding("m", "x", "src/a.py", Level.RED, "m"),)),
    ],
)
def test_nobody_is_asked_where_no_approval_would_help(review):
    assert asked(review) == ()


def test_an_error_that_a_human_lifts_asks_one():
    assert asked(with_(SKIPPED)) == ("Bob", "eve")


def test_the_end_of_the_automatic_rounds_asks_all_human_reviewers():
    assert asked(with_(ESCALATED), [APPROVED]) == ("Bob", "eve")
    assert asked(with_(ESCALATED), poster="eve") == ("Bob",)
