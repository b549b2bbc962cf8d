"""The server itself, and what it says when something is wrong with the call."""

import pytest
from contract.forge import eventually

NOBODY = "0" * 40


def test_version_and_limits_need_no_token(forge):
    assert isinstance(forge.get(None, "/version")["version"], str)
    limits = forge.get(None, "/settings/api")
    assert limits["max_response_items"] == 50
    assert limits["default_paging_num"] == 30
    assert limits["default_git_trees_per_page"] == 1000


def test_user_of_the_token(forge):
    user = forge.get("bot", "/user")
    assert user["login"] == forge.name("bot")
    assert user["username"] == user["login"]
    assert user["is_admin"] is False
    assert forge.get("bot", f"/users/{forge.name('author')}")["login"] == forge.name("author")
    assert forge.api("bot", "GET", "/users/nobody-of-this-name").status_code == 404


def test_token_may_also_come_as_bearer_or_as_a_password(forge):
    bearer = forge.api(None, "GET", "/user", headers={"Authorization": f"Bearer {forge.tokens['bot']}"})
    basic = forge.api(None, "GET", "/user", auth=(forge.name("bot"), forge.tokens["bot"]))
    assert [bearer.status_code, basic.status_code] == [200, 200]
    assert bearer.json()["login"] == basic.json()["login"] == forge.name("bot")


def test_no_token_and_a_wrong_token_are_401(forge):
    without = forge.api(None, "GET", "/user")
    wrong = forge.api(None, "GET", "/user", token=NOBODY)
    assert without.status_code == 401
    assert without.json()["message"] == "token is required"
    assert wrong.status_code == 401
    assert "message" in wrong.json()


def test_a_wrong_token_is_401_even_where_none_is_needed(forge, project):
    assert forge.api(None, "GET", f"{project.api}/pulls").status_code == 200
    assert forge.api(None, "GET", f"{project.api}/pulls", token=NOBODY).status_code == 401
    assert forge.api(None, "GET", "/version", token=NOBODY).status_code == 401


def test_a_missing_scope_is_403_and_names_the_scopes(forge, project):
    token = forge.token("bot", ("read:repository",))
    sha = project.git("rev-parse", "HEAD")
    assert forge.api(None, "GET", f"{project.api}/pulls", token=token).status_code == 200
    timeline = forge.api(None, "GET", f"{project.api}/issues/1/timeline", token=token)
    status = forge.api(None, "POST", f"{project.api}/statuses/{sha}", {"state": "success"}, token=token)
    user = forge.api(None, "GET", "/user", token=token)
    assert [timeline.status_code, status.status_code, user.status_code] == [403, 403, 403]
    assert "required=[read:issue], token scope=read:repository" in timeline.json()["message"]
    assert "required=[write:repository], token scope=read:repository" in status.json()["message"]
    assert "required=[read:user]" in user.json()["message"]


def test_the_scopes_of_a_reviewing_bot_suffice(forge, project):
    token = forge.token("bot", ("write:repository", "write:issue", "read:user"))
    change = project.change()
    body = {"event": "APPROVED", "commit_id": change.head}
    calls = [
        ("GET", "/user", None, 200),
        ("GET", change.api, None, 200),
        ("GET", f"{change.issue}/timeline", None, 200),
        ("POST", f"{change.issue}/comments", {"body": "hello"}, 201),
        ("POST", f"{change.api}/reviews", body, 200),
        ("POST", f"{project.api}/statuses/{change.head}", {"state": "success", "context": "x"}, 201),
        ("GET", f"{project.api}/branch_protections", None, 200),
        ("GET", f"{project.api}/hooks", None, 200),
        ("GET", f"{project.api}/collaborators/{forge.name('author')}/permission", None, 200),
    ]
    got = [(forge.api(None, method, path, body, token=token).status_code) for method, path, body, _ in calls]
    assert got == [wanted for *_, wanted in calls]


def test_what_is_not_there_is_404(forge, project):
    assert forge.api("bot", "GET", f"/repos/{forge.org}/nope/pulls/1").status_code == 404
    assert forge.api("bot", "GET", f"{project.api}/pulls/99").status_code == 404
    assert forge.api("bot", "GET", f"{project.api}/pulls/99.diff").status_code == 404
    assert forge.api("bot", "GET", f"{project.api}/pulls/99/reviews").status_code == 404
    assert forge.api("bot", "POST", f"{project.api}/pulls/99/reviews", {"event": "APPROVED"}).status_code == 404
    assert forge.api("bot", "POST", f"{project.api}/pulls/99/merge", {"Do": "merge"}).status_code == 404
    assert forge.api("bot", "GET", f"{project.api}/branches/nope").status_code == 404
    assert forge.api("bot", "GET", f"{project.api}/branch_protections/nope").status_code == 404


def test_an_unknown_issue_is_500_with_an_empty_message(forge, project):
    for path in ("comments", "timeline"):
        answer = forge.api("bot", "GET", f"{project.api}/issues/99/{path}")
        assert answer.status_code == 500
        assert answer.json()["message"] == ""


def test_a_private_repository_is_404_for_strangers_and_readable_for_members(forge):
    project = forge.project(private=True)
    assert forge.api("forker", "GET", f"{project.api}/pulls").status_code == 404
    assert forge.api(None, "GET", project.api).status_code == 404
    assert forge.api("reader", "GET", f"{project.api}/pulls").status_code == 200
    assert forge.get("bot", project.api)["private"] is True
    project.remove()


