"""The scenarios of seed PR#73 through the whole engine, on a real repository, and what the seed does not know."""

import pytest
from attrs import evolve

from werkrevisor_core.marks.codec import Comment
from werkrevisor_core.models.classes import ChangeKind
from werkrevisor_core.models.verdict import Decision, Finding, Level
from werkrevisor_core.render.comment import render_comment
from werkrevisor_core.testing.scripted import ScriptedJev, ScriptedModel

BASE = "class Shop {\n" + "".join(f"    int line{number} = {number};\n" for number in range(40)) + "}\n"
APPROVED = BASE.replace("line5 = 5", "line5 = 55").replace("line30 = 30", "line30 = 33")
OTHER = "class Other {\n    int a = 1;\n    int b = 2;\n}\n"


@pytest.fixture
def approved(pull):
    """A pull request whose head A was reviewed and approved by bob; main has not moved yet."""
    pull.commit({"src/Shop.java": BASE, "src/Other.java": OTHER, "docs/a.md": "# A\n\nText.\n"}, "main")
    pull.git("checkout", "-q", "topic")
    pull.git("merge", "-q", "main")
    pull.commit({"src/Shop.java": APPROVED, "src/Other.java": OTHER.replace("a = 1", "a = 9")})
    first = pull.review([ScriptedModel(), ScriptedJev()])
    assert (first.verdict, first.decision) == (Level.YELLOW, Decision.WAIT)
    pull.approve()
    return pull


def judged(pull, jev=0.1, findings=(), **facts):
    model, judge = ScriptedModel(findings), ScriptedJev(default=jev)
    review = pull.review([model, judge], **facts)
    return review, model, judge


def assert_carried(pull, **facts):
    review, model, jev = judged(pull, **facts)
    assert model.requests == []
    assert jev.calls == []
    assert review.decision is Decision.PASS
    assert all(file.approved for file in review.files)
    return review


def assert_all_reviewed(pull, **facts):
    review, model, _ = judged(pull, **facts)
    counting = [file.path for file in review.files if not file.mechanical]
    assert [file.path for file in model.requests[0].files] + list(model.requests[0].unsendable) == counting
    assert not any(file.approved for file in review.files)
    assert review.decision is not Decision.PASS
    return review


def move_main(pull, files=None):
    pull.commit(files or {"docs/new.md": "New.\n"}, "main")


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


CONFLICT = BASE.replace("line5 = 5", "line5 = 50")
RESOLVED = CONFLICT.replace("line5 = 50", "line5 = 505").replace("line30 = 30", "line30 = 33")


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


def assert_not_carried(pull, **facts):
    review, model, _ = judged(pull, **facts)
    assert model.requests
    assert review.decision is not Decision.PASS
    return review


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


def test_an_approval_that_names_an_old_head_decides_nothing_for_what_came_after(approved):
    first = approved.head()
    approved.commit({"src/Other.java": OTHER.replace("a = 1", "a = 9").replace("b = 2", "b = 3")})
    approved.approve("eve", first)  # given after the push, and the forge shows it as fresh
    review, model, _ = judged(approved)
    assert [file.path for file in model.requests[0].files] == ["src/Other.java"]
    assert review.decision is Decision.WAIT


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


@pytest.mark.parametrize(
    ("facts", "ended"),
    [
        ({"poster": "bob"}, {}),
        ({"involved": frozenset({"ada", "bob"})}, {}),
        ({}, {"login": "friend"}),
        ({}, {"official": False}),
        ({}, {"base_branch": "lax"}),
    ],
    ids=["poster", "pushed", "not listed", "not official", "other base"],
)
def test_an_approval_that_is_none_is_not_carried(approved, facts, ended):
    if ended:
        approved.end(approved.reviews[0], **ended)
    move_main(approved)
    approved.rebase()
    assert_all_reviewed(approved, **facts)


def test_an_approval_that_was_official_when_it_was_seen_is_carried_after_a_new_request(approved):
    judged(approved)  # the marker of A now remembers the approval
    approved.end(approved.reviews[0], official=False)
    move_main(approved)
    approved.rebase()
    assert_carried(approved)


def test_a_retarget_ends_the_carry_over_even_with_an_equal_diff(approved):
    approved.git("branch", "dev", "main")
    approved.base = "dev"
    review = assert_all_reviewed(approved)
    assert review.withheld != ()


