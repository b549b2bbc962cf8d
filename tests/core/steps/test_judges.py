"""Jev and the model, through the engine, with scripted doubles."""

import pytest
from attrs import evolve

from werkrevisor_core.models.classes import ChangeKind
from werkrevisor_core.models.judges import ModelAnswer, Purpose
from werkrevisor_core.models.ports import Side
from werkrevisor_core.models.verdict import Finding, Level
from werkrevisor_core.rule import Phase
from werkrevisor_core.testing.build import DictContents, added, modified, removed
from werkrevisor_core.testing.run import run
from werkrevisor_core.testing.scripted import ScriptedJev, ScriptedModel, rule

COMBINED = '[engine]\nmode = "combined"\n'
OLD = "int a() {\n  return 1;\n}\n"
NEW = OLD.replace("return 1", "return 2")
FILE = modified("A.java", OLD, NEW)
CONTENTS = DictContents({"A.java": OLD}, {"A.java": NEW})


def finding(level=Level.ORANGE, **given):
    fields = {"reviewer": "m", "rule": "bug", "path": "A.java", "message": "why?", "start": 2, "end": 2, **given}
    return Finding(level=level, **fields)


def reviewed(*judges, files=(FILE,), host=COMBINED, **given):
    return run(*files, host=host, judges=judges, contents=CONTENTS, **given)


def ids(review):
    return [(reason.id, reason.level) for reason in review.reasons]


def test_a_change_that_the_model_read_without_a_finding_is_green():
    review = reviewed(ScriptedModel(), ScriptedJev())
    assert (review.verdict, ids(review)) == (Level.GREEN, [])
    assert review.usage.tokens_in == 10


@pytest.mark.parametrize("mode", ["rules", "classifier"])
def test_no_model_no_question(mode):
    model = ScriptedModel()
    review = reviewed(model, host=f'[engine]\nmode = "{mode}"\n')
    assert model.requests == []
    assert ids(review) == [("not_reviewed", Level.YELLOW)]


def test_jev_is_not_asked_in_a_mode_without_it():
    jev = ScriptedJev(default=1.0)
    assert reviewed(ScriptedModel(), jev, host='[engine]\nmode = "llm"\n').verdict is Level.GREEN
    assert jev.calls == []


@pytest.mark.parametrize("mode", ["llm", "combined"])
def test_a_missing_engine_is_an_error(mode):
    review = run(FILE, host=f'[engine]\nmode = "{mode}"\n')
    assert (review.verdict, ids(review)) == (Level.ERROR, [("model_unavailable", Level.ERROR)])


def test_an_engine_that_crashes_is_named():
    def werkrevisor_review(request):
        raise TimeoutError("no answer")

    broken = rule("broken_engine", Phase.ENGINES, werkrevisor_review=werkrevisor_review)
    review = run(FILE, host=COMBINED, rules=[broken])
    assert ids(review) == [("rule_crashed", Level.ERROR)]
    assert review.reasons[0].rule == "broken_engine"


@pytest.mark.parametrize(
    "model", [ScriptedModel(skips=frozenset({"A.java"})), ScriptedModel(partly=frozenset({"A.java"}))]
)
def test_a_file_that_the_model_does_not_list_as_read_in_full_is_skipped(model):
    review = reviewed(model)
    assert ids(review) == [("skipped_files", Level.ERROR)]


def test_a_model_that_claims_files_that_it_was_not_sent_has_not_read_them():
    binary = modified("b.png", "a\n", "b\n", binary=True)
    model = ScriptedModel(answer=ModelAnswer("m", frozenset({"A.java", "b.png"})))
    review = reviewed(model, files=(FILE, binary))
    assert ("skipped_files", Level.ERROR) in ids(review)
    assert model.requests[0].unsendable == ("b.png",)


def test_text_that_is_not_utf8_is_not_sent():
    model = ScriptedModel()
    review = reviewed(model, files=(modified("l.txt", b"a\n", b"\xe9\n"),))
    assert model.requests[0].unsendable == ("l.txt",)
    assert ("skipped_files", Level.ERROR) in ids(review)


def test_a_removed_file_and_one_of_unknown_content_are_sent_as_diff_alone():
    model = ScriptedModel()
    contents = DictContents({}, {"B.java": "x\n"}, frozenset({"B.java"}))
    run(removed("C.java", "c\n"), added("B.java", "x\n"), host=COMBINED, judges=[model], contents=contents)
    assert [(f.path, f.content) for f in model.requests[0].files] == [("B.java", None), ("C.java", None)]


