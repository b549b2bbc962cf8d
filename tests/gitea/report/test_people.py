"""Who said what for which base branch, who ended it, and who had a hand in the change."""

import pytest
from report_ground import hinted

from werkrevisor_core.marks.keys import Keyring, Origin
from werkrevisor_core.models.forge import ReviewState
from werkrevisor_gitea import facts
from werkrevisor_gitea.errors import BadAnswer
from werkrevisor_gitea.facts import check_statuses
from werkrevisor_gitea.line_marks import LineMark, Place, read_line_mark, write_line_mark
from werkrevisor_gitea.people import PUSH_TEXT, involved, person_reviews, pushed_heads, strangers
from werkrevisor_gitea.wire import (
    Commit,
    CommitBody,
    Identity,
    Instant,
    PullBranch,
    PullRequest,
    Review,
    Status,
    TimelineEntry,
    User,
)

ADA, BOB, EVE = User(1, "ada"), User(2, "bob"), User(3, "eve")
PULL = PullRequest(7, "open", PullBranch("main", "b" * 40), PullBranch("topic", "a" * 40), user=ADA)


def review(number=5, state="APPROVED", at=100.0, user=BOB, **more):
    return Review(number, state, "a" * 40, user=user, submitted_at=Instant(at), official=True, **more)


def entry(number, kind, **more):
    at = Instant(more.pop("at", 0.0))
    return TimelineEntry(number, kind, created_at=at, **more)


def base_of(timeline, **more):
    (found,) = person_reviews(PULL, [review(**more)], timeline)
    return found.base_branch


def test_the_base_branch_is_that_of_the_review():
    to_main = entry(2, "change_target_branch", old_ref="lax", new_ref="main", at=200.0)
    assert base_of([]) == "main"
    assert base_of([to_main]) == "lax"
    assert base_of([to_main], at=300.0) == "main"
    assert base_of([to_main], at=200.0) == "lax"


def test_the_place_in_the_timeline_counts_more_than_the_time():
    to_main = entry(2, "change_target_branch", old_ref="lax", new_ref="main", at=200.0)
    submitted = entry(3, "review", review_id=5, at=300.0)
    assert base_of([to_main, submitted], at=100.0) == "main"
    assert base_of([submitted, to_main], at=900.0) == "lax"


def test_several_changes_are_taken_back_in_turn():
    first = entry(2, "change_target_branch", old_ref="one", new_ref="two", at=150.0)
    second = entry(3, "change_target_branch", old_ref="two", new_ref="main", at=250.0)
    assert [base_of([first, second], at=at) for at in (100.0, 200.0, 300.0)] == ["one", "two", "main"]


PUSHED = [entry(1, "pull_push", user=EVE)]


def ended(timeline, *more, **given):
    (found, *_) = person_reviews(PULL, [review(**{"dismissed": True, **given}), *more], timeline)
    return found.ended_by, found.ended_why


@pytest.mark.parametrize(
    ("body", "end"),
    [(PUSH_TEXT, ("", "")), (f" {PUSH_TEXT}\n", ("", "")), ("no", ("eve", "no")), ("", ("eve", "without a word"))],
)
def test_only_a_persons_words_end_a_review(body, end):
    assert ended([*PUSHED, entry(2, "dismiss_review", user=EVE, review_id=5, body=body)]) == end


@pytest.mark.parametrize(
    ("pushes", "more"),
    [
        (PUSHED, {"user": EVE, "at": 3.0, "updated_at": Instant(4.0)}),
        (PUSHED, {"user": BOB}),
        ([], {"user": EVE}),
        ([], {"user": None}),
    ],
    ids=["edited", "of somebody who did not push", "without a push", "of nobody"],
)
def test_the_words_of_a_push_in_an_entry_that_no_push_made_are_those_of_a_person(pushes, more):
    found = ended([*pushes, entry(2, "dismiss_review", review_id=5, body=PUSH_TEXT, **more)])
    assert found == (more["user"].login if more["user"] else "somebody", PUSH_TEXT)


def test_a_dismissal_whose_entry_is_gone_ended_the_review():
    gone = ("", "it is dismissed, and the timeline does not tell why")
    assert ended(PUSHED) == gone
    assert ended([*PUSHED, entry(2, "dismiss_review", user=EVE, review_id=6, body=PUSH_TEXT)]) == gone
    assert ended([], dismissed=False) == ("", "")


@pytest.mark.parametrize(
    ("later", "end"),
    [
        ({}, True),
        ({"state": "REQUEST_CHANGES"}, True),
        ({"state": "COMMENT"}, False),
        ({"user": EVE}, False),
        ({"at": 99.0}, False),
    ],
    ids=["approval", "request for changes", "remark", "of another", "earlier"],
)
def test_a_later_decision_of_the_same_person_dismisses_without_an_entry(later, end):
    assert (ended([], review(6, **{"at": 101.0, **later})) == ("", "")) is end


