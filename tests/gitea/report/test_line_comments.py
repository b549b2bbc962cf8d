"""Line comments: one batch, every place checked, signed, answered or not, never doubled."""

import pytest
from attrs import evolve
from report_ground import State

from werkrevisor_core.models.ports import Side
from werkrevisor_core.models.verdict import Finding, Level

LINES = 82
"""Lines of the code: two at the top, four for each of its twenty functions."""


def finding(line, message="look", path="a.go", **more):
    return Finding("model", "style", path, Level.GREEN, message, line, line, **more)


def with_findings(*findings):
    return lambda review: evolve(review, findings=findings, holds=("a line comment is not answered",))


def written(change):
    state = State.of(change)
    reviews = state.own_reviews("COMMENT")
    rows = [row for review in reviews for row in change.line_comments(review["id"])]
    return len(reviews), sorted((row["path"], row["position"], row["original_position"]) for row in rows)


def test_findings_become_line_comments_of_one_review_and_are_not_doubled(host, yellow):
    adjust = with_findings(finding(1), finding(LINES), finding(7, "old", side=Side.OLD))
    _, published = host.review(yellow, adjust)
    assert published.whole, published
    expected = (1, [("a.go", 0, 7), ("a.go", 1, 0), ("a.go", LINES, 0)])
    assert written(yellow) == expected
    _, again = host.review(yellow, adjust)
    assert again.whole, again
    assert written(yellow) == expected
    assert State.of(yellow).own_reviews("PENDING") == []


@pytest.mark.parametrize(
    "bad",
    [
        finding(LINES + 1),
        finding(0),
        finding(1, path="b.txt"),
        finding(1, path="nowhere.go"),
        finding(1, path="../a.go"),
        finding(LINES + 1, side=Side.OLD),
    ],
    ids=["past the end", "line 0", "file not in the change", "no such file", "outside", "past the old end"],
)
def test_a_place_that_is_none_is_not_sent(host, yellow, bad):
    _, published = host.review(yellow, with_findings(bad, finding(3)))
    assert published.whole, published
    assert written(yellow) == (1, [("a.go", 3, 0)])
    assert any("has no line comment" in sentence for sentence in published.done)


def test_a_half_written_review_is_removed_first(host, yellow):
    draft = {"path": "a.go", "body": "half", "new_position": 2, "old_position": 0}
    assert yellow.review("bot", "PENDING", "draft", [draft]).status_code == 200
    host.review(yellow, with_findings(finding(3)))
    assert written(yellow) == (1, [("a.go", 3, 0)])


def test_a_line_comment_holds_until_somebody_else_resolves_it(host, yellow):
    host.review(yellow, with_findings(finding(3)))
    host.review(yellow, with_findings(finding(3)))
    (comment,) = host.seen.facts.line_comments
    assert (comment.path, comment.line, comment.head, comment.lowered) == ("a.go", 3, yellow.head, False)
    assert (comment.resolved_by, comment.replied_by) == ((), ())
    host.forge.made("author", "POST", f"{host.project.api}/pulls/comments/{comment.id}/resolve")
    host.review(yellow)
    (comment,) = host.seen.facts.line_comments
    assert comment.resolved_by == (host.forge.name("author"),)


def test_a_lowered_finding_stays_one_for_listed_people_even_when_the_comment_is_edited(host, yellow):
    lowered = finding(3, original_level=Level.RED)
    host.review(yellow, with_findings(lowered, finding(4)))
    host.review(yellow, with_findings(lowered, finding(4)))
    assert {each.line: each.lowered for each in host.seen.facts.line_comments} == {3: True, 4: False}
    (review,) = State.of(yellow).own_reviews("COMMENT")
    for row in yellow.line_comments(review["id"]):
        body = row["body"].replace(" lowered ", " as-found ").replace("look", "nothing")
        path = f"{host.project.api}/issues/comments/{row['id']}"
        host.forge.made("author", "PATCH", path, {"body": body.rpartition("<!--")[0] if row["position"] == 4 else body})
    host.review(yellow, with_findings(lowered))
    assert {each.line: each.lowered for each in host.seen.facts.line_comments} == {3: True, 4: True}


def test_hostile_text_neither_mentions_nor_refers(host, yellow):
    name = host.forge.name("author")
    host.review(yellow, with_findings(finding(3, f"ask @{name} about #1 <img src=x> [a](b)")))
    (review,) = State.of(yellow).own_reviews("COMMENT")
    (row,) = yellow.line_comments(review["id"])
    shown = row["body"].rpartition("\n\n<!--")[0]
    assert shown == f"**hint** ask `@{name}` about `#1 <img src=x> [a](b)` (model/style)"


def test_what_is_suggested_and_noted_stands_in_the_comment(host, yellow):
    lowered = finding(3, suggestion="return 2\n", note="unchanged text", original_level=Level.ORANGE)
    host.review(yellow, with_findings(lowered))
    (review,) = State.of(yellow).own_reviews("COMMENT")
    (row,) = yellow.line_comments(review["id"])
    shown = row["body"].rpartition("\n\n<!--")[0]
    assert shown == "**hint** look (model/style)\n\nunchanged text\n\n```\nreturn 2\n```"


def test_more_than_a_batch_is_written_by_the_next_run(host, project):
    change = project.change("Long", {"long.txt": "x\n" * 101})
    adjust = with_findings(*(finding(line, path="long.txt") for line in range(1, 102)))
    _, published = host.review(change, adjust)
    assert "Line comments that the next run writes: 1." in published.done
    assert len(written(change)[1]) == 100
    host.review(change, adjust)
    assert written(change) == (2, [("long.txt", line, 0) for line in range(1, 102)])


def test_a_file_that_cannot_be_read_has_no_line_comment(host, project):
    project.branch("topic")
    (project.folder / "link").symlink_to("a.go")
    project.commit("link")
    project.push("topic", "author")
    change = project.open("author", "topic").ready()
    _, published = host.review(change, with_findings(finding(1, path="link")))
    assert published.whole, published
    assert any("is a symbolic link, not a regular file" in sentence for sentence in published.done)
    assert written(change) == (0, [])
