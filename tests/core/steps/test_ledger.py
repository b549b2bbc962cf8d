import pytest
from attrs import evolve

from werkrevisor_core.models.context import Round
from werkrevisor_core.models.forge import FileMark, Marker, PersonReview, ReviewState
from werkrevisor_core.models.verdict import Decision, Evidence, Level, Reason
from werkrevisor_core.steps.answers import reason_mark
from werkrevisor_core.steps.ledger import Entry, Turn, entries, next_marker, read_ledger, tagged
from werkrevisor_core.testing.build import BASE, HEAD, modified, pull_request
from werkrevisor_core.testing.run import run

A, B, C = "1" * 40, "2" * 40, "3" * 40


def marker(head, sequence, verdict=Level.RED, **given):
    fields = {
        "server": "https://git.example.org",
        "repository_id": 3,
        "pull_request": 7,
        "base_branch": "main",
        "merge_base": BASE,
        "head": head,
        "verdict": verdict,
        "decision": Decision.BLOCK,
        "complete": verdict is not Level.ERROR,
        "sequence": sequence,
        "at": float(sequence),
    }
    return Marker(**{**fields, **given})


def row(head, sequence, verdict="RED", number=7):
    return head, tagged(f"{verdict}: must not be merged", number, sequence, 140)


def ledger(rows=(), markers=(), broken=(), head=HEAD):
    return read_ledger(rows, markers, broken, 7, head)


def test_a_status_carries_its_place_behind_its_words():
    assert tagged("GREEN: fine", 7, 12, 140) == "GREEN: fine [7:12]"
    assert tagged("GREEN: " + "x" * 200, 7, 12, 30) == "GREEN: " + "x" * 13 + "... [7:12]"
    assert len(tagged("a b" * 90, 7, 12, 140)) <= 140


def test_entries_are_the_tagged_statuses_of_this_pull_request():
    rows = [row(A, 1), row(B, 2, number=8), (C, "pending: running"), (C, "x [7:3] y"), (A, "odd [7:4]"), (A, "[7:5]")]
    assert entries(rows, 7) == (Entry(A, Level.RED, 1), Entry(A, None, 4))


def test_the_first_review_knows_of_nothing():
    found = ledger()
    assert (found.history.rounds, found.edited, found.next_sequence, found.last_complete) == ((), (), 1, None)


def test_rounds_come_from_markers_and_from_the_statuses_of_those_that_are_gone():
    rows = [row(A, 1), row(B, 2), row(C, 3, "GREEN")]
    found = ledger(rows, [marker(A, 1), marker(C, 3, Level.GREEN)])
    assert found.history.rounds == (Round(A, Level.RED), Round(B, Level.RED), Round(C, Level.GREEN))
    assert found.edited == (f"The head {B[:12]} has a status of the bot, and its result comment is gone or not valid.",)
    assert found.next_sequence == 4


def test_a_comment_put_back_to_an_older_one_is_noticed_and_the_status_counts():
    found = ledger([row(A, 1, "RED"), row(A, 3, "ORANGE")], [marker(A, 1)])
    assert found.edited == (
        f"The result comment of the head {A[:12]} is older than the bot's status there (review 1 instead of 3).",
    )
    assert found.history.rounds == (Round(A, Level.ORANGE),)


def test_a_comment_that_is_newer_than_its_status_is_a_crash_and_no_edit():
    found = ledger([row(A, 1)], [marker(A, 2, Level.GREEN)])
    assert found.edited == ()
    assert found.history.rounds == (Round(A, Level.GREEN),)
    assert found.next_sequence == 3


def test_broken_markers_are_edits():
    assert ledger(broken=["The bot's comment 4 is odd."]).edited == ("The bot's comment 4 is odd.",)


def test_the_judged_head_is_no_earlier_round_but_its_comment_is_watched():
    found = ledger([row(HEAD, 2)], [marker(A, 1)])
    assert found.history.rounds == (Round(A, Level.RED),)
    assert found.next_sequence == 3
    assert HEAD[:12] in found.edited[0]


def test_a_head_that_was_reviewed_again_is_one_round_at_its_last_place():
    found = ledger((), [marker(A, 1), marker(B, 2), marker(A, 3, Level.GREEN)])
    assert found.history.rounds == (Round(B, Level.RED), Round(A, Level.GREEN))


def test_an_incomplete_round_is_marked():
    found = ledger([row(B, 2, "ERROR"), row(C, 3, "odd")], [marker(A, 1, Level.ERROR)])
    assert found.history.rounds == (
        Round(A, Level.ERROR, complete=False),
        Round(B, Level.ERROR, complete=False),
        Round(C, Level.ERROR, complete=False),
    )


def test_the_last_complete_review_is_the_newest_valid_one_of_another_head():
    markers = [marker(A, 1), marker(B, 2), marker(C, 3, Level.ERROR), marker(HEAD, 4)]
    assert ledger((), markers).last_complete == markers[1]
    assert ledger((), markers[2:]).last_complete is None


FILE = modified("src/a.py", "a\n", "b\n")
APPROVAL = PersonReview(5, "bob", ReviewState.APPROVED, HEAD, "main", 100.0)


def test_the_next_marker_says_what_the_review_found():
    review = run(FILE)
    facts = pull_request(markers=(marker(A, 1, approvals=(2,)),))
    files = (FileMark("src/a.py", "0" * 32, ()),)
    made = next_marker(review, facts, [APPROVAL], files, Turn(2, 123.0))
    assert made.verdict is Level.YELLOW
    assert made.decision is Decision.WAIT
    assert (made.server, made.repository_id, made.pull_request) == ("https://git.example.org", 3, 7)
    assert (made.base_branch, made.merge_base, made.head) == ("main", BASE, HEAD)
    assert (made.sequence, made.at, made.complete, made.approved_by_bot) == (2, 123.0, True, False)
    assert made.approvals == (2, 5)
    assert made.files == files
    assert made.reasons == tuple(map(reason_mark, review.reasons))
    assert made.config_digest == review.config_digest
    assert made.involved == ("ada",)


@pytest.mark.parametrize(("withheld", "approved"), [((), True), (("the pull request is a draft",), False)])
def test_a_green_head_is_approved_by_the_bot_unless_that_is_withheld(withheld, approved):
    review = evolve(run(FILE), verdict=Level.GREEN, decision=Decision.PASS, withheld=withheld)
    assert next_marker(review, pull_request(), [], (), Turn(1, 1.0)).approved_by_bot is approved


def test_a_comment_that_is_written_anew_names_its_errors_no_later():
    error = Reason("skipped_files", Level.ERROR, "m", (Evidence("a"), Evidence("b")))
    review = evolve(run(FILE), verdict=Level.ERROR, reasons=(error,))
    before = marker(HEAD, 1, Level.ERROR, reasons=(reason_mark(error),), named_at=50.0)

    def named_at(*markers, reasons=(error,)):
        facts = pull_request(markers=markers)
        return next_marker(evolve(review, reasons=reasons), facts, [], (), Turn(2, 90.0)).named_at

    assert named_at() == 90.0
    assert named_at(before) == 50.0
    assert named_at(before, reasons=(evolve(error, evidence=error.evidence[:1]),)) == 50.0
    assert named_at(before, reasons=(evolve(error, evidence=(*error.evidence, Evidence("c"))),)) == 90.0
    assert named_at(evolve(before, head=A)) == 90.0
    assert named_at(before, reasons=()) == 90.0
