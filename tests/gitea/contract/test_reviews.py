"""Reviews: events, drafts, who counts, changes of mind, dismissals, deletion."""

import time

import pytest

LINE = {"path": "a.go", "new_position": 8, "old_position": 0, "body": "a line"}


@pytest.fixture
def change(project):
    return project.change()


def test_an_approval(forge, change):
    answer = change.review("reviewer", "APPROVED", "fine", commit=change.head)
    assert answer.status_code == 200
    row = answer.json()
    assert row["state"] == "APPROVED"
    assert row["user"]["login"] == forge.name("reviewer")
    assert row["team"] is None
    assert row["body"] == "fine"
    assert row["commit_id"] == change.head
    assert (row["official"], row["stale"], row["dismissed"]) == (True, False, False)
    assert row["comments_count"] == 0
    assert [one["id"] for one in change.reviews()] == [row["id"]]
    assert forge.get("reviewer", f"{change.api}/reviews/{row['id']}") == row
    entry = change.timeline("review")[-1]
    assert entry["review_id"] == row["id"]
    assert entry["body"] == "fine"
    assert row["html_url"].endswith(f"#issuecomment-{entry['id']}")


def test_an_approval_without_a_commit_names_the_head(change):
    assert change.review("reviewer", "APPROVED").json()["commit_id"] == change.head


@pytest.mark.parametrize(
    ("role", "event", "message"),
    [
        ("reviewer", "APPROVE", "review event APPROVE requires a body"),
        ("second", "approved", "review event approved requires a body"),
        ("reviewer", "REQUEST_CHANGES", "review event REQUEST_CHANGES requires a body"),
        ("reviewer", "PENDING", "review event PENDING requires a body"),
        ("reviewer", "COMMENT", "review event COMMENT requires a body or a comment"),
        ("author", "APPROVED", "approve your own pull is not allowed"),
        ("author", "REQUEST_CHANGES", "reject your own pull is not allowed"),
    ],
)
def test_what_is_refused_without_a_body(change, role, event, message):
    answer = change.review(role, event)
    assert answer.status_code == 422
    assert answer.json()["message"] == message
    assert change.reviews() == []


@pytest.mark.parametrize("event", ["APPROVE", "approved", "PENDING", "anything"])
def test_an_unknown_event_becomes_a_draft(change, event):
    answer = change.review("reviewer", event, "a body")
    assert answer.status_code == 200
    assert answer.json()["state"] == "PENDING"
    assert answer.json()["official"] is False
    assert [row["state"] for row in change.reviews("reviewer")] == ["PENDING"]
    assert change.reviews("bot") == []


def test_drafts_are_for_their_author_and_site_admins_and_count_for_the_page(forge, change):
    draft = change.review("reviewer", "PENDING", "a body").json()["id"]
    answer = forge.api("bot", "GET", f"{change.api}/reviews")
    assert answer.headers["x-total-count"] == "1"
    assert answer.json() == []
    assert forge.api("bot", "GET", f"{change.api}/reviews/{draft}").status_code == 404
    assert forge.api("bot", "GET", f"{change.api}/reviews/{draft}/comments").status_code == 404
    assert forge.get("admin", f"{change.api}/reviews/{draft}")["state"] == "PENDING"
    assert len(forge.get("admin", f"{change.api}/reviews")) == 1


def test_a_review_takes_the_draft_of_its_author_with_it(change):
    draft = change.review("reviewer", "PENDING", "a body", [LINE]).json()
    assert draft["comments_count"] == 1
    review = change.review("reviewer", "COMMENT", "now", [{**LINE, "body": "another"}]).json()
    assert review["id"] == draft["id"]
    assert review["state"] == "COMMENT"
    assert review["body"] == "now"
    assert review["comments_count"] == 2
    assert change.drafts("reviewer") == []
    assert [row["body"] for row in change.line_comments(review["id"])] == ["a line", "another"]


def test_a_draft_can_be_submitted_once(forge, change):
    draft = change.review("reviewer", "PENDING", "a body", [LINE]).json()["id"]
    path = f"{change.api}/reviews/{draft}"
    stays = forge.api("reviewer", "POST", path, {"event": "PENDING", "body": "still"})
    assert (stays.status_code, stays.json()["message"]) == (422, "review stay pending")
    assert forge.api("bot", "POST", path, {"event": "COMMENT", "body": "mine"}).status_code == 404
    done = forge.api("reviewer", "POST", path, {"event": "APPROVED", "body": "done"})
    assert done.status_code == 200
    assert (done.json()["state"], done.json()["commit_id"]) == ("APPROVED", change.head)
    again = forge.api("reviewer", "POST", path, {"event": "APPROVED", "body": "done"})
    assert (again.status_code, again.json()["message"]) == (422, "only a pending review can be submitted")


