import pytest
from attrs import evolve

from werkrevisor_core.models.classes import ChangeKind
from werkrevisor_core.models.context import CarriedApproval, GateResult
from werkrevisor_core.models.judges import BlockRating
from werkrevisor_core.models.verdict import Evidence, Finding, Level, Reason
from werkrevisor_core.steps.answers import reason_mark
from werkrevisor_core.steps.corrections import with_corrections
from werkrevisor_core.testing.build import context, judged, modified

A = judged(modified("a.py", "a\n", "b\n"))
B = judged(modified("b.py", "a\n", "b\n"), approved=True)
STOOD = Reason("not_reviewed", Level.YELLOW, "m", (Evidence("a.py", note="main"),))
APPROVAL = CarriedApproval(
    frozenset({"b.py"}),
    "r",
    by=("bob",),
    head="c" * 40,
    answers=(reason_mark(STOOD),),
    corrections=frozenset({("a.py", 0)}),
)
NOTHING = GateResult()
LOW = (BlockRating("a.py", 0, 0.9),)


def corrected(*files, ratings=LOW, gates=NOTHING, approval=APPROVAL):
    given = context(*(files or (A, B)), approvals=(approval,))
    return given, with_corrections(given, gates, ratings, 0.9)


def test_a_harmless_correction_is_covered_by_the_approval():
    _, found = corrected()
    assert [file.approved for file in found.files] == [True, True]
    assert found.kind is ChangeKind.REFACTORING
    assert found.approvals[0].files == {"a.py", "b.py"}
    assert found.approvals[0].corrections == frozenset()


RISKY = Reason("risky_paths", Level.YELLOW, "m", (Evidence("a.py"),))


@pytest.mark.parametrize(
    "given",
    [
        {"ratings": ()},
        {"ratings": (BlockRating("a.py", 0, None),)},
        {"ratings": (BlockRating("a.py", 0, 0.91),)},
        {"ratings": (BlockRating("a.py", 1, 0.1),)},
        {"gates": GateResult((RISKY,))},
        {"gates": GateResult((RISKY,)), "approval": evolve(APPROVAL, answers=(reason_mark(RISKY),))},
        {"gates": GateResult((evolve(STOOD, id="tests_weakened"),))},
        {"gates": GateResult(findings=(Finding("r", "x", "a.py", Level.ORANGE, "m", 1),))},
        {"approval": evolve(APPROVAL, corrections=frozenset())},
        {"approval": evolve(APPROVAL, corrections=frozenset({("a.py", 0), ("a.py", 1)}))},
    ],
)
def test_anything_against_it_sends_it_to_the_model(given):
    before, found = corrected(**given)
    assert found is before


def test_something_new_beside_it_sends_both_to_the_model():
    before, found = corrected(A, evolve(B, approved=False))
    assert found is before


@pytest.mark.parametrize(
    "gates",
    [
        GateResult((STOOD,)),
        GateResult((evolve(RISKY, level=Level.GREEN),)),
        GateResult((evolve(RISKY, evidence=(Evidence("b.py"),)),)),
        GateResult((evolve(STOOD, id="change_kind", evidence=(Evidence(now="feature"),)),)),
        GateResult(findings=(Finding("r", "x", "a.py", Level.GREEN, "m", 1),)),
        GateResult(findings=(Finding("r", "x", "b.py", Level.ORANGE, "m", 1),)),
    ],
)
def test_what_is_not_against_it_changes_nothing(gates):
    _, found = corrected(gates=gates)
    assert all(file.approved for file in found.files)
