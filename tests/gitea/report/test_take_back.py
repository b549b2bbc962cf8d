"""What the bot granted is taken back where it does not hold any more, before anything else."""

from fake import Fault, Kind
from report_ground import Host, State

from werkrevisor_core.models.verdict import Decision


def test_a_new_head_loses_the_approval_of_the_old_one(host, green):
    host.more["merge"] = '"never"'
    host.review(green)
    old = green.head
    sha = green.push()
    green.settled(sha)
    review, published = host.review(green)
    assert review.decision is Decision.WAIT
    assert published.done[0] == f"The bot's approval of {old[:12]} is taken back."
    state = State.of(green)
    assert state.approved() == []
    assert state.statuses(sha) == ["pending"]


def test_a_decision_that_is_no_pass_any_more_loses_approval_and_success(host, yellow):
    host.more["merge"] = '"never"'
    yellow.approve("reviewer")
    host.review(yellow)
    state = State.of(yellow)
    assert (state.approved(), state.statuses(yellow.head)) == ([yellow.head], ["success"])
    assert yellow.review("reviewer", "REQUEST_CHANGES", "no").status_code == 200
    review, _ = host.review(yellow)
    assert review.decision is Decision.WAIT
    assert state.approved() == []
    assert state.statuses(yellow.head)[0] == "pending"


def test_what_people_said_while_the_review_ran_stops_it(host, green):
    def meanwhile(review):
        assert green.review("reviewer", "REQUEST_CHANGES", "wait").status_code == 200
        return review

    _, published = host.review(green, meanwhile)
    assert published.stopped == "somebody reviewed, or a review was taken back, since this review was made"
    assert State.of(green).approved() == []
    assert green.get()["merged"] is False


def test_another_run_that_published_meanwhile_stops_it(host, yellow):
    def meanwhile(review):
        host.forge.made("bot", "POST", f"{yellow.issue}/comments", {"body": "from elsewhere"})
        return review

    _, published = host.review(yellow, meanwhile)
    assert published.stopped.startswith("another run has published meanwhile")
    assert [row["body"] for row in State.of(yellow).comments()] == ["from elsewhere"]


def test_one_thing_that_fails_does_not_keep_the_others_from_being_taken_back(faked, tmp_path):
    project = faked.project()
    (tmp_path / "key").write_text("5a" * 32)
    environment = {"PATH": "/usr/bin:/bin", "WERKREVISOR_CACHE": str(tmp_path / "cache")}
    host = Host(project, tmp_path, environment, {"merge": '"never"'})
    host.token(faked.tokens["bot"])
    yellow = project.change()
    yellow.approve("reviewer")
    host.review(yellow)
    yellow.review("reviewer", "REQUEST_CHANGES", "no")
    faked.fake.faults.plan(Fault(Kind.STATUS, "POST", "/statuses/", status=500, every=True, user=faked.name("bot")))
    _, published = host.review(yellow)
    faked.fake.faults.clear()
    assert not published.whole
    assert State.of(yellow).approved() == []
    _, again = host.review(yellow)
    assert again.whole, again
    assert State.of(yellow).statuses(yellow.head)[0] == "pending"
    project.remove()
