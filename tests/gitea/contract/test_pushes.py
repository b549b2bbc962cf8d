"""What each kind of push does to reviews and to the timeline, and the window after it."""

import pytest
from contract.forge import eventually

TEXT = "New commits pushed, approval review dismissed automatically according to repository settings"


@pytest.fixture
def change(project):
    """A pull request with an approval, a rejection and a comment on a line, and stale approvals dismissed."""
    project.protect(required_approvals=1, dismiss_stale_approvals=True)
    change = project.change()
    change.approve("reviewer")
    assert change.review("second", "REQUEST_CHANGES", "no", commit=change.head).status_code == 200
    note = [{"path": "a.go", "new_position": 8, "old_position": 0, "body": "note"}]
    assert change.review("bot", "COMMENT", "", note, change.head).status_code == 200
    return change


def flags(change, role, state):
    row = change.review_of(role, state)
    return {name for name in ("stale", "dismissed", "official") if row[name]}


def all_flags(change):
    return [
        flags(change, "reviewer", "APPROVED"),
        flags(change, "second", "REQUEST_CHANGES"),
        flags(change, "bot", "COMMENT"),
    ]


def becomes(change, wanted):
    """Return the flags once they are as wanted: the forge may take its time."""
    return eventually(lambda: all_flags(change), lambda found: found == wanted)


def approval_becomes(change, wanted):
    return eventually(lambda: flags(change, "reviewer", "APPROVED"), lambda found: found == wanted)


KEPT = [{"official"}, {"official"}, set()]
LOST = [{"stale", "dismissed", "official"}, {"stale", "official"}, {"stale"}]


def test_a_normal_push_dismisses_the_approval_and_makes_all_stale(forge, change):
    old = change.head
    sha = change.push()
    change.settled(sha)
    assert becomes(change, LOST) == LOST
    assert change.review_of("reviewer")["commit_id"] == old
    assert change.pushes()[-1] == {"is_force_push": False, "commit_ids": [sha]}
    rows = change.timeline("dismiss_review")
    assert len(rows) == 1
    assert rows[0]["body"] == TEXT
    assert rows[0]["updated_at"] == rows[0]["created_at"]
    assert rows[0]["user"]["login"] == forge.name("author")
    assert rows[0]["review_id"] == change.review_of("reviewer")["id"]
    assert change.timeline("pull_push")[-1]["user"]["login"] == forge.name("author")


def test_line_comments_keep_their_line(change):
    review = change.review_of("bot", "COMMENT")["id"]
    before = change.line_comments(review)
    change.settled(change.push("a.go", "package a\n", "package a\n\n// one more line\n"))
    after = change.line_comments(review)
    assert [(row["position"], row["commit_id"]) for row in after] == [
        (row["position"], row["commit_id"]) for row in before
    ]
    assert after[0]["position"] == 8


def test_pushing_back_takes_the_stale_flag_and_not_the_dismissal(change):
    old = change.head
    sha = change.push()
    change.settled(sha)
    assert becomes(change, LOST) == LOST
    change.project.git("reset", "-q", "--hard", "HEAD~1")
    change.project.push("topic", "author", "-f")
    change.settled(old)
    wanted = [{"dismissed", "official"}, {"official"}, set()]
    assert becomes(change, wanted) == wanted
    pushes = change.pushes()
    assert pushes[-1] == {"is_force_push": True, "commit_ids": [sha, old]}
    assert {"is_force_push": False, "commit_ids": [sha]} not in pushes


def test_a_push_that_only_reverts_a_file_keeps_the_approval(project):
    project.protect(required_approvals=1, dismiss_stale_approvals=True)
    project.branch("topic")
    project.replace("a.go", "return 1\n", "return 101\n")
    project.write({"b.txt": "other\n"})
    project.commit("two files")
    project.push("topic", "author")
    change = project.open("author", "topic").ready()
    change.approve("reviewer")
    project.git("checkout", "-q", "main", "--", "b.txt")
    sha = project.commit("revert one")
    project.push("topic", "author")
    change.settled(sha)
    assert flags(change, "reviewer", "APPROVED") == {"official"}
    assert change.review_of("reviewer")["commit_id"] != sha


def test_an_amended_message_keeps_the_approval_of_the_old_commit(change):
    old = change.head
    sha = change.project.commit("amended", "--amend")
    assert sha != old
    change.project.push("topic", "author", "-f")
    change.settled(sha)
    assert all_flags(change) == KEPT
    assert change.review_of("reviewer")["commit_id"] == old
    assert change.pushes()[-1] == {"is_force_push": True, "commit_ids": [old, sha]}


def move_base(project, edits):
    project.branch("base-work", "main")
    for path, old, new in edits:
        project.replace(path, old, new)
    project.commit("base moves")
    project.push("main", "owner")
    project.git("branch", "-f", "main", "HEAD")
    project.git("checkout", "-q", "topic")