def test_an_orange_finding_makes_the_verdict():
    review = reviewed(ScriptedModel((finding(),)))
    assert review.verdict is Level.ORANGE
    assert review.findings[0].reviewer == "scripted"


def test_a_red_finding_that_a_second_reading_confirms_stays_red():
    model = ScriptedModel((finding(Level.RED),))
    review = reviewed(model)
    assert review.verdict is Level.RED
    assert [request.purpose for request in model.requests] == [Purpose.REVIEW, Purpose.CONFIRM]
    assert review.usage.calls == 2


def test_a_red_finding_that_is_not_confirmed_becomes_orange_and_stays_visible():
    review = reviewed(ScriptedModel((finding(Level.RED),), confirms=False))
    assert (review.verdict, review.findings[0].original_level) == (Level.ORANGE, Level.RED)
    assert "did not confirm" in review.findings[0].note


@pytest.mark.parametrize(
    "odd",
    [
        {"path": "Other.java"},
        {"start": 4000, "end": 4000},
        {"start": 0, "end": 1},
        {"start": 3, "end": 2},
        {"start": -1, "end": None},
    ],
)
def test_a_finding_outside_of_the_change_is_kept_and_marked(odd):
    (found,) = reviewed(ScriptedModel((finding(**odd),))).findings
    assert (found.in_change, found.start, found.level) == (False, None, Level.ORANGE)
    assert found.note == "It points outside of the change."


def test_a_finding_on_the_old_side_or_without_a_line_is_inside():
    findings = (finding(side=Side.OLD, start=3, end=3), finding(start=None, end=None))
    assert [f.in_change for f in reviewed(ScriptedModel(findings)).findings] == [True, True]


def test_another_kind_that_the_model_sees_needs_a_human():
    answer = ModelAnswer("m", frozenset({"A.java"}), kind=ChangeKind.FEATURE)
    assert ids(reviewed(ScriptedModel(answer=answer))) == [("model_kind", Level.YELLOW)]
    same = evolve(answer, kind=ChangeKind.REFACTORING)
    assert ids(reviewed(ScriptedModel(answer=same))) == []
    lesser = evolve(answer, kind=ChangeKind.DOCS_ONLY)
    assert ids(reviewed(ScriptedModel(answer=lesser))) == []


@pytest.mark.parametrize("percentile", [0.95, None, 7.0, float("nan")])
def test_a_risky_or_unrated_block_needs_a_human(percentile):
    review = reviewed(ScriptedModel(), ScriptedJev(default=percentile))
    assert ids(review) == [("path_judge", Level.YELLOW)]
    assert review.reasons[0].evidence[1].line == 2


def test_a_judge_that_says_nothing_has_rated_nothing():
    silent = rule("silent_jev", Phase.JEV, werkrevisor_judge=lambda context: None)
    assert ids(reviewed(ScriptedModel(), rules=[silent])) == [("path_judge", Level.YELLOW)]


def test_ratings_are_listed_most_risky_first():
    jev = ScriptedJev({"A.java": 0.2, "B.java": 0.8, "C.java": None})
    files = [modified(f"{name}.java", OLD, NEW) for name in "ABC"]
    review = run(*files, host=COMBINED, judges=[ScriptedModel(), jev])
    assert [rating.path for rating in review.ratings] == ["C.java", "B.java", "A.java"]


def test_a_very_risky_block_with_a_confirmed_finding_is_red():
    review = reviewed(ScriptedModel((finding(),)), ScriptedJev(default=0.999))
    assert ("path_judge", Level.RED) in ids(review)


@pytest.mark.parametrize(
    ("model", "percentile"),
    [
        (ScriptedModel((finding(),), confirms=False), 0.999),
        (ScriptedModel((finding(),)), 0.95),
        (ScriptedModel((finding(start=3, end=3),)), 0.999),
        (ScriptedModel((finding(Level.GREEN),)), 0.999),
        (ScriptedModel((finding(start=None, end=None),)), 0.999),
    ],
)
def test_without_both_it_is_not_red(model, percentile):
    review = reviewed(model, ScriptedJev(default=percentile))
    assert review.verdict < Level.RED
    assert ("path_judge", Level.YELLOW) in ids(review)
