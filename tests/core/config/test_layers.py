"""Layers: what wins, where a value came from, what a repository may say."""

import hashlib
import json

import pytest
from attrs import make_class

from werkrevisor_core.config.layers import Config, ConfigFault, Layer, LayerKind, load, parsed, plugins_of
from werkrevisor_core.config.sections import (
    CORE_SECTIONS,
    CategoriesSettings,
    EngineSettings,
    GateSettings,
    PluginsSettings,
)
from werkrevisor_core.errors import RegistryError
from werkrevisor_core.models.verdict import Mode
from werkrevisor_core.rule import NoSettings, setting


def test_without_layers_everything_is_default(config):
    loaded = config()
    assert loaded.faults == ()
    assert loaded.warnings == ()
    assert loaded.section("size").max_files == 30
    assert loaded.core(EngineSettings).mode is Mode.CLASSIFIER
    assert loaded.origin("size", "max_files") == "default"


def test_the_sections_are_those_of_core_and_rules_sorted(config):
    expected = ["categories", "engine", "gate", "gitea", "mechanical", "model", "path_judge", "plugins"]
    assert list(config().sections) == [*expected, "review", "size", "wide"]


def test_a_later_layer_wins_per_key_and_origins_are_kept(config):
    loaded = config("[size]\nmax_files = 1\nmax_lines = 2", "[size]\nmax_lines = 3")
    assert (loaded.section("size").max_files, loaded.section("size").max_lines) == (1, 3)
    assert loaded.origin("size", "max_files") == "host.toml"
    assert loaded.origin("size", "max_lines") == ".werkrevisor.toml"


def test_the_command_line_wins_over_all_and_may_set_what_the_host_may(config):
    loaded = config('[engine]\nmode = "llm"', "[size]\nmax_files = 1", {"engine": {"mode": "rules"}, "size": {}})
    assert loaded.faults == ()
    assert loaded.core(EngineSettings).mode is Mode.RULES
    assert loaded.origin("engine", "mode") == "command line"
    assert loaded.origin("size", "max_files") == ".werkrevisor.toml"


def test_lists_replace_and_do_not_grow(config):
    loaded = config(repository='[mechanical]\nwhitespace_significant = ["*.nim"]')
    assert loaded.section("mechanical").whitespace_significant == ("*.nim",)


def test_scenario_11_13_the_repository_replaces_the_import_regexes_per_extension(config):
    loaded = config("[mechanical.imports]\nscala = ['import .+']", "[mechanical.imports]\njava = []")
    assert loaded.faults == ()
    assert dict(loaded.section("mechanical").imports) == {
        "java": (),
        "ts": ("import .*",),
        "scala": ("import .+",),
    }
    assert loaded.origin("mechanical", "imports.java") == ".werkrevisor.toml"
    assert loaded.origin("mechanical", "imports.scala") == "host.toml"
    assert loaded.origin("mechanical", "imports.ts") == "default"


@pytest.mark.parametrize("layer", ["host", "repository"])
def test_scenario_11_12_an_invalid_import_regex_is_a_config_error(config, layer):
    loaded = config(**{layer: '[mechanical.imports]\njava = ["(unclosed"]'})
    (fault,) = loaded.faults
    assert "[mechanical] imports.java has an invalid regex '(unclosed'" in str(fault)
    assert loaded.section("mechanical").imports["java"] == ("import .*;",)


def test_a_table_that_is_not_merged_by_entries_is_replaced(config):
    loaded = config("[wide]\ntable = {a = 1, b = 2}", "[wide]\ntable = {a = 3}")
    assert dict(loaded.section("wide").table) == {"a": 3}