@pytest.mark.parametrize(
    ("role", "official"),
    [("reviewer", True), ("second", True), ("bot", True), ("owner", True), ("reader", False), ("forker", False)],
)
def test_whose_approval_is_official(change, role, official):
    assert change.approve(role)["official"] is official


def test_a_whitelist_decides_whose_approval_is_official(forge, project):
    project.protect(
        required_approvals=1,
        enable_approvals_whitelist=True,
        approvals_whitelist_username=[forge.name("bot")],
        approvals_whitelist_teams=["maintainers"],
    )
    change = project.change()
    wanted = {"reviewer": False, "second": True, "bot": True, "reader": False, "owner": False}
    assert {role: change.approve(role)["official"] for role in wanted} == wanted


def test_a_change_of_mind_dismisses_the_older_decision(change):
    change.approve("reviewer")
    rejection = change.review("reviewer", "REQUEST_CHANGES", "please not").json()
    assert (rejection["official"], rejection["dismissed"]) == (True, False)
    older = change.review_of("reviewer")
    assert (older["official"], older["dismissed"]) == (False, True)
    assert change.timeline("dismiss_review") == []
    change.approve("reviewer")
    rows = [(row["state"], row["official"], row["dismissed"]) for row in change.reviews()]
    assert rows == [
        ("APPROVED", False, True),
        ("REQUEST_CHANGES", False, True),
        ("APPROVED", True, False),
    ]


def test_a_decision_with_line_comments_leaves_the_older_one_undismissed(change):
    change.approve("reviewer")
    assert change.review("reviewer", "REQUEST_CHANGES", "see the line", [LINE]).status_code == 200
    older = change.review_of("reviewer")
    assert (older["official"], older["dismissed"]) == (False, False)


def test_a_comment_changes_no_decision(change):
    change.approve("reviewer")
    change.review("reviewer", "COMMENT", "by the way")
    older = change.review_of("reviewer")
    assert (older["official"], older["dismissed"]) == (True, False)


def test_an_approval_that_names_an_old_head_is_stale_and_official(change):
    old = change.head
    change.settled(change.push())
    row = change.approve("second", old)
    assert row["commit_id"] == old
    assert (row["stale"], row["official"], row["dismissed"]) == (True, True, False)


def test_an_unknown_commit(change):
    nothing = change.review("reviewer", "APPROVED", "x", commit="0" * 39 + "1")
    assert nothing.status_code == 500
    assert nothing.json()["message"] == ""
    assert change.reviews("reviewer") == []
    comment = change.review("bot", "COMMENT", "x", commit="0" * 39 + "1")
    assert comment.status_code == 200
    assert comment.json()["commit_id"] == "0" * 39 + "1"


def test_a_line_comment_on_an_unknown_commit_leaves_a_draft_behind(forge, change):
    assert change.review("bot", "COMMENT", "x", [LINE], "0" * 39 + "1").status_code == 500
    drafts = change.drafts("bot")
    assert len(drafts) == 1
    assert drafts[0]["comments_count"] == 0
    assert drafts[0]["commit_id"] == "0" * 39 + "1"
    assert forge.api("bot", "DELETE", f"{change.api}/reviews/{drafts[0]['id']}").status_code == 204
    assert change.drafts("bot") == []


def test_deciding_about_a_closed_pull_request(change):
    change.edit(state="closed")
    answer = change.review("reviewer", "APPROVED", "late")
    assert answer.status_code == 422
    assert answer.json()["message"] == "can't submit review for a closed or merged PR"
    assert change.review("reviewer", "COMMENT", "late").status_code == 200


def test_dismissing_by_hand(forge, change):
    review = change.approve("reviewer")["id"]
    path = f"{change.api}/reviews/{review}/dismissals"
    refused = forge.api("author", "POST", path, {"message": "x", "priors": False})
    assert refused.status_code == 403
    assert refused.json()["message"] == "Must be repo admin"
    done = forge.api("bot", "POST", path, {"message": "by hand", "priors": False})
    assert done.status_code == 200
    assert (done.json()["state"], done.json()["dismissed"], done.json()["official"]) == ("APPROVED", True, True)
    entry = change.timeline("dismiss_review")[0]
    assert (entry["body"], entry["review_id"], entry["user"]["login"]) == ("by hand", review, forge.name("bot"))
    back = forge.api("bot", "POST", f"{change.api}/reviews/{review}/undismissals")
    assert back.status_code == 200
    assert back.json()["dismissed"] is False
    assert len(change.timeline("dismiss_review")) == 1


