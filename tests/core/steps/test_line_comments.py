import pytest
from attrs import evolve

from werkrevisor_core.config.sections import GateSettings
from werkrevisor_core.models.forge import LineComment
from werkrevisor_core.models.ports import Side
from werkrevisor_core.models.verdict import Finding, Level
from werkrevisor_core.reviewers import Reviewers
from werkrevisor_core.steps.line_comments import finding_key, is_line_comment, open_comments, was_lowered
from werkrevisor_core.testing.build import HEAD, pull_request

PEOPLE = Reviewers.compile(GateSettings(human_reviewers=("bob", "ada"), reviewers={"db/**": ("dora",)}))
COMMENT = LineComment(1, "a.md", 3, "c" * 40)
HINT = Finding("model", "x", "a.md", Level.GREEN, "m", 3, 3)
OPEN = ("the line comment on a.md:3 is not answered",)


def held(*comments, findings=()):
    return open_comments(pull_request(line_comments=comments), findings, PEOPLE)


@pytest.mark.parametrize(
    ("given", "sentences"),
    [
        ({}, OPEN),
        ({"resolved_by": ("ada",)}, ()),
        ({"replied_by": ("anybody",)}, ()),
        ({"resolved_by": ("Werkrevisor",)}, OPEN),
        ({"lowered": True}, OPEN),
        ({"lowered": True, "replied_by": ("anybody",)}, OPEN),
        ({"lowered": True, "replied_by": ("ada",)}, OPEN),
        ({"lowered": True, "replied_by": ("Bob",)}, ()),
        ({"lowered": True, "resolved_by": ("bob",)}, ()),
    ],
)
def test_a_comment_holds_until_it_is_answered_by_who_may(given, sentences):
    assert held(evolve(COMMENT, **given)) == sentences


def test_a_lowered_comment_under_a_glob_is_answered_by_one_of_its_own():
    comment = LineComment(1, "db/a.sql", 3, HEAD, replied_by=("bob",), lowered=True)
    assert held(comment) == ("the line comment on db/a.sql:3 is not answered",)
    assert held(evolve(comment, replied_by=("dora",))) == ()


def test_a_finding_without_a_comment_yet_holds_too():
    assert held(findings=[HINT]) == OPEN
    assert held(findings=[HINT, HINT]) == OPEN
    assert open_comments(None, [HINT], PEOPLE) == ()


@pytest.mark.parametrize("given", [{"line_comment": False}, {"in_change": False}, {"start": None, "end": None}])
def test_a_finding_that_stands_only_in_the_result_comment_holds_nothing(given):
    assert not is_line_comment(evolve(HINT, **given))
    assert held(findings=[evolve(HINT, **given)]) == ()


def test_a_written_comment_answers_for_its_finding():
    here = evolve(COMMENT, head=HEAD, resolved_by=("ada",))
    assert held(here, findings=[HINT]) == ()
    assert held(evolve(here, finding=finding_key(HINT)), findings=[HINT]) == ()
    assert held(evolve(here, finding=finding_key(HINT), line=9), findings=[HINT]) == ()
    assert held(evolve(here, finding="0" * 32), findings=[HINT]) == OPEN
    assert held(evolve(here, line=4), findings=[HINT]) == OPEN
    assert held(evolve(here, path="b.md"), findings=[HINT]) == OPEN
    assert held(evolve(here, head="c" * 40), findings=[HINT]) == OPEN


@pytest.mark.parametrize(
    "given",
    [{"rule": "y"}, {"path": "b"}, {"start": 2}, {"end": 4}, {"side": Side.OLD}, {"message": "n"}, {"reviewer": "z"}],
)
def test_the_key_of_a_finding_tells_it_from_others(given):
    assert finding_key(evolve(HINT, **given)) != finding_key(HINT)
    assert finding_key(evolve(HINT, level=Level.RED, note="x")) == finding_key(HINT)


@pytest.mark.parametrize(
    ("level", "original", "lowered"),
    [
        (Level.GREEN, None, False),
        (Level.GREEN, Level.YELLOW, False),
        (Level.GREEN, Level.ORANGE, True),
        (Level.YELLOW, Level.RED, True),
        (Level.ORANGE, Level.RED, False),
    ],
)
def test_what_was_lowered_needs_a_human(level, original, lowered):
    assert was_lowered(evolve(HINT, level=level, original_level=original)) is lowered
