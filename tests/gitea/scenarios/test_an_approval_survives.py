"""Seed PR#73 on the forge: what leaves the approved change as it was keeps the approval, and nothing else does."""

import pytest
from scenario_ground import CHANGE, OTHER, OTHER_APPROVED, SHOP, SHOP_APPROVED

from werkrevisor_core.models.classes import ChangeKind
from werkrevisor_core.models.verdict import Decision, Finding, Level


def dismissed(ground):
    return ground.change.review_of("reviewer")["dismissed"]


def test_scenario_73_01_a_rebase_keeps_the_approval(approved):
    first = approved.head
    approved.base({"docs/new.md": "New.\n"})
    second = approved.rebase()
    assert second != first
    found = approved.assert_carried()
    assert found.review.verdict is Level.YELLOW  # the kind needs a human, and it has one
    name = approved.forge.name("reviewer")
    assert any(first in sentence and name in sentence for sentence in found.review.decided_by)
    (receipt,) = found.review.receipts
    assert receipt == (
        f"The approval of {first} by {name} holds for {second}: 3 blocks in place, 0 new, 0 missing; "
        "the base changed none of these files in between."
    )
    assert any(first in body and second in body for body in approved.bot.all(second)["comments"])


def test_scenario_73_01_over_a_base_that_edited_the_same_files(approved):
    """Here the forge dismisses the approval, and that ends nothing."""
    approved.base({"src/Shop.java": SHOP.replace("line17 = 17", "line17 = 71")})
    approved.rebase()
    assert dismissed(approved)
    assert "the base changed 1 of these files in between" in approved.assert_carried().review.receipts[0]


def merge(ground):
    ground.base({"src/Shop.java": SHOP.replace("line17 = 17", "line17 = 71")})
    ground.project.git("checkout", "-q", "topic")
    ground.project.git("merge", "-q", "--no-edit", "main")


def squash(ground):
    ground.commit({"src/Other.java": OTHER})
    ground.commit({"src/Other.java": OTHER_APPROVED})
    ground.project.git("reset", "-q", "--soft", "main")
    ground.project.git("commit", "-q", "-m", "all in one")


def reword(ground):
    ground.project.git("commit", "-q", "--amend", "-m", "said better")


def push_another_head_and_the_old_one_again(ground):
    old = ground.head
    ground.commit({"src/Shop.java": SHOP})
    ground.review()
    ground.project.git("reset", "-q", "--hard", old)
    ground.project.git("commit", "-q", "--amend", "-m", "back")


def base_renames_a_file(ground):
    ground.base({"src/Shop.java": None, "src/Store.java": SHOP})
    ground.project.git("checkout", "-q", "topic")
    ground.project.git("rebase", "-q", "main")


def base_makes_the_same_change(ground):
    ground.base({"src/Other.java": OTHER_APPROVED})
    ground.project.git("checkout", "-q", "topic")
    ground.project.git("rebase", "-q", "main")


def base_changes_a_mode(ground):
    ground.project.git("checkout", "-q", "main")
    (ground.project.folder / "src/Other.java").chmod(0o755)
    ground.base({})
    ground.project.git("checkout", "-q", "topic")
    ground.project.git("rebase", "-q", "main")


KEEP = [
    merge,
    squash,
    reword,
    push_another_head_and_the_old_one_again,
    base_renames_a_file,
    base_makes_the_same_change,
    base_changes_a_mode,
]


@pytest.mark.parametrize("what", KEEP, ids=lambda function: function.__name__)
def test_what_leaves_the_change_as_it_was_keeps_the_approval(approved, what):
    before = approved.head
    what(approved)
    assert approved.pushed() != before
    approved.assert_carried()


def test_the_approved_head_itself_pushed_again_is_approved_directly(approved):
    old = approved.head
    approved.commit({"src/Shop.java": SHOP_APPROVED.replace("line20 = 20", "line20 = 202")})
    approved.assert_not_carried()
    assert dismissed(approved)
    approved.project.git("reset", "-q", "--hard", old)
    assert approved.pushed() == old
    found = approved.review()
    assert found.review.decision is Decision.PASS
    assert approved.bot.approved() == [old]


CONFLICT = SHOP.replace("line5 = 5", "line5 = 50")
RESOLVED = CONFLICT.replace("line5 = 50", "line5 = 505").replace("line30 = 30", "line30 = 33")


