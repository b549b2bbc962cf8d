"""What must hold for every review, whatever plugins, Jev or the model answer."""

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from werkrevisor_core.models.change import ReadFault
from werkrevisor_core.models.context import Adjustment, CarriedApproval, GateResult
from werkrevisor_core.models.judges import ModelAnswer
from werkrevisor_core.models.verdict import Decision, Finding, Level, Reason
from werkrevisor_core.registry import Registry, load_registry
from werkrevisor_core.rule import Phase
from werkrevisor_core.session import prepare
from werkrevisor_core.steps.verdict import HumanApproval
from werkrevisor_core.testing.build import HEAD, added, change_set, modified, removed, renamed
from werkrevisor_core.testing.run import run, sources
from werkrevisor_core.testing.scripted import ScriptedJev, ScriptedModel, rule
from werkrevisor_core.watchdog import Progress

FILES = (
    modified("src/A.java", "class A {\n  int a;\n}\n", "class A {\n  int b;\n}\n"),
    modified("src/B.java", "\nclass B {}\n", "import java.util.Map;\n\nclass B {}\n"),
    modified("docs/a.md", "a\n", "b\n"),
    added("src/test/C.java", "c\n"),
    removed("src/D.java", "d\n"),
    renamed("src/E.java", "src/F.java", "e\n"),
    modified("logo.png", "", "", binary=True),
    modified("src/G.java", "g\n", "h\n", unread="cut off"),
    modified("run.sh", "g\n", "h\n", new_mode="100755"),
)
RULES = load_registry()

levels = st.sampled_from(list(Level))
paths = st.sampled_from([file.path for file in FILES] + ["nowhere"])
reasons = st.builds(Reason, st.just("r"), levels, st.text(max_size=5))
findings = st.builds(
    Finding, st.just("x"), st.just("y"), paths, levels, st.text(max_size=5), st.none() | st.integers(-2, 9)
)
gate_answers = st.one_of(
    st.none(),
    st.builds(GateResult, st.lists(reasons, max_size=2).map(tuple), st.lists(findings, max_size=2).map(tuple)),
    st.sampled_from(["GREEN", True, 0, Level.GREEN, ValueError]),
)
adjustments = st.one_of(
    st.lists(st.builds(Adjustment, st.integers(-1, 3), levels, st.just("n")), max_size=3).map(tuple),
    st.just(ValueError),
)
model_answers = st.one_of(
    st.none(),
    st.builds(
        ModelAnswer,
        st.just("m"),
        st.frozensets(paths),
        st.frozensets(paths, max_size=1),
        st.lists(findings, max_size=2).map(tuple),
    ),
    st.sampled_from(["fine", ValueError]),
)
percentiles = st.one_of(st.none(), st.floats(-1, 2), st.just(float("nan")))


def answering(answer):
    def function():
        if isinstance(answer, type):
            raise answer
        return answer

    return function


def rules_of(gate, adjust, model):
    return [
        rule("wild_gate", Phase.GATES, reasons=("r",), werkrevisor_gate=answering(gate)),
        rule("wild_adjust", Phase.ADJUST, werkrevisor_adjust=answering(adjust)),
        rule("wild_model", Phase.ENGINES, werkrevisor_review=answering(model)),
    ]