def test_all_faults_of_all_layers_are_reported_together(config):
    loaded = config(
        '[mechanical]\nenabled = "yes"\n[mechanical.imports]\na = ["("]\nb = [1]\nc = ["["]\n[size]\nmax_files = -1',
        "[size]\nmax_lines = true\nmax_files = 2.0",
    )
    assert [str(fault) for fault in loaded.faults] == [
        'host.toml: [mechanical] enabled: expected bool, got str "yes"',
        "host.toml: [mechanical] imports.a has an invalid regex '('",
        "host.toml: [mechanical] imports.b[0]: expected str, got int 1",
        "host.toml: [mechanical] imports.c has an invalid regex '['",
        "host.toml: [size] max_files must not be negative and is -1",
        ".werkrevisor.toml: [size] max_lines: expected int, got bool true",
        ".werkrevisor.toml: [size] max_files: expected int, got float 2.0",
    ]
    assert loaded.section("size").max_files == 30


def test_a_fault_keeps_its_parts(config):
    (fault,) = config('[size]\nmax_lines = "12"').faults
    assert fault == ConfigFault("host.toml", "size", "max_lines", ': expected int, got str "12"', LayerKind.HOST)
    assert str(fault) == 'host.toml: [size] max_lines: expected int, got str "12"'


def test_one_faulty_key_leaves_the_others_of_its_section(config):
    loaded = config('[size]\nmax_files = "x"\nmax_lines = 7')
    assert (loaded.section("size").max_files, loaded.section("size").max_lines) == (30, 7)


def test_keys_that_do_not_fit_together_are_a_fault_of_the_last_layer_that_set_one(config):
    loaded = config("[path_judge]\nred_percentile = 0.95", "[path_judge]\nyellow_percentile = 0.97")
    (fault,) = loaded.faults
    assert str(fault) == ".werkrevisor.toml: [path_judge] red_percentile (0.95) is below yellow_percentile (0.97)"


class TestUnknownNames:
    """A misspelt name never passes without a word (known trap 71)."""

    def test_an_unknown_key_of_the_host_is_a_fault_with_the_known_ones(self, faults):
        assert faults("[size]\nmax_line = 5") == [
            "host.toml: [size] max_line is not a known key; known: max_files, max_lines; did you mean max_lines?"
        ]

    def test_an_unknown_section_of_the_host_is_a_fault(self, faults):
        (fault,) = faults("[siez]\nmax_lines = 5")
        assert fault.startswith("host.toml: [siez] is not a known section; known: categories, engine, gate, gitea,")
        assert fault.endswith("; did you mean size?")

    def test_a_section_under_another_one_is_a_fault(self, faults):
        (fault,) = faults("[config.size]\nmax_lines = 5")
        assert fault.startswith("host.toml: [config] is not a known section;")

    def test_a_key_outside_of_a_section_is_a_fault(self, faults):
        (fault,) = faults("max_lines = 5")
        assert fault.startswith("host.toml: [max_lines] is not a known section;")

    def test_an_unknown_key_of_the_repository_is_ignored_with_a_warning(self, config):
        loaded = config(repository="[size]\nmax_line = 5\nmax_files = 4")
        assert loaded.faults == ()
        assert loaded.section("size").max_files == 4
        assert loaded.warnings == (
            (
                ".werkrevisor.toml: [size] max_line is not a known key; known: max_files, max_lines; "
                "did you mean max_lines?; it is ignored"
            ),
        )

    def test_an_unknown_section_of_the_repository_is_ignored_with_a_warning(self, config):
        loaded = config(repository="[frobnicate]\na = 5")
        assert loaded.faults == ()
        (warning,) = loaded.warnings
        assert warning.startswith(".werkrevisor.toml: [frobnicate] is not a known section;")

    def test_an_unknown_change_kind_is_a_fault_of_the_host(self, faults):
        (fault,) = faults('[categories]\nauto_approvable = ["docs_onyl"]')
        assert fault.startswith('host.toml: [categories] auto_approvable[0]: "docs_onyl" is not a known value;')
        assert fault.endswith("; did you mean docs_only?")

    def test_an_unknown_change_kind_of_the_repository_is_ignored_with_a_warning(self, config):
        loaded = config(repository='[categories]\nauto_approvable = ["mechanical_only", "galactic"]')
        assert loaded.faults == ()
        assert loaded.core(CategoriesSettings).auto_approvable == ("mechanical_only",)
        (warning,) = loaded.warnings
        assert warning.startswith('.werkrevisor.toml: [categories] auto_approvable: "galactic" is not a known change')

    def test_a_change_kind_of_another_type_is_a_fault_of_the_repository_too(self, config):
        loaded = config(repository="[categories]\nauto_approvable = [1]")
        (fault,) = loaded.faults
        assert str(fault).startswith(".werkrevisor.toml: [categories] auto_approvable[0]: expected one of ")

    def test_a_section_of_a_disabled_rule_is_known_and_not_read(self, config, sections):
        loaded = config('[other]\nx = "y"\n', "[other]\nz = 1\n", known_elsewhere={"other": NoSettings, **sections})
        assert loaded.faults == ()
        assert loaded.warnings == ()
        assert loaded.unread == ("other",)
        assert "other" not in loaded.sections

    def test_a_section_that_is_no_table_is_a_fault(self, faults):
        assert faults("size = 3") == ["host.toml: [size]: expected table, got int 3"]
        assert faults("[[size]]\nmax_files = 3") == ["host.toml: [size]: expected table, got list"]


