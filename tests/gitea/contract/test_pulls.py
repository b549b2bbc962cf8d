"""Pull requests: what they say, opening, editing, closing, retargeting, forks."""

import pytest
from contract.forge import CODE, Change, eventually

TWO = {"a.go": CODE.replace("return 1\n", "return 101\n"), "new.txt": "one\ntwo\n"}


def test_what_a_fresh_pull_request_says(forge, project):
    base = project.git("rev-parse", "HEAD")
    change = project.change("Change F1", TWO)
    found = change.get()
    assert found["number"] == change.number
    assert found["title"] == "Change F1"
    assert found["state"] == "open"
    assert found["user"]["login"] == forge.name("author")
    assert found["draft"] is False
    assert found["merged"] is False
    assert found["merged_by"] is None
    assert found["merge_commit_sha"] is None
    assert found["mergeable"] is True
    assert found["merge_base"] == base
    assert (found["base"]["ref"], found["base"]["sha"]) == ("main", base)
    assert (found["head"]["ref"], found["head"]["sha"]) == ("topic", change.head)
    assert found["base"]["repo_id"] == found["head"]["repo_id"] == found["base"]["repo"]["id"]
    assert found["base"]["repo"]["full_name"] == project.full_name
    assert (found["additions"], found["deletions"], found["changed_files"]) == (3, 1, 2)
    assert found["requested_reviewers"] == []
    assert found["url"] == found["html_url"]
    assert found["html_url"].endswith(f"/{project.full_name}/pulls/{change.number}")


def test_the_list_has_no_size_and_the_same_head(project):
    change = project.change()
    row = change.listed()
    assert row["head"]["sha"] == change.head
    assert row["state"] == "open"
    assert "additions" not in row
    assert "changed_files" not in row
    assert row["requested_reviewers"] is None


def test_list_filters_and_counts(forge, project):
    for name in ("one", "two", "three"):
        project.branch(name)
        project.write({f"{name}.txt": name})
        project.commit(name)
        project.push(name, "author")
        project.open("author", name, name)
    path = f"{project.api}/pulls"
    answer = forge.api("bot", "GET", f"{path}?limit=2")
    assert answer.headers["x-total-count"] == "3"
    assert 'rel="next"' in answer.headers["link"]
    assert [row["title"] for row in answer.json()] == ["three", "two"]
    assert [row["title"] for row in forge.get("bot", f"{path}?limit=2&page=2")] == ["one"]
    assert forge.get("bot", f"{path}?limit=2&page=3") == []
    forge.made("author", "PATCH", f"{path}/2", {"state": "closed"})
    assert [row["title"] for row in forge.get("bot", f"{path}?state=open")] == ["three", "one"]
    assert [row["title"] for row in forge.get("bot", f"{path}?state=closed")] == ["two"]
    assert len(forge.get("bot", f"{path}?state=all")) == 3
    assert len(forge.get("bot", path)) == 3  # without the parameter the closed ones are in it
    assert forge.get("bot", f"{path}?base_branch=other") == []


def test_opening_the_same_again_is_409_and_nothing_to_merge_is_refused(forge, project):
    project.change()
    body = {"head": "topic", "base": "main", "title": "again"}
    again = forge.api("author", "POST", f"{project.api}/pulls", body)
    assert again.status_code == 409
    assert "already exists" in again.json()["message"]
    same = forge.api("author", "POST", f"{project.api}/pulls", {**body, "head": "main"})
    assert same.status_code == 422
    missing = forge.api("author", "POST", f"{project.api}/pulls", {**body, "head": "nope"})
    assert missing.status_code == 404


@pytest.mark.parametrize(
    ("title", "draft"),
    [("WIP: x", True), ("wip: x", True), ("[WIP] x", True), ("[wip]x", True), ("WIPE: x", False), ("x WIP:", False)],
)
def test_a_draft_is_a_matter_of_the_title(project, title, draft):
    change = project.change()
    answer = change.edit(title=title)
    assert answer.status_code == 201
    assert answer.json()["draft"] is draft
    found = change.get()
    assert found["draft"] is draft
    assert found["mergeable"] is not draft


