"""A whole review of a pull request, from the server to the server."""

from concurrent.futures import ThreadPoolExecutor

from report_ground import State, command

from werkrevisor_core.models.verdict import Decision, Level


def test_a_green_head_is_approved_and_merged(host, green):
    head = green.head
    review, published = host.review(green)
    assert (review.verdict, review.decision, review.holds) == (Level.GREEN, Decision.PASS, ())
    assert published.whole, published
    state = State.of(green)
    assert state.approved() == [head]
    assert state.statuses(head) == ["success"]
    assert len(state.comments()) == 1
    assert green.get()["merged"] is True
    assert green.get()["merged_by"]["login"] == state.bot


def test_a_yellow_head_waits_and_asks_the_listed_human(host, yellow):
    review, published = host.review(yellow)
    assert (review.verdict, review.decision) == (Level.YELLOW, Decision.WAIT)
    assert published.whole, published
    state = State.of(yellow)
    assert state.approved() == []
    assert state.statuses(yellow.head) == ["pending"]
    asked = [row["user"]["login"] for row in yellow.reviews() if row["state"] == "REQUEST_REVIEW"]
    assert asked == [host.forge.name("reviewer")]


def test_two_processes_at_once_leave_one_of_everything(host, yellow):
    with ThreadPoolExecutor(2) as pool:
        both = list(pool.map(lambda _: command(host, yellow, "--publish"), range(2)))
    assert [done.returncode for done in both] == [int(Level.YELLOW)] * 2, [done.stderr for done in both]
    state = State.of(yellow)
    assert len(state.comments()) == 1
    assert state.statuses(yellow.head) == ["pending"]
    assert [bool(done.stderr) for done in both].count(True) == 1
