"""The JSON Schema says what the loader says, as far as a schema can."""

import json
import tomllib

import jsonschema
import pytest

from werkrevisor_core.config.layers import Layer, LayerKind, load
from werkrevisor_core.config.schema import of_type, schema
from werkrevisor_core.config.sections import CORE_SECTIONS


@pytest.fixture(scope="module")
def host(sections):
    return schema(sections)


@pytest.fixture(scope="module")
def repository(sections):
    return schema(sections, repository=True)


def test_both_are_valid_schemas_and_json(host, repository):
    for document in (host, repository):
        jsonschema.Draft202012Validator.check_schema(document)
        assert json.loads(json.dumps(document)) == document
        assert document["$schema"] == "https://json-schema.org/draft/2020-12/schema"


def test_a_key_has_type_default_and_description(host):
    size = host["properties"]["size"]
    assert size["additionalProperties"] is False
    assert size["description"] == "Size of a change."
    assert size["properties"]["max_lines"] == {
        "type": "integer",
        "minimum": -9223372036854775808,
        "maximum": 9223372036854775807,
        "description": "Most lines.",
        "default": 1000,
    }
    assert host["properties"]["mechanical"]["description"] == "Mechanical files."


def test_what_only_the_host_may_set_is_marked_and_missing_for_a_repository(host, repository):
    mode = host["properties"]["engine"]["properties"]["mode"]
    assert mode["x-host-only"] is True
    assert mode["enum"] == ["rules", "classifier", "llm", "combined"]
    assert mode["default"] == "classifier"
    assert mode["description"].endswith(" Host only.")
    assert set(host["properties"]) == {"version", *CORE_SECTIONS, "size", "mechanical", "wide"}
    assert set(repository["properties"]) == {
        "version", "categories", "path_judge", "review", "size", "mechanical", "wide"
    }  # fmt: skip


def test_every_type_has_a_schema(host):
    wide = host["properties"]["wide"]["properties"]
    assert wide["ratio"]["type"] == "number"
    assert wide["style"]["enum"] == ["a", "b"]
    assert (wide["weight"]["enum"], wide["weight"]["default"]) == (["low", "high"], "low")
    assert (wide["tags"]["uniqueItems"], wide["tags"]["default"]) == (True, [])
    assert [option["type"] for option in wide["either"]["anyOf"]] == ["integer", "string"]
    assert (wide["maybe"]["type"], wide["maybe"]["default"]) == ("string", None)
    assert wide["table"]["additionalProperties"]["type"] == "integer"
    assert wide["rules"]["items"]["required"] == ["id", "pattern"]
    with pytest.raises(TypeError, match="cannot be of the type"):
        of_type(complex)
    with pytest.raises(TypeError, match="cannot be of the type"):
        of_type(tuple[int, str])


@pytest.mark.parametrize(
    ("text", "valid"),
    [
        ("version = 1", True),
        ("version = 2", False),
        ("[size]\nmax_files = 3", True),
        ('[size]\nmax_files = "3"', False),
        ("[size]\nmax_files = true", False),
        ("[size]\nmax_file = 3", False),
        ("[siez]\nmax_files = 3", False),
        ('[mechanical]\nwhitespace_significant = "x"', False),
        ("[mechanical.imports]\njava = []", True),
        ("[mechanical.imports]\njava = 1", False),
        ('[wide]\nstyle = "c"', False),
        ('[[wide.rules]]\nid = "a"\npattern = "b"', True),
        ('[[wide.rules]]\nid = "a"', False),
        ('[categories]\nauto_approvable = ["docs_only"]', True),
        ('[categories]\nauto_approvable = ["other"]', False),
        ('[gate]\nmerge = "pinned"', True),
        ('[gate]\nmerge = "later"', False),
    ],
)
def test_schema_and_loader_agree(host, sections, text, valid):
    errors = list(jsonschema.Draft202012Validator(host).iter_errors(tomllib.loads(text)))
    faults = load([Layer("host.toml", LayerKind.HOST, text.encode())], sections).faults
    assert (errors == [], faults == ()) == (valid, valid)
