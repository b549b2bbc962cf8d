"""The scenarios of seed PR#73 through the whole engine, on a real repository, and what keeps an approval besides."""

import pytest
from attrs import evolve
from scenarios.rebased import (
    APPROVED,
    BASE,
    CONFLICT,
    OTHER,
    RESOLVED,
    assert_all_reviewed,
    assert_carried,
    judged,
    move_main,
)

from werkrevisor_core.models.classes import ChangeKind
from werkrevisor_core.models.verdict import Decision, Finding, Level
from werkrevisor_core.render.comment import render_comment


def test_scenario_73_01_a_rebase_keeps_the_approval(approved):
    first = approved.head()
    move_main(approved)
    second = approved.rebase()
    assert second != first
    review = assert_carried(approved)
    assert review.verdict is Level.YELLOW  # the kind needs a human, and it has one
    assert any(first in sentence and "bob" in sentence for sentence in review.decided_by)
    (receipt,) = review.receipts
    assert receipt == (
        f"The approval of {first} by bob holds for {second}: 3 blocks in place, 0 new, 0 missing; "
        "the base changed none of these files in between."
    )
    assert first in render_comment(review)


def test_scenario_73_01_over_a_base_that_edited_the_same_file_elsewhere(approved):
    move_main(
        approved,
        {
            "src/Shop.java": BASE.replace("line17 = 17", "line17 = 71").replace(
                "class Shop {\n", "class Shop {\n    int top;\n"
            )
        },
    )
    approved.rebase()
    review = assert_carried(approved)
    assert "the base changed 1 of these files in between" in review.receipts[0]


def test_scenario_73_02_a_small_correction_after_a_merge_keeps_the_approval(approved):
    move_main(approved, {"src/Shop.java": CONFLICT})
    approved.rebase({"src/Shop.java": RESOLVED})
    review, model, jev = judged(approved)
    assert model.requests == []
    assert [[(block.path, block.block.added) for block in call] for call in jev.calls] == [
        [("src/Shop.java", (b"    int line5 = 505;",))]
    ]
    assert review.decision is Decision.PASS
    assert "2 blocks in place, 1 new, 0 missing" in review.receipts[0]


@pytest.mark.parametrize("jev", [0.95, None])
def test_scenario_73_02_a_risky_or_unrated_correction_goes_to_the_model(approved, jev):
    move_main(approved, {"src/Shop.java": CONFLICT})
    approved.rebase({"src/Shop.java": RESOLVED})
    review, model, _ = judged(approved, jev)
    assert [file.path for file in model.requests[0].files] == ["src/Shop.java"]
    assert review.decision is not Decision.PASS


def test_scenario_73_02_the_same_block_outside_a_conflict_goes_to_the_model(approved):
    move_main(approved)
    approved.rebase()
    approved.commit({"src/Shop.java": APPROVED.replace("line20 = 20", "line20 = 202")})
    _, model, _ = judged(approved)
    assert [file.path for file in model.requests[0].files] == ["src/Shop.java"]


def test_scenario_73_02_a_long_correction_goes_to_the_model(approved):
    move_main(approved, {"src/Shop.java": CONFLICT})
    many = "".join(f"    int more{number};\n" for number in range(11))
    approved.rebase({"src/Shop.java": RESOLVED.replace("    int line5 = 505;\n", many)})
    review, model, _ = judged(approved)
    assert [file.path for file in model.requests[0].files] == ["src/Shop.java"]
    assert review.decision is not Decision.PASS


def test_scenario_73_02_a_correction_that_throws_the_approved_side_away_drops_it(approved):
    move_main(approved, {"src/Shop.java": CONFLICT})
    approved.rebase({"src/Shop.java": CONFLICT.replace("line30 = 30", "line30 = 33")})
    review = assert_all_reviewed(approved)
    assert any("1 block of the approved head" in finding.message for finding in review.findings)


def test_scenario_73_03_a_risky_correction_gets_a_review_of_the_correction_only(approved):
    move_main(approved)
    approved.rebase()
    approved.commit({"src/Shop.java": APPROVED.replace("line20 = 20", "line20 = 202")})
    findings = (
        Finding("m", "old", "src/Shop.java", Level.ORANGE, "On an approved line.", 7, 7),
        Finding("m", "new", "src/Shop.java", Level.ORANGE, "On the new line.", 22, 22),
        Finding("m", "both", "src/Shop.java", Level.ORANGE, "On both.", 7, 22),
    )
    review, model, jev = judged(approved, 0.95, findings)
    assert [file.path for file in model.requests[0].files] == ["src/Shop.java"]
    assert [(block.path, block.block.added) for block in jev.calls[0]] == [
        ("src/Shop.java", (b"    int line20 = 202;",))
    ]
    levels = {finding.rule: (finding.level, finding.original_level) for finding in review.findings}
    assert levels == {
        "old": (Level.GREEN, Level.ORANGE),
        "new": (Level.ORANGE, None),
        "both": (Level.ORANGE, None),
    }
    assert review.decision is Decision.BLOCK


