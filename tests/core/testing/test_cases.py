from types import ModuleType

import pytest

from werkrevisor_core.models.context import GateResult
from werkrevisor_core.models.verdict import Evidence, Finding, Level, Reason
from werkrevisor_core.rule import Phase, RuleInfo
from werkrevisor_core.testing.cases import CaseFault, build_context, load_cases, run_case


def cases(tmp_path, text):
    path = tmp_path / "odd.toml"
    path.write_text(text, encoding="utf-8")
    return load_cases(path)


def module(result, hook="werkrevisor_gate", **given):
    """A rule module whose hook returns `result`, or what `result` makes of the context."""
    made = ModuleType("odd")
    made.RULE = RuleInfo("odd", Phase.GATES, "0.1.0", **given)

    def run(context):
        return result(context) if callable(result) else result

    setattr(made, hook, run)
    return made


def reason(**given):
    fields = {
        "id": "odd",
        "level": Level.YELLOW,
        "message": "It is odd.",
        "evidence": (Evidence(path="a", line=3),),
        "advice": "Mend it.",
        "rule": "odd",
    }
    return Reason(**{**fields, **given})


EXPECTED = (
    '[[case]]\nname = "n"\nreason = [{ id = "odd", level = "yellow", message = "is odd", evidence = [{ line = 3 }] }]\n'
)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("case = [", "odd.toml is no valid TOML"),
        ("", "must hold tables"),
        ("case = 1", "must hold tables"),
        ("case = [1]", "case 1 is no table"),
        ("x = 1\n" + EXPECTED, "must hold tables"),
        ('[[case]]\nkind = "mixed"\n', "name is missing"),
        ('[[case]]\nname = "n"\nkin = "mixed"\n', "kin"),
        ('[[case]]\nname = "n"\nkind = "odd"\n', "odd"),
        ('[[case]]\nname = "n"\nsettings = 3\n', "the settings of case 1 are no table"),
        ('[[case]]\nname = "n"\nfile = [{ path = 3 }]\n', "expected str"),
        ('[[case]]\nname = "n"\nreason = [{ id = "a" }]\n', "level is missing"),
        (EXPECTED + EXPECTED, "two cases with the name 'n'"),
    ],
)
def test_faulty_case_file_is_refused(tmp_path, text, fault):
    with pytest.raises(CaseFault, match=fault):
        cases(tmp_path, text)


def test_a_case_that_holds(tmp_path):
    [case] = cases(tmp_path, EXPECTED)
    run_case(module(GateResult((reason(),))), case)
    assert str(case) == "n"


@pytest.mark.parametrize(
    ("result", "texts"),
    [
        (None, ["n:", "expected 1 reason(s), got 0", "nothing"]),
        (
            GateResult((reason(level=Level.RED),)),
            ["reason 1: level is red, expected yellow", "reason odd, red: It is odd."],
        ),
        (GateResult((reason(message="No."),)), ["message is 'No.', expected 'is odd'"]),
        (GateResult((reason(evidence=()),)), ["expected 1 evidence(s), got 0"]),
        (
            GateResult((reason(evidence=(Evidence(path="a", line=4),)),)),
            ["evidence 1: line is 4, expected 3", "evidence path = 'a', line = 4, side = new"],
        ),
        (GateResult((reason(id="other"),)), ["its id other is not among the reasons of RULE"]),
        (GateResult((reason(rule="x"),)), ["names the rule 'x', not 'odd'"]),
        (GateResult((reason(advice=""),)), ["no advice"]),
        (GateResult((reason(message="It is odd"),)), ["no sentence with a full stop"]),
        (
            GateResult((reason(),), (Finding("r", "a", "p", Level.GREEN, "m"),)),
            ["expected 0 finding(s), got 1", "finding reviewer = 'r', rule = 'a', path = 'p', level = green"],
        ),
        (3, ["returned int"]),
    ],
)
def test_a_difference_is_told(tmp_path, result, texts):
    [case] = cases(tmp_path, EXPECTED)
    with pytest.raises(AssertionError) as error:
        run_case(module(result), case)
    assert [text for text in texts if text not in str(error.value)] == []


def test_a_rule_that_speaks_where_it_should_not(tmp_path):
    [case] = cases(tmp_path, '[[case]]\nname = "n"\n')
    run_case(module(GateResult()), case)
    with pytest.raises(AssertionError, match=r"expected 0 reason\(s\), got 1"):
        run_case(module(GateResult((reason(),))), case)


def test_a_rule_that_answers_otherwise_when_called_again(tmp_path):
    [case] = cases(tmp_path, EXPECTED)
    answers = [GateResult((reason(),)), None]
    with pytest.raises(AssertionError, match="a second call of odd gives another result"):
        run_case(module(lambda _: answers.pop(0)), case)


def test_a_module_that_is_no_rule(tmp_path):
    [case] = cases(tmp_path, EXPECTED)
    with pytest.raises(CaseFault, match="must have a RULE and one of the hooks"):
        run_case(ModuleType("empty"), case)


def test_settings_of_the_rule_are_checked(tmp_path):
    [case] = cases(tmp_path, EXPECTED + "settings = { a = 1 }\n")
    with pytest.raises(CaseFault, match="odd"):
        run_case(module(None), case)


def test_an_escalation_gives_a_single_reason(tmp_path):
    [case] = cases(tmp_path, EXPECTED + 'round = [{ verdict = "red" }, { verdict = "green", complete = false }]\n')
    seen = []

    def escalate(context):
        seen.append([(past.verdict, past.complete) for past in context.history.rounds])
        return reason()

    run_case(module(escalate, "werkrevisor_escalate"), case)
    assert seen[0] == [(Level.RED, True), (Level.GREEN, False)]


def test_files_are_built_as_described(tmp_path):
    [case] = cases(
        tmp_path,
        """
        [[case]]
        name = "n"
        contents = { old = { x = "1" }, new = { x = "2" } }
        [[case.file]]
        path = "a{n}.py"
        new = "{n}\\n"
        times = 2
        [[case.file]]
        path = "b.py"
        old_path = "c.py"
        old = "x\\n"
        new = "x\\n"
        new_mode = "100755"
        [[case.file]]
        path = "d.py"
        old = "x\\n"
        removed = 7
        known = false
        [[case.file]]
        path = "e.py"
        status = "copied"
        """,
    )
    context = build_context(case)
    assert [(file.path, file.change.old_path, file.change.status.value) for file in context.files] == [
        ("a1.py", "a1.py", "added"),
        ("a2.py", "a2.py", "added"),
        ("b.py", "c.py", "renamed"),
        ("d.py", "d.py", "removed"),
        ("e.py", "e.py", "copied"),
    ]
    assert context.files[1].change.patch.text() == b"@@ -0,0 +1,1 @@\n+2\n"
    assert context.files[2].change.new_mode == "100755"
    assert context.files[3].change.removed == 7
