"""The result comment: one per head, edited in place, with the marker at its end."""

from report_ground import State

from werkrevisor_core.models.verdict import Decision, Level


def test_a_run_that_finds_the_same_writes_nothing(host, yellow):
    host.review(yellow)
    before = State.of(yellow).all(yellow.head)
    assert len(before["comments"]) == 1
    assert before["statuses"] == [["pending"]]
    _, again = host.review(yellow)
    assert (again.whole, again.done) == (True, ())
    assert State.of(yellow).all(yellow.head) == before


def test_a_new_head_gets_a_comment_of_its_own_and_the_old_one_stays(host, yellow):
    host.review(yellow)
    (first,) = State.of(yellow).comments()
    sha = yellow.push()
    yellow.settled(sha)
    host.review(yellow)
    old, new = State.of(yellow).comments()
    assert old == first
    assert sha in new["body"]
    facts = host.seen
    assert [(round_.head, round_.verdict) for round_ in facts.ledger.history.rounds] == [
        (facts.facts.markers[0].head, Level.YELLOW)
    ]


def test_a_decision_that_changes_is_edited_in_and_gets_a_status_with_the_next_number(host, yellow):
    host.more["merge"] = '"never"'
    host.review(yellow)
    yellow.approve("reviewer")
    host.review(yellow)
    (comment,) = State.of(yellow).comments()
    assert comment["body"].startswith("**YELLOW, pass.**")
    host.review(yellow)
    (marker,) = host.seen.facts.markers
    assert (marker.sequence, marker.decision, marker.head) == (2, Decision.PASS, yellow.head)
    assert len(marker.approvals) == 1
    rows = host.forge.get("bot", f"{host.project.api}/commits/{yellow.head}/statuses")
    ends = [row["description"].rpartition(" ")[2] for row in sorted(rows, key=lambda row: row["id"])]
    assert ends == [f"[{yellow.number}:1]", f"[{yellow.number}:2]"]


def test_an_edited_comment_keeps_its_text_and_the_result_is_written_anew(host, yellow):
    host.review(yellow)
    (comment,) = State.of(yellow).comments()
    path = f"{host.project.api}/issues/comments/{comment['id']}"
    host.forge.made("author", "PATCH", path, {"body": "all is well"})
    host.review(yellow)
    bodies = [row["body"] for row in State.of(yellow).comments()]
    assert bodies[0] == "all is well"
    assert "history_edited" in bodies[1]


def test_a_marker_in_a_comment_of_somebody_else_is_ignored_and_said(host, yellow):
    host.review(yellow)
    (comment,) = State.of(yellow).comments()
    host.forge.made("author", "POST", f"{yellow.issue}/comments", {"body": comment["body"]})
    review, _ = host.review(yellow)
    assert len(host.seen.facts.markers) == 1
    assert any("is not the bot's, so it is ignored" in note for note in review.notes)
