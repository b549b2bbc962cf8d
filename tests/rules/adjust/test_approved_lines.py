import pytest
from attrs import evolve

from werkrevisor_core.models.context import Adjustment, CarriedApproval, LineSpan
from werkrevisor_core.models.ports import Side
from werkrevisor_core.models.verdict import Finding, Level
from werkrevisor_core.testing.build import context
from werkrevisor_rules.adjust import approved_lines

FOUND = Finding("m", "x", "a.py", Level.ORANGE, "m", 3, 4, from_model=True)
SPANS = (LineSpan("a.py", 5, 9), LineSpan("a.py", 3, 4), LineSpan("b.py", 1, 99), LineSpan("a.py", 1, 2, Side.OLD))
BY_PEOPLE = CarriedApproval(frozenset(), "r", approved_lines=SPANS)
BY_THE_GATE = CarriedApproval(frozenset(), "r", reviewed_lines=SPANS)


def lowered(finding, *approvals):
    found = approved_lines.werkrevisor_adjust(context(approvals=approvals), (finding,))
    assert all((item.index, item.level) == (0, Level.GREEN) for item in found)
    return [item.note for item in found]


@pytest.mark.parametrize(
    ("given", "is_hint"),
    [
        ({}, True),
        ({"end": None}, True),
        ({"end": 9}, True),
        ({"start": 5, "end": 5}, True),
        ({"level": Level.RED}, True),
        ({"level": Level.YELLOW}, True),
        ({"start": 1, "end": 2, "side": Side.OLD}, True),
        ({"start": 2}, False),
        ({"end": 10}, False),
        ({"start": 1, "end": 2}, False),
        ({"side": Side.OLD}, False),
        ({"path": "c.py"}, False),
        ({"start": None, "end": None}, False),
        ({"start": 4, "end": 3}, False),
        ({"in_change": False}, False),
        ({"level": Level.GREEN}, False),
        ({"level": Level.ERROR}, False),
    ],
)
def test_a_finding_on_approved_lines_alone_is_a_hint(given, is_hint):
    notes = lowered(evolve(FOUND, **given), BY_PEOPLE)
    assert notes == (["A person approved these lines in an earlier head."] if is_hint else [])


def test_the_gates_own_review_lowers_only_what_the_model_finds():
    assert lowered(FOUND, BY_THE_GATE) == ["These lines were found GREEN in an earlier head."]
    assert lowered(evolve(FOUND, from_model=False), BY_THE_GATE) == []
    assert lowered(evolve(FOUND, from_model=False), BY_PEOPLE) != []


def test_without_an_approval_nothing_is_lowered():
    assert lowered(FOUND) == []


def test_each_finding_is_named_by_its_place():
    found = approved_lines.evaluate(context(approvals=[BY_PEOPLE]), (evolve(FOUND, path="z"), FOUND))
    assert found == (Adjustment(1, Level.GREEN, "A person approved these lines in an earlier head."),)
