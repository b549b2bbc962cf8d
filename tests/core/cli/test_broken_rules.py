"""A rule that breaks ends the review as ERROR and is named; a pack that breaks stops the start."""

import json
from pathlib import Path

import jsonschema
import pytest

import werkrevisor_core.render

SCHEMA = json.loads(Path(werkrevisor_core.render.__file__).with_name("review.schema.json").read_text())
GATE = """
import os, re, signal, sys, time
from werkrevisor_core.markers import hookimpl
from werkrevisor_core.rule import Phase, RuleInfo
RULE = RuleInfo("odd", Phase.GATES, "1")
@hookimpl
def werkrevisor_gate(context):
    {body}
"""
HANGS = {
    "sleeps": "time.sleep(600)",
    "spins": "while True: pass",
    "hangs inside C": "re.match('(a+)+$', 'a' * 60 + 'b')",
    "ignores signals": "signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)",
}
CRASHES = {
    "raises": ("raise RuntimeError('broken')", "RuntimeError: broken"),
    "exits as if all were well": ("sys.exit(0)", "SystemExit: 0"),
    "wrong type": ("return 'GREEN'", "returned str instead of GateResult"),
    "too deep": ("return werkrevisor_gate(context)", "RecursionError"),
    "changes its arguments": ("context.mode = 'rules'", "FrozenInstanceError"),
}
DEATHS = {
    "is killed": ("os.kill(os.getpid(), signal.SIGKILL)", "ended by signal 9"),
    "crashes": ("os.kill(os.getpid(), signal.SIGSEGV)", "ended by signal 11"),
    "leaves as if all were well": ("os._exit(0)", "ended with the exit status 0"),
    "leaves with a verdict": ("os._exit(1)", "ended with the exit status 1"),
}


@pytest.fixture
def broken(changed, pack, process, tmp_path):
    """Review with a rule of this body, which may take one second; returns the process."""

    def run(body, *arguments):
        (tmp_path / "host.toml").write_text("[engine]\nrule_timeout_seconds = 1\n")
        env = pack(GATE.format(body=body))
        return process("review", "--config", tmp_path / "host.toml", *arguments, **env)

    return run


def error_of(ran):
    """Return the ERROR of a review's JSON: (id, message)."""
    assert ran.status == 4
    result = json.loads(ran.out)
    jsonschema.validate(result, SCHEMA)
    assert (result["verdict"], result["decision"]) == ("ERROR", "block")
    (reason,) = [reason for reason in result["reasons"] if reason["level"] == "ERROR"]
    assert reason["rule"] == "odd"
    return reason["id"], reason["message"]


@pytest.mark.parametrize("body", HANGS.values(), ids=HANGS)
def test_a_rule_that_hangs(broken, body):
    ran = broken(body, "--format", "json")
    assert ran.err == ""
    assert error_of(ran) == ("rule_hung", "The rule odd did not end within 1 seconds.")


@pytest.mark.parametrize("format_", ["text", "markdown", "sarif"])
def test_a_rule_that_hangs_is_named_in_every_format(broken, format_):
    ran = broken(HANGS["sleeps"], "--format", format_)
    assert (ran.status, ran.err) == (4, "")
    assert "The rule odd did not end within 1 seconds" in ran.out
    if format_ == "sarif":
        assert json.loads(ran.out)["version"] == "2.1.0"
    else:
        assert "ERROR, block." in ran.out.splitlines()[0]


@pytest.mark.parametrize(("body", "words"), CRASHES.values(), ids=CRASHES)
def test_a_rule_that_fails(broken, body, words):
    ran = broken(body, "--format", "json")
    assert ran.err == ""
    found, message = error_of(ran)
    assert found == "rule_crashed"
    assert message.startswith("The rule odd failed in werkrevisor_gate: ")
    assert words in message


@pytest.mark.parametrize(("body", "words"), DEATHS.values(), ids=DEATHS)
def test_a_rule_that_ends_the_process(broken, body, words):
    ran = broken(body, "--format", "json")
    found, message = error_of(ran)
    assert (found, words in message) == ("rule_hung", True)
    assert ran.err == ""


def test_explain_names_it_too(changed, pack, process):
    ran = process("explain", **pack(GATE.format(body="os._exit(0)")))
    assert ran.status == 4
    assert "src/Shop.java: modified, main, not mechanical: it was not judged" in ran.out


def test_what_a_rule_prints_is_no_part_of_the_result(broken):
    ran = broken("print('hello')", "--format", "json")
    assert (ran.status, json.loads(ran.out)["verdict"]) == (1, "YELLOW")
    assert ran.err == "hello\n"


def test_a_sound_pack_is_used_and_listed(broken, process, pack):
    assert broken("return None", "--format", "json").status == 1
    rows = json.loads(process("rules", "--format", "json", **pack(GATE.format(body="return None"))).out)
    (row,) = [row for row in rows if row["name"] == "odd"]
    assert (row["pack"], row["version"], row["module"]) == ("odd-pack", "1.0", "odd_pack.gates.odd")


BAD = {
    "raises": ("raise RuntimeError('no\\nway')", "the pack odd-pack 1.0 (entry point 'odd') fails to load: "),
    "leaves": ("import sys; sys.exit(0)", "the pack odd-pack 1.0 (entry point 'odd') fails to load: SystemExit: 0"),
    "syntax": ("def", "the pack odd-pack 1.0 (entry point 'odd') fails to load: SyntaxError"),
    "import": ("import nonsuch_module", "No module named 'nonsuch_module'"),
    "no rule": ("X = 1", "the module odd_pack.gates.odd of the pack odd-pack has no RULE"),
    "misspelt": (
        GATE.format(body="return None").replace("werkrevisor_gate", "werkrevisor_gates"),
        "unknown hook 'werkrevisor_gates'",
    ),
    "argument": (GATE.format(body="return None").replace("(context)", "(contex)"), "contex"),
}


@pytest.mark.parametrize("command", ["review", "rules"])
@pytest.mark.parametrize("fault", BAD)
def test_a_pack_that_fails_to_load_stops_the_start(changed, pack, process, fault, command):
    source, words = BAD[fault]
    assert words in process(command, **pack(source)).complaint


def test_two_rules_of_one_name_stop_the_start(changed, pack, process):
    source = GATE.format(body="return None").replace('"odd"', '"size"')
    words = process("review", **pack(source, "size")).complaint
    assert words.startswith("two modules bring the rule 'size': ")
    assert "odd_pack.gates.size (odd-pack 1.0)" in words
