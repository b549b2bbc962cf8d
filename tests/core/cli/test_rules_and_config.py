"""`werkrevisor rules` and `werkrevisor config`, with the rules that are installed."""

import json

import jsonschema
import pytest

HOST = "[size]\nmax_lines = 7\n"


@pytest.fixture
def host(tmp_path):
    def write(text, name="host.toml"):
        file = tmp_path / name
        file.write_text(text)
        return file

    return write


@pytest.fixture
def rows(werkrevisor):
    def of(*arguments):
        ran = werkrevisor("rules", "--format", "json", *arguments)
        assert (ran.status, ran.err) == (0, "")
        return {row["name"]: row for row in json.loads(ran.out)}

    return of


def test_every_reason_has_one_module(rows):
    found = rows()
    reasons = [reason for row in found.values() for reason in row["reasons"]]
    assert len(reasons) == len(set(reasons))
    assert {"skipped_files", "own_config", "rule_hung", "config", "model_unavailable"} <= set(reasons)
    assert found["coverage"]["module"] == "werkrevisor_rules.gates.coverage"
    assert found["imports"]["section"] == "mechanical"
    assert found["size"]["section"] == "size"
    assert found["rule_hung"]["module"] == "werkrevisor_core.cli.review"


def test_what_the_host_switches_off(rows, host):
    file = host('[plugins]\ndisable = ["size"]\nenable = ["imports"]\n')
    found = rows("--config", file)
    assert (found["size"]["on"], found["size"]["state"]) == (False, "off: [plugins] disable")
    assert (found["imports"]["on"], found["imports"]["state"]) == (True, "on: [plugins] enable")
    assert found["coverage"]["state"] == "on, cannot be switched off: default"


def test_a_faulty_config_of_the_host_is_said(werkrevisor, host):
    ran = werkrevisor("rules", "--config", host('[plugins]\ndisable = ["size"]\nenable = ["size"]\n'))
    assert (ran.status, ran.out != "") == (4, True)
    assert "disable and enable both name size" in ran.err


def test_rules_as_text(werkrevisor):
    ran = werkrevisor("rules")
    assert (ran.status, ran.err) == (0, "")
    at = ran.out.splitlines().index("size  (gates, werkrevisor 0.1.0, on: default)")
    assert ran.out.splitlines()[at + 2 : at + 5] == [
        "  module werkrevisor_rules.gates.size",
        "  reasons: size",
        "  section: [size]",
    ]


def test_show_names_the_layer_of_a_value(werkrevisor, host):
    ran = werkrevisor("config", "show", "--config", host(HOST))
    assert ran.status == 0
    lines = ran.out.splitlines()
    assert any(line.startswith("max_lines = 7") and line.endswith("host.toml") for line in lines)
    assert any(line.startswith("max_files = 30") and line.endswith("default") for line in lines)


def test_check_of_a_valid_file(werkrevisor, host):
    file = host(HOST)
    ran = werkrevisor("config", "check", "--config", file)
    assert (ran.status, ran.out, ran.err) == (0, f"{file}: valid\n", "")


def test_trap_71_check_names_every_fault_of_both_files(werkrevisor, host):
    file = host('[sise]\nx = 1\n[size]\nmax_line = 1\nmax_files = "12"\n[mechanical.imports]\njava = ["(unclosed"]\n')
    repository = host('[gate]\nbranches = ["x"]\n', ".werkrevisor.toml")
    ran = werkrevisor("config", "check", "--config", file, "--repository", repository)
    assert ran.status == 4
    assert ran.err == ""
    for words in (
        "[sise]",
        "[size] max_line",
        "[size] max_files",
        "[mechanical] imports.java has an invalid regex '(unclosed'",
        "[gate] branches",
    ):
        assert words in ran.out, words
    assert all(line.startswith("error: ") for line in ran.out.splitlines())


def test_a_file_that_is_no_toml(werkrevisor, host):
    ran = werkrevisor("config", "check", "--config", host("this is no toml"))
    assert ran.status == 4
    assert ran.out.startswith("error: ")


@pytest.mark.parametrize("kind", ["host", "repository"])
def test_schema_is_one_and_takes_a_valid_file(werkrevisor, kind):
    ran = werkrevisor("config", "schema", "--for", kind)
    assert (ran.status, ran.err) == (0, "")
    schema = json.loads(ran.out)
    jsonschema.validators.validator_for(schema).check_schema(schema)
    jsonschema.validate({"size": {"max_lines": 7}}, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"size": {"max_lines": "7"}}, schema)


@pytest.mark.parametrize("name", ["missing.toml", "."])
@pytest.mark.parametrize("action", ["show", "check"])
@pytest.mark.parametrize("option", ["--config", "--repository"])
def test_a_file_that_cannot_be_read(werkrevisor, action, option, name):
    assert "cannot be read" in werkrevisor("config", action, option, name).complaint
