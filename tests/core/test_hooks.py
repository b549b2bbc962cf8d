"""Each hook, through the facade: how results combine, and what a rule that fails turns into."""

import pytest
from attrs import frozen

from werkrevisor_core.errors import RegistryError
from werkrevisor_core.facade import Facade, describe
from werkrevisor_core.models.change import Block
from werkrevisor_core.models.classes import ChangeKind
from werkrevisor_core.models.context import Adjustment, CarriedApproval, GateResult, Reading
from werkrevisor_core.models.judges import BlockRating, BlockToRate, Judgement, ModelAnswer, ModelRequest, Purpose
from werkrevisor_core.models.publishing import Publication, Reported, Stage
from werkrevisor_core.models.verdict import Finding, Level, Reason
from werkrevisor_core.registry import LoadedRule
from werkrevisor_core.rule import Phase, RuleInfo, setting
from werkrevisor_core.testing.build import DictContents, context, modified
from werkrevisor_core.testing.scripted import ScriptedModel, rule

CONTEXT = context(modified("A.java", "a\n", "b\n"))
REQUEST = ModelRequest(Purpose.REVIEW, ChangeKind.REFACTORING, ())
BLOCKS = (BlockToRate("A.java", 0, Block(1, 1, (b"a",), (b"b",))),)


def facade(*rules: LoadedRule, **settings: object) -> Facade:
    return Facade(rules, settings)


def gate(name: str, function) -> LoadedRule:
    return rule(name, Phase.GATES, reasons=("r",), werkrevisor_gate=function)


class Nothing:
    def explain(self, file, hunks):
        return None


def test_werkrevisor_classifier():
    one = rule("one", Phase.CLASSIFY, werkrevisor_classifier=lambda contents: Nothing())
    off = rule("off", Phase.CLASSIFY, werkrevisor_classifier=lambda contents: None)
    bad = rule("bad", Phase.CLASSIFY, werkrevisor_classifier=lambda contents: "none")
    hooks = facade(one, off, bad)
    assert [named.name for named in hooks.classifiers(DictContents())] == ["one"]
    assert [(error.rule, error.cause) for error in hooks.errors] == [("bad", "returned str, which is no Classifier")]


def test_werkrevisor_carry_over():
    approval = CarriedApproval(frozenset({"A.java"}), "receipt")
    hooks = facade(
        rule("b", Phase.CARRY_OVER, werkrevisor_carry_over=lambda context: approval),
        rule("a", Phase.CARRY_OVER, werkrevisor_carry_over=lambda context: None),
    )
    assert hooks.carry_over(CONTEXT) == (approval,)


def test_werkrevisor_gate():
    low, high = Reason("r", Level.YELLOW, "low"), Reason("r", Level.RED, "high")
    finding = Finding("x", "y", "A.java", Level.GREEN, "hint")
    hooks = facade(
        gate("b", lambda context: GateResult((high,), (finding,))),
        gate("a", lambda: GateResult((low,))),
        gate("c", lambda settings: None),
    )
    result = hooks.gates(CONTEXT)
    assert [(reason.message, reason.rule) for reason in result.reasons] == [("low", "a"), ("high", "b")]
    assert result.findings == (finding,)
    assert hooks.errors == []


def test_werkrevisor_judge():
    def answer(percentile, model="m"):
        return lambda blocks: Judgement(model, "c", (BlockRating("A.java", 0, percentile, abstained=""),))

    def jev(name, function):
        return rule(name, Phase.JEV, werkrevisor_judge=function)

    assert facade().judge(CONTEXT, BLOCKS) is None
    single = facade(jev("a", answer(0.3))).judge(CONTEXT, BLOCKS)
    assert single is not None
    assert single.ratings[0].percentile == 0.3
    both = facade(jev("a", answer(0.3)), jev("b", answer(0.7))).judge(CONTEXT, BLOCKS)
    assert both is not None
    assert (both.model_id, both.ratings[0].percentile) == ("m, m", 0.7)
    unsure = facade(jev("a", answer(0.3)), jev("b", answer(None))).judge(CONTEXT, BLOCKS)
    assert unsure is not None
    assert unsure.ratings[0].percentile is None
    silent = facade(jev("a", answer(0.3)), jev("b", lambda: Judgement("n", "c", ()))).judge(CONTEXT, BLOCKS)
    assert silent is not None
    assert (silent.ratings[0].percentile, silent.ratings[0].abstained) == (None, "no answer for this block")


def test_werkrevisor_review():
    model = ScriptedModel()
    silent = rule("silent", Phase.ENGINES, werkrevisor_review=lambda request: None)
    assert facade(model.as_rule(), silent).review(REQUEST) == (ModelAnswer("scripted", usage=model_usage()),)
    assert model.requests == [REQUEST]


def model_usage():
    return ScriptedModel()._answer(REQUEST).usage  # noqa: SLF001 (the double says what it costs)


def test_werkrevisor_coverage():
    def check(context, reading):
        return GateResult((Reason("r", Level.ERROR, f"{len(reading.read)} read"),))

    hooks = facade(rule("c", Phase.GATES, reasons=("r",), werkrevisor_coverage=check))
    assert [reason.message for reason in hooks.coverage(CONTEXT, Reading(frozenset({"x"}))).reasons] == ["1 read"]


