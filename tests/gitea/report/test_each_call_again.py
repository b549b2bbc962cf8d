"""A new head on a pull request to which earlier runs granted things: struck, or moved, at each call in turn."""

import pytest
from contract.forge import eventually
from each_call import API, by_share, evil, green, in_each_way, points, strike, tried
from fake import Fault, Kind
from report_ground import State, command


@pytest.fixture
def granting(ground):
    """A host that schedules, on a branch whose rule misses one approval: what was granted stands."""
    ground.more["merge"] = '"schedule"'
    ground.project.protect(required_approvals=2, enable_status_check=True, status_check_contexts=["werkrevisor/main"])
    return ground


def granted(host, number):
    """Return a pull request whose head was approved, got success and whose merge is scheduled."""
    change = green(host, number)
    published = tried(host, change)
    assert published.done[-1] == "The merge is scheduled."
    return change


def nothing_granted(change, state, number):
    assert state.approved() == [], number
    assert change.cancel().status_code == 404, number  # no schedule is left
    assert change.get()["merged"] is False, number


@by_share
@in_each_way
def test_what_was_granted_is_gone_after_the_next_whole_run(granting, fake, how, share):
    def run(number):
        change = granted(granting, number)
        old, state = change.head, State.of(change)
        new = evil(granting, number)
        eventually(change.get, lambda found: found["head"]["sha"] == new)
        fake.faults.clear()
        if number:
            strike(fake, how, number, state.bot)
        published = tried(granting, change)
        fake.faults.planned.clear()
        if number:
            again = tried(granting, change)
            assert again is not None, number
            assert again.whole, (number, again)
        else:
            assert published.whole, published
        calls = list(fake.faults.calls)
        nothing_granted(change, state, number)
        assert len(state.comments()) == 2, number  # one per head
        assert state.statuses(old) == ["success"], number
        assert state.statuses(new) == ["pending"], number
        asked = [row for row in change.reviews() if row["state"] == "REQUEST_REVIEW"]
        assert [row["user"]["login"] for row in asked] == [granting.forge.name("reviewer")], number
        fake.faults.calls[:] = calls

    points(fake, run, share, reading=how == "not done")


@by_share
def test_a_schedule_never_outlives_a_head_that_moves(granting, fake, share):
    def run(number):
        change = green(granting, number)
        state, moved = State.of(change), []
        fake.faults.clear()
        if number:
            push = lambda: moved.append(evil(granting, number))  # noqa: E731 - one line is all of it
            fake.faults.plan(Fault(path=API, nth=number, user=state.bot, before=push))
        published = tried(granting, change)
        if not number:
            return
        assert published is not None, number
        assert not published.whole, number
        (sha,) = moved
        fake.settle()
        assert "success" not in state.statuses(sha), number
        nothing_granted(change, state, number)

    points(fake, run, share, reading=False)


@pytest.mark.parametrize("path", [r"/timeline", r"/pulls/\d+/commits", r"/branches/main"])
def test_a_pull_request_that_cannot_be_read_keeps_nothing_that_was_granted(granting, fake, path):
    change = granted(granting, 1)
    state = State.of(change)
    fake.faults.plan(Fault(Kind.STATUS, path=path, user=state.bot, status=500, every=True))
    done = command(granting, change, "--publish")
    fake.faults.clear()
    assert done.returncode == 4
    *taken, why = done.stderr.splitlines()
    assert why.startswith("werkrevisor: GET /repos/")
    assert taken == [
        f"The success of the head {change.head[:12]} is taken back.",
        f"The bot's approval of {change.head[:12]} is taken back.",
        "The scheduled merge is cancelled.",
    ]
    nothing_granted(change, state, 1)
    assert state.statuses(change.head)[0] == "error"
    again = tried(granting, change)
    assert again.whole, again
    assert state.approved() == [change.head]
    assert state.statuses(change.head)[0] == "success"


def test_what_cannot_be_taken_back_is_said(granting, fake):
    change = granted(granting, 1)
    state = State.of(change)
    fake.faults.plan(Fault(Kind.STATUS, path=r"/timeline", user=state.bot, status=500, every=True))
    fake.faults.plan(Fault(Kind.STATUS, "DELETE", r"/reviews/", user=state.bot, status=500, every=True))
    done = command(granting, change, "--publish")
    fake.faults.clear()
    assert done.returncode == 4
    success, approval, schedule, why = done.stderr.splitlines()
    assert success == f"The success of the head {change.head[:12]} is taken back."
    assert approval.startswith(f"The bot's approval of {change.head[:12]} could not be taken back: DELETE /repos/")
    assert schedule == "The scheduled merge is cancelled."
    assert why.startswith("werkrevisor: GET /repos/")
    fake.faults.plan(Fault(Kind.STATUS, path=r"/timeline", user=state.bot, status=500, every=True))
    command(granting, change, "--publish")
    fake.faults.clear()
    nothing_granted(change, state, 1)
