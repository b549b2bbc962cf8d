"""Whose approvals of which heads are carried, and what the history must still say of them."""

import pytest
from scenarios.rebased import (
    APPROVED,
    BASE,
    CONFLICT,
    OTHER,
    RESOLVED,
    assert_all_reviewed,
    assert_carried,
    judged,
    move_main,
)

from werkrevisor_core.marks.codec import Comment
from werkrevisor_core.models.verdict import Decision, Finding, Level


def test_an_approval_that_names_an_old_head_decides_nothing_for_what_came_after(approved):
    first = approved.head()
    approved.commit({"src/Other.java": OTHER.replace("a = 1", "a = 9").replace("b = 2", "b = 3")})
    approved.approve("eve", first)  # given after the push, and the forge shows it as fresh
    review, model, _ = judged(approved)
    assert [file.path for file in model.requests[0].files] == ["src/Other.java"]
    assert review.decision is Decision.WAIT


@pytest.mark.parametrize(
    ("facts", "ended"),
    [
        ({"poster": "bob"}, {}),
        ({"involved": frozenset({"ada", "bob"})}, {}),
        ({}, {"login": "friend"}),
        ({}, {"official": False}),
        ({}, {"base_branch": "lax"}),
    ],
    ids=["poster", "pushed", "not listed", "not official", "other base"],
)
def test_an_approval_that_is_none_is_not_carried(approved, facts, ended):
    if ended:
        approved.end(approved.reviews[0], **ended)
    move_main(approved)
    approved.rebase()
    assert_all_reviewed(approved, **facts)


def test_an_approval_that_was_official_when_it_was_seen_is_carried_after_a_new_request(approved):
    judged(approved)  # the marker of A now remembers the approval
    approved.end(approved.reviews[0], official=False)
    move_main(approved)
    approved.rebase()
    assert_carried(approved)


def test_a_retarget_ends_the_carry_over_even_with_an_equal_diff(approved):
    approved.git("branch", "dev", "main")
    approved.base = "dev"
    review = assert_all_reviewed(approved)
    assert review.withheld != ()


def test_a_switched_off_carry_over_carries_nothing(approved):
    approved.host = approved.host.replace("[gate]", "[gate]\ncarry_over_approvals = false")
    move_main(approved)
    approved.rebase()
    assert_all_reviewed(approved)


def test_a_red_head_that_somebody_approved_is_not_carried(pull):
    pull.commit({"src/Shop.java": BASE}, "main")
    pull.git("checkout", "-q", "topic")
    pull.git("merge", "-q", "main")
    pull.commit({"src/Shop.java": APPROVED})
    red = Finding("m", "x", "src/Shop.java", Level.RED, "Bad.", 7, 7)
    assert judged(pull, findings=(red,))[0].verdict is Level.RED
    pull.approve()
    assert judged(pull, findings=(red,))[0].decision is Decision.BLOCK
    move_main(pull)
    pull.rebase()
    review = assert_all_reviewed(pull)
    assert "is not carried over: that head was RED." in review.receipts[0]


def test_the_newest_of_two_approved_heads_is_carried(approved):
    approved.commit({"src/Other.java": OTHER.replace("a = 1", "a = 10")})
    judged(approved)
    second = approved.approve("eve").head
    move_main(approved)
    approved.rebase()
    review = assert_carried(approved)
    assert second in review.receipts[0]


def test_a_new_reason_needs_a_new_approval(approved):
    move_main(approved)
    approved.rebase()
    approved.host = approved.host + "[risky_paths]\nglobs = ['src/Other.java']\n"
    review, model, _ = judged(approved)
    assert model.requests == []
    assert (review.verdict, review.decision) == (Level.YELLOW, Decision.WAIT)


def test_a_risky_path_with_something_new_needs_a_new_approval(pull):
    pull.host += "[risky_paths]\nglobs = ['src/Shop.java']\n"
    pull.commit({"src/Shop.java": BASE}, "main")
    pull.git("checkout", "-q", "topic")
    pull.git("merge", "-q", "main")
    pull.commit({"src/Shop.java": APPROVED})
    judged(pull)
    pull.approve()
    move_main(pull, {"src/Shop.java": CONFLICT})
    pull.rebase({"src/Shop.java": RESOLVED})
    review, model, _ = judged(pull)
    assert model.requests
    assert review.decision is Decision.WAIT


def tamper(pull, *, body=None, login="werkrevisor"):
    pull.comments = [] if body is None else [Comment(1, login, body(pull.comments[0].body))]


@pytest.mark.parametrize(
    ("how", "edited"),
    [
        ({}, True),
        ({"body": lambda body: body.replace("AA", "AB")[:-5]}, True),
        ({"body": str, "login": "mallory"}, True),
    ],
    ids=["deleted", "edited", "of somebody else"],
)
def test_a_comment_that_was_tampered_with_carries_nothing(approved, how, edited):
    tamper(approved, **how)
    move_main(approved)
    approved.rebase()
    review = assert_all_reviewed(approved)
    assert ("history_edited" in [reason.id for reason in review.reasons]) is edited


def test_a_comment_that_was_put_back_to_an_older_one_carries_nothing(approved):
    old = approved.comments[0]
    judged(approved)
    approved.comments = [old]
    move_main(approved)
    approved.rebase()
    review = assert_all_reviewed(approved)
    assert "history_edited" in [reason.id for reason in review.reasons]


def test_a_head_that_is_gone_carries_nothing(approved):
    first = approved.head()
    move_main(approved)
    approved.rebase()
    approved.git("reflog", "expire", "--expire=now", "--all")
    approved.git("gc", "-q", "--prune=now")
    assert approved.git("cat-file", "-t", first, check=False) == ""
    review = assert_all_reviewed(approved)
    assert "is not carried over: the commit" in review.receipts[0]


def test_a_reviewer_of_some_paths_carries_only_those(pull):
    pull.host = pull.host.replace("[gate]", '[gate]\nreviewers = { "src/Other.java" = ["dora"] }')
    pull.commit({"src/Shop.java": BASE, "src/Other.java": OTHER}, "main")
    pull.git("checkout", "-q", "topic")
    pull.git("merge", "-q", "main")
    pull.commit({"src/Shop.java": APPROVED, "src/Other.java": OTHER.replace("a = 1", "a = 9")})
    judged(pull)
    pull.approve()
    move_main(pull)
    pull.rebase()
    review, model, _ = judged(pull)
    assert [file.path for file in model.requests[0].files] == ["src/Other.java"]
    assert review.decision is Decision.WAIT