def test_scenario_73_03_the_kind_comes_from_the_files_outside_the_approval(approved):
    move_main(approved)
    approved.rebase()
    approved.commit({"docs/a.md": "# A\n\nOther text.\n"})
    review, model, _ = judged(approved)
    assert review.kind is ChangeKind.DOCS_ONLY
    assert model.requests[0].kind is ChangeKind.DOCS_ONLY
    assert [file.path for file in model.requests[0].files] == ["docs/a.md"]
    assert (review.verdict, review.decision) == (Level.GREEN, Decision.PASS)


@pytest.mark.parametrize("why", ["by hand", "request changes"])
def test_scenario_73_04_an_approval_dismissed_by_hand_is_not_carried_over(approved, why):
    if why == "by hand":
        approved.end(approved.reviews[0], ended_by="eve", ended_why="Not like this.")
    else:
        approved.request_changes()
    move_main(approved)
    approved.rebase()
    review = assert_all_reviewed(approved)
    assert any("does not count" in note for note in review.notes)


def test_scenario_73_05_a_dropped_approved_change_is_not_carried_over(approved):
    move_main(approved)
    approved.rebase()
    approved.commit({"src/Shop.java": BASE.replace("line5 = 5", "line5 = 55")})
    review = assert_all_reviewed(approved)
    (hint,) = [finding for finding in review.findings if finding.reviewer == "carry_over"]
    assert hint.level is Level.GREEN
    assert hint.message.startswith("1 block of the approved head ")
    assert "src/Shop.java" in hint.message


def test_scenario_73_06_blocks_approved_by_werkrevisor_do_not_block_again(pull):
    pull.host = pull.host.replace('"docs_only"', '"docs_only", "refactoring"')
    pull.commit({"src/Shop.java": BASE}, "main")
    pull.git("checkout", "-q", "topic")
    pull.git("merge", "-q", "main")
    pull.commit({"src/Shop.java": APPROVED})
    review, _, _ = judged(pull)
    assert (review.verdict, review.decision) == (Level.GREEN, Decision.PASS)
    move_main(pull)
    pull.rebase()
    finding = Finding("m", "x", "src/Shop.java", Level.ORANGE, "Hm.", 7, 7)
    elsewhere = evolve(finding, rule="y", start=10, end=10)
    review, model, _ = judged(pull, findings=(finding, elsewhere))
    assert [file.path for file in model.requests[0].files] == ["src/Shop.java"]
    assert [(f.rule, f.level) for f in review.findings] == [("x", Level.GREEN), ("y", Level.ORANGE)]


def squash(pull):
    base = pull.git("merge-base", "main", "topic")
    pull.git("checkout", "-q", "topic")
    pull.git("reset", "-q", "--soft", base)
    pull.git("commit", "-q", "-m", "all in one")


def merge(pull):
    move_main(pull)
    pull.git("checkout", "-q", "topic")
    pull.git("merge", "-q", "--no-edit", "main")


def amend(pull):
    pull.git("checkout", "-q", "topic")
    pull.git("commit", "-q", "--amend", "-m", "said better")


def reword_and_rebase(pull):
    amend(pull)
    move_main(pull)
    pull.rebase()


def base_renames_the_file(pull):
    pull.git("checkout", "-q", "main")
    pull.git("mv", "src/Shop.java", "src/Store.java")
    pull.git("commit", "-q", "-m", "rename")
    pull.rebase()


def base_makes_the_same_change(pull):
    move_main(pull, {"src/Other.java": OTHER.replace("a = 1", "a = 9")})
    pull.rebase()


def base_changes_the_mode(pull):
    pull.git("checkout", "-q", "main")
    pull.git("update-index", "--chmod=+x", "src/Other.java")
    pull.git("commit", "-q", "-m", "mode")
    pull.git("checkout", "-q", "-f", "main")
    pull.rebase()


def push_and_force_push_back(pull):
    before = pull.head()
    pull.commit({"src/Shop.java": BASE})
    pull.git("reset", "-q", "--hard", before)
    amend(pull)


KEEP = [
    squash,
    merge,
    amend,
    reword_and_rebase,
    base_renames_the_file,
    base_makes_the_same_change,
    base_changes_the_mode,
    push_and_force_push_back,
]


@pytest.mark.parametrize("what", KEEP, ids=lambda function: function.__name__)
def test_what_leaves_the_change_as_it_was_keeps_the_approval(approved, what):
    before = approved.head()
    what(approved)
    assert approved.head() != before
    assert_carried(approved)


def test_an_approval_is_carried_from_head_to_head(approved):
    for number in range(3):
        move_main(approved, {f"docs/{number}.md": "New.\n"})
        approved.rebase()
        assert_carried(approved)
