"""Whatever goes wrong, or moves, at any one call: nothing is let through, and the next run mends it.

Only the fake can be told to fail, or to let something happen, just before the nth call.
"""

import json

import pytest
from each_call import API, MANY, api_calls, by_share, evil, green, in_each_way, plain, points, strike, tried
from fake import Fault
from report_ground import State, hinted


@by_share
@pytest.mark.parametrize(
    ("adjust", "status", "lines"), [(plain, "success", 0), (hinted, "pending", 2)], ids=["merge", "hints"]
)
@in_each_way
def test_a_run_that_fails_at_any_call_is_mended_by_the_next(  # noqa: PLR0917 - the arguments are the cases
    ground, fake, how, adjust, status, lines, share
):
    def run(number):
        change = green(ground, number)
        head, state = change.head, State.of(change)
        fake.faults.clear()
        if number:
            strike(fake, how, number, state.bot)
        published = tried(ground, change, adjust)
        fake.faults.planned.clear()
        if number:
            again = tried(ground, change, adjust) if not change.get()["merged"] else None
            assert again is None or again.whole, (number, again)
        else:
            assert published.whole, published
        calls = list(fake.faults.calls)
        assert len(state.comments()) == 1, number
        assert state.approved() == [head], number
        assert state.own_reviews("PENDING") == [], number
        assert state.statuses(head)[0] == status, number
        assert sum(len(change.line_comments(row["id"])) for row in state.own_reviews("COMMENT")) == lines, number
        assert change.get()["merged"] is (status == "success"), number
        fake.faults.calls[:] = calls

    points(fake, run, share, reading=adjust is plain and how == "not done")


@by_share
@pytest.mark.parametrize("adjust", [plain, hinted], ids=["merge", "hints"])
def test_a_head_that_moves_before_any_call_is_never_let_through(ground, fake, adjust, share):
    def run(number):
        change = green(ground, number)
        first, state = change.head, State.of(change)
        moved = []

        fake.faults.clear()
        if number:
            push = lambda: moved.append(evil(ground, number))  # noqa: E731 - one line is all of it
            fake.faults.plan(Fault(path=API, nth=number, user=state.bot, before=push))
        published = tried(ground, change, adjust)
        if not number:
            return
        (sha,) = moved
        assert "success" not in state.statuses(sha), number
        assert sha not in state.approved(), number
        if change.get()["merged"]:  # it moved after the merge of the judged head
            ground.project.git("fetch", "-q", f"{ground.forge.url}/{ground.project.full_name}.git", "main")
            merged = ground.project.git("rev-list", "FETCH_HEAD").split()
            assert first in merged, number
            assert sha not in merged, number
        elif published is not None and not published.whole:
            assert state.approved() == [], number

    points(fake, run, share, reading=adjust is plain)


def test_a_head_that_moves_while_it_is_fetched_is_never_let_through(ground, fake):
    """The requests of git are calls, too."""
    ground.more["merge"] = '"never"'  # or else the base moves, and the runs differ
    tried(ground, green(ground, MANY - 1))  # the first of all fetches more
    change = green(ground, 0)
    fake.faults.clear()
    tried(ground, change)
    fetching = [call for call in fake.faults.calls if not call.target.startswith(API)]
    last = sum(call.user == State.of(change).bot for call in fetching)
    assert last > 1
    for number in range(1, last + 1):
        change = green(ground, number)
        first, state, moved = change.head, State.of(change), []
        fake.faults.clear()
        push = lambda: moved.append(evil(ground, number))  # noqa: B023, E731 - called before the next round
        fake.faults.plan(Fault(path=r"git-upload-pack", nth=number, user=state.bot, before=push))
        published = tried(ground, change)
        (sha,) = moved
        assert ground.seen.facts.head == first, number
        assert published.stopped == f"the head is {sha[:12]} now and {first[:12]} was judged", number
        assert (state.approved(), state.statuses(sha), state.statuses(first)) == ([], [], []), number
        assert change.get()["merged"] is False, number


@by_share
def test_a_base_branch_that_is_exchanged_before_any_call_is_noticed(ground, fake, share):
    let_through = []

    def run(number):
        change = green(ground, number)
        state = State.of(change)
        fake.faults.clear()
        if number:
            before = lambda: change.edit("author", base="release")  # noqa: E731 - one line is all of it
            fake.faults.plan(Fault(path=API, nth=number, user=state.bot, before=before))
        published = tried(ground, change, plain)
        found = change.get()
        if found["merged"] and found["base"]["ref"] == "release":
            # Nothing but the branch rule keeps the server from that; it is said, and the run has failed.
            assert "was merged into release" in published.stopped, number
            let_through.append(number)
        elif found["base"]["ref"] == "release":
            assert state.approved() == [], number
            assert "success" not in state.statuses(change.head, "werkrevisor/release"), number
            assert published is None or not published.whole or ground.seen.facts.base_branch == "release", number

    points(fake, run, share, reading=True)
    assert len(let_through) <= 1  # just before the merge itself


def test_the_branch_rule_refuses_a_base_branch_that_is_exchanged_at_the_last_moment(ground, fake):
    project = ground.project
    project.protect("release", enable_status_check=True, status_check_contexts=["werkrevisor/release"])
    change = green(ground, 0)
    bot = State.of(change).bot
    merging = Fault(method="POST", path="/merge", user=bot, before=lambda: change.edit("author", base="release"))
    fake.faults.plan(merging)
    _, published = ground.review(change)
    assert merging.seen == 1
    assert published.stopped == "the base branch is release now and was main"
    assert change.get()["merged"] is False
    assert State.of(change).approved() == []


def test_every_write_names_the_judged_head(ground, fake):
    change = green(ground, 1)
    fake.faults.clear()
    ground.review(change)
    sent = [call for call in api_calls(fake) if call.method == "POST"]
    named = {call.target.rpartition("/")[2]: json.loads(call.body) for call in sent}
    assert named["reviews"]["commit_id"] == change.head
    assert named["reviews"]["event"] == "APPROVED"
    assert named["merge"]["head_commit_id"] == change.head
    assert change.head in named
