"""Whose approvals are carried on the forge, and what ends them; a dismissal by a push does not."""

import pytest
from scenario_ground import CHANGE, OTHER, SHOP_APPROVED

from werkrevisor_core.models.verdict import Decision

PUSH_TEXT = "New commits pushed, approval review dismissed automatically according to repository settings"


def by_hand(ground, review=0, **more):
    """Let the owner of the repository dismiss an approval."""
    review = review or ground.change.review_of("reviewer")["id"]
    wanted = {"message": "Not like this.", "priors": False, **more}
    ground.forge.made("owner", "POST", f"{ground.change.api}/reviews/{review}/dismissals", wanted)
    (entry,) = [row for row in ground.change.timeline("dismiss_review") if row["review_id"] == review]
    return f"{ground.project.api}/issues/comments/{entry['id']}"


def dismissed(ground):
    by_hand(ground)


def dismissed_and_the_words_edited_to_those_of_a_push(ground):
    ground.forge.made("author", "PATCH", by_hand(ground), {"body": PUSH_TEXT})


def dismissed_and_the_entry_deleted(ground):
    ground.forge.made("author", "DELETE", by_hand(ground))


def request_for_changes(ground):
    assert ground.change.review("reviewer", "REQUEST_CHANGES", "no", commit=ground.head).status_code == 200


def request_for_changes_with_a_line_comment(ground):
    """Such a one leaves the approval undismissed on the forge."""
    note = [{"path": "src/Shop.java", "new_position": 7, "old_position": 0, "body": "why?"}]
    assert ground.change.review("reviewer", "REQUEST_CHANGES", "no", note, ground.head).status_code == 200
    assert not ground.change.review_of("reviewer")["dismissed"]


ENDS = [
    dismissed,
    dismissed_and_the_words_edited_to_those_of_a_push,
    dismissed_and_the_entry_deleted,
    request_for_changes,
    request_for_changes_with_a_line_comment,
]


@pytest.mark.parametrize("end", ENDS, ids=lambda function: function.__name__)
def test_scenario_73_04_an_approval_that_a_person_ended_is_not_carried_over(approved, end):
    end(approved)
    approved.base({"docs/new.md": "New.\n"})
    approved.rebase()
    found = approved.assert_all_reviewed()
    assert any("does not count" in note for note in found.review.notes)


def test_scenario_73_04_a_dismissal_of_all_approvals_of_a_person_ends_the_earlier_ones(approved):
    approved.commit({"src/Shop.java": SHOP_APPROVED.replace("line20 = 20", "line20 = 202")})
    approved.review()
    by_hand(approved, approved.approve(), priors=True)
    approved.project.git("reset", "-q", "--hard", "HEAD~1")
    approved.base({"docs/new.md": "New.\n"})
    approved.rebase()
    approved.assert_all_reviewed()


def test_an_approval_that_a_push_dismissed_is_carried_after_a_new_request(approved):
    """Who is asked again loses the mark `official`; the marker of the approved head remembers it."""
    approved.review()
    approved.commit({"src/Shop.java": SHOP_APPROVED.replace("line20 = 20", "line20 = 202")})
    wanted = {"reviewers": [approved.forge.name("reviewer")]}
    approved.forge.made("owner", "POST", f"{approved.change.api}/requested_reviewers", wanted)
    row = approved.change.review_of("reviewer")
    assert (row["official"], row["dismissed"]) == (False, True)
    approved.project.git("reset", "-q", "--hard", "HEAD~1")
    approved.base({"docs/new.md": "New.\n"})
    approved.rebase()
    approved.assert_carried()


def test_an_approval_that_names_an_old_head_covers_only_that(approved):
    first = approved.head
    approved.commit({"src/Shop.java": SHOP_APPROVED.replace("line20 = 20", "line20 = 202")})
    approved.approve("second", first)
    found = approved.assert_not_carried()
    assert found.asked == ["src/Shop.java"]


def test_an_approval_that_the_forge_has_not_dismissed_yet_says_nothing_about_the_new_head(approved):
    with approved.forge.window():
        approved.project.write({"src/Shop.java": SHOP_APPROVED.replace("line20 = 20", "line20 = 202")})
        approved.project.commit("more")
        approved.project.push("topic", "author")
        # A real server dismisses when it likes; a review that sees that happen publishes nothing.
        found = approved.review(may_stop=True)
        assert (found.asked, found.review.decision is Decision.PASS) == (["src/Shop.java"], False)
        assert approved.bot.approved() == []
    approved.forge.rest()
    assert approved.assert_not_carried().asked == ["src/Shop.java"]