def test_a_switched_off_carry_over_carries_nothing(approved):
    approved.host = approved.host.replace("[gate]", "[gate]\ncarry_over_approvals = false")
    move_main(approved)
    approved.rebase()
    assert_all_reviewed(approved)


def test_a_red_head_that_somebody_approved_is_not_carried(pull):
    pull.commit({"src/Shop.java": BASE}, "main")
    pull.git("checkout", "-q", "topic")
    pull.git("merge", "-q", "main")
    pull.commit({"src/Shop.java": APPROVED})
    red = Finding("m", "x", "src/Shop.java", Level.RED, "Bad.", 7, 7)
    assert judged(pull, findings=(red,))[0].verdict is Level.RED
    pull.approve()
    assert judged(pull, findings=(red,))[0].decision is Decision.BLOCK
    move_main(pull)
    pull.rebase()
    review = assert_all_reviewed(pull)
    assert "is not carried over: that head was RED." in review.receipts[0]


def test_the_newest_of_two_approved_heads_is_carried(approved):
    approved.commit({"src/Other.java": OTHER.replace("a = 1", "a = 10")})
    judged(approved)
    second = approved.approve("eve").head
    move_main(approved)
    approved.rebase()
    review = assert_carried(approved)
    assert second in review.receipts[0]


def test_a_new_reason_needs_a_new_approval(approved):
    move_main(approved)
    approved.rebase()
    approved.host = approved.host + "[risky_paths]\nglobs = ['src/Other.java']\n"
    review, model, _ = judged(approved)
    assert model.requests == []
    assert (review.verdict, review.decision) == (Level.YELLOW, Decision.WAIT)


def test_a_risky_path_with_something_new_needs_a_new_approval(pull):
    pull.host += "[risky_paths]\nglobs = ['src/Shop.java']\n"
    pull.commit({"src/Shop.java": BASE}, "main")
    pull.git("checkout", "-q", "topic")
    pull.git("merge", "-q", "main")
    pull.commit({"src/Shop.java": APPROVED})
    judged(pull)
    pull.approve()
    move_main(pull, {"src/Shop.java": CONFLICT})
    pull.rebase({"src/Shop.java": RESOLVED})
    review, model, _ = judged(pull)
    assert model.requests
    assert review.decision is Decision.WAIT


def tamper(pull, *, body=None, login="werkrevisor"):
    pull.comments = [] if body is None else [Comment(1, login, body(pull.comments[0].body))]


@pytest.mark.parametrize(
    ("how", "edited"),
    [
        ({}, True),
        ({"body": lambda body: body.replace("AA", "AB")[:-5]}, True),
        ({"body": str, "login": "mallory"}, True),
    ],
    ids=["deleted", "edited", "of somebody else"],
)
def test_a_comment_that_was_tampered_with_carries_nothing(approved, how, edited):
    tamper(approved, **how)
    move_main(approved)
    approved.rebase()
    review = assert_all_reviewed(approved)
    assert ("history_edited" in [reason.id for reason in review.reasons]) is edited


def test_a_comment_that_was_put_back_to_an_older_one_carries_nothing(approved):
    old = approved.comments[0]
    judged(approved)
    approved.comments = [old]
    move_main(approved)
    approved.rebase()
    review = assert_all_reviewed(approved)
    assert "history_edited" in [reason.id for reason in review.reasons]


def test_a_head_that_is_gone_carries_nothing(approved):
    first = approved.head()
    move_main(approved)
    approved.rebase()
    approved.git("reflog", "expire", "--expire=now", "--all")
    approved.git("gc", "-q", "--prune=now")
    assert approved.git("cat-file", "-t", first, check=False) == ""
    review = assert_all_reviewed(approved)
    assert "is not carried over: the commit" in review.receipts[0]


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


def test_a_reviewer_of_some_paths_carries_only_those(pull):
    pull.host = pull.host.replace("[gate]", '[gate]\nreviewers = { "src/Other.java" = ["dora"] }')
    pull.commit({"src/Shop.java": BASE, "src/Other.java": OTHER}, "main")
    pull.git("checkout", "-q", "topic")
    pull.git("merge", "-q", "main")
    pull.commit({"src/Shop.java": APPROVED, "src/Other.java": OTHER.replace("a = 1", "a = 9")})
    judged(pull)
    pull.approve()
    move_main(pull)
    pull.rebase()
    review, model, _ = judged(pull)
    assert [file.path for file in model.requests[0].files] == ["src/Other.java"]
    assert review.decision is Decision.WAIT
