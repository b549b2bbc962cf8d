import pytest
from attrs import evolve

from werkrevisor_core.config.sections import GateSettings
from werkrevisor_core.models.context import CarriedApproval
from werkrevisor_core.models.forge import Marker, PersonReview, ReviewState
from werkrevisor_core.models.verdict import Decision, Evidence, Finding, Level, Reason
from werkrevisor_core.steps.answers import reason_mark
from werkrevisor_core.steps.approval import People, decided_by, deciding, standing, withheld
from werkrevisor_core.testing.build import HEAD, context, modified, pull_request

GATE = GateSettings(human_reviewers=("bob", "eve"), reviewers={"db/**": ("dora",)})
APPROVED = PersonReview(5, "bob", ReviewState.APPROVED, HEAD, "main", 100.0)
FILE = modified("src/a.py", "a\n", "b\n")
SCHEMA = modified("db/a.sql", "a\n", "b\n")
RISKY = Reason("risky_paths", Level.YELLOW, "m", (Evidence("src/a.py"),))
KIND = Reason("change_kind", Level.YELLOW, "m", (Evidence(now="feature"),))
SKIPPED = Reason("skipped_files", Level.ERROR, "m", (Evidence("src/a.py"),))
MARKER = Marker("https://git.example.org", 3, 7, "main", "a" * 40, HEAD, Level.ERROR, Decision.BLOCK, False, 1, 50.0)


def refusals(*reviews, **given):
    return standing(pull_request(reviews=reviews, **given), GATE).refused


def counted(*reviews, **given):
    return [review.id for review in standing(pull_request(reviews=reviews, **given), GATE).approvals]


def test_an_approval_of_a_listed_person_counts():
    assert counted(APPROVED) == [5]
    assert counted(evolve(APPROVED, login="BOB")) == [5]
    assert counted(evolve(APPROVED, login="dora")) == [5]
    assert refusals(APPROVED) == ()


@pytest.mark.parametrize(
    ("review", "facts", "why"),
    [
        (evolve(APPROVED, login="friend"), {}, "the host lists this login neither in"),
        (APPROVED, {"poster": "Bob"}, "it is by the one who opened the pull request"),
        (APPROVED, {"involved": frozenset({"ada", "BOB"})}, "whoever gave it pushed, authored or committed something"),
        (evolve(APPROVED, official=False), {}, "the forge does not count it as official"),
        (evolve(APPROVED, ended_by="eve", ended_why="not yet"), {}, "eve ended it (not yet)"),
        (evolve(APPROVED, ended_by="eve"), {}, "eve ended it."),
        (evolve(APPROVED, ended_why="wrong"), {}, "somebody ended it (wrong)"),
        (evolve(APPROVED, base_branch="lax"), {}, "the base branch was lax then and is main now"),
    ],
)
def test_other_approvals_do_not_count_and_it_is_said_why(review, facts, why):
    assert counted(review, **facts) == []
    (sentence,) = refusals(review, **facts)
    assert sentence.startswith(f"The approval of {review.login} for {'b' * 12} does not count: ")
    assert why in sentence


def test_an_approval_that_was_official_when_first_seen_stays_official():
    asked_again = evolve(APPROVED, official=False)
    assert counted(asked_again, markers=(evolve(MARKER, approvals=(5,)),)) == [5]
    assert counted(asked_again, markers=(evolve(MARKER, approvals=(6,)),)) == []


def test_whoever_had_a_hand_in_the_approved_head_is_remembered_when_later_commits_do_not_name_them():
    old = evolve(APPROVED, head="c" * 40)
    wrote = evolve(MARKER, head="c" * 40, involved=("ada", "Bob"))
    assert counted(old, markers=(wrote,)) == []
    assert "pushed, authored or committed something" in refusals(old, markers=(wrote,))[0]
    assert counted(old, markers=(evolve(wrote, involved=("ada",)),)) == [5]
    assert counted(APPROVED, markers=(wrote,)) == [5]  # another head, in which bob has no commit


def test_a_later_request_for_changes_of_the_same_person_ends_it():
    request = PersonReview(6, "Bob", ReviewState.CHANGES_REQUESTED, "c" * 40, "main", 101.0)
    assert counted(APPROVED, request) == []
    assert "bob requested changes afterwards" in refusals(request, APPROVED)[0]
    assert counted(APPROVED, evolve(request, login="eve")) == [5]
    assert counted(APPROVED, evolve(request, at=99.0)) == [5]
    assert counted(APPROVED, evolve(request, at=100.0)) == []
    assert counted(APPROVED, evolve(request, at=100.0, id=4)) == [5]
    assert counted(APPROVED, request, evolve(APPROVED, id=7, at=102.0)) == [7]