class TestHostOnly:
    @pytest.mark.parametrize(
        ("section", "key", "value"),
        [
            ("plugins", "disable", '["size"]'),
            ("gate", "human_reviewers", '["mallory"]'),
            ("gate", "reviewers", '{"*" = ["mallory"]}'),
            ("gate", "merge", '"schedule"'),
            ("gate", "max_red_rounds", "0"),
            ("engine", "mode", '"rules"'),
            ("model", "token_count_factor", "0.5"),
            ("gitea", "token_file", '"/etc/passwd"'),
        ],
    )
    def test_a_repository_that_sets_one_gets_the_error_by_name(self, config, section, key, value):
        loaded = config(repository=f"[{section}]\n{key} = {value}")
        (fault,) = loaded.faults
        assert str(fault) == f".werkrevisor.toml: [{section}] {key} may be set by the host only, not by the repository"
        assert fault.kind is LayerKind.REPOSITORY
        assert loaded.origin(section, key) == "default"
        assert loaded.section(section) == CORE_SECTIONS[section]()

    def test_a_wrong_type_does_not_hide_that_it_is_the_hosts(self, config):
        (fault,) = config(repository="[gate]\nbranches = 1").faults
        assert "may be set by the host only" in str(fault)

    def test_a_repository_may_extend_what_is_approved_automatically(self, config):
        loaded = config('[categories]\nauto_approvable = ["docs_only"]', '[categories]\nauto_approvable = ["feature"]')
        assert loaded.faults == ()
        assert loaded.core(CategoriesSettings).auto_approvable == ("feature",)


class TestVersion:
    def test_the_present_version_and_the_one_before_are_read_alike(self, config):
        present = config("version = 1\n[size]\nmax_files = 3", "version = 1\n[size]\nmax_lines = 4")
        before = config("[size]\nmax_files = 3", "[size]\nmax_lines = 4")
        assert present.faults == before.faults == ()
        assert present.digest == before.digest

    def test_a_newer_version_of_the_host_is_a_fault(self, faults):
        assert faults("version = 2") == [
            "host.toml: version 2 is newer than what this werkrevisor reads (1); update werkrevisor"
        ]

    def test_a_newer_version_of_the_repository_is_a_warning(self, config):
        loaded = config(repository="version = 2\n[size]\nmax_files = 3")
        assert loaded.faults == ()
        assert loaded.warnings == (
            (
                ".werkrevisor.toml: version 2 is newer than what this werkrevisor reads (1); "
                "what it does not know is ignored"
            ),
        )
        assert loaded.section("size").max_files == 3

    @pytest.mark.parametrize(
        ("value", "got"), [('"1"', 'str "1"'), ("true", "bool true"), ("0", "int 0"), ("-1", "int -1"), ("[1]", "list")]
    )
    def test_anything_else_is_a_fault(self, config, value, got):
        for layer in ("host", "repository"):
            (fault,) = config(**{layer: f"version = {value}"}).faults
            assert str(fault).endswith(f"version: expected int 1, got {got}")


