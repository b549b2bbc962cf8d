"""How the bot merges: pinned, by a schedule, or not at all; and what it never writes into a merge."""

import pytest
from contract.forge import eventually
from report_ground import BLANK, State

from werkrevisor_core.models.verdict import Decision
from werkrevisor_gitea.report.merge import merge_title


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Change F1", "Merge pull request 7: Change F1"),
        ("Fix [skip ci] it [CI SKIP]", "Merge pull request 7: Fix skip ci it CI SKIP"),
        ("a ***NO_CI*** b", "Merge pull request 7: a NO_CI b"),
        ("skip-checks: true", "Merge pull request 7: skip: true"),
        ("Thanks @ada, closes #12 and !13", "Merge pull request 7: Thanks ada, closes no. 12 and 13"),
        ("JIRA-12 or jira-12", "Merge pull request 7: JIRA 12 or jira 12"),
        ("fixes owner/name#5", "Merge pull request 7: fixes owner/name 5"),
        ("line\nbreak\x00 \u202e", "Merge pull request 7: line break"),
        ("###", "Merge pull request 7"),
        ("Größe ändern", "Merge pull request 7: Größe ändern"),
        ("x" * 300, "Merge pull request 7: " + "x" * 100),
    ],
)
def test_the_title_of_a_merge_says_what_the_author_wrote_and_does_nothing(title, expected):
    assert merge_title(title, 7) == expected


def test_a_merge_commit_has_no_skip_marks_of_the_title(host, project):
    change = project.change("Space out [skip ci] closes #1", {"a.go": BLANK})
    _, published = host.review(change)
    assert published.done[-1] == "The head is merged."
    project.git("fetch", "-q", f"{host.forge.url}/{project.full_name}.git", "main")
    message = project.git("log", "-1", "--format=%B", "FETCH_HEAD")
    title = f"Merge pull request {change.number}: Space out skip ci closes no. 1"
    assert message.split("\n") == [title, "", f"Judged GREEN at {change.head}."]


def test_with_never_everything_but_the_merge_is_done(host, green):
    host.more["merge"] = '"never"'
    _, published = host.review(green)
    assert published.whole, published
    assert State.of(green).approved() == [green.head]
    assert State.of(green).statuses(green.head) == ["success"]
    assert green.get()["merged"] is False


def test_a_missing_approval_is_the_forges_word_and_the_next_run_merges(host, project, green):
    project.protect(required_approvals=2)
    _, published = host.review(green)
    assert published.whole, published
    assert published.done[-1] == "The forge does not merge yet: Does not have enough approvals."
    green.approve("second")
    host.review(green)
    assert green.get()["merged"] is True


def test_a_schedule_is_made_once_and_is_cancelled_when_the_decision_changes(host, project, green):
    project.protect(required_approvals=2)
    host.more["merge"] = '"schedule"'
    _, published = host.review(green)
    assert published.done[-1] == "The merge is scheduled."
    _, again = host.review(green)
    assert (again.whole, again.done) == (True, ())
    assert [row["type"] for row in green.timeline("pull_scheduled_merge", "pull_cancel_scheduled_merge")] == [
        "pull_scheduled_merge"
    ]
    project.status("author", green.head, "success", "werkrevisor/other")
    review, published = host.review(green)
    assert review.decision is Decision.BLOCK
    assert "The scheduled merge is cancelled." in published.done
    assert State.of(green).approved() == []
    assert State.of(green).statuses(green.head)[0] == "failure"


def test_open_hints_and_ci_hold_the_merge_and_not_the_approval(host, project, green):
    host.more["ci"] = '"required"'
    review, published = host.review(green)
    assert review.holds == ("The CI of this head has not succeeded",)
    assert published.whole, published
    state = State.of(green)
    assert (state.approved(), state.statuses(green.head)) == ([green.head], ["pending"])
    assert green.get()["merged"] is False
    project.status("reviewer", green.head, "success", "ci")
    host.review(green)
    assert state.statuses(green.head) == ["success", "pending"]
    assert state.approved() == [green.head]
    assert green.get()["merged"] is True


def test_a_conflict_is_said_after_a_bounded_time(host, project, green):
    project.git("checkout", "-q", "main")
    project.write({"a.go": "package a\n\n// other\n"})
    project.commit("conflict")
    project.push("main", "owner")
    project.git("checkout", "-q", "topic")
    eventually(green.get, lambda found: not found["mergeable"])
    _, published = host.review(green)
    assert published.whole, published
    says = "there is a conflict with the base branch, or it still looks for one"
    assert published.done[-1] == f"The forge does not merge yet: {says}."
    assert green.get()["merged"] is False