def test_requests_drafts_and_teams_are_no_reviews():
    rows = [review(1, "REQUEST_REVIEW"), review(2, "PENDING"), review(3, ""), review(4, user=None)]
    rows += [review(5, "COMMENT"), review(6, "REQUEST_CHANGES", stale=True, dismissed=True)]
    found = person_reviews(PULL, rows, [])
    assert [(each.id, each.state) for each in found] == [
        (5, ReviewState.COMMENTED),
        (6, ReviewState.CHANGES_REQUESTED),
    ]


def commit(author=None, committer=None):
    body = CommitBody(Identity("A", "a@x"), Identity("C", "c@x"))
    return Commit("a" * 40, body, author, committer)


def test_who_opened_pushed_authored_or_committed_is_involved():
    timeline = [entry(2, "pull_push", user=EVE), entry(3, "comment", user=User(9, "visitor"))]
    assert involved(PULL, [commit(BOB, User(4, "dan"))], timeline) == {"ada", "bob", "dan", "eve"}
    assert strangers([commit(BOB, None), commit(None, BOB), commit(BOB, BOB)]) == ("a@x", "c@x")


@pytest.mark.parametrize(
    ("body", "heads"),
    [
        ('{"is_force_push":false,"commit_ids":["1","2","3"]}', ["3"]),
        ('{"is_force_push":true,"commit_ids":["1","2"]}', ["1", "2"]),
        ('{"is_force_push":false,"commit_ids":[]}', []),
        ('{"commit_ids":7}', []),
        ("[]", []),
        ("no json", []),
    ],
)
def test_the_heads_of_pushes(body, heads):
    assert list(pushed_heads([entry(1, "pull_push", body=body), entry(2, "comment", body=body)])) == heads


def test_statuses_count_per_context_and_forged_ones_do_not_vanish_under_newer_ones():
    rows = [
        Status(5, "success", "werkrevisor/main", creator=BOB),
        Status(4, "success", "werkrevisor/main", creator=EVE),
        Status(3, "pending", "ci", creator=EVE),
        Status(2, "success", "ci", creator=ADA),
        Status(1, "success", "werkrevisor/lax", creator=BOB),
        Status(0, "success", "werkrevisor/lax", creator=EVE),
    ]
    found = [(row.context, row.state, row.creator) for row in check_statuses(rows, "Bob", "werkrevisor/main")]
    assert found == [
        ("werkrevisor/main", "success", "bob"),
        ("werkrevisor/main", "success", "eve"),
        ("ci", "pending", "eve"),
        ("werkrevisor/lax", "success", "eve"),
    ]


KEYS = Keyring.parse("5a" * 32)
PLACE = Place(Origin("https://git.test", 3), 7, "a" * 40)


def test_a_line_mark_holds_only_where_it_was_made():
    mark = LineMark("0" * 32, lowered=True)
    line = write_line_mark(mark, KEYS, PLACE)
    assert read_line_mark(f"text\n\n{line}\n", KEYS, PLACE) == mark
    assert read_line_mark(f"text\r\n{line}\r\n", KEYS, PLACE) == mark
    others = (
        Place(Origin("https://git.test", 4), 7, "a" * 40),
        Place(PLACE.origin, 8, "a" * 40),
        Place(PLACE.origin, 7, "b" * 40),
    )
    assert [read_line_mark(line, KEYS, place) for place in others] == [None, None, None]
    assert read_line_mark(line, Keyring.parse("5b" * 32), PLACE) is None
    assert read_line_mark(line.replace("lowered", "as-found"), KEYS, PLACE) is None
    assert read_line_mark(f"{line}\nbelow", KEYS, PLACE) is None
    rotated = Keyring.parse("5b" * 32 + "\n" + "5a" * 32)
    assert read_line_mark(line, rotated, PLACE) == mark


@pytest.mark.parametrize(
    ("bound", "words"), [("MOST_REVIEWS", "reviews of the bot with line comments"), ("MOST_HEADS", "had 1 heads")]
)
def test_past_the_cap_is_an_error_and_not_a_part_of_it(host, yellow, monkeypatch, bound, words):
    host.review(yellow, hinted)
    sha = yellow.push()
    yellow.settled(sha)
    monkeypatch.setattr(facts, bound, 0)
    with pytest.raises(BadAnswer, match=words):
        host.review(yellow)


def test_commits_of_which_the_forge_says_nothing_are_strangers():
    assert strangers([Commit("a" * 40, CommitBody(None, Identity("C", "")))]) == ("C", "no address at all")