@given(
    files=st.lists(st.sampled_from(FILES), unique_by=lambda file: file.path),
    mode=st.sampled_from(["rules", "classifier", "llm", "combined"]),
    gate=gate_answers,
    adjust=adjustments,
    model=model_answers,
    percentile=percentiles,
    fault=st.booleans(),
)
def test_nobody_can_lower_a_verdict_and_nothing_passes_unread(  # noqa: PLR0917 (one argument per strategy)
    files, mode, gate, adjust, model, percentile, fault
):
    change = change_set(*files, faults=(ReadFault("cut"),) if fault else ())
    host = f'[engine]\nmode = "{mode}"\n'
    alone = run(change=change, host='[engine]\nmode = "rules"\n', registry=RULES)
    jev = ScriptedJev(default=percentile)
    review = run(change=change, host=host, judges=[jev], rules=rules_of(gate, adjust, model), registry=RULES)

    assert review.verdict == max([Level.GREEN, *(r.level for r in review.reasons), *(f.level for f in review.findings)])
    # `not_reviewed` is the only built-in reason that a model answers by reading.
    kept = {(r.id, r.level) for r in alone.reasons} - {("not_reviewed", Level.YELLOW)}
    assert kept <= {(r.id, r.level) for r in review.reasons}
    counting = {file.path for file in review.files if file.counts}
    if review.decision is Decision.PASS:
        assert review.verdict is Level.GREEN
        assert not fault
        assert review.files
        assert not any(file.change.unread for file in review.files)
        if counting:
            assert isinstance(model, ModelAnswer)
            assert counting <= model.read - model.partly
    if review.verdict is not Level.GREEN:
        assert review.decision is not Decision.PASS


@given(gate=gate_answers, adjust=adjustments, model=model_answers, percentile=percentiles)
def test_the_order_of_plugins_changes_nothing(gate, adjust, model, percentile):
    more = rules_of(gate, adjust, model)
    more.append(
        rule(
            "another_gate",
            Phase.GATES,
            reasons=("s",),
            werkrevisor_gate=answering(GateResult((Reason("s", Level.YELLOW, "s"),))),
        )
    )
    jev = ScriptedJev(default=percentile)
    host = '[engine]\nmode = "combined"\n'
    forward = run(*FILES, host=host, judges=[jev], rules=more, registry=RULES)
    backward = run(*FILES, host=host, judges=[jev], rules=more[::-1], registry=Registry(RULES.rules[::-1]))
    assert forward == backward


def test_a_carried_approval_takes_a_file_out_of_what_counts():
    approval = CarriedApproval(frozenset({"src/A.java"}), "anna approved it before")
    carry = rule("carry", Phase.CARRY_OVER, werkrevisor_carry_over=answering(approval))
    model = ScriptedModel()
    review = run(FILES[0], FILES[2], host='[engine]\nmode = "llm"\n', judges=[model], rules=[carry])
    assert [file.path for file in model.requests[0].files] == ["docs/a.md"]
    assert review.receipts == ("anna approved it before",)
    assert review.verdict is Level.GREEN


def test_an_escalation_is_a_reason_like_others():
    escalate = rule(
        "call", Phase.ESCALATE, reasons=("r",), werkrevisor_escalate=answering(Reason("r", Level.RED, "call"))
    )
    review = run(FILES[1], rules=[escalate])
    assert [(r.id, r.rule) for r in review.reasons] == [("r", "call")]
    assert review.verdict is Level.RED


def test_an_escalation_that_crashes_is_named():
    broken = rule("call", Phase.ESCALATE, werkrevisor_escalate=answering(ValueError))
    assert [r.id for r in run(FILES[1], rules=[broken]).reasons] == ["rule_crashed"]


def test_a_classifier_that_crashes_is_named_and_its_files_count():
    class Broken:
        def explain(self, file, hunks):
            raise ValueError("no")

    broken = rule("broken", Phase.CLASSIFY, werkrevisor_classifier=Broken)
    review = run(FILES[1], rules=[broken])
    assert review.verdict is Level.ERROR
    assert ("rule_crashed", "broken") in [(r.id, r.rule) for r in review.reasons]


def test_without_the_built_in_gates_nothing_unread_is_green():
    review = run(FILES[0], registry=Registry(()))
    assert [r.id for r in review.reasons] == ["not_read"]
    assert run(registry=Registry(())).verdict is Level.YELLOW


@pytest.mark.parametrize(("head", "decision"), [(HEAD, Decision.PASS), ("c" * 40, Decision.WAIT)])
def test_a_human_approval_of_this_head_changes_the_decision_and_not_the_verdict(head, decision):
    ready = prepare(RULES, sources(FILES[0]), Progress())
    review = evolve(ready, given=evolve(ready.given, approval=HumanApproval("anna", head))).run()
    assert (review.verdict, review.decision) == (Level.YELLOW, decision)