def test_what_ends_a_later_approval_of_the_same_person_ends_the_earlier_one():
    later = evolve(APPROVED, id=7, at=102.0, head="c" * 40, ended_by="eve", ended_why="not like this")
    assert counted(APPROVED, later) == []
    assert "bob approved again afterwards, and eve ended it (not like this)" in refusals(APPROVED, later)[0]
    assert counted(APPROVED, evolve(later, login="dora")) == [5]
    assert counted(APPROVED, evolve(later, at=99.0)) == [5]
    assert counted(APPROVED, later, evolve(APPROVED, id=8, at=103.0)) == [8]


def test_a_remark_ends_nothing_and_is_no_approval():
    remark = PersonReview(6, "bob", ReviewState.COMMENTED, HEAD, "main", 101.0)
    assert counted(APPROVED, remark) == [5]


def test_the_bots_own_approval_is_no_human_one_and_needs_no_words():
    own = evolve(APPROVED, login="Werkrevisor")
    assert (counted(own), refusals(own)) == ([], ())


def test_approvals_of_earlier_heads_stand_for_those_heads():
    assert counted(evolve(APPROVED, head="c" * 40), APPROVED) == [5, 5]


def test_refusals_are_bounded_and_said_once():
    assert len(refusals(*(evolve(APPROVED, id=n, login="x") for n in range(50)))) == 1
    assert len(refusals(*(evolve(APPROVED, id=n, login=f"x{n}") for n in range(50)))) == 20


@pytest.mark.parametrize(
    ("facts", "gate", "why"),
    [
        ({}, GATE, ()),
        ({"base_branch": "dev"}, GATE, ("the base branch dev is not gated (gated is only main)",)),
        ({"base_branch": "dev"}, GateSettings(branches=("dev", "main")), ()),
        (
            {},
            GateSettings(branches=("dev", "next")),
            ("the base branch main is not gated (gated is only dev, next)",),
        ),
        (
            {"default_branch": ""},
            GATE,
            ("the base branch main is not gated (which branch is gated is not known)",),
        ),
        ({"draft": True}, GATE, ("the pull request is a draft",)),
    ],
)
def test_some_heads_get_no_success_whatever_is_decided(facts, gate, why):
    assert withheld(pull_request(**facts), gate) == why


def test_a_local_range_gets_none_anyway():
    assert withheld(None, GATE) == ()


def people(*reviews, files=(FILE,), carried=(), markers=()):
    given = context(*files, forge=pull_request(markers=markers), approvals=carried)
    return People.of(given, GATE, reviews)


def passes(reasons, findings, who):
    return deciding(reasons, findings, who, HEAD)


def test_an_approval_of_this_head_answers_what_is_yellow_or_orange():
    size = evolve(RISKY, id="size", level=Level.ORANGE)
    found = passes([RISKY, size], [Finding("m", "x", "src/a.py", Level.ORANGE, "m", 1)], people(APPROVED))
    assert found is not None
    assert (found.login, found.head, found.after_errors) == ("bob", HEAD, False)
    assert passes([RISKY], [], people(evolve(APPROVED, head="c" * 40))) is None
    assert passes([RISKY], [], people()) is None


def test_without_anybody_there_is_no_approval_to_speak_of():
    assert passes([], [], people()) is None


def test_a_path_under_a_glob_needs_one_of_its_own():
    schema = evolve(RISKY, id="db_schema", evidence=(Evidence("db/a.sql"),))
    dora = evolve(APPROVED, id=6, login="dora")
    assert passes([schema], [], people(APPROVED, files=(FILE, SCHEMA))) is None
    assert passes([schema], [], people(dora, files=(FILE, SCHEMA))) is not None
    assert passes([RISKY, schema], [], people(dora, files=(FILE, SCHEMA))) is None
    found = passes([RISKY, schema], [], people(dora, APPROVED, files=(FILE, SCHEMA)))
    assert found is not None
    assert found.login == "bob, dora"


def test_a_finding_under_a_glob_needs_one_of_its_own():
    finding = Finding("m", "x", "db/a.sql", Level.ORANGE, "m", 1)
    assert passes([], [finding], people(APPROVED, files=(SCHEMA,))) is None
    assert passes([], [finding], people(evolve(APPROVED, login="dora"), files=(SCHEMA,))) is not None


@pytest.mark.parametrize("evidence", [(), (Evidence(now="feature"),), (Evidence("src/a.py"), Evidence(count=3))])
def test_a_reason_that_names_no_path_is_about_all_of_them(evidence):
    whole = evolve(KIND, evidence=evidence)
    assert passes([whole], [], people(APPROVED, files=(FILE,))) is not None
    assert passes([whole], [], people(APPROVED, files=(FILE, SCHEMA))) is None


