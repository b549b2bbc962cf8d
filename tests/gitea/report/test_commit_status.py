"""The commit status: what each decision becomes, and who it is that counts."""

import pytest
from attrs import evolve
from report_ground import State

from werkrevisor_core.models.verdict import Decision, Level, Reason


@pytest.mark.parametrize(
    ("level", "decision", "state"),
    [
        (Level.YELLOW, Decision.WAIT, "pending"),
        (Level.ORANGE, Decision.BLOCK, "failure"),
        (Level.RED, Decision.BLOCK, "failure"),
        (Level.ERROR, Decision.BLOCK, "error"),
    ],
)
def test_the_status_follows_the_decision(host, yellow, level, decision, state):
    reasons = (Reason("why", level, "Because.", (), "", "why"),)
    host.review(yellow, lambda review: evolve(review, verdict=level, decision=decision, reasons=reasons))
    assert State.of(yellow).statuses(yellow.head) == [state]
    (row,) = host.forge.get("bot", f"{host.project.api}/commits/{yellow.head}/statuses")
    assert row["description"].startswith(f"{level.name}: ")
    assert row["description"].endswith(f" [{yellow.number}:1]")
    assert row["context"] == "werkrevisor/main"
    assert row["target_url"] == State.of(yellow).comments()[0]["html_url"]


def test_success_of_somebody_else_is_answered_by_the_bots_own(host, yellow):
    host.review(yellow)
    host.project.status("author", yellow.head, "success")
    host.review(yellow)
    rows = host.forge.get("bot", f"{host.project.api}/commits/{yellow.head}/statuses")
    newest = max(rows, key=lambda row: row["id"])
    assert (newest["status"], newest["creator"]["login"]) == ("failure", host.forge.name("bot"))
