"""Merging and scheduling a merge."""

import pytest
from contract.forge import eventually

CHECKED = {"enable_status_check": True, "status_check_contexts": ["werkrevisor/main"]}


def test_a_pinned_merge(forge, project):
    change = project.change()
    assert forge.api("bot", "GET", f"{change.api}/merge").status_code == 404
    answer = change.merge(MergeTitleField="A title", MergeMessageField="A text")
    assert answer.status_code == 200
    assert answer.content == b""
    found = change.get()
    assert (found["merged"], found["state"]) == (True, "closed")
    assert found["merged_by"]["login"] == forge.name("bot")
    assert found["merged_at"] is not None
    assert found["head"]["sha"] == change.head
    tip = forge.get("bot", f"{project.api}/branches/main")["commit"]
    assert tip["id"] == found["merge_commit_sha"] == found["base"]["sha"]
    assert tip["message"].startswith("A title\n\nA text")
    assert change.timeline("merge_pull")[0]["user"]["login"] == forge.name("bot")
    assert forge.api("bot", "GET", f"{change.api}/merge").status_code == 204


def test_a_merge_of_another_head_is_409(change_or_project):
    change = change_or_project
    answer = change.merge(sha="1" * 40)
    assert answer.status_code == 409
    assert answer.json()["message"] == "head out of date"
    assert change.get()["merged"] is False


@pytest.fixture
def change_or_project(project):
    return project.change()


def test_a_merge_of_an_overwritten_head_is_409_at_once(forge, project):
    change = project.change()
    old = change.head
    with forge.window():
        change.push()
        answer = forge.api("bot", "POST", f"{change.api}/merge", {"Do": "merge", "head_commit_id": old})
        assert answer.status_code in (405, 409)
    assert change.merge(sha=old).status_code == 409
    assert change.get()["merged"] is False


def test_merging_twice_or_closed(change_or_project):
    change = change_or_project
    assert change.merge().status_code == 200
    again = change.merge()
    assert again.status_code == 405
    assert again.json()["message"] == "The PR is already merged"
    assert change.edit(state="open").status_code == 412


def test_a_closed_one_is_404(change_or_project):
    change = change_or_project
    change.edit(state="closed")
    assert change.merge().status_code == 404


def test_a_draft_and_a_reader(change_or_project):
    change = change_or_project
    reader = change.merge("reader")
    assert (reader.status_code, reader.json()["message"]) == (405, "User not allowed to merge PR")
    change.edit(title="WIP: not yet")
    draft = change.merge()
    assert (draft.status_code, draft.json()["message"]) == (405, "Work in progress PRs cannot be merged")


def test_a_merge_without_a_style_or_with_an_unknown_one(change_or_project):
    change = change_or_project
    path = f"{change.api}/merge"
    assert change.forge.api("bot", "POST", path, {"head_commit_id": change.head}).status_code == 422
    assert change.forge.api("bot", "POST", path, {"Do": "octopus"}).status_code in (405, 422)
    assert change.get()["merged"] is False


@pytest.mark.parametrize(
    ("style", "parents"), [("merge", 2), ("squash", 1), ("rebase", 1), ("rebase-merge", 2), ("fast-forward-only", 1)]
)
def test_styles(project, style, parents):
    change = project.change()
    answer = change.merge(Do=style)
    assert answer.status_code == 200
    project.git("fetch", "-q", f"{project.forge.url}/{project.full_name}.git", "main")
    line = project.git("log", "-1", "--format=%P", "FETCH_HEAD")
    assert len(line.split()) == parents
    assert project.git("diff", "--stat", "FETCH_HEAD", change.head) == ""


def test_the_branch_is_deleted_only_when_asked(forge, project):
    change = project.change()
    assert change.merge(delete_branch_after_merge=True).status_code == 200
    code = eventually(
        lambda: forge.api("bot", "GET", f"{project.api}/branches/topic").status_code, lambda found: found == 404
    )
    assert code == 404


def test_a_merge_right_after_a_push_is_put_off_for_a_moment(forge, project):
    change = project.change()
    with forge.window():
        sha = change.push()
        eventually(change.get, lambda found: found["head"]["sha"] == sha)
    answer = change.merge(sha=sha)
    assert answer.status_code == 200
    assert change.get()["merged"] is True


def test_others_of_the_same_base_are_checked_again(project):
    change = project.change()
    project.branch("other", "main")
    project.replace("a.go", "return 1\n", "return 111\n")
    project.commit("other")
    project.push("other", "author")
    other = project.open("author", "other").ready()
    project.git("checkout", "-q", "topic")
    assert change.merge().status_code == 200
    assert eventually(other.get, lambda found: not found["mergeable"])["mergeable"] is False


# --- the schedule


