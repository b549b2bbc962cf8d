"""Seeds PR#91 and PR#62 on the forge: line comments that hold a merge, and RED heads in a row."""

import pytest
from scenario_ground import SHOP

from werkrevisor_core.models.verdict import Decision, Finding, Level

DOC = "# Title\n\nFirst line.\nSecond line.\n\n## Part\n\nThird line.\n\nFourth line.\n"
NEXT = DOC.replace("Fourth line.", "Fourth line, changed.")


@pytest.fixture
def second_round(started):
    """A pull request whose first head was reviewed and whose second head changes line 10 of a document."""
    ground = started({"docs/old.md": "Old.\n"}, {"docs/a.md": DOC}, role="")
    ground.commit({"docs/a.md": NEXT})
    ground.rows["merge"] = '"pinned"'
    return ground


def hint(line):
    return Finding("m", f"l{line}", "docs/a.md", Level.GREEN, "A small point.", line, line)


def lines(ground):
    return [(path, line) for path, line, _ in ground.bot.all()["lines"]]


def test_scenario_91_01_a_new_hint_on_text_of_the_last_round_stands_only_in_the_result_comment(second_round):
    found = second_round.review(findings=[hint(3)])
    assert (found.review.decision, found.review.holds) == (Decision.PASS, ())
    assert lines(second_round) == []
    assert "A small point." in second_round.bot.comments()[-1]["body"]
    assert second_round.change.becomes_merged()


def test_scenario_91_02_a_hint_on_a_changed_line_still_holds_the_merge(second_round):
    found = second_round.review(findings=[hint(3), hint(10)])
    assert found.review.holds == ("the line comment on docs/a.md:10 is not answered",)
    assert lines(second_round) == [("docs/a.md", 10)]
    assert second_round.bot.statuses(second_round.head)[0] == "pending"
    assert second_round.change.stays_open()


def test_scenario_91_02_in_the_first_round_every_hint_holds(second_round):
    """Who has deleted the comment of the first round gets a first round again."""
    (row,) = second_round.bot.comments()
    path = f"{second_round.project.api}/issues/comments/{row['id']}"
    second_round.forge.made("author", "DELETE", path)
    found = second_round.review(findings=[hint(3)])
    assert found.review.holds == ("the line comment on docs/a.md:3 is not answered",)
    assert lines(second_round) == [("docs/a.md", 3)]


def test_scenario_91_a_line_comment_of_the_last_round_holds_until_somebody_answers_it(second_round):
    second_round.review(findings=[hint(10)])
    second_round.commit({"docs/a.md": NEXT.replace("Third", "3rd")})
    found = second_round.review()
    assert found.review.holds == ("the line comment on docs/a.md:10 is not answered",)
    (review,) = second_round.bot.own_reviews("COMMENT")
    (line,) = second_round.change.line_comments(review["id"])
    path = f"{second_round.project.api}/pulls/comments/{line['id']}/resolve"
    second_round.forge.made("author", "POST", path)
    assert second_round.review().review.holds == ()
    assert second_round.change.becomes_merged()


RED = Finding("m", "x", "src/Shop.java", Level.RED, "Bad.", 7, 7)


def rounds(started, *levels):
    """Push a head per level and let it be reviewed so; the first one is GREEN before them."""
    ground = started(change={"src/Shop.java": head(0)}, role="", approvable='["refactoring"]')
    for number, level in enumerate(levels, 1):
        found = again(ground, number, level)
    return ground, found


def head(number):
    return SHOP.replace("line5 = 5", f"line5 = 5{number}")


def again(ground, number, level=Level.RED):
    ground.commit({"src/Shop.java": head(number)})
    found = ground.review(findings=[RED] if level is Level.RED else [])
    assert found.review.verdict is level
    return found


def escalated(found):
    return "red_escalated" in [reason.id for reason in found.review.reasons]


def requested(ground):
    """Return whose review was ever requested."""
    rows = ground.change.timeline("review_request")
    return sorted(row["assignee"]["login"] for row in rows if not row["removed_assignee"])


def people(ground):
    return sorted(ground.forge.name(role) for role in ("reviewer", "second"))


def test_scenario_62_01_the_fourth_red_in_a_row_asks_a_human(started):
    ground, found = rounds(started, *[Level.RED] * 4)
    assert (found.review.verdict, found.review.decision) == (Level.RED, Decision.BLOCK)
    assert escalated(found)
    assert "The automatic rounds end here" in ground.bot.comments()[-1]["body"]
    assert ground.bot.statuses(ground.head)[0] == "failure"
    assert requested(ground) == people(ground)
    assert escalated(again(ground, 9))
    assert requested(ground) == people(ground)  # once, not per round


def test_scenario_62_02_fewer_rounds_give_red_as_before(started):
    ground, found = rounds(started, *[Level.RED] * 3)
    assert not escalated(found)
    assert found.review.decision is Decision.BLOCK
    assert requested(ground) == []


def test_scenario_62_03_a_head_without_red_starts_the_count_anew(started):
    ground, found = rounds(started, Level.RED, Level.RED, Level.RED, Level.GREEN, Level.RED)
    assert not escalated(found)
    assert requested(ground) == []


def test_scenario_62_01_deleted_comments_make_no_round_undone(started):
    """The statuses cannot be deleted, and rounds are counted from both."""
    ground, _ = rounds(started, *[Level.RED] * 3)
    for row in ground.bot.comments():
        ground.forge.made("author", "DELETE", f"{ground.project.api}/issues/comments/{row['id']}")
    assert escalated(again(ground, 9))
