"""How one gets round a gate on this forge, tried against the bot that runs: section 12 of the facts.

The branch rule is the one that `werkrevisor protect` sets.
"""

import pytest
from contract.forge import CODE, eventually
from report_ground import BLANK, DOUBTFUL, State

from werkrevisor_core.models.verdict import Decision, Level
from werkrevisor_core.watchdog import Progress
from werkrevisor_gitea.cli.protect import run_protect
from werkrevisor_gitea.cli.review import load_host
from werkrevisor_gitea.pulls import Pulls
from werkrevisor_gitea.reviewing import opened, publish_review


@pytest.fixture
def binding(host, monkeypatch, capsys):
    """The branch rule, set by `werkrevisor protect --apply`."""
    monkeypatch.setenv("BOT_TOKEN", host.environment["BOT_TOKEN"])
    assert run_protect(str(host.file), apply=True) == 0, capsys.readouterr()


def approve(change, role, commit=""):
    return change.approve(role, commit or change.head)


def test_a_spoofed_status_is_red_and_merges_nothing(host, binding, yellow):
    host.project.status("author", yellow.head, "success")
    assert yellow.merge("author").status_code == 405
    review, published = host.review(yellow)
    assert (review.verdict, published.whole) == (Level.RED, True)
    assert [reason.id for reason in review.reasons if reason.level is Level.RED] == ["status_forged"]
    assert State.of(yellow).statuses(yellow.head)[0] == "failure"
    assert State.of(yellow).approved() == []
    assert yellow.get()["merged"] is False


def test_a_friends_approval_decides_nothing(host, binding, yellow):
    approve(yellow, "second")
    review, _ = host.review(yellow)
    assert (review.verdict, review.decision) == (Level.YELLOW, Decision.WAIT)
    assert any("does not count: the host lists this login" in note for note in review.notes)
    assert yellow.merge("second").status_code == 405
    assert yellow.get()["merged"] is False


def test_the_listed_humans_approval_lets_the_bot_merge_exactly_that_head(host, binding, yellow):
    host.review(yellow)
    approve(yellow, "reviewer")
    review, published = host.review(yellow)
    assert (review.verdict, review.decision) == (Level.YELLOW, Decision.PASS)
    assert published.whole, published
    assert yellow.get()["merged"] is True
    assert host.forge.name("reviewer") in State.of(yellow).comments()[0]["body"]
    assert len(State.of(yellow).comments()) == 1


def test_a_push_after_the_schedule_is_not_merged(host, binding, green):
    host.more["merge"] = '"schedule"'
    host.more["ci"] = '"required"'  # holds the merge, so that nothing is merged at once
    host.review(green)
    green.schedule("bot")
    sha = green.push()
    green.settled(sha)
    review, published = host.review(green)
    assert review.decision is Decision.WAIT
    assert "The scheduled merge is cancelled." in published.done
    host.project.status("author", sha, "success")
    assert green.stays_open()
    assert green.cancel().status_code == 404


def test_the_same_head_on_a_lax_base_opens_nothing(host, binding, green):
    host.project.push("lax", "owner")
    lax = host.project.open("author", "topic", "lax one", base="lax").ready()
    review, _ = host.review(lax)
    assert review.withheld == ("the base branch lax is not gated (gated is only main)",)
    assert State.of(lax).statuses(green.head, "werkrevisor/lax") == ["pending"]
    assert State.of(green).statuses(green.head) == []
    assert State.of(lax).approved() == []
    assert lax.get()["merged"] is False
    assert green.merge("author").status_code == 405
    # Nor does what the gate said for the lax base count as CI of the strict one, in either direction.
    host.project.status("bot", green.head, "success", "werkrevisor/lax")
    host.more["ci"] = '"required"'
    review, _ = host.review(green)
    assert review.holds == ("The CI of this head has not succeeded",)


def test_a_retarget_after_the_review_is_seen_by_the_next_one(host, green):
    host.more["ci"] = '"required"'
    host.project.push("release", "owner")
    host.review(green)
    assert State.of(green).approved() == [green.head]
    green.edit("author", base="release")
    review, published = host.review(green)
    assert review.withheld != ()
    assert published.whole, published
    assert State.of(green).approved() == []
    assert len(State.of(green).comments()) == 1


@pytest.fixture
def retargeted(host, green, monkeypatch):
    """A base branch that the author exchanges when the bot has looked for the last time, just before it merges."""
    merge = Pulls.merge
    host.project.git("checkout", "-q", "main")
    host.project.push("release", "owner")
    host.project.git("checkout", "-q", "topic")

    def late(pulls, number, request):
        if green.get()["base"]["ref"] == "main":  # it may ask more than once
            assert green.edit("author", base="release").status_code == 201
            eventually(green.get, lambda found: found["mergeable"])
        return merge(pulls, number, request)

    monkeypatch.setattr(Pulls, "merge", late)
    return green


