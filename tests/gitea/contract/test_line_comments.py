"""Line comments: places, order, drafts that are left behind, resolving."""

import threading

import pytest

FAR = 9999


def line(path="a.go", new=0, old=0, body="text"):
    return {"path": path, "new_position": new, "old_position": old, "body": body}


@pytest.fixture
def change(project):
    """A pull request that changes line 8 of a.go; b.txt has three lines and is not changed."""
    return project.change()


def test_line_comments_of_one_review(forge, change):
    comments = [
        line(new=8, body="on the changed line"),
        line(old=8, body="on the removed line"),
        line(new=8, body="a second one on the changed line"),
        line(new=10, body="on a context line"),
    ]
    review = change.review("bot", "COMMENT", "Summary\n\n<!-- marker -->", comments, change.head).json()
    assert review["comments_count"] == 4
    assert review["body"] == "Summary\n\n<!-- marker -->"
    rows = change.line_comments(review["id"])
    assert [(row["position"], row["original_position"]) for row in rows] == [(8, 0), (0, 8), (8, 0), (10, 0)]
    assert [row["body"] for row in rows] == [comment["body"] for comment in comments]
    assert {row["path"] for row in rows} == {"a.go"}
    assert {row["pull_request_review_id"] for row in rows} == {review["id"]}
    assert {row["user"]["login"] for row in rows} == {forge.name("bot")}
    assert [row["resolver"] for row in rows] == [None] * 4
    assert all(row["diff_hunk"].startswith("@@ -") for row in rows)


def test_the_commit_of_a_line_comment_is_the_one_that_last_touched_the_line(change):
    base = change.project.git("rev-parse", "main")
    comments = [line(new=8), line(new=10), line(old=8)]
    rows = change.line_comments(change.review("bot", "COMMENT", "", comments, change.head).json()["id"])
    assert [row["commit_id"] for row in rows] == [change.head, base, change.head]
    assert {row["original_commit_id"] for row in rows} == {""}


ODD = {
    "outside every hunk": (line(new=60), (60, 0)),
    "an unknown path": (line("nope.go", 1), (1, 0)),
    "a file that is not changed": (line("b.txt", 2), (2, 0)),
    "line 0": (line(new=0), (0, 0)),
    "a negative line": (line(new=-3), (0, 3)),
    "an old line past the end": (line(old=FAR), (0, FAR)),
    "an empty path": (line("", 1), (1, 0)),
    "both sides": (line(new=8, old=5), (0, 5)),
}


@pytest.mark.parametrize("place", ODD)
def test_odd_places_are_accepted(change, place):
    comment, wanted = ODD[place]
    answer = change.review("bot", "COMMENT", "", [comment], change.head)
    assert answer.status_code == 200
    row = change.line_comments(answer.json()["id"])[0]
    assert (row["position"], row["original_position"]) == wanted
    assert row["path"] == comment["path"]


@pytest.mark.parametrize(
    "comment", [line(new=FAR), line("../x", 1), line("b.txt", 4)], ids=["past the end", "dots", "one past"]
)
def test_some_places_are_500_and_leave_a_draft_behind(change, comment):
    answer = change.review("bot", "COMMENT", "", [line(new=8, body="good"), comment], change.head)
    assert answer.status_code == 500
    drafts = change.drafts("bot")
    assert [(row["state"], row["comments_count"]) for row in drafts] == [("PENDING", 1)]
    assert change.reviews("reviewer") == []


def test_what_was_left_behind_joins_the_next_review(change):
    assert (
        change.review("bot", "COMMENT", "", [line(new=8, body="first"), line(new=FAR)], change.head).status_code == 500
    )
    review = change.review("bot", "COMMENT", "", [line(new=8, body="again")], change.head).json()
    assert [row["body"] for row in change.line_comments(review["id"])] == ["first", "again"]


def test_deleting_the_draft_deletes_its_line_comments(forge, change):
    change.review("bot", "COMMENT", "", [line(new=8, body="first"), line(new=FAR)], change.head)
    draft = change.drafts("bot")[0]["id"]
    assert forge.api("bot", "DELETE", f"{change.api}/reviews/{draft}").status_code == 204
    review = change.review("bot", "COMMENT", "", [line(new=8, body="again")], change.head).json()
    assert [row["body"] for row in change.line_comments(review["id"])] == ["again"]


def test_drafts_of_two_users_do_not_mix(change):
    change.review("reviewer", "PENDING", "mine", [line(new=8, body="of the reviewer")])
    review = change.review("bot", "COMMENT", "", [line(new=8, body="of the bot")], change.head).json()
    assert [row["body"] for row in change.line_comments(review["id"])] == ["of the bot"]
    assert [row["comments_count"] for row in change.drafts("reviewer")] == [1]


