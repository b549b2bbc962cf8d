"""What makes an approved change another one, pushed to the forge: nothing of that passes without being judged."""

from pathlib import Path

import pytest
from scenario_ground import CHANGE, OTHER, OTHER_APPROVED, SHOP, SHOP_APPROVED

from werkrevisor_core.models.verdict import Decision


def revert_a_file(ground):
    """The forge keeps the approval here, since nothing new came."""
    ground.commit({"src/Other.java": OTHER})


def double_a_block(ground):
    ground.commit({"src/Shop.java": SHOP_APPROVED.replace("    int line20", "    int line5 = 55;\n    int line20")})


def delete_a_file(ground):
    ground.commit({"src/Other.java": None})


def edit_a_block(ground):
    ground.commit({"src/Shop.java": SHOP_APPROVED.replace("line5 = 55", "line5 = 56")})


def indent_a_block(ground):
    ground.commit({"src/Shop.java": SHOP_APPROVED.replace("    int line5 = 55", "        int line5 = 55")})


def change_a_mode(ground):
    (ground.project.folder / "src/Other.java").chmod(0o755)
    ground.commit({})


def make_a_link_of_a_file(ground):
    ground.commit({"src/Other.java": Path("Shop.java")})


def rename_a_file(ground):
    ground.commit({"src/Shop.java": None, "src/Store.java": SHOP_APPROVED})


LOSE = [
    revert_a_file,
    double_a_block,
    delete_a_file,
    edit_a_block,
    indent_a_block,
    change_a_mode,
    make_a_link_of_a_file,
    rename_a_file,
]


@pytest.mark.parametrize("what", LOSE, ids=lambda function: function.__name__)
def test_what_changes_the_change_is_judged(approved, what):
    approved.base({"docs/new.md": "New.\n"})
    approved.rebase()
    approved.assert_carried()
    what(approved)
    approved.assert_not_carried()


CONDITION = "def run():\n    if allowed:\n        log()\n    other()\n    more()\n    last()\n"
GUARDED = CONDITION.replace("        log()\n", "        log()\n        grant()\n")


def test_a_block_that_left_its_condition_is_new(started):
    ground = started({"a.py": CONDITION}, {"a.py": GUARDED})
    ground.base({"docs/new.md": "New.\n"})
    ground.rebase()
    ground.commit({"a.py": CONDITION.replace("    other()\n", "    grant()\n    other()\n")})
    ground.assert_all_reviewed()


LOOKALIKE = (
    "class {name}:\n    def check(self):\n        first()\n        second()\n        third()\n        return True\n\n\n"
)
GUEST = LOOKALIKE.format(name="Guest")
GRANT = "        second()\n        grant()\n"


def test_the_same_block_in_another_class_with_the_same_context_is_new(started):
    ground = started({"a.py": GUEST}, {"a.py": GUEST.replace("        second()\n", GRANT)})
    base = GUEST.replace("Guest", "Admin") + GUEST
    ground.base({"a.py": base})
    ground.project.git("checkout", "-q", "topic")
    ground.project.git("reset", "-q", "--hard", "main")
    ground.commit({"a.py": base.replace("        second()\n", GRANT, 1)})
    ground.assert_not_carried()


def test_a_lookalike_above_into_which_git_itself_merges_the_block_makes_it_new(started):
    ground = started({"a.py": GUEST}, {"a.py": GUEST.replace("        second()\n", GRANT)})
    rest = GUEST.replace("first()", "zero()").replace("third()", "tertium()").replace("second()", "twice()")
    ground.base({"a.py": GUEST.replace("Guest", "Admin") + rest})
    ground.rebase()
    merged = (ground.project.folder / "a.py").read_text()
    assert GRANT in merged.partition("class Guest")[0], "git merged it into the wrong class"
    ground.assert_not_carried()


def test_a_link_that_points_elsewhere_is_judged(started):
    ground = started(change={**CHANGE, "link": Path("src/Shop.java")})
    ground.base({"docs/new.md": "New.\n"})
    ground.rebase()
    ground.assert_carried()
    ground.commit({"link": Path("src/Other.java")})
    ground.assert_not_carried()


def test_another_binary_is_judged(started):
    # A model cannot read it: with one the head would be ERROR, and that passes for that very head only.
    ground = started({"logo.png": b"\0one"}, {"logo.png": b"\0two"}, mode="classifier")
    ground.base({"docs/new.md": "New.\n"})
    ground.rebase()
    ground.assert_carried()
    ground.commit({"logo.png": b"\0three"})
    found = ground.review()
    assert found.review.decision is not Decision.PASS
    assert not any(file.approved for file in found.review.files)
    assert ground.bot.approved() == []


def test_several_merge_bases_carry_nothing(approved):
    git = approved.project.git
    git("checkout", "-q", "-b", "cross", "main")
    side = approved.project.commit("side")
    onto = approved.base({"docs/new.md": "New.\n"})
    git("merge", "-q", "--no-edit", side)
    approved.project.push("main", "owner")
    git("checkout", "-q", "topic")
    git("merge", "-q", "--no-edit", side)
    git("merge", "-q", "--no-edit", onto)
    approved.pushed()
    found = approved.review()
    assert found.review.decision is not Decision.PASS
    assert not any(file.approved for file in found.review.files)
    assert approved.bot.approved() == []


def test_a_base_that_changes_what_encloses_a_block_makes_it_new(approved):
    approved.base({"src/Shop.java": SHOP.replace("class Shop {", "class Store {")})
    approved.rebase()
    found = approved.assert_not_carried()
    assert found.asked == ["src/Shop.java"]
    assert "1 block in place, 2 new, 0 missing" in found.review.receipts[0]


def test_an_edit_that_hides_in_a_merge_commit_is_judged(approved):
    approved.base({"docs/new.md": "New.\n"})
    approved.project.git("checkout", "-q", "topic")
    approved.project.git("merge", "-q", "--no-edit", "--no-commit", "main")
    approved.write({"src/Other.java": OTHER_APPROVED.replace("b = 2", "b = 3")})
    approved.project.commit("merged")
    approved.pushed()
    assert approved.assert_not_carried().asked == ["src/Other.java"]
