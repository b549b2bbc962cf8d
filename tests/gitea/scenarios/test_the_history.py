"""The history is the bot's comments and statuses on the forge; whoever tampers with them gains nothing."""

import pytest

from werkrevisor_core.models.verdict import Decision, Finding, Level


def comment(ground):
    """Return the one result comment of the approved head."""
    (row,) = ground.bot.comments()
    return row, f"{ground.project.api}/issues/comments/{row['id']}"


def deleted(ground):
    ground.forge.made("author", "DELETE", comment(ground)[1])


def edited(ground):
    row, path = comment(ground)
    at = row["body"].rindex("<!--") + 60
    other = "A" if row["body"][at] != "A" else "B"
    ground.forge.made("author", "PATCH", path, {"body": row["body"][:at] + other + row["body"][at + 1 :]})


def stripped_of_its_marker(ground):
    row, path = comment(ground)
    ground.forge.made("author", "PATCH", path, {"body": row["body"][: row["body"].rindex("<!--")]})


def written_by_somebody_else(ground):
    row, path = comment(ground)
    ground.forge.made("author", "DELETE", path)
    ground.forge.made("author", "POST", f"{ground.change.issue}/comments", {"body": row["body"]})


def put_back_to_an_older_one(ground):
    row, path = comment(ground)
    ground.review()
    assert comment(ground)[0]["body"] != row["body"]  # the newer one knows of the approval
    ground.forge.made("author", "PATCH", path, {"body": row["body"]})


def marker_of_another_pull_request(ground):
    """The marker is genuine, signed with the same key in the same repository."""
    change = ground.change
    ground.project.branch("other", "topic")
    ground.project.commit("other")
    ground.project.push("other", "author")
    ground.change = ground.project.open("author", "other").ready()
    ground.review()
    (foreign,) = ground.bot.comments()
    ground.change = change
    ground.forge.made("author", "PATCH", comment(ground)[1], {"body": foreign["body"]})


TAMPERED = [
    deleted,
    edited,
    stripped_of_its_marker,
    written_by_somebody_else,
    put_back_to_an_older_one,
    marker_of_another_pull_request,
]


@pytest.mark.parametrize("what", TAMPERED, ids=lambda function: function.__name__)
def test_a_comment_that_was_tampered_with_carries_nothing(approved, what):
    what(approved)
    approved.base({"docs/new.md": "New.\n"})
    approved.rebase()
    found = approved.assert_all_reviewed()
    assert "history_edited" in [reason.id for reason in found.review.reasons]


def test_a_marker_that_somebody_else_repeats_beside_the_real_one_is_ignored(approved):
    body = comment(approved)[0]["body"]
    approved.forge.made("author", "POST", f"{approved.change.issue}/comments", {"body": body})
    approved.base({"docs/new.md": "New.\n"})
    approved.rebase()
    approved.assert_carried()


RED = Finding("m", "x", "src/Shop.java", Level.RED, "Bad.", 7, 7)


@pytest.mark.parametrize("put_back", [False, True], ids=["left alone", "put back"])
def test_a_comment_that_is_put_back_when_the_server_has_collected_the_statuses(started_on_the_fake, put_back):
    """The approved head turned out to be RED in its second review, which its first comment does not tell."""
    ground = started_on_the_fake()
    row, path = comment(ground)
    assert ground.review(findings=[RED]).review.verdict is Level.RED
    ground.base({"docs/new.md": "New.\n"})
    ground.rebase()
    assert ground.review(findings=[RED]).review.decision is Decision.BLOCK
    ground.forge.fake.prune(ground.project.full_name)
    if put_back:
        ground.forge.made("author", "PATCH", path, {"body": row["body"]})
    ground.base({"docs/newer.md": "Newer.\n"})
    ground.rebase()
    found = ground.assert_not_carried()
    edited = "history_edited" in [reason.id for reason in found.review.reasons]
    assert edited is put_back
