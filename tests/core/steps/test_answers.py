import pytest
from attrs import evolve

from werkrevisor_core.models.ports import Side
from werkrevisor_core.models.verdict import Evidence, Level, Reason
from werkrevisor_core.steps.answers import reason_mark, stood

TWO = Reason("risky", Level.YELLOW, "m", (Evidence("a", 3, note="n"), Evidence("b", 5)))


def test_a_reason_stood_where_it_stands_on_other_lines_now():
    moved = evolve(TWO, message="other", evidence=(Evidence("b", 50), Evidence("a", 30, note="n")))
    assert stood(moved, [reason_mark(TWO)])


def test_less_evidence_is_no_new_reason():
    assert stood(evolve(TWO, evidence=TWO.evidence[:1]), [reason_mark(TWO)])


@pytest.mark.parametrize(
    "other",
    [
        evolve(TWO, id="size"),
        evolve(TWO, level=Level.ORANGE),
        evolve(TWO, evidence=(*TWO.evidence, Evidence("c"))),
        evolve(TWO, evidence=(Evidence("a", 3, note="other"),)),
        evolve(TWO, evidence=(Evidence("a", 3, side=Side.OLD, note="n"),)),
        evolve(TWO, evidence=(Evidence("b", count=1),)),
        evolve(TWO, evidence=(Evidence("b", limit=1),)),
        evolve(TWO, evidence=(Evidence("b", was="x"),)),
        evolve(TWO, evidence=(Evidence("b", now="x"),)),
        evolve(TWO, evidence=(Evidence(None),)),
        evolve(TWO, evidence=()),
    ],
)
def test_anything_else_is_a_new_reason(other):
    assert not stood(other, [reason_mark(TWO)])
    assert not stood(TWO, [])


def test_a_lower_level_than_then_is_no_new_reason():
    assert stood(TWO, [reason_mark(evolve(TWO, level=Level.ORANGE))])


def test_a_reason_without_evidence_is_known_by_its_message():
    bare = Reason("empty", Level.YELLOW, "Nothing changed.")
    assert stood(bare, [reason_mark(bare)])
    assert not stood(evolve(bare, message="Other."), [reason_mark(bare)])


def test_the_size_of_a_mark_is_bounded_and_then_only_the_very_same_evidence_stood():
    many = evolve(TWO, evidence=tuple(Evidence(f"f{number}") for number in range(1000)))
    mark = reason_mark(many)
    assert len(mark.evidence) == 40
    assert stood(many, [mark])
    assert not stood(evolve(many, evidence=many.evidence[:-1]), [mark])