def test_scenario_73_02_a_small_correction_after_a_merge_keeps_the_approval(approved):
    approved.base({"src/Shop.java": CONFLICT})
    sha = approved.rebase({"src/Shop.java": RESOLVED})
    found = approved.review()
    assert found.asked == []
    assert [[(block.path, block.block.added) for block in call] for call in found.jev.calls] == [
        [("src/Shop.java", (b"    int line5 = 505;",))]
    ]
    assert found.review.decision is Decision.PASS
    assert "2 blocks in place, 1 new, 0 missing" in found.review.receipts[0]
    assert approved.bot.approved() == [sha]


def test_scenario_73_02_a_conflict_that_a_merge_commit_resolves(approved):
    approved.base({"src/Shop.java": CONFLICT})
    approved.project.git("checkout", "-q", "topic")
    approved.project.git("merge", "-q", "--no-edit", "main", check=False)
    approved.write({"src/Shop.java": RESOLVED})
    approved.project.commit("merged")
    approved.pushed()
    found = approved.review()
    assert (found.asked, found.review.decision) == ([], Decision.PASS)


@pytest.mark.parametrize("jev", [0.95, None])
def test_scenario_73_02_a_risky_or_unrated_correction_goes_to_the_model(approved, jev):
    approved.base({"src/Shop.java": CONFLICT})
    approved.rebase({"src/Shop.java": RESOLVED})
    assert approved.assert_not_carried(jev=jev).asked == ["src/Shop.java"]


def test_scenario_73_02_the_same_block_outside_a_conflict_goes_to_the_model(approved):
    approved.base({"docs/new.md": "New.\n"})
    approved.rebase()
    approved.commit({"src/Shop.java": SHOP_APPROVED.replace("line20 = 20", "line20 = 505")})
    assert approved.assert_not_carried().asked == ["src/Shop.java"]


def test_scenario_73_03_a_risky_correction_gets_a_review_of_the_correction_only(approved):
    approved.base({"docs/new.md": "New.\n"})
    approved.rebase()
    approved.commit({"src/Shop.java": SHOP_APPROVED.replace("line20 = 20", "line20 = 202")})
    findings = [
        Finding("m", "old", "src/Shop.java", Level.ORANGE, "On an approved line.", 7, 7),
        Finding("m", "new", "src/Shop.java", Level.ORANGE, "On the new line.", 22, 22),
    ]
    found = approved.assert_not_carried(jev=0.95, findings=findings)
    assert found.asked == ["src/Shop.java"]
    levels = {finding.rule: (finding.level, finding.original_level) for finding in found.review.findings}
    assert levels == {"old": (Level.GREEN, Level.ORANGE), "new": (Level.ORANGE, None)}
    assert found.review.decision is Decision.BLOCK


def test_scenario_73_03_the_kind_comes_from_the_files_outside_the_approval(approved):
    approved.base({"docs/new.md": "New.\n"})
    approved.rebase()
    sha = approved.commit({"docs/a.md": "# A\n\nOther text.\n"})
    found = approved.review()
    assert (found.review.kind, found.asked) == (ChangeKind.DOCS_ONLY, ["docs/a.md"])
    assert (found.review.verdict, found.review.decision) == (Level.GREEN, Decision.PASS)
    assert approved.bot.approved() == [sha]


def test_scenario_73_05_a_dropped_approved_change_is_not_carried_over(approved):
    approved.base({"docs/new.md": "New.\n"})
    approved.rebase()
    approved.commit({"src/Shop.java": SHOP.replace("line5 = 5", "line5 = 55")})
    found = approved.assert_all_reviewed()
    (hint,) = [finding for finding in found.review.findings if finding.reviewer == "carry_over"]
    assert (hint.level, hint.message.startswith("1 block of the approved head ")) == (Level.GREEN, True)
    assert any("1 block of the approved head " in body for body in approved.bot.all(approved.head)["comments"])


def test_scenario_73_06_blocks_approved_by_werkrevisor_do_not_block_again(started):
    ground = started(role="", approvable='["docs_only", "refactoring"]')
    assert ground.bot.approved() == [ground.head]
    ground.base({"docs/new.md": "New.\n"})
    ground.rebase()
    findings = [
        Finding("m", "x", "src/Shop.java", Level.ORANGE, "Hm.", 7, 7),
        Finding("m", "y", "src/Shop.java", Level.ORANGE, "Hm.", 10, 10),
    ]
    found = ground.review(findings=findings)
    assert found.asked == sorted(CHANGE)
    assert [(finding.rule, finding.level) for finding in found.review.findings] == [
        ("x", Level.GREEN),
        ("y", Level.ORANGE),
    ]