class TestDigest:
    def test_it_is_the_hash_of_the_merged_values(self, config):
        values = {
            "review": {"doc_hint_line_comments": True},
            "size": {"max_files": 4, "max_lines": 1000},
        }
        loaded = config("[review]\ndoc_hint_line_comments = true", "[size]\nmax_files = 4")
        only = Config({"size": loaded.section("size"), "review": loaded.section("review")}, {})
        text = json.dumps(values, sort_keys=True, separators=(",", ":"))
        assert only.digest == hashlib.sha256(text.encode()).hexdigest()

    def test_it_depends_on_values_and_not_on_layers_or_order(self, config):
        host = config("[size]\nmax_files = 1\nmax_lines = 2\n[mechanical.imports]\na = []\nb = []")
        split = config(
            "[mechanical.imports]\nb = []\n[size]\nmax_lines = 2", "[mechanical.imports]\na=[]\n[size]\nmax_files=1"
        )
        assert host.digest == split.digest

    def test_setting_the_default_changes_nothing_and_another_value_does(self, config):
        assert config("[size]\nmax_files = 30").digest == config().digest
        assert config("[size]\nmax_files = 31").digest != config().digest
        assert config("[gate]\ncarry_over_approvals = false").digest != config().digest


def test_core_gives_the_typed_section_and_refuses_others(config):
    gate = config("[gate]\nmax_red_rounds = 0").core(GateSettings)
    assert gate.max_red_rounds == 0
    with pytest.raises(KeyError, match="NoSettings"):
        config().core(NoSettings)
    with pytest.raises(KeyError, match="nowhere"):
        config().section("nowhere")


def test_a_rule_cannot_take_a_section_of_the_core():
    with pytest.raises(RegistryError, match=r"\[gate\] belongs to the core"):
        load([], {"gate": NoSettings})


def test_a_setting_of_an_unknown_type_is_the_rule_authors_mistake():
    odd = make_class("Odd", {"when": setting(None, "A moment.")})
    with pytest.raises(TypeError, match=r"\[odd\] when: a setting cannot be of the type None"):
        load([Layer("host.toml", LayerKind.HOST, b"[odd]\nwhen = 1")], {"odd": odd})


class TestPlugins:
    def test_the_hosts_word_is_known_before_any_section_of_a_rule_is(self):
        host = Layer("host.toml", LayerKind.HOST, b'[plugins]\ndisable = ["size"]\n[size]\nmax_files = "x"')
        mine = Layer(".werkrevisor.toml", LayerKind.REPOSITORY, b'[plugins]\ndisable = ["risky_paths"]')
        assert plugins_of([host, mine]) == PluginsSettings(disable=("size",))

    def test_faults_are_left_to_load(self):
        broken = Layer("host.toml", LayerKind.HOST, b"[plugins")
        wrong = Layer("host.toml", LayerKind.HOST, b'[plugins]\ndisable = "size"')
        assert plugins_of([broken]) == plugins_of([wrong]) == PluginsSettings()


def test_a_parsed_layer_loads_like_its_bytes(sections):
    text = Layer("host.toml", LayerKind.HOST, b"version = 1\n[size]\nmax_files = 4\nmax_line = 5")
    broken = Layer("host.toml", LayerKind.HOST, b"[size")
    assert parsed(text).data == {"version": 1, "size": {"max_files": 4, "max_line": 5}}
    assert parsed(parsed(text)) == parsed(text)
    assert parsed(broken) == broken
    assert load([parsed(text)], sections) == load([text], sections)