def test_editing_title_and_text(forge, project):
    change = project.change()
    answer = change.edit(title="Other", body="text")
    assert answer.status_code == 201
    assert (answer.json()["title"], answer.json()["body"]) == ("Other", "text")
    row = change.timeline("change_title")[0]
    assert (row["old_title"], row["new_title"]) == ("Change F1", "Other")
    assert row["user"]["login"] == forge.name("author")


def test_content_version_guards_an_edit(project):
    change = project.change()
    version = change.get()["content_version"]
    assert change.edit(body="one").json()["content_version"] == version + 1
    assert change.edit(body="two", content_version=version).status_code == 409
    assert change.get()["body"] == "one"


def test_who_may_edit(project):
    change = project.change()
    assert change.edit("reader", title="mine").status_code == 403
    assert change.edit("forker", title="mine").status_code == 403
    assert change.edit("second", title="ours").status_code == 201
    assert change.get()["title"] == "ours"


def test_closing_and_reopening(project):
    change = project.change()
    closed = change.edit(state="closed")
    assert closed.status_code == 201
    assert closed.json()["state"] == "closed"
    assert closed.json()["closed_at"] is not None
    assert closed.json()["merged"] is False
    opened = change.edit(state="open")
    assert opened.json()["state"] == "open"
    assert [row["type"] for row in change.timeline("close", "reopen")] == ["close", "reopen"]
    assert change.edit(state="odd").status_code == 412


def test_retargeting_keeps_everything_but_the_base(forge, project):
    project.git("checkout", "-q", "-b", "release")
    project.write({"release.txt": "r\n"})
    tip = project.commit("release")
    project.push("release", "owner")
    change = project.change()
    change.approve("reviewer")
    answer = change.edit(base="release")
    assert answer.status_code == 201
    assert answer.json()["base"]["ref"] == "release"
    assert answer.json()["base"]["sha"] == tip
    row = change.timeline("change_target_branch")[0]
    assert (row["old_ref"], row["new_ref"]) == ("main", "release")
    approval = change.review_of("reviewer")
    assert (approval["official"], approval["stale"], approval["dismissed"]) == (True, False, False)
    assert approval["commit_id"] == change.head


def test_retargeting_replaces_the_push_entries_by_one_of_who_retargets(forge, project):
    project.push("release", "owner")
    change = project.change()
    sha = change.push()
    change.settled(sha)
    assert len(change.timeline("pull_push")) == 2
    before = {row["id"] for row in change.timeline("pull_push")}
    assert change.edit("second", base="release").status_code == 201
    rows = change.timeline("pull_push")
    assert len(rows) == 1
    assert rows[0]["id"] not in before
    assert rows[0]["user"]["login"] == forge.name("second")
    assert sha in rows[0]["body"]


def test_retargeting_to_nothing_or_while_closed_is_refused(project):
    project.push("release", "owner")
    change = project.change()
    assert change.edit(base="nope").status_code == 404
    change.edit(state="closed")
    assert change.edit(base="release").status_code == 422
    assert change.get()["base"]["ref"] == "main"


def test_merge_base_follows_the_base_after_its_check(project):
    change = project.change()
    old = change.get()["merge_base"]
    project.branch("work", "main")
    project.write({"b.txt": "other\n"})
    tip = project.commit("base moves")
    project.push("main", "owner")
    found = eventually(change.get, lambda found: found["base"]["sha"] == tip and found["mergeable"])
    assert found["base"]["sha"] == tip
    assert found["merge_base"] == old


