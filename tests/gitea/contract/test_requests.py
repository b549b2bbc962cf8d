"""Review requests, and what they do to earlier approvals."""

import pytest


@pytest.fixture
def change(project):
    return project.change()


def request(change, role, reviewers=(), teams=(), method="POST"):
    body = {"reviewers": [change.forge.name(one) for one in reviewers], "team_reviewers": list(teams)}
    return change.forge.api(role, method, f"{change.api}/requested_reviewers", body)


def test_requesting_somebody(forge, change):
    answer = request(change, "bot", ["reviewer"])
    assert answer.status_code == 201
    row = answer.json()[0]
    assert row["state"] == "REQUEST_REVIEW"
    assert row["user"]["login"] == forge.name("reviewer")
    assert row["commit_id"] == ""
    assert row["official"] is True
    assert [one["id"] for one in change.reviews()] == [row["id"]]
    assert [user["login"] for user in change.get()["requested_reviewers"]] == [forge.name("reviewer")]
    entry = change.timeline("review_request")[0]
    assert entry["assignee"]["login"] == forge.name("reviewer")
    assert (entry["user"]["login"], entry["removed_assignee"]) == (forge.name("bot"), False)


def test_requesting_twice_makes_one_request(change):
    request(change, "bot", ["reviewer"])
    again = request(change, "bot", ["reviewer", "second"])
    assert again.status_code == 201
    assert [row["user"]["login"] for row in again.json()] == [change.forge.name("second")]
    assert len(change.reviews()) == 2


def test_a_reader_may_be_asked_and_is_not_official(change):
    assert [row["official"] for row in request(change, "bot", ["reader"]).json()] == [False]


def test_what_is_refused(forge, change):
    author = request(change, "bot", ["author"])
    assert author.status_code == 422
    assert author.json()["message"].startswith("poster of pr can't be reviewer")
    nobody = forge.api("bot", "POST", f"{change.api}/requested_reviewers", {"reviewers": ["nobody-here"]})
    assert nobody.status_code == 404
    assert nobody.json()["message"] == "User 'nobody-here' not exist"
    team = request(change, "bot", teams=["nope"])
    assert team.status_code == 404
    stranger = request(change, "forker", ["reviewer"])
    assert stranger.status_code == 422
    assert stranger.json()["message"].startswith("Doer can't choose reviewer")
    assert change.reviews() == []


def test_the_first_error_leaves_the_names_before_it(change):
    assert request(change, "bot", ["reviewer", "author", "second"]).status_code == 422
    assert [row["user"]["login"] for row in change.reviews()] == [change.forge.name("reviewer")]


def test_a_site_admin_as_such_may_not_choose_reviewers(change):
    assert request(change, "admin", ["reviewer"]).status_code == 422


def test_requesting_a_team(forge, change):
    answer = request(change, "bot", teams=["maintainers"])
    assert answer.status_code == 201
    row = answer.json()[0]
    assert row["user"] is None
    assert row["team"]["name"] == "maintainers"
    assert (row["state"], row["official"]) == ("REQUEST_REVIEW", False)
    assert [team["name"] for team in change.get()["requested_reviewers_teams"]] == ["maintainers"]
    # A decision of a member removes the request.
    change.approve("second")
    assert [row["state"] for row in change.reviews()] == ["APPROVED"]


def test_a_request_clears_official_on_the_earlier_approval(change):
    change.approve("reviewer")
    request(change, "bot", ["reviewer"])
    approval = change.review_of("reviewer")
    assert (approval["official"], approval["dismissed"], approval["stale"]) == (False, False, False)
    # Taking the request back gives it again.
    assert request(change, "bot", ["reviewer"], method="DELETE").status_code == 204
    assert change.review_of("reviewer")["official"] is True
    assert [row["state"] for row in change.reviews()] == ["APPROVED"]
    assert [row["removed_assignee"] for row in change.timeline("review_request")] == [False, True]


def test_a_review_ends_the_request_of_its_author(change):
    request(change, "bot", ["reviewer", "second"])
    change.review("reviewer", "COMMENT", "hm")
    rows = [(row["user"]["login"], row["state"]) for row in change.reviews()]
    assert rows == [
        (change.forge.name("second"), "REQUEST_REVIEW"),
        (change.forge.name("reviewer"), "COMMENT"),
    ]


def test_a_draft_does_not_end_the_request(change):
    request(change, "bot", ["reviewer"])
    change.review("reviewer", "PENDING", "later")
    assert [row["state"] for row in change.reviews("reviewer")] == ["REQUEST_REVIEW", "PENDING"]


def test_requested_reviewers_are_not_only_those_who_were_requested(forge, change):
    change.review("bot", "COMMENT", "only a comment")
    change.approve("reader")
    request(change, "bot", ["second"])
    names = {user["login"] for user in change.get()["requested_reviewers"]}
    assert names == {forge.name(role) for role in ("bot", "reader", "second")}
    listed = {user["login"] for user in change.listed()["requested_reviewers"]}
    assert listed == {forge.name(role) for role in ("reader", "second")}


def test_a_dismissed_review_is_no_requested_reviewer(forge, change):
    review = change.approve("reviewer")["id"]
    forge.made("bot", "POST", f"{change.api}/reviews/{review}/dismissals", {"message": "x"})
    assert change.get()["requested_reviewers"] == []


def test_asking_again_on_a_closed_pull_request(change):
    change.approve("second")
    change.edit(state="closed")
    answer = request(change, "bot", ["second"])
    assert answer.status_code == 403
    assert answer.json()["message"] == "cannot request a re-review on a closed or merged PR"


def test_a_row_of_a_request_cannot_be_deleted_as_a_review(forge, change):
    row = request(change, "bot", ["reviewer"]).json()[0]["id"]
    assert forge.api("admin", "DELETE", f"{change.api}/reviews/{row}").status_code == 500
    assert len(change.reviews()) == 1
