"""Whom the bot asks, and whom it does not."""

from attrs import evolve
from report_ground import State

from werkrevisor_core.models.verdict import Level, Reason

CALL = Reason("red_escalated", Level.RED, "Three rounds in a row were RED.", (), "", "red_rounds")


def asked(change):
    rows = [row for row in change.reviews() if row["state"] == "REQUEST_REVIEW"]
    return sorted(row["user"]["login"] for row in rows)


def test_people_are_asked_once(host, yellow):
    reviewer = host.forge.name("reviewer")
    _, published = host.review(yellow)
    assert f"{reviewer} is asked for a review." in published.done
    _, again = host.review(yellow)
    assert again.done == ()
    assert asked(yellow) == [reviewer]


def test_the_people_of_a_path_are_asked_and_no_others(host, yellow):
    host.more["reviewers"] = f'{{"**/*.go" = ["{host.forge.name("second")}"]}}'
    host.review(yellow)
    assert asked(yellow) == [host.forge.name("second")]


def test_nobody_is_asked_where_nothing_is_open(host, green):
    host.more["merge"] = '"never"'
    host.review(green)
    assert asked(green) == []


def test_whoever_approved_is_not_asked_again_unless_red_rounds_call(host, yellow):
    old = yellow.head
    yellow.approve("reviewer", old)
    sha = yellow.push()
    yellow.settled(sha)
    host.review(yellow)
    assert asked(yellow) == []
    host.review(yellow, lambda review: evolve(review, reasons=(*review.reasons, CALL)))
    assert asked(yellow) == [host.forge.name("reviewer")]


def test_one_whom_the_forge_refuses_does_not_keep_the_others_from_being_asked(host, yellow):
    names = f'["nobody-there", "{host.forge.name("reviewer")}"]'
    host.more["human_reviewers"] = names
    _, published = host.review(yellow)
    assert published.whole, published
    assert asked(yellow) == [host.forge.name("reviewer")]
    assert any(sentence.startswith("nobody-there cannot be asked") for sentence in published.done)


def test_the_author_is_never_asked(host, yellow):
    host.more["human_reviewers"] = f'["{host.forge.name("author")}"]'
    host.review(yellow)
    assert asked(yellow) == []
    assert State.of(yellow).statuses(yellow.head) == ["pending"]