def test_permissions_of_the_repository_are_those_of_the_caller(forge, project):
    wanted = {
        "owner": {"admin": True, "push": True, "pull": True},
        "bot": {"admin": True, "push": True, "pull": True},
        "author": {"admin": False, "push": True, "pull": True},
        "second": {"admin": False, "push": True, "pull": True},
        "reader": {"admin": False, "push": False, "pull": True},
        "forker": {"admin": False, "push": False, "pull": True},
    }
    assert {role: forge.get(role, project.api)["permissions"] for role in wanted} == wanted


def test_permission_of_a_collaborator(forge, project):
    def permission(role, of):
        return forge.api(role, "GET", f"{project.api}/collaborators/{forge.name(of)}/permission")

    roles = ("owner", "bot", "author", "second", "reader")
    assert {of: permission("bot", of).json()["permission"] for of in roles} == {
        "owner": "owner",
        "bot": "admin",
        "author": "write",
        "second": "read",  # writes by a team, which this answer does not know
        "reader": "read",
    }
    assert permission("author", "author").json()["permission"] == "write"
    assert permission("author", "reader").status_code == 403


def test_collaborators_can_be_listed_and_asked_for(forge, project):
    rows = forge.get("bot", f"{project.api}/collaborators?limit=50")
    assert {row["login"] for row in rows} == {forge.name(role) for role in ("author", "reviewer", "bot", "reader")}
    path = f"{project.api}/collaborators"
    assert forge.api("bot", "GET", f"{path}/{forge.name('author')}").status_code == 204
    assert forge.api("bot", "GET", f"{path}/{forge.name('second')}").status_code == 404
    assert forge.api("bot", "DELETE", f"{path}/{forge.name('reader')}").status_code == 204
    assert forge.api("bot", "GET", f"{path}/{forge.name('reader')}").status_code == 404


def test_a_renamed_repository_is_301_for_every_method(forge, project):
    new = f"{project.full_name}-new"
    change = project.change()
    forge.made("owner", "PATCH", project.api, {"name": new.split("/")[1]})
    forge.remember(new)
    read = forge.api("bot", "GET", f"{project.api}/pulls?state=all")
    write = forge.api("bot", "POST", f"{change.issue}/comments", {"body": "x"})
    assert [read.status_code, write.status_code] == [301, 301]
    assert read.headers["location"].endswith(f"/api/v1/repos/{new}/pulls?state=all")
    assert write.headers["location"].endswith(f"/api/v1/repos/{new}/issues/{change.number}/comments")
    assert forge.api("bot", "GET", f"/repos/{new}/pulls/{change.number}").status_code == 200
    assert forge.get("bot", f"/repos/{new}/issues/{change.number}/comments") == []


def test_an_archived_repository_is_423_for_writes(forge, project):
    change = project.change()
    review = change.review("reviewer", "COMMENT", "one").json()
    assert review["state"] == "COMMENT"
    forge.made("owner", "PATCH", project.api, {"archived": True})
    assert forge.get("bot", project.api)["archived"] is True
    assert change.get()["state"] == "open"
    comment = forge.api("bot", "POST", f"{change.issue}/comments", {"body": "x"})
    assert comment.status_code == 423
    assert comment.json()["message"] == f"{project.full_name} is archived"
    assert forge.api("bot", "POST", f"{change.api}/merge", {"Do": "merge"}).status_code == 423
    assert forge.api("bot", "DELETE", f"{change.api}/merge").status_code == 423
    # Not everything is closed: these two write into an archived repository.
    assert project.status("bot", change.head, "success").status_code == 201
    assert change.review("reviewer", "COMMENT", "two").status_code == 200


def test_pulls_of_a_repository_without_commits_are_404(forge):
    name = f"empty-{forge.suffix}"
    forge.made("owner", "POST", f"/orgs/{forge.org}/repos", {"name": name, "default_branch": "main"})
    forge.remember(f"{forge.org}/{name}")
    assert forge.get("owner", f"/repos/{forge.org}/{name}")["empty"] is True
    assert forge.api("owner", "GET", f"/repos/{forge.org}/{name}/pulls").status_code == 404


def test_first_push_opens_the_pulls_after_a_moment(forge, project):
    assert forge.get("owner", project.api)["empty"] is False
    found = eventually(
        lambda: forge.api("owner", "GET", f"{project.api}/pulls"), lambda answer: answer.status_code == 200
    )
    assert found.json() == []


@pytest.mark.parametrize("path", ["", "/members"])
def test_teams_are_for_those_who_belong_there(forge, path):
    path = f"/orgs/{forge.org}/teams" if not path else f"/teams/{forge.team}{path}"
    assert forge.api("owner", "GET", path).status_code == 200
    assert forge.api("forker", "GET", path).status_code in (403, 404)


def test_members_of_a_team(forge, project):
    members = forge.get("owner", f"/teams/{forge.team}/members")
    assert [member["login"] for member in members] == [forge.name("second")]
    names = {team["name"] for team in forge.get("owner", f"{project.api}/teams")}
    assert names == {"Owners", "maintainers"}