def test_parallel_reviews_of_one_user_lose_no_comment(change):
    # Which review has which comment is luck on a real server: only the sum holds.
    answers = []

    def publish(number):
        comments = [line(new=8, body=f"{number}.{part}") for part in range(5)]
        answers.append(change.review("bot", "COMMENT", f"review {number}", comments, change.head))

    threads = [threading.Thread(target=publish, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {answer.status_code for answer in answers} <= {200, 500}
    bodies = [row["body"] for review in change.reviews() for row in change.line_comments(review["id"])]
    assert sorted(bodies) == sorted(f"{number}.{part}" for number in range(4) for part in range(5))


def test_line_comments_come_in_no_order(forge, change):
    comments = [line(new=8, body=str(number)) for number in range(8)]
    comments += [
        line("b.txt", 1, body="8"),
        line(old=8, body="9"),
        line(new=10, body="10"),
        line("b.txt", 2, body="11"),
    ]
    review = change.review("bot", "COMMENT", "", comments, change.head).json()["id"]
    orders = {
        tuple(row["id"] for row in forge.get("bot", f"{change.api}/reviews/{review}/comments")) for _ in range(12)
    }
    assert len(orders) > 1
    assert len({frozenset(order) for order in orders}) == 1


def test_line_comments_are_not_paged(forge, change):
    review = change.review("bot", "COMMENT", "", [line(new=8, body=str(n)) for n in range(35)], change.head).json()[
        "id"
    ]
    assert len(forge.get("bot", f"{change.api}/reviews/{review}/comments?limit=5&page=2")) == 35


def test_resolving(forge, change):
    review = change.review("bot", "COMMENT", "", [line(new=8)], change.head).json()["id"]
    comment = change.line_comments(review)[0]

    def call(role, verb):
        return forge.api(role, "POST", f"{change.project.api}/pulls/comments/{comment['id']}/{verb}")

    # The author of the pull request may, silently; a reader may not.
    assert call("reader", "resolve").status_code == 403
    assert call("author", "resolve").status_code == 204
    row = change.line_comments(review)[0]
    assert row["resolver"]["login"] == forge.name("author")
    assert row["updated_at"] == comment["updated_at"]
    assert call("second", "resolve").status_code == 204
    assert change.line_comments(review)[0]["resolver"]["login"] == forge.name("author")
    assert call("reader", "unresolve").status_code == 403
    assert call("second", "unresolve").status_code == 204
    assert change.line_comments(review)[0]["resolver"] is None
    assert {row["type"] for row in change.timeline()} == {"pull_push", "review"}


def test_only_line_comments_can_be_resolved(forge, change):
    plain = forge.made("bot", "POST", f"{change.issue}/comments", {"body": "x"})["id"]
    assert forge.api("bot", "POST", f"{change.project.api}/pulls/comments/{plain}/resolve").status_code == 400
    assert forge.api("bot", "POST", f"{change.project.api}/pulls/comments/99999999/resolve").status_code == 404


def test_there_is_no_reply_endpoint(forge, change):
    review = change.review("bot", "COMMENT", "", [line(new=8)], change.head).json()["id"]
    comment = change.line_comments(review)[0]["id"]
    answer = forge.api("author", "POST", f"{change.api}/comments/{comment}/replies", {"body": "fixed"})
    assert answer.status_code == 405


def test_editing_and_deleting_line_comments_by_the_route_of_comments(forge, change):
    review = change.review("bot", "COMMENT", "", [line(new=8), line(new=10)], change.head).json()["id"]
    first, other = change.line_comments(review)
    path = f"{change.project.api}/issues/comments"
    assert forge.api("bot", "GET", f"{path}/{first['id']}").status_code == 204
    assert forge.api("reader", "PATCH", f"{path}/{first['id']}", {"body": "evil"}).status_code == 403
    edited = forge.api("author", "PATCH", f"{path}/{first['id']}", {"body": "by a writer"})
    assert edited.status_code == 200
    assert edited.json()["user"]["login"] == forge.name("bot")
    assert forge.api("author", "DELETE", f"{path}/{other['id']}").status_code == 204
    rows = change.line_comments(review)
    assert [(row["id"], row["body"], row["user"]["login"]) for row in rows] == [
        (first["id"], "by a writer", forge.name("bot"))
    ]
    assert change.reviews()[0]["comments_count"] == 1


def test_editing_the_summary_in_the_timeline_does_not_change_the_review(forge, change):
    review = change.review("bot", "COMMENT", "summary").json()
    entry = change.timeline("review")[0]["id"]
    path = f"{change.project.api}/issues/comments/{entry}"
    assert forge.api("bot", "PATCH", path, {"body": "edited"}).status_code == 200
    assert change.reviews()[0]["body"] == review["body"] == "summary"
    assert change.timeline("review")[0]["body"] == "edited"
