"""The bot's approval: of the judged head, once, and not against a person."""

from report_ground import State


def test_it_is_given_once_and_names_the_head(host, green):
    host.more["merge"] = '"never"'
    host.review(green)
    host.review(green)
    (approval,) = State.of(green).own_reviews("APPROVED")
    assert (approval["commit_id"], approval["official"], approval["stale"]) == (green.head, True, False)
    assert approval["body"] == "GREEN: the gate lets this head pass."


def test_it_names_the_person_through_whom_the_decision_passes(host, yellow):
    host.more["merge"] = '"never"'
    yellow.approve("reviewer")
    host.review(yellow)
    (approval,) = State.of(yellow).own_reviews("APPROVED")
    assert approval["body"].startswith("YELLOW: the gate lets this head pass.")
    assert host.forge.name("reviewer") in approval["body"]
    assert yellow.head in approval["body"]


def test_a_person_who_dismissed_it_is_not_overruled(host, green):
    host.more["merge"] = '"never"'
    host.review(green)
    (approval,) = State.of(green).own_reviews("APPROVED")
    path = f"{green.api}/reviews/{approval['id']}/dismissals"
    host.forge.made("owner", "POST", path, {"message": "not so fast", "priors": False})
    _, published = host.review(green)
    sentence = f"{host.forge.name('owner')} dismissed the bot's approval of this head, so it is not given again."
    assert sentence in published.done
    assert len(State.of(green).own_reviews("APPROVED")) == 1


def test_a_request_to_the_bot_which_clears_the_approval_makes_it_approve_again(host, green):
    host.more["merge"] = '"never"'
    host.review(green)
    host.forge.made("author", "POST", f"{green.api}/requested_reviewers", {"reviewers": [host.forge.name("bot")]})
    assert State.of(green).own_reviews("APPROVED")[0]["official"] is False
    _, published = host.review(green)
    assert published.whole, published
    assert [row["official"] for row in State.of(green).own_reviews("APPROVED") if not row["dismissed"]] == [True]
