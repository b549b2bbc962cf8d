"""How one gets round a gate on this forge, and the rule that holds: section 12 of the facts."""

import pytest
from contract.forge import eventually

CHECKED = {"enable_status_check": True, "status_check_contexts": ["werkrevisor/main"]}


@pytest.fixture
def binding(forge, project):
    """The rule that binds everybody: only the bot merges, with its status and a listed approval."""
    return project.protect(
        **CHECKED,
        required_approvals=1,
        enable_approvals_whitelist=True,
        approvals_whitelist_username=[forge.name("bot"), forge.name("reviewer")],
        dismiss_stale_approvals=True,
        ignore_stale_approvals=True,
        enable_merge_whitelist=True,
        merge_whitelist_usernames=[forge.name("bot")],
        block_on_rejected_reviews=True,
        block_admin_merge_override=True,
    )


def test_a_spoofed_status_opens_a_required_status(project):
    project.protect(**CHECKED)
    change = project.change()
    assert project.status("author", change.head, "success").status_code == 201
    assert change.merge("author").status_code == 200


def test_a_friends_approval_counts_without_a_whitelist(project):
    project.protect(required_approvals=1)
    change = project.change()
    change.approve("second")
    assert change.merge("author").status_code == 200


def test_a_schedule_of_the_bot_merges_what_a_writer_pushes(forge, project):
    project.protect(**CHECKED)
    change = project.change()
    change.schedule("bot")
    sha = change.push()
    change.settled(sha)
    project.status("author", sha, "success")
    assert change.becomes_merged()
    found = change.get()
    assert found["head"]["sha"] == sha
    assert found["merged_by"]["login"] == forge.name("bot")


def test_the_same_head_on_a_lax_base_opens_the_strict_one(project):
    project.push("lax", "owner")
    project.protect(enable_status_check=True, status_check_contexts=["werkrevisor"])
    strict = project.change()
    project.open("author", "topic", "lax one", base="lax").ready()
    project.status("bot", strict.head, "success", "werkrevisor")
    assert strict.merge("author").status_code == 200


def test_an_approval_of_an_old_head_counts_unless_stale_ones_are_ignored(project):
    project.protect(required_approvals=1, dismiss_stale_approvals=True)
    change = project.change()
    old = change.head
    sha = change.push()
    change.settled(sha)
    assert change.approve("second", old)["stale"] is True
    assert change.merge("author", sha).status_code == 200


def test_a_push_while_closed_merges_what_nobody_approved(project):
    project.protect(
        required_approvals=1, dismiss_stale_approvals=True, ignore_stale_approvals=True, block_admin_merge_override=True
    )
    change = project.change()
    change.approve("reviewer")
    change.edit(state="closed")
    sha = change.push()
    change.stays_open()
    change.edit(state="open")
    eventually(change.get, lambda found: found["head"]["sha"] == sha and found["mergeable"])
    assert change.merge("author", sha).status_code == 200
    assert change.get()["head"]["sha"] == sha


def test_head_commit_id_does_not_pin_the_base(project):
    project.push("release", "owner")
    change = project.change()
    assert change.edit(base="release").status_code == 201
    assert change.merge("bot", change.head).status_code == 200
    assert change.get()["base"]["ref"] == "release"


def test_a_writer_can_rewrite_what_the_bot_said(forge, project):
    change = project.change()
    comment = forge.made("bot", "POST", f"{change.issue}/comments", {"body": "marker"})["id"]
    path = f"{project.api}/issues/comments/{comment}"
    assert forge.made("author", "PATCH", path, {"body": "forged"})["user"]["login"] == forge.name("bot")
    assert forge.get("bot", path)["body"] == "forged"


def test_the_binding_rule_stops_writers_the_owner_and_the_site_admin(forge, project, binding):
    change = project.change()
    project.status("author", change.head, "success")
    assert change.approve("second")["official"] is False
    for role in ("author", "second", "reviewer", "owner", "admin"):
        for options in ({}, {"force_merge": True}, {"merge_when_checks_succeed": True}):
            answer = change.merge(role, **options)
            assert (role, answer.status_code, answer.json()["message"]) == (role, 405, "User not allowed to merge PR")
    assert change.merge("bot").json()["message"] == "Does not have enough approvals"
    assert change.approve("bot")["official"] is True
    assert change.merge("bot", "1" * 40).status_code == 409
    assert change.merge("bot").status_code == 200


def test_the_binding_rule_after_a_push_while_closed_still_waits_for_the_bot(project, binding):
    change = project.change()
    change.approve("bot")
    change.edit(state="closed")
    sha = change.push()
    change.stays_open()
    change.edit(state="open")
    eventually(change.get, lambda found: found["head"]["sha"] == sha and found["mergeable"])
    project.status("author", sha, "success")
    for role in ("author", "owner", "admin"):
        assert change.merge(role, sha).status_code == 405
    assert change.get()["merged"] is False


def test_the_diff_shows_whatever_the_branch_is(forge, project):
    change = project.change()
    benign = forge.api("bot", "GET", f"{change.api}.diff").content
    old, sha = change.head, change.push("a.go", "return 7\n", "return 666\n")
    change.settled(sha)
    evil = forge.api("bot", "GET", f"{change.api}.diff").content
    project.git("reset", "-q", "--hard", old)
    project.push("topic", "author", "-f")
    change.settled(old)
    assert b"666" in evil
    assert b"666" not in benign
    assert forge.api("bot", "GET", f"{change.api}.diff").content == benign