def test_whoever_can_write_may_edit_and_delete_the_entry_of_a_dismissal(forge, change):
    review = change.approve("reviewer")["id"]
    path = f"{change.api}/reviews/{review}/dismissals"
    forge.made("bot", "POST", path, {"message": "by hand", "priors": False})
    entry = change.timeline("dismiss_review")[0]
    assert entry["updated_at"] == entry["created_at"]
    time.sleep(1.1)  # times are whole seconds
    comment = f"{change.project.api}/issues/comments/{entry['id']}"
    assert forge.api("reader", "PATCH", comment, {"body": "other words"}).status_code == 403
    assert forge.api("author", "PATCH", comment, {"body": "other words"}).status_code == 200
    edited = change.timeline("dismiss_review")[0]
    assert (edited["body"], edited["user"]["login"]) == ("other words", forge.name("bot"))
    assert edited["updated_at"] > edited["created_at"] == entry["created_at"]
    assert forge.api("author", "DELETE", comment).status_code == 204
    assert change.timeline("dismiss_review") == []
    assert change.review_of("reviewer")["dismissed"] is True


def test_a_dismissal_of_all_reviews_of_a_person_has_one_entry(forge, change):
    older = change.review("reviewer", "APPROVED", "ok", [LINE]).json()["id"]
    newer = change.review("reviewer", "APPROVED", "ok", [LINE]).json()["id"]
    path = f"{change.api}/reviews/{newer}/dismissals"
    forge.made("bot", "POST", path, {"message": "all", "priors": True})
    assert [row["dismissed"] for row in change.reviews() if row["id"] in {older, newer}] == [True, True]
    assert [row["review_id"] for row in change.timeline("dismiss_review")] == [newer]


def test_what_cannot_be_dismissed(forge, change):
    comment = change.review("reviewer", "COMMENT", "x").json()["id"]
    path = f"{change.api}/reviews/{comment}/dismissals"
    assert forge.api("bot", "POST", path, {"message": "x"}).status_code == 403
    approval = change.approve("reviewer")["id"]
    change.edit(state="closed")
    assert forge.api("bot", "POST", f"{change.api}/reviews/{approval}/dismissals", {"message": "x"}).status_code == 403


def test_deleting_a_review(forge, change):
    mine = change.review("bot", "APPROVED", "ok", [LINE], change.head).json()["id"]
    assert forge.api("author", "DELETE", f"{change.api}/reviews/{mine}").status_code == 403
    assert forge.api("owner", "DELETE", f"{change.api}/reviews/{mine}").status_code == 403
    assert forge.api("bot", "DELETE", f"{change.api}/reviews/{mine}").status_code == 204
    assert change.reviews() == []
    assert change.timeline("review") == []
    assert forge.api("bot", "DELETE", f"{change.api}/reviews/{mine}").status_code == 404
    other = change.approve("reviewer")["id"]
    assert forge.api("admin", "DELETE", f"{change.api}/reviews/{other}").status_code == 204


def test_reviews_are_listed_oldest_first_in_pages_without_a_link(forge, change):
    for number in range(5):
        change.review("bot", "COMMENT", f"note {number}")
    answer = forge.api("bot", "GET", f"{change.api}/reviews?limit=2&page=2")
    assert [row["body"] for row in answer.json()] == ["note 2", "note 3"]
    assert answer.headers["x-total-count"] == "5"
    assert "link" not in answer.headers
    assert [row["body"] for row in forge.get("bot", f"{change.api}/reviews?limit=2&page=3")] == ["note 4"]
    assert forge.get("bot", f"{change.api}/reviews?limit=2&page=4") == []


def test_anybody_who_reads_may_review_and_nobody_without_a_token(forge, change):
    assert change.review("forker", "COMMENT", "hello").status_code == 200
    assert forge.api(None, "POST", f"{change.api}/reviews", {"event": "COMMENT", "body": "x"}).status_code == 401


def test_the_second_account_of_a_pusher_counts(project):
    # Nothing but the poster is asked: whoever else pushed may approve, officially.
    change = project.change()
    project.replace("a.go", "return 5\n", "return 505\n")
    sha = project.commit("by second")
    project.push("topic", "second")
    change.settled(sha)
    assert change.approve("second", sha)["official"] is True