def test_a_schedule_without_a_rule_merges_at_once(change_or_project):
    change = change_or_project
    answer = change.schedule()
    assert answer.status_code == 201
    assert change.becomes_merged()
    assert [row["type"] for row in change.timeline("pull_scheduled_merge", "merge_pull")] == [
        "pull_scheduled_merge",
        "merge_pull",
    ]


def test_a_schedule_waits_for_the_status_and_merges_in_the_name_of_who_scheduled(forge, project):
    project.protect(**CHECKED)
    change = project.change()
    assert change.schedule().status_code == 201
    assert change.stays_open()
    project.status("bot", change.head, "pending")
    assert change.stays_open()
    project.status("author", change.head, "success")
    assert change.becomes_merged()
    assert change.get()["merged_by"]["login"] == forge.name("bot")


def test_a_schedule_of_what_is_ready_merges(project):
    project.protect(**CHECKED)
    change = project.change()
    project.status("bot", change.head, "success")
    assert change.schedule().status_code == 201
    assert change.becomes_merged()


def test_a_schedule_compares_no_head(project):
    project.protect(**CHECKED)
    change = project.change()
    assert change.schedule(sha="0" * 40).status_code == 201


def test_a_schedule_is_there_once_and_seen_nowhere(forge, project):
    project.protect(**CHECKED)
    change = project.change()
    before = set(change.get())
    assert change.schedule().status_code == 201
    again = change.schedule()
    assert again.status_code == 409
    assert "already scheduled" in again.json()["message"]
    assert set(change.get()) == before
    assert change.cancel().status_code == 204
    assert change.cancel().status_code == 404
    rows = change.timeline("pull_scheduled_merge", "pull_cancel_scheduled_merge")
    assert [row["type"] for row in rows] == ["pull_scheduled_merge", "pull_cancel_scheduled_merge"]


def test_who_may_cancel(project):
    project.protect(**CHECKED)
    change = project.change()
    change.schedule("bot")
    assert change.cancel("reader").status_code == 403
    assert change.cancel("author").status_code == 204


def test_a_cancelled_schedule_merges_nothing(project):
    project.protect(**CHECKED)
    change = project.change()
    change.schedule()
    change.cancel()
    project.status("bot", change.head, "success")
    assert change.stays_open()


def test_a_schedule_survives_a_push_and_merges_the_new_head(project):
    project.protect(**CHECKED)
    change = project.change()
    old = change.head
    change.schedule()
    sha = change.push()
    change.settled(sha)
    project.status("bot", old, "success")
    assert change.stays_open()
    project.status("bot", sha, "success")
    assert change.becomes_merged()
    assert change.get()["head"]["sha"] == sha


def test_a_schedule_survives_closing_and_reopening(project):
    project.protect(**CHECKED)
    change = project.change()
    change.schedule()
    change.edit(state="closed")
    change.edit(state="open")
    assert change.schedule().status_code == 409


def test_a_draft_holds_a_schedule_until_the_next_success(project):
    project.protect(**CHECKED)
    change = project.change()
    change.schedule()
    change.edit(title="WIP: later")
    project.status("bot", change.head, "success")
    assert change.stays_open()
    change.edit(title="ready")
    assert change.stays_open()
    project.status("bot", change.head, "success")
    assert change.becomes_merged()


def test_a_schedule_waits_for_the_approval(project):
    project.protect(required_approvals=1)
    change = project.change()
    assert change.schedule().status_code == 201
    assert change.stays_open()
    change.approve("reviewer")
    assert change.becomes_merged()


def test_a_failed_required_check_of_a_rebased_head_holds_the_schedule(project):
    project.protect(enable_status_check=True, status_check_contexts=["werkrevisor/main", "ci"])
    change = project.change()
    project.status("bot", change.head, "success")
    change.schedule()
    sha = change.push()
    change.settled(sha)
    project.status("bot", sha, "failure", "ci")
    project.status("bot", sha, "success")
    assert change.stays_open()


def test_who_may_not_schedule(change_or_project):
    change = change_or_project
    assert change.schedule("reader").status_code == 405
    change.edit(title="WIP: x")
    assert change.schedule().status_code == 405


def test_a_pull_request_that_brings_nothing_is_mergeable_and_is_not_merged(project):
    """The words are those for a check that is still running, and they never end."""
    change = project.change()
    project.push("same", "owner")  # the head itself becomes the base
    assert change.edit(base="same").status_code == 201
    found = eventually(change.get, lambda found: found["base"]["ref"] == "same" and found["mergeable"])
    assert (found["mergeable"], found["base"]["sha"]) == (True, change.head)
    for _ in range(3):
        answer = change.forge.api("bot", "POST", f"{change.api}/merge", {"Do": "merge", "head_commit_id": change.head})
        assert (answer.status_code, answer.json()["message"]) == (405, "Please try again later")
        change.forge.rest()
    assert change.get()["merged"] is False
