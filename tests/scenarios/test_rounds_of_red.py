"""The scenarios of seed PR#62 through the whole engine, on a real repository."""

import pytest

from werkrevisor_core.config.sections import GateSettings
from werkrevisor_core.models.verdict import Decision, Finding, Level
from werkrevisor_core.render.comment import render_comment
from werkrevisor_core.steps.requests import to_request
from werkrevisor_core.testing.build import pull_request
from werkrevisor_core.testing.scripted import ScriptedModel

RED = Finding("m", "x", "src/a.py", Level.RED, "Bad.", 1, 1)


def round_of(pull, level, number):
    """Push a head and have it reviewed with this verdict."""
    pull.commit({"src/a.py": f"a = {number}\n"})
    pull.host = pull.host.replace('"combined"', '"llm"').replace('"docs_only"', '"docs_only", "refactoring"')
    skips = frozenset({"src/a.py"}) if level is Level.ERROR else frozenset()
    review = pull.review([ScriptedModel((RED,) if level is Level.RED else (), skips=skips)])
    assert review.verdict is level
    return review


def rounds(pull, *levels):
    return [round_of(pull, level, number) for number, level in enumerate(levels)][-1]


def escalated(review):
    return [reason for reason in review.reasons if reason.id == "red_escalated"]


def test_scenario_62_01_the_fourth_red_in_a_row_asks_a_human(pull):
    review = rounds(pull, *[Level.RED] * 4)
    (reason,) = escalated(review)
    assert (review.verdict, review.decision) == (Level.RED, Decision.BLOCK)
    assert "The automatic rounds end here" in reason.message
    assert "a human decides" in reason.message
    assert [(item.count, item.limit) for item in reason.evidence] == [(3, 3)]
    assert reason.message in render_comment(review)


def test_scenario_62_02_fewer_rounds_give_red_as_before(pull):
    review = rounds(pull, *[Level.RED] * 3)
    assert escalated(review) == []
    assert review.decision is Decision.BLOCK


def test_scenario_62_03_a_head_without_red_starts_the_count_anew(pull):
    review = rounds(pull, Level.RED, Level.RED, Level.RED, Level.GREEN, Level.RED)
    assert escalated(review) == []


def test_an_error_head_neither_counts_nor_ends_the_row(pull):
    assert len(escalated(rounds(pull, Level.RED, Level.RED, Level.ERROR, Level.RED, Level.RED))) == 1
    assert escalated(rounds(pull, Level.GREEN, Level.RED, Level.RED, Level.ERROR, Level.RED)) == []


def test_a_second_review_of_one_head_is_no_further_round(pull):
    rounds(pull, Level.RED, Level.RED)
    pull.review([ScriptedModel((RED,))])
    assert escalated(round_of(pull, Level.RED, 9)) == []


def test_a_deleted_comment_does_not_make_a_round_undone(pull):
    rounds(pull, Level.RED, Level.RED, Level.RED)
    pull.comments = []
    review = round_of(pull, Level.RED, 9)
    assert len(escalated(review)) == 1
    assert "history_edited" in [reason.id for reason in review.reasons]


@pytest.mark.parametrize(("most", "count"), [(0, 6), (1, 2), (2, 3)])
def test_the_host_says_after_how_many_rounds(pull, most, count):
    pull.host = pull.host.replace("[gate]", f"[gate]\nmax_red_rounds = {most}")
    review = rounds(pull, *[Level.RED] * count)
    assert len(escalated(review)) == (1 if most else 0)


def test_no_human_overrides_it(pull):
    rounds(pull, *[Level.RED] * 3)
    pull.commit({"src/a.py": "a = 9\n"})
    pull.approve()
    review = pull.review([ScriptedModel((RED,))])
    assert len(escalated(review)) == 1
    assert review.decision is Decision.BLOCK


def test_scenario_62_01_and_62_02_the_human_reviewers_are_requested_only_then(pull):
    gate = GateSettings(human_reviewers=("bob",))
    third = rounds(pull, *[Level.RED] * 3)
    assert to_request(third, pull_request(), gate, ()) == ()
    fourth = round_of(pull, Level.RED, 9)
    assert to_request(fourth, pull_request(), gate, ()) == ("bob",)
