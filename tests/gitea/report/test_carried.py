"""An approval survives a rebase on the forge, too: markers, fingerprints and the replay from the copy together."""

import os
import shutil

import pytest
from contract.forge import CODE, eventually
from report_ground import Host, State

from werkrevisor_core.models.verdict import Decision, Level


@pytest.fixture
def approved(host, yellow):
    """A pull request that a human approved after the bot had written down what stands against it."""
    host.more["merge"] = '"never"'
    host.review(yellow)
    yellow.approve("reviewer")
    host.review(yellow)
    assert State.of(yellow).approved() == [yellow.head]
    return yellow


def rebased(change, edit, more=()):
    """Let the base move by an edit of the same file, and rebase the branch on it; `more` is put on top."""
    project = change.project
    project.git("checkout", "-q", "main")
    for old, new in edit:
        project.replace("a.go", old, new)
    project.commit("base moves")
    project.push("main", "owner")
    project.git("checkout", "-q", "topic")
    project.git("rebase", "-q", "main")
    for old, new in more:
        project.replace("a.go", old, new)
    sha = project.commit("more") if more else project.git("rev-parse", "HEAD")
    project.push("topic", "author", "-f")
    eventually(change.get, lambda found: found["head"]["sha"] == sha and found["mergeable"])
    return sha


FAR = [("return 15\n", "return 1515\n")]


def test_a_clean_rebase_keeps_it(host, approved):
    old = approved.head
    sha = rebased(approved, FAR)
    review, published = host.review(approved)
    assert published.whole, published
    assert (review.verdict, review.decision) == (Level.GREEN, Decision.PASS)
    assert any(old[:7] in receipt for receipt in review.receipts)
    assert State.of(approved).approved() == [sha]
    assert State.of(approved).statuses(sha) == ["success"]
    asked = [row for row in approved.reviews() if row["state"] == "REQUEST_REVIEW" and row["user"]["login"] != "bot"]
    assert [row["user"]["login"] for row in asked if row["user"]["login"] == host.forge.name("reviewer")] == []


def test_a_rebase_with_something_new_loses_it(host, approved):
    sha = rebased(approved, FAR, [("return 9\n", "return 909\n")])
    review, _ = host.review(approved)
    assert (review.change.head, review.decision) == (sha, Decision.WAIT)
    assert State.of(approved).approved() == []


def test_an_edited_history_carries_nothing(host, approved):
    for row in State.of(approved).comments():
        host.forge.made("author", "DELETE", f"{host.project.api}/issues/comments/{row['id']}")
    rebased(approved, FAR)
    review, _ = host.review(approved)
    assert review.decision is Decision.WAIT
    assert "history_edited" in [reason.id for reason in review.reasons]


def test_an_overwritten_head_is_kept_by_a_ref_of_ours(host, approved):
    old = approved.head
    sha = rebased(approved, FAR)
    host.review(approved)
    refs = {path.name for path in (host.folder / "cache").rglob("refs/werkrevisor/*/*") if path.is_file()}
    assert {old, sha} <= refs


@pytest.mark.parametrize("kept", [True, False], ids=["kept here", "lost here, too"])
def test_a_head_that_the_server_has_collected_carries_only_from_here(faked, tmp_path, kept):
    project = faked.project()
    (tmp_path / "key").write_text("5a" * 32)
    environment = {"PATH": os.environ["PATH"], "WERKREVISOR_CACHE": str(tmp_path / "cache")}
    host = Host(project, tmp_path, environment, {"merge": '"never"'})
    host.token(faked.tokens["bot"])
    change = project.change()
    host.review(change)
    change.approve("reviewer")
    host.review(change)
    rebased(change, FAR)
    faked.fake.settle()
    faked.fake.prune(project.full_name)
    if not kept:
        shutil.rmtree(tmp_path / "cache")
    review, published = host.review(change)
    assert published.whole, published
    assert review.decision is (Decision.PASS if kept else Decision.WAIT)
    project.remove()


def test_the_code_is_what_the_cases_say():
    assert CODE.count("return 15\n") == CODE.count("return 9\n") == 1
