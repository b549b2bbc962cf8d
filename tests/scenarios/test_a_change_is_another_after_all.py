"""What makes an approved change another one is judged anew, on a real repository."""

import pytest
from scenarios.rebased import (
    APPROVED,
    BASE,
    OTHER,
    assert_all_reviewed,
    assert_carried,
    assert_not_carried,
    judged,
    move_main,
)

from werkrevisor_core.models.verdict import Decision


def revert_a_file(pull):
    pull.commit({"src/Other.java": OTHER})


def double_a_block(pull):
    pull.commit({"src/Shop.java": APPROVED.replace("    int line20", "    int line5 = 55;\n    int line20")})


def delete_a_file(pull):
    pull.commit({"src/Other.java": None})


def edit_a_block(pull):
    pull.commit({"src/Shop.java": APPROVED.replace("line5 = 55", "line5 = 56")})


def indent_a_block(pull):
    pull.commit({"src/Shop.java": APPROVED.replace("    int line5 = 55", "        int line5 = 55")})


def change_the_mode(pull):
    pull.git("checkout", "-q", "topic")
    pull.git("update-index", "--chmod=+x", "src/Other.java")
    pull.git("commit", "-q", "-m", "mode")
    pull.git("checkout", "-q", "-f", "topic")


def make_a_link(pull):
    pull.git("checkout", "-q", "topic")
    (pull.path / "src/Other.java").unlink()
    (pull.path / "src/Other.java").symlink_to("Shop.java")
    pull.git("commit", "-q", "-a", "-m", "link")


def rename_the_file(pull):
    pull.git("checkout", "-q", "topic")
    pull.git("mv", "src/Shop.java", "src/Store.java")
    pull.git("commit", "-q", "-m", "rename")


LOSE = [
    revert_a_file,
    double_a_block,
    delete_a_file,
    edit_a_block,
    indent_a_block,
    change_the_mode,
    make_a_link,
    rename_the_file,
]


@pytest.mark.parametrize("rebased", [True, False])
@pytest.mark.parametrize("what", LOSE, ids=lambda function: function.__name__)
def test_what_changes_the_change_is_judged(approved, what, rebased):
    if rebased:
        move_main(approved)
        approved.rebase()
    what(approved)
    review, model, _ = judged(approved)
    assert review.decision is not Decision.PASS
    assert model.requests


def test_a_block_that_left_its_condition_is_new(pull):
    before = "def run():\n    if allowed:\n        log()\n    other()\n    more()\n    last()\n"
    pull.commit({"a.py": before}, "main")
    pull.git("checkout", "-q", "topic")
    pull.git("merge", "-q", "main")
    pull.commit({"a.py": before.replace("        log()\n", "        log()\n        grant()\n")})
    judged(pull)
    pull.approve()
    move_main(pull)
    pull.rebase()
    pull.commit({"a.py": before.replace("    other()\n", "    grant()\n    other()\n")})
    assert_all_reviewed(pull)


LOOKALIKE = (
    "class {name}:\n    def check(self):\n        first()\n        second()\n        third()\n        return True\n\n\n"
)


def test_a_lookalike_above_does_not_get_the_approved_block(pull):
    first = LOOKALIKE.format(name="Guest")
    pull.commit({"a.py": first}, "main")
    pull.git("checkout", "-q", "topic")
    pull.git("merge", "-q", "main")
    pull.commit({"a.py": first.replace("        second()\n", "        second()\n        grant()\n")})
    judged(pull)
    pull.approve()
    # The base puts the same class under another name above; whoever is rebased onto it picks the wrong one.
    base = LOOKALIKE.format(name="Admin") + first
    move_main(pull, {"a.py": base})
    pull.git("checkout", "-q", "topic")
    pull.git("reset", "-q", "--hard", "main")
    pull.commit({"a.py": base.replace("        second()\n", "        second()\n        grant()\n", 1)})
    assert_not_carried(pull)


def test_a_lookalike_into_which_git_itself_merges_the_block_makes_it_new(pull):
    first = LOOKALIKE.format(name="Guest")
    grant = "        second()\n        grant()\n"
    pull.commit({"a.py": first}, "main")
    pull.git("checkout", "-q", "topic")
    pull.git("merge", "-q", "main")
    pull.commit({"a.py": first.replace("        second()\n", grant)})
    judged(pull)
    pull.approve()
    rest = first.replace("first()", "zero()").replace("third()", "tertium()").replace("second()", "twice()")
    move_main(pull, {"a.py": first.replace("Guest", "Admin") + rest})
    pull.rebase()
    assert grant in (pull.path / "a.py").read_text().partition("class Guest")[0], "git merged it into the wrong class"
    assert_not_carried(pull)


def test_a_base_that_changes_what_encloses_a_block_makes_it_new(approved):
    move_main(approved, {"src/Shop.java": BASE.replace("class Shop {", "class Store {")})
    approved.rebase()
    review, model, _ = judged(approved)
    assert [file.path for file in model.requests[0].files] == ["src/Shop.java"]
    assert "1 block in place, 2 new, 0 missing" in review.receipts[0]


def binary(pull):
    # A model cannot read it: with one the head would be ERROR, and that passes for that very head only.
    pull.host = pull.host.replace("combined", "classifier")
    pull.commit({"logo.png": b"\0one"}, "main")
    pull.git("checkout", "-q", "topic")
    pull.git("merge", "-q", "main")
    pull.commit({"logo.png": b"\0two"})
    judged(pull)
    pull.approve()
    move_main(pull)
    pull.rebase()


def test_a_binary_is_carried_as_it_was_approved(pull):
    binary(pull)
    assert_carried(pull)


def test_a_link_that_points_elsewhere_is_judged(pull):
    pull.commit({"a.py": "a = 1\n"}, "main")
    (pull.path / "link").symlink_to("a.py")
    pull.git("add", "-A")
    pull.git("commit", "-q", "-m", "link")
    pull.git("checkout", "-q", "-B", "topic")
    (pull.path / "link").unlink()
    (pull.path / "link").symlink_to("b.py")
    pull.commit({})
    judged(pull)
    pull.approve()
    move_main(pull)
    pull.rebase()
    assert_carried(pull)
    (pull.path / "link").unlink()
    (pull.path / "link").symlink_to("c.py")
    pull.commit({})
    review, _, _ = judged(pull)
    assert review.decision is Decision.WAIT
    assert not any(file.approved for file in review.files)


def test_a_file_that_the_rebase_renames_is_judged(approved):
    move_main(approved)
    approved.rebase()
    rename_the_file(approved)
    review, _, _ = judged(approved)
    assert not any(file.approved for file in review.files)


def test_another_binary_is_judged(pull):
    binary(pull)
    pull.commit({"logo.png": b"\0three"})
    review, _, _ = judged(pull)
    assert review.decision is not Decision.PASS
    assert not any(file.approved for file in review.files)


def test_several_merge_bases_carry_nothing(approved):
    approved.git("checkout", "-q", "-b", "cross", "main")
    approved.git("commit", "-q", "--allow-empty", "-m", "x")
    side = approved.head("cross")
    move_main(approved)
    onto = approved.head("main")
    approved.git("checkout", "-q", "main")
    approved.git("merge", "-q", "--no-edit", side)
    approved.git("checkout", "-q", "topic")
    approved.git("merge", "-q", "--no-edit", side)
    approved.git("merge", "-q", "--no-edit", onto)
    review, _, _ = judged(approved)
    assert review.decision is not Decision.PASS
    assert not any(file.approved for file in review.files)