def test_a_conflict_is_not_mergeable(project):
    change = project.change()
    project.branch("work", "main")
    project.replace("a.go", "return 1\n", "return 999\n")
    project.commit("conflict")
    project.push("main", "owner")
    assert eventually(change.get, lambda found: not found["mergeable"])["mergeable"] is False
    answer = change.forge.api(
        "bot", "POST", f"{change.api}/merge", {"Do": "merge", "head_commit_id": change.get()["head"]["sha"]}
    )
    assert answer.status_code == 405
    assert answer.json()["message"] == "Please try again later"


def fork_of(project, role="forker"):
    forge = project.forge
    name = f"fork-{project.full_name.split('/')[1]}"
    answer = forge.api(role, "POST", f"{project.api}/forks", {"name": name})
    assert answer.status_code == 202
    full_name = f"{forge.name(role)}/{name}"
    eventually(
        lambda: forge.api(role, "GET", f"/repos/{full_name}/branches/main").status_code, lambda code: code == 200
    )
    return full_name


def open_from_fork(project, fork):
    project.branch("topic")
    project.write({"b.txt": "2\n"})
    project.commit("from a fork")
    project.push("topic", "forker", repo=fork)
    return project.open("forker", f"{project.forge.name('forker')}:topic", "From a fork").ready()


def test_a_pull_request_from_a_fork(forge, project):
    fork = fork_of(project)
    change = open_from_fork(project, fork)
    found = change.get()
    assert found["head"]["repo"]["full_name"] == fork
    assert found["head"]["repo"]["fork"] is True
    assert found["head"]["repo"]["parent"]["full_name"] == project.full_name
    assert found["head"]["repo_id"] != found["base"]["repo_id"]
    assert (found["head"]["ref"], found["head"]["sha"]) == ("topic", change.head)
    # The head is readable in the base repository, and a status on it is set there.
    assert forge.api("bot", "GET", f"{project.api}/contents/b.txt?ref={change.head}").status_code == 200
    assert project.status("bot", change.head, "success").status_code == 201
    assert change.approve("reviewer")["official"] is True
    # Its author may neither decide about it nor set a status.
    assert change.review("forker", "APPROVED").status_code == 422
    assert project.status("forker", change.head, "success").status_code == 403


def test_a_push_to_a_fork_moves_the_head(project):
    fork = fork_of(project)
    change = open_from_fork(project, fork)
    project.write({"b.txt": "3\n"})
    sha = project.commit("more")
    project.push("topic", "forker", repo=fork)
    change.settled(sha)
    assert change.get()["head"]["sha"] == sha
    assert change.listed()["head"]["sha"] == sha


def test_deleting_a_fork_closes_its_pull_request_and_keeps_its_head(forge, project):
    fork = fork_of(project)
    change = open_from_fork(project, fork)
    assert forge.api("forker", "DELETE", f"/repos/{fork}").status_code == 204
    found = eventually(change.get, lambda found: found["head"]["repo"] is None)
    assert found["head"]["repo"] is None
    assert found["head"]["repo_id"] == -1
    assert found["head"]["ref"] == f"refs/pull/{change.number}/head"
    assert found["head"]["sha"] == change.head
    assert found["state"] == "closed"
    assert "changed_files" not in found
    assert forge.api("bot", "GET", f"{change.api}.diff").status_code == 200


def test_deleting_the_head_branch_closes_the_pull_request(project):
    change = project.change()
    sha = change.head
    project.git("push", "-q", f"{project.forge.url}/{project.full_name}.git", ":topic", **project.credentials("author"))
    found = eventually(change.get, lambda found: found["state"] == "closed")
    assert found["state"] == "closed"
    assert found["merged"] is False
    assert found["head"]["sha"] == sha
    assert found["head"]["ref"] == f"refs/pull/{change.number}/head"


def test_two_pull_requests_of_one_head(project):
    project.push("release", "owner")
    change = project.change()
    other = project.open("author", "topic", "To the release", base="release")
    assert isinstance(other, Change)
    assert other.number != change.number
    assert other.get()["head"]["sha"] == change.get()["head"]["sha"]
