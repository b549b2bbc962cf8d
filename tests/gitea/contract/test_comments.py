"""Comments and the timeline with its oddities of paging."""

import pytest


@pytest.fixture
def change(project):
    return project.change()


def say(change, role, body):
    return change.forge.api(role, "POST", f"{change.issue}/comments", {"body": body})


def test_a_comment_is_stored_as_it_is(forge, change):
    body = 'one @nobody #1\r\n\n<!-- werkrevisor:v1 {"h": "x"} -->\n\ttab ä \u2028 end'
    answer = say(change, "bot", body)
    assert answer.status_code == 201
    row = answer.json()
    assert row["body"] == body
    assert row["user"]["login"] == forge.name("bot")
    assert row["html_url"].endswith(f"#issuecomment-{row['id']}")
    assert forge.get("bot", f"{change.issue}/comments") == [row]
    assert forge.get("reader", f"{change.project.api}/issues/comments/{row['id']}") == row
    assert change.timeline("comment")[0]["id"] == row["id"]


def test_comments_are_never_paged(forge, change):
    for number in range(35):
        assert say(change, "bot", f"note {number}").status_code == 201
    answer = forge.api("bot", "GET", f"{change.issue}/comments?limit=1&page=2")
    assert [row["body"] for row in answer.json()] == [f"note {number}" for number in range(35)]
    assert answer.headers["x-total-count"] == "35"


def test_only_plain_comments_are_listed(forge, change):
    change.review("bot", "COMMENT", "a review", [{"path": "a.go", "new_position": 8, "body": "line"}])
    say(change, "author", "plain")
    assert [row["body"] for row in forge.get("bot", f"{change.issue}/comments")] == ["plain"]


def test_an_empty_comment_is_refused_and_a_long_one_is_not(change):
    empty = say(change, "bot", "")
    assert empty.status_code == 422
    assert empty.json()["message"] == "[Body]: Required"
    assert say(change, "bot", "x" * 60_000).status_code == 201


def test_who_may_edit_and_delete_a_comment(forge, change):
    row = say(change, "bot", "of the bot").json()
    path = f"{change.project.api}/issues/comments/{row['id']}"
    assert forge.api("reader", "PATCH", path, {"body": "evil"}).status_code == 403
    assert forge.api("forker", "DELETE", path).status_code == 403
    own = forge.api("bot", "PATCH", path, {"body": "own edit"})
    assert (own.status_code, own.json()["body"]) == (200, "own edit")
    # Any writer may, and the comment still names the bot.
    foreign = forge.api("author", "PATCH", path, {"body": "of a writer"})
    assert (foreign.status_code, foreign.json()["user"]["login"]) == (200, forge.name("bot"))
    assert forge.get("bot", path)["body"] == "of a writer"
    assert forge.api("second", "DELETE", path).status_code == 204
    assert forge.get("bot", f"{change.issue}/comments") == []
    assert forge.api("bot", "GET", path).status_code == 404
    assert forge.api("bot", "PATCH", path, {"body": "x"}).status_code == 404


def test_a_comment_needs_a_token_and_any_reader_may_write_one(forge, change):
    assert forge.api(None, "POST", f"{change.issue}/comments", {"body": "x"}).status_code == 401
    assert say(change, "forker", "hello").status_code == 201


def test_a_locked_conversation(forge, change):
    assert forge.api("owner", "PUT", f"{change.issue}/lock", {"lock_reason": "Resolved"}).status_code == 204
    assert change.get()["is_locked"] is True
    refused = say(change, "reader", "x")
    assert refused.status_code == 403
    assert say(change, "bot", "x").status_code == 201
    assert forge.api("owner", "DELETE", f"{change.issue}/lock").status_code == 204
    assert say(change, "reader", "x").status_code == 201


def test_the_same_text_again_is_another_comment(change):
    first, second = (say(change, "bot", "same").json()["id"] for _ in range(2))
    assert first < second


def test_an_empty_page_of_the_timeline_is_null(forge, change):
    answer = forge.api("bot", "GET", f"{change.issue}/timeline?page=9")
    assert answer.status_code == 200
    assert answer.json() is None
    assert answer.headers["x-total-count"] == "0"


def test_line_comments_are_taken_out_of_the_timeline_after_paging(forge, change):
    comments = [{"path": "a.go", "new_position": 8, "body": str(number)} for number in range(4)]
    change.review("bot", "COMMENT", "review", comments, change.head)
    say(change, "bot", "last")
    # Rows: pull_push, four line comments, review, comment.
    pages = [forge.api("bot", "GET", f"{change.issue}/timeline?limit=2&page={page}") for page in range(1, 6)]
    kinds = [[row["type"] for row in page.json() or []] for page in pages]
    assert kinds == [["pull_push"], [], ["review"], ["comment"], []]
    assert [page.json() is None for page in pages] == [False, True, False, False, True]
    assert [page.headers["x-total-count"] for page in pages] == ["1", "0", "1", "1", "0"]
    assert all("link" not in page.headers for page in pages)


def test_timeline_since(forge, change):
    say(change, "bot", "now")
    assert forge.get("bot", f"{change.issue}/timeline?since=2020-01-01T00:00:00Z")
    assert forge.get("bot", f"{change.issue}/timeline?since=2999-01-01T00:00:00Z") is None


def test_the_timeline_is_oldest_first_and_says_who(forge, change):
    say(change, "bot", "one")
    change.approve("reviewer")
    change.edit(title="Other")
    change.edit(state="closed")
    rows = change.timeline()
    assert [row["type"] for row in rows] == ["pull_push", "comment", "review", "change_title", "close"]
    wanted = ["author", "bot", "reviewer", "author", "author"]
    assert [row["user"]["login"] for row in rows] == [forge.name(role) for role in wanted]
    assert [row["id"] for row in rows] == sorted(row["id"] for row in rows)


def test_reactions(forge, change):
    comment = say(change, "author", "/werkrevisor review").json()["id"]
    on_issue = forge.api("bot", "POST", f"{change.issue}/reactions", {"content": "eyes"})
    on_comment = forge.api(
        "bot", "POST", f"{change.project.api}/issues/comments/{comment}/reactions", {"content": "eyes"}
    )
    assert [on_issue.status_code, on_comment.status_code] == [201, 201]
    assert on_comment.json()["content"] == "eyes"
    assert on_comment.json()["user"]["login"] == forge.name("bot")
