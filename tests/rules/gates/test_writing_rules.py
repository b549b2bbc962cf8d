from pathlib import Path

import pytest

from werkrevisor_core.config.issues import Issues, LayerKind
from werkrevisor_core.config.structure import read_section
from werkrevisor_core.testing.build import context, judged, modified
from werkrevisor_core.testing.cases import load_cases, run_case
from werkrevisor_rules.gates import writing_rules

CASES = load_cases(Path(__file__).parents[1] / "cases" / "writing_rules.toml")


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case):
    run_case(writing_rules, case)


@pytest.mark.parametrize(
    ("entry", "fault"),
    [
        ({"id": "a", "pattern": "(unclosed"}, "pattern has an invalid regex '(unclosed'"),
        ({"id": "a", "pattern": "(?=x)"}, "pattern has an invalid regex '(?=x)'"),
        ({"id": "a", "pattern": ""}, "pattern is missing"),
        ({"id": "a"}, "is missing"),
        ({"id": "a b", "pattern": "x"}, "id must be a name of letters, digits, dots, dashes and underscores"),
        ({"pattern": "x"}, "must be a name of letters"),
        ({"id": "a", "pattern": "x", "scope": "word"}, "word"),
        ({"id": "a", "pattern": "x", "level": "red"}, "red"),
        ({"id": "a", "pattern": "x", "mesage": "m"}, "mesage"),
    ],
)
def test_faulty_rule_is_a_config_fault(entry, fault):
    issues = Issues("host.toml", LayerKind.HOST)
    read_section({"rules": [entry]}, writing_rules.Settings, "writing_rules", issues)
    assert [text for text in map(str, issues.faults) if fault in text and "[writing_rules] rules" in text] != []


def test_id_may_not_stand_twice():
    rule = writing_rules.WritingRule(id="a", pattern="x")
    with pytest.raises(ValueError, match="has the id 'a' more than once"):
        writing_rules.Settings(rules=(rule, rule))


def test_regex_that_would_hang_a_backtracking_engine_and_a_long_line():
    rule = writing_rules.WritingRule(id="a", pattern="(a+)+$", message="m")
    file = modified("a.md", "b\n", "a" * 1_000_000 + "!\n")
    result = writing_rules.evaluate(
        context(judged(file, writing_rules.Category.DOCS)), writing_rules.Settings(rules=(rule,))
    )
    assert result is None


def test_text_that_is_no_utf_8():
    rule = writing_rules.WritingRule(id="a", pattern="b", message="m")
    file = modified("a.md", b"x\n", b"\xff b\n")
    result = writing_rules.evaluate(
        context(judged(file, writing_rules.Category.DOCS)), writing_rules.Settings(rules=(rule,))
    )
    assert result is not None
    assert [finding.start for finding in result.findings] == [1]