@pytest.mark.parametrize(
    ("edits", "wanted"),
    [([("b.txt", "1\n", "one\n")], KEPT), ([("a.go", "return 15\n", "return 1515\n")], LOST)],
    ids=["base touched another file", "base touched the same file"],
)
def test_a_rebase_keeps_the_approval_unless_the_base_touched_the_same_file(project, edits, wanted):
    project.protect(required_approvals=1, dismiss_stale_approvals=True, enable_push=True)
    change = project.change()
    change.approve("reviewer")
    change.review("second", "REQUEST_CHANGES", "no", commit=change.head)
    change.review("bot", "COMMENT", "note", commit=change.head)
    old = change.head
    move_base(project, edits)
    project.git("rebase", "-q", "main")
    sha = change.head
    project.push("topic", "author", "-f")
    change.settled(sha)
    assert becomes(change, wanted) == wanted
    assert change.pushes()[-1] == {"is_force_push": True, "commit_ids": [old, sha]}


def test_merging_the_base_into_the_branch_keeps_the_approval(project):
    project.protect(required_approvals=1, dismiss_stale_approvals=True, enable_push=True)
    change = project.change()
    change.approve("reviewer")
    move_base(project, [("b.txt", "1\n", "one\n")])
    project.git("merge", "-q", "--no-edit", "main")
    sha = change.head
    project.push("topic", "author")
    change.settled(sha)
    assert flags(change, "reviewer", "APPROVED") == {"official"}
    assert change.pushes()[-1]["is_force_push"] is False


def test_without_the_switch_an_approval_gets_stale_and_stays(project):
    project.protect(required_approvals=1)
    change = project.change()
    change.approve("reviewer")
    change.settled(change.push())
    assert approval_becomes(change, {"stale", "official"}) == {"stale", "official"}
    assert change.timeline("dismiss_review") == []


def test_the_window_after_a_push(forge, change):
    # The new head is there at once; nothing else has to be, and an old approval looks fresh.
    approval = change.review_of("reviewer")["id"]
    with forge.window():
        sha = change.push()
        assert eventually(change.get, lambda found: found["head"]["sha"] == sha)["head"]["sha"] == sha
        rows = [row for row in change.reviews() if row["id"] == approval]
        assert rows[0]["commit_id"] != sha
        if forge.fake is not None:
            assert not rows[0]["stale"]
            assert not rows[0]["dismissed"]
            assert change.listed()["head"]["sha"] != sha
            assert not [row for row in change.pushes() if sha in row["commit_ids"]]
    change.settled(sha)
    assert approval_becomes(change, LOST[0]) == LOST[0]
    assert change.listed()["head"]["sha"] == sha


def test_a_push_while_closed_is_never_followed_up(project):
    project.protect(
        required_approvals=1, dismiss_stale_approvals=True, ignore_stale_approvals=True, block_admin_merge_override=True
    )
    change = project.change()
    change.approve("reviewer")
    old = change.head
    change.edit(state="closed")
    sha = change.push()
    assert eventually(change.get, lambda found: found["head"]["sha"] == sha)["head"]["sha"] == sha
    change.stays_open()
    change.edit(state="open")
    change.stays_open()
    assert flags(change, "reviewer", "APPROVED") == {"official"}
    assert change.review_of("reviewer")["commit_id"] == old
    assert not [row for row in change.pushes() if sha in row["commit_ids"]]
    # The base repository still has the old head: the list and the diff show it, the single answer the new one.
    assert change.listed()["head"]["sha"] == old
    assert change.get()["head"]["sha"] == sha
    assert b"505" not in change.forge.api("bot", "GET", f"{change.api}.diff").content


def test_an_approval_of_the_real_head_after_a_push_while_closed_is_stale(project):
    change = project.change()
    change.edit(state="closed")
    sha = change.push()
    change.stays_open()
    change.edit(state="open")
    change.stays_open()
    approval = change.approve("reviewer", sha)
    assert approval["commit_id"] == sha
    assert approval["stale"] is True
    assert approval["official"] is True


def test_a_push_of_the_base_makes_nothing_stale(project):
    project.protect(required_approvals=1, dismiss_stale_approvals=True, enable_push=True)
    change = project.change()
    change.approve("reviewer")
    move_base(project, [("a.go", "return 15\n", "return 1515\n")])
    change.stays_open()
    assert flags(change, "reviewer", "APPROVED") == {"official"}


def test_pushes_name_their_commits_oldest_first(project):
    change = project.change()
    project.replace("a.go", "return 5\n", "return 505\n")
    one = project.commit("one")
    project.replace("a.go", "return 6\n", "return 606\n")
    two = project.commit("two")
    project.push("topic", "author")
    change.settled(two)
    assert change.pushes()[-1] == {"is_force_push": False, "commit_ids": [one, two]}
    assert change.pushes()[0]["is_force_push"] is False