def test_a_retarget_just_before_the_merge_is_refused_where_both_bases_are_protected(host, binding, retargeted):
    checked = {"enable_status_check": True, "status_check_contexts": ["werkrevisor/release"]}
    host.project.protect("release", **checked)
    _, published = host.review(retargeted)
    assert published.stopped == "the base branch is release now and was main"
    found = retargeted.get()
    assert (found["merged"], found["base"]["ref"]) == (False, "release")
    assert State.of(retargeted).approved() == []
    assert "success" not in State.of(retargeted).statuses(retargeted.head, "werkrevisor/release")


def test_a_retarget_just_before_the_merge_to_an_open_base_is_reported(host, binding, retargeted):
    _, published = host.review(retargeted)
    head = retargeted.head[:12]
    assert published.stopped == f"{head} was merged into release, and {head} for main was judged"
    assert not published.whole


def test_a_head_that_moves_just_before_the_merge_is_refused(host, binding, green, monkeypatch):
    merge, judged = Pulls.merge, green.head

    def late(pulls, number, request):
        if green.head == judged:  # it may ask more than once
            sha = green.push()
            eventually(green.get, lambda found: found["head"]["sha"] == sha and found["mergeable"])
        return merge(pulls, number, request)

    monkeypatch.setattr(Pulls, "merge", late)
    _, published = host.review(green)
    assert published.stopped == f"the head is {green.head[:12]} now and {judged[:12]} was judged"
    assert green.get()["merged"] is False
    assert State.of(green).approved() == []
    assert State.of(green).statuses(green.head) == []
    assert State.of(green).statuses(judged) == ["pending", "success"]


def test_a_result_that_comes_late_does_not_touch_a_newer_one(host, green):
    """Two deliveries in the wrong order: the older head's review is published last."""
    host.more["merge"] = '"never"'
    config, newer = load_host(str(host.file)), []
    with opened(config, green.number, Progress(), host.environment) as given:
        late = given.ready.run()
        sha = green.push("a.go", "package a\n\n\n", "package a\n\n\n\n")
        green.settled(sha)
        newer.append(host.review(green)[1])
        published = publish_review(given, late, host.environment)
    assert newer[0].whole, newer
    assert published.stopped == f"the head is {sha[:12]} now and {late.change.head[:12]} was judged"
    state = State.of(green)
    assert len(state.comments()) == 1
    assert (state.statuses(late.change.head), state.statuses(sha)) == ([], ["success"])
    assert late.change.head not in state.approved()
    _, again = host.review(green)
    assert again.whole, again
    assert (state.approved(), state.statuses(sha)) == ([sha], ["success"])


def test_the_owner_and_the_site_admin_cannot_force_it(host, binding, yellow):
    host.review(yellow)
    for role in ("author", "owner", "admin"):
        for options in ({}, {"force_merge": True}, {"merge_when_checks_succeed": True}):
            assert yellow.merge(role, **options).status_code == 405
    assert yellow.get()["merged"] is False


def test_an_approval_of_an_old_head_decides_nothing(host, binding, yellow):
    old = yellow.head
    sha = yellow.push()
    yellow.settled(sha)
    approve(yellow, "reviewer", old)
    review, _ = host.review(yellow)
    assert (review.change.head, review.decision) == (sha, Decision.WAIT)
    assert State.of(yellow).approved() == []


def test_a_push_while_closed_is_judged_anew_after_it_is_reopened(host, binding, yellow):
    approve(yellow, "reviewer")
    yellow.edit(state="closed")
    sha = yellow.push()
    yellow.stays_open()
    yellow.edit(state="open")
    eventually(yellow.get, lambda found: found["head"]["sha"] == sha and found["mergeable"])
    review, _ = host.review(yellow)
    assert (review.change.head, review.decision) == (sha, Decision.WAIT)
    assert yellow.merge("author", sha).status_code == 405
    assert yellow.get()["merged"] is False


def test_a_closed_pull_request_gets_nothing_and_loses_the_approval(host, green):
    host.more["ci"] = '"required"'
    host.review(green)
    green.edit(state="closed")
    _, published = host.review(green)
    assert published.stopped == "the pull request has been closed"
    assert State.of(green).approved() == []


def test_a_head_flipped_to_and_fro_is_judged_by_what_git_holds(host, binding, green):
    host.more["ci"] = '"required"'
    benign = green.head
    host.review(green)
    evil = green.push("a.go", "return 7\n", "return 666\n")
    green.settled(evil)
    host.project.git("reset", "-q", "--hard", benign)
    host.project.push("topic", "author", "-f")
    green.settled(benign)
    review, _ = host.review(green)
    assert (review.change.head, review.verdict) == (benign, Level.GREEN)
    assert set(State.of(green).approved()) == {benign}
    assert "success" not in State.of(green).statuses(evil)


