"""The example host files in `config/` are valid, complete and say what the seeds say of them."""

import tomllib
from pathlib import Path

import pytest
from attrs import frozen

from werkrevisor_core.config.layers import Layer, LayerKind, load
from werkrevisor_core.config.sections import (
    CORE_SECTIONS,
    CategoriesSettings,
    EngineSettings,
    GateSettings,
    ModelSettings,
)
from werkrevisor_core.models.verdict import Mode
from werkrevisor_core.registry import load_registry

FOLDER = Path(__file__).resolve().parents[3] / "config"
NAMES = ("hsadmin-ng.toml", "werkprobe.toml", "werkrevisor.toml")


@frozen
class Elsewhere:
    """The section of a rule that is switched off."""


def layer(name):
    return Layer(name, LayerKind.HOST, (FOLDER / name).read_bytes())


def test_there_is_one_example_per_reviewed_repository():
    assert tuple(sorted(path.name for path in FOLDER.glob("*.toml"))) == NAMES


@pytest.mark.parametrize("name", NAMES)
class TestExample:
    def test_it_is_valid_with_all_installed_rules(self, name):
        config = load([layer(name)], load_registry().sections)
        assert [str(fault) for fault in config.faults] == []
        assert config.warnings == config.unread == ()

    def test_it_is_valid_where_no_rule_is_active(self, name):
        rules = dict.fromkeys(set(tomllib.loads((FOLDER / name).read_text("utf-8"))) - {"version"}, Elsewhere)
        config = load([layer(name)], {}, rules)
        assert [str(fault) for fault in config.faults] == []
        assert set(config.unread) == set(rules) - set(CORE_SECTIONS)

    def test_it_has_the_mode_and_the_factor_of_the_host_that_they_follow(self, name):
        config = load([layer(name)], load_registry().sections)
        assert config.core(EngineSettings).mode is Mode.COMBINED
        assert config.core(ModelSettings).token_count_factor == 1.55
        assert "mechanical_only" in config.core(CategoriesSettings).auto_approvable
        assert config.section("mechanical").enabled is True
        assert config.core(GateSettings).human_reviewers

    def test_it_names_its_repository_and_no_secret(self, name):
        gitea = tomllib.loads((FOLDER / name).read_text("utf-8"))["gitea"]
        assert gitea["url"] == "https://git.example.org"
        assert gitea["repository"] == f"example/{name.removesuffix('.toml')}"
        assert set(gitea) - {"token_env", "token_file"} == {"url", "repository"}

    def test_every_section_has_a_comment(self, name):
        text = (FOLDER / name).read_text("utf-8")
        blocks = [block for block in text.split("\n\n") if "\n[" in f"\n{block}"]
        assert text.startswith("# Host config for ")
        assert len(blocks) >= 8
        assert [block for block in blocks if "# " not in block] == []


def test_werkprobe_is_what_the_scenarios_ask_for():
    config = load([layer("werkprobe.toml")], load_registry().sections)
    assert "**/auth/**" in config.section("risky_paths").globs
    assert (config.section("size").max_files, config.section("size").max_lines) == (30, 1000)