def test_a_change_without_files_needs_somebody_for_everything():
    assert passes([KIND], [], people(APPROVED, files=())) is not None
    assert passes([KIND], [], people(evolve(APPROVED, login="dora"), files=())) is None


def carried(*reasons, by=("bob",)):
    return CarriedApproval(frozenset({"src/a.py"}), "r", by=by, head="c" * 40, answers=tuple(map(reason_mark, reasons)))


def test_a_carried_approval_answers_what_stood_at_its_head_and_nothing_new():
    assert passes([RISKY], [], people(carried=(carried(RISKY),))) is not None
    assert passes([RISKY, KIND], [], people(carried=(carried(RISKY),))) is None
    assert passes([RISKY, KIND], [], people(APPROVED, carried=(carried(RISKY),))) is not None
    assert (
        passes([RISKY], [Finding("m", "x", "src/a.py", Level.YELLOW, "m", 1)], people(carried=(carried(RISKY),)))
        is None
    )


def test_a_carried_approval_of_the_bot_answers_nothing():
    assert passes([RISKY], [], people(carried=(carried(RISKY, by=()),))) is None


NAMED = evolve(MARKER, reasons=(reason_mark(SKIPPED),), named_at=90.0)


@pytest.mark.parametrize(
    ("markers", "at", "lifted"),
    [
        ((), 100.0, False),
        ((NAMED,), 100.0, True),
        ((NAMED,), 90.0, False),
        ((NAMED,), 89.0, False),
        ((evolve(NAMED, head="c" * 40),), 100.0, False),
        ((evolve(NAMED, reasons=()),), 100.0, False),
        ((evolve(NAMED, named_at=200.0), NAMED), 100.0, True),
    ],
)
def test_an_error_passes_with_an_approval_after_the_comment_that_names_it(markers, at, lifted):
    found = passes([SKIPPED], [], people(evolve(APPROVED, at=at), markers=markers))
    assert found is not None
    assert found.after_errors is lifted


def test_a_comment_that_named_less_does_not_do():
    more = evolve(SKIPPED, evidence=(Evidence("src/a.py"), Evidence("src/b.py")))
    found = passes([more], [], people(APPROVED, markers=(NAMED,)))
    assert found is not None
    assert not found.after_errors


def test_an_error_under_a_glob_needs_one_of_its_own_after_the_comment():
    error = evolve(SKIPPED, evidence=(Evidence("db/a.sql"),))
    named = evolve(NAMED, reasons=(reason_mark(error),))
    found = passes([error], [], people(APPROVED, files=(SCHEMA,), markers=(named,)))
    assert found is not None
    assert not found.after_errors


@pytest.mark.parametrize("name", ["config", "rule_crashed"])
def test_other_errors_are_never_lifted(name):
    error = evolve(SKIPPED, id=name)
    found = passes([error], [], people(APPROVED, markers=(evolve(NAMED, reasons=(reason_mark(error),)),)))
    assert found is not None
    assert not found.after_errors


def test_a_carried_approval_lifts_no_error():
    found = passes([SKIPPED], [], people(carried=(carried(SKIPPED),), markers=(NAMED,)))
    assert found is not None
    assert not found.after_errors


def said(reasons, who, decision=Decision.PASS, head=HEAD):
    return decided_by(reasons, who, decision, head)


def test_it_is_said_who_decided_what_on_which_head():
    eve = evolve(APPROVED, id=6, login="eve")
    assert said([RISKY, KIND], people(APPROVED, eve)) == (
        f"bob and eve approved this head ({HEAD}), which answers change_kind and risky_paths.",
    )
    assert said([RISKY], people(carried=(carried(RISKY),))) == (
        f"bob approved the earlier head {'c' * 40}, and that is carried over, which answers risky_paths.",
    )
    assert said([], people(carried=(carried(RISKY),))) == (
        f"bob approved the earlier head {'c' * 40}, and that is carried over.",
    )


@pytest.mark.parametrize(
    ("reasons", "who", "decision", "head"),
    [
        ([RISKY], people(APPROVED), Decision.WAIT, HEAD),
        ([RISKY], people(APPROVED), Decision.PASS, None),
        ([], people(APPROVED), Decision.PASS, HEAD),
        ([evolve(RISKY, level=Level.GREEN)], people(APPROVED), Decision.PASS, HEAD),
    ],
)
def test_nothing_is_said_where_nobody_decided(reasons, who, decision, head):
    assert said(reasons, who, decision, head) == ()


def test_a_range_without_a_head_has_no_approval():
    given = context(FILE, change=evolve(context(FILE).change, head=None))
    assert People.of(given, GATE, [evolve(APPROVED, head="")]).here == ()
