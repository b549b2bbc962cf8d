"""A whole review of a pull request, from the server to the server."""

from report_ground import State

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