def test_werkrevisor_adjust():
    finding = Finding("x", "y", "A.java", Level.ORANGE, "m")
    hooks = facade(
        rule("b", Phase.ADJUST, werkrevisor_adjust=lambda findings: (Adjustment(0, Level.GREEN, "b"),)),
        rule("a", Phase.ADJUST, werkrevisor_adjust=lambda findings: ()),
        rule("c", Phase.ADJUST, werkrevisor_adjust=lambda findings: (Adjustment(7, Level.GREEN, "c"),)),
        rule("d", Phase.ADJUST, werkrevisor_adjust=lambda findings: ("no",)),
    )
    assert hooks.adjust(CONTEXT, (finding,)) == (Adjustment(0, Level.GREEN, "b"),)
    assert [error.rule for error in hooks.errors] == ["c", "d"]


def test_werkrevisor_escalate():
    reason = Reason("r", Level.RED, "ask a human")
    hooks = facade(
        rule("a", Phase.ESCALATE, reasons=("r",), werkrevisor_escalate=lambda verdict: reason),
        rule("b", Phase.ESCALATE, reasons=("other",), werkrevisor_escalate=lambda verdict: reason),
    )
    assert [(r.id, r.rule) for r in hooks.escalate(CONTEXT, Level.RED)] == [("r", "a")]
    assert [error.cause for error in hooks.errors] == ["gave the reason 'r', which it does not declare"]


def raising(error):
    def function():
        raise error

    return function


@pytest.mark.parametrize(
    ("function", "cause"),
    [
        (raising(ValueError("broken\nvalue")), "ValueError: broken value"),
        (raising(SystemExit(0)), "SystemExit: 0"),
        (raising(RecursionError()), "RecursionError"),
        (lambda: "GREEN", "returned str instead of GateResult"),
        (lambda: True, "returned bool instead of GateResult"),
        (lambda: GateResult(("reason",)), "returned a reason that is none"),
        (lambda: GateResult((Reason("r", 9, "m"),)), "returned a reason that is none"),
        (lambda: GateResult((), ("finding",)), "returned a finding that is none"),
        (lambda: GateResult((Reason("s", Level.RED, "m"),)), "gave the reason 's', which it does not declare"),
    ],
)
def test_a_rule_that_fails_is_named_and_the_others_still_run(function, cause):
    fine = gate("fine", lambda: GateResult((Reason("r", Level.YELLOW, "m"),)))
    hooks = facade(gate("bad", function), fine)
    assert [reason.rule for reason in hooks.gates(CONTEXT).reasons] == ["fine"]
    assert [(error.rule, error.hook, error.cause) for error in hooks.errors] == [("bad", "werkrevisor_gate", cause)]


def test_an_interrupt_is_no_failure_of_a_rule():
    with pytest.raises(KeyboardInterrupt):
        facade(gate("bad", raising(KeyboardInterrupt()))).gates(CONTEXT)


@frozen
class Sized:
    most: int = setting(3, "Most.")


def test_a_rule_gets_its_own_settings():
    seen = []

    def function(settings):
        seen.append(settings)

    loaded = gate("sized", function)
    loaded = LoadedRule(RuleInfo("sized", Phase.GATES, "1", settings=Sized), loaded.module, "t", "0", True, "")
    facade(loaded, sized=Sized(7)).gates(CONTEXT)
    facade(loaded).gates(CONTEXT)
    assert seen == [Sized(7), Sized(3)]


def test_the_running_rule_is_noted():
    seen = []
    hooks = facade(gate("noted", lambda: seen.append(hooks.progress.state()[0])))
    hooks.gates(CONTEXT)
    assert seen == ["noted"]
    assert hooks.progress.state()[0] == ""


def test_long_causes_are_cut():
    assert len(describe(ValueError("x" * 5000))) < 330


def test_werkrevisor_report():
    asked = []

    def one(publication, stage):
        asked.append(stage)
        return Reported(("done",)) if stage is Stage.SAY else None

    def stops(publication, stage):
        return Reported(stopped="it moved")

    def fails(publication, stage):
        raise RegistryError("the server is gone")

    publication = Publication(None, None, None)
    hooks = facade(rule("one", Phase.REPORT, werkrevisor_report=one))
    assert (hooks.report(publication, Stage.SAY), hooks.report(publication, Stage.ASK)) == ((Reported(("done",)),), ())
    assert asked == [Stage.SAY, Stage.ASK]
    for first in (stops, fails, lambda publication, stage: "done"):
        hooks = facade(
            rule("a", Phase.REPORT, werkrevisor_report=first), rule("b", Phase.REPORT, werkrevisor_report=one)
        )
        hooks.report(publication, Stage.MERGE)
        assert asked == [Stage.SAY, Stage.ASK]
        assert [error.cause for error in hooks.errors] == {
            stops: [],
            fails: ["the server is gone"],
        }.get(first, ["returned str"])