def test_in_the_window_after_a_push_the_old_approval_is_not_believed(host, yellow):
    approve(yellow, "reviewer")
    with host.forge.window():
        sha = yellow.push()
        eventually(yellow.get, lambda found: found["head"]["sha"] == sha)
        review, _ = host.review(yellow)
    assert (review.change.head, review.decision) == (sha, Decision.WAIT)
    assert yellow.get()["merged"] is False


def test_a_comment_that_a_writer_rewrote_or_deleted_is_noticed(host, yellow):
    host.review(yellow)
    comment = State.of(yellow).comments()[0]
    path = f"{host.project.api}/issues/comments/{comment['id']}"
    forged = comment["body"].replace("YELLOW", "GREEN")
    host.forge.made("author", "PATCH", path, {"body": forged.replace(" -->", "x -->")})
    review, _ = host.review(yellow)
    assert "history_edited" in [reason.id for reason in review.reasons]
    for row in State.of(yellow).comments():
        host.forge.made("author", "DELETE", f"{host.project.api}/issues/comments/{row['id']}")
    review, _ = host.review(yellow)
    assert "history_edited" in [reason.id for reason in review.reasons]


def test_an_older_comment_of_the_bot_put_back_is_noticed_and_carries_nothing(host, yellow):
    """Its signature holds; the status, which nobody can edit, tells of a later review."""
    host.more["merge"] = '"never"'
    approve(yellow, "reviewer")
    host.review(yellow)
    (comment,) = State.of(yellow).comments()
    assert comment["body"].startswith("**YELLOW, pass.**")
    yellow.review("reviewer", "REQUEST_CHANGES", "no")
    host.review(yellow)
    path = f"{host.project.api}/issues/comments/{comment['id']}"
    host.forge.made("author", "PATCH", path, {"body": comment["body"]})
    review, published = host.review(yellow)
    assert published.whole, published
    assert review.decision is Decision.WAIT
    (reason,) = (reason for reason in review.reasons if reason.id == "history_edited")
    assert "is older than the bot's status there (review 1 instead of 2)" in reason.evidence[0].note
    assert State.of(yellow).approved() == []


def test_a_comment_of_the_bot_from_another_pull_request_is_noticed(host, project, yellow):
    other = project.change("Other", {"b.txt": "other\n"}, branch="other")
    host.review(other)
    project.git("checkout", "-q", "topic")
    host.review(yellow)
    (foreign,), (comment,) = State.of(other).comments(), State.of(yellow).comments()
    path = f"{host.project.api}/issues/comments/{comment['id']}"
    host.forge.made("author", "PATCH", path, {"body": foreign["body"]})
    review, _ = host.review(yellow)
    assert "history_edited" in [reason.id for reason in review.reasons]
    assert host.seen.facts.markers == ()


def test_who_pushed_to_it_is_no_approver(host, yellow):
    host.project.write({"a.go": DOUBTFUL.replace("return 9\n", "return 909\n")})
    sha = host.project.commit("help")
    host.project.push("topic", "reviewer")
    yellow.settled(sha)
    approve(yellow, "reviewer", sha)
    review, _ = host.review(yellow)
    assert review.decision is Decision.WAIT
    assert any("pushed, authored or committed something" in note for note in review.notes)


def test_a_draft_is_reviewed_and_never_approved(host, project):
    change = _draft(project)
    review, published = host.review(change)
    assert (review.verdict, review.withheld) == (Level.GREEN, ("the pull request is a draft",))
    assert published.whole, published
    state = State.of(change)
    assert (state.approved(), state.statuses(change.head)) == ([], ["pending"])
    assert len(state.comments()) == 1


def _draft(project):
    project.branch("topic")
    project.write({"a.go": BLANK})
    project.commit("Space out")
    project.push("topic", "author")
    change = project.open("author", "topic", "WIP: space out")
    eventually(change.get, lambda found: found["head"]["sha"] == change.head)
    return change


def test_a_pull_request_of_the_bot_itself_gets_no_approval_and_no_merge(host, project):
    project.branch("topic")
    project.write({"a.go": BLANK})
    project.commit("Space out")
    project.push("topic", "bot")
    change = project.open("bot", "topic", "Space out").ready()
    review, published = host.review(change)
    assert review.decision is Decision.PASS
    assert published.whole, published
    state = State.of(change)
    assert state.approved() == []
    assert change.get()["merged"] is False
    assert state.statuses(change.head) == ["success"]
    assert state.own_reviews("REQUEST_REVIEW") == []
    assert "opened this pull request itself" in state.comments()[0]["body"]


def test_the_code_is_what_the_cases_say():
    assert CODE.count("return 7\n") == CODE.count("return 9\n") == 1
