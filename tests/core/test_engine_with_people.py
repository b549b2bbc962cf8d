"""What people and the forge change in a whole review: the decision and what holds the merge, never the verdict."""

import pytest
from attrs import evolve

from werkrevisor_core.models.forge import CheckStatus, LineComment, PersonReview, ReviewState
from werkrevisor_core.models.verdict import Decision, Finding, Level
from werkrevisor_core.render.comment import render_comment
from werkrevisor_core.testing.build import HEAD, modified, pull_request
from werkrevisor_core.testing.run import run
from werkrevisor_core.testing.scripted import ScriptedModel

CODE = modified("src/A.java", "class A {\n  int a;\n}\n", "class A {\n  int b;\n}\n")
HOST = '[gate]\nhuman_reviewers = ["bob"]\n'
APPROVED = PersonReview(5, "bob", ReviewState.APPROVED, HEAD, "main", 100.0)
BUILT = (CheckStatus("build", "success", "ci"),)


def reviewed(*reviews, host=HOST, judges=(), **facts):
    return run(CODE, host=host, judges=judges, forge=pull_request(reviews=reviews, **{"statuses": BUILT, **facts}))


def test_a_human_approval_changes_the_decision_and_the_comment_names_it():
    review = reviewed(APPROVED)
    assert (review.verdict, review.decision, review.holds) == (Level.YELLOW, Decision.PASS, ())
    assert review.decided_by == (f"bob approved this head ({HEAD}), which answers not_reviewed.",)
    comment = render_comment(review)
    assert "#### Decided by\n\n- bob approved this head " in comment
    assert HEAD in comment.partition("#### Decided by")[2].partition("<details>")[0]


def test_an_approval_that_does_not_count_is_named_with_why():
    review = reviewed(evolve(APPROVED, login="friend"))
    assert (review.decision, review.decided_by) == (Decision.WAIT, ())
    assert any("friend" in note and "neither in" in note for note in review.notes)


def test_an_approval_of_another_head_decides_nothing():
    assert reviewed(evolve(APPROVED, head="c" * 40)).decision is Decision.WAIT


def test_a_base_that_is_not_gated_and_a_draft_get_no_success():
    review = reviewed(APPROVED, base_branch="lax", draft=True)
    assert review.decision is Decision.WAIT
    review = reviewed(evolve(APPROVED, base_branch="lax"), base_branch="lax", draft=True)
    assert review.decision is Decision.PASS
    assert review.withheld == (
        "the base branch lax is not gated (gated is only main)",
        "the pull request is a draft",
    )
    assert review.holds[:2] == review.withheld
    assert "The merge still waits: the base branch lax is not gated" in render_comment(review)


def test_ci_and_open_line_comments_hold_the_merge_and_leave_the_decision():
    hint = Finding("model", "x", "src/A.java", Level.GREEN, "m", 2, 2)
    model = ScriptedModel((hint,))
    review = reviewed(
        host='[engine]\nmode = "llm"\n',
        judges=[model],
        statuses=(),
        line_comments=(LineComment(1, "docs/a.md", 7, "c" * 40),),
    )
    assert (review.verdict, review.decision) == (Level.GREEN, Decision.PASS)
    assert review.holds == (
        "The CI of this head has not succeeded",
        "the line comment on docs/a.md:7 is not answered",
        "the line comment on src/A.java:2 is not answered",
    )


def test_a_local_range_is_held_by_nothing():
    hint = Finding("model", "x", "src/A.java", Level.GREEN, "m", 2, 2)
    review = run(CODE, host='[engine]\nmode = "llm"\n', judges=[ScriptedModel((hint,))])
    assert (review.decision, review.holds, review.withheld) == (Decision.PASS, (), ())


@pytest.mark.parametrize(
    ("facts", "reason", "level", "decision"),
    [
        ({"edited": ("gone",)}, "history_edited", Level.YELLOW, Decision.PASS),
        (
            {"statuses": (CheckStatus("werkrevisor/main", "success", "ada"),)},
            "status_forged",
            Level.RED,
            Decision.BLOCK,
        ),
    ],
)
def test_what_somebody_did_to_the_forge_is_a_reason(facts, reason, level, decision):
    review = reviewed(APPROVED, **facts)
    assert (reason, level) in [(found.id, found.level) for found in review.reasons]
    assert review.decision is decision


def test_comments_that_only_look_like_markers_are_named():
    assert "look" in reviewed(ignored=("look",)).notes


def test_a_later_request_for_changes_takes_the_pass_away():
    later = PersonReview(6, "bob", ReviewState.CHANGES_REQUESTED, HEAD, "main", 101.0)
    assert reviewed(APPROVED, later).decision is Decision.WAIT