def test_the_newest_of_two_approved_heads_is_carried(approved):
    approved.commit({"src/Other.java": OTHER.replace("a = 1", "a = 10")})
    approved.review()
    approved.approve("second")
    second = approved.head
    approved.base({"docs/new.md": "New.\n"})
    approved.rebase()
    found = approved.assert_carried()
    assert f"The approval of {second} by {approved.forge.name('second')} holds" in found.review.receipts[0]


def author_of(ground, role):
    """Return the environment in which git writes commits in the name of a role."""
    address = f"{ground.forge.name(role)}@example.com"
    return {"GIT_AUTHOR_NAME": role, "GIT_AUTHOR_EMAIL": address}


def listed_nowhere(ground):
    ground.approve("owner")


def pushed_to_the_branch(ground):
    ground.commit({"docs/more.md": "More.\n"}, "second")
    ground.review()
    ground.approve("second")


def wrote_a_commit(ground):
    ground.commit({"docs/more.md": "More.\n"}, **author_of(ground, "second"))
    ground.review()
    ground.approve("second")


def wrote_a_commit_that_was_squashed_by_the_author(ground):
    wrote_a_commit(ground)
    ground.project.git("reset", "-q", "--soft", "main")
    ground.project.git("commit", "-q", "-m", "all by Ada")


NOBODY = [listed_nowhere, pushed_to_the_branch, wrote_a_commit, wrote_a_commit_that_was_squashed_by_the_author]


@pytest.mark.parametrize("who", NOBODY, ids=lambda function: function.__name__)
def test_an_approval_by_somebody_who_is_no_other_person_is_not_carried(started, who):
    ground = started(role="")
    who(ground)
    ground.base({"docs/new.md": "New.\n"})
    ground.rebase()
    ground.assert_all_reviewed()


def test_a_retarget_ends_it_even_with_an_equal_diff(approved):
    approved.project.git("checkout", "-q", "main")
    approved.project.push("dev", "owner")
    approved.rows["branches"] = '["main", "dev"]'
    approved.change.edit(base="dev")
    approved.change.ready()
    found = approved.assert_all_reviewed()
    assert any("the base branch was main then and is dev now" in note for note in found.review.notes)
    approved.approve("second")
    assert approved.review().review.decision is Decision.PASS
    approved.change.edit(base="main")
    approved.change.ready()
    approved.base({"docs/new.md": "New.\n"})
    approved.rebase()
    approved.assert_not_carried()


def test_a_retarget_does_not_make_it_forgotten_who_pushed(started):
    """There and back, and the forge has deleted the entries of all pushes."""
    ground = started(role="")
    ground.commit({"docs/more.md": "More.\n"}, "second")
    ground.review()
    ground.project.git(
        "push",
        "-q",
        f"{ground.forge.url}/{ground.project.full_name}.git",
        "main:refs/heads/dev",
        **ground.project.credentials("owner"),
    )
    for base in ("dev", "main"):
        assert ground.change.edit(base=base).status_code == 201
    ground.change.ready()
    pushers = {row["user"]["login"] for row in ground.change.timeline("pull_push")}
    assert ground.forge.name("second") not in pushers
    ground.commit({"docs/more.md": "More of it.\n"})
    ground.review()
    ground.approve("second")
    found = ground.assert_not_carried()
    assert any("whoever gave it pushed" in note for note in found.review.notes)


@pytest.mark.parametrize("changed", [False, True], ids=["a rebase", "something new"])
def test_a_push_while_the_pull_request_is_closed(approved, changed):
    """The forge shows the approval as fresh then, and it is judged by the head that it names."""
    approved.base({"docs/new.md": "New.\n"})
    approved.change.edit(state="closed")
    approved.project.git("checkout", "-q", "topic")
    approved.project.git("rebase", "-q", "main")
    if changed:
        approved.write({"src/Shop.java": SHOP_APPROVED.replace("line20 = 20", "line20 = 202")})
        approved.project.commit("more")
    approved.pushed()
    assert approved.change.edit(state="open").status_code == 201
    approved.forge.rest()
    row = approved.change.review_of("reviewer")
    assert (row["official"], row["stale"], row["dismissed"]) == (True, False, False)
    if changed:
        assert approved.assert_not_carried().asked == ["src/Shop.java"]
    else:
        found = approved.review()
        assert (found.asked, found.review.decision) == ([], Decision.PASS)


def test_a_switched_off_carry_over_carries_nothing(approved):
    approved.rows["carry_over_approvals"] = "false"
    approved.base({"docs/new.md": "New.\n"})
    approved.rebase()
    assert approved.assert_all_reviewed().asked == sorted(CHANGE)
