"""Rules are found, checked and switched; whatever is wrong with a pack stops the start."""

import sys
from types import ModuleType

import pytest
from attrs import frozen

from werkrevisor_core.errors import RegistryError
from werkrevisor_core.markers import hookimpl
from werkrevisor_core.packs import Announced
from werkrevisor_core.registry import FoundRule, find_rules, load_registry, rules_of
from werkrevisor_core.rule import Phase, RuleInfo

GATE = """
from werkrevisor_core.markers import hookimpl
from werkrevisor_core.rule import Phase, RuleInfo
RULE = RuleInfo("{name}", Phase.{phase}, "1")
@hookimpl
def werkrevisor_gate(context):
    return None
"""


@pytest.fixture
def pack(tmp_path, monkeypatch):
    """Write a package with the given modules and import it."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def write(name: str, **modules: str) -> ModuleType:
        for module, text in modules.items():
            folder, _, file = module.partition("__")
            place = tmp_path / name / folder
            place.mkdir(parents=True, exist_ok=True)
            (place / "__init__.py").touch()
            (place / f"{file}.py").write_text(text, encoding="utf-8")
        (tmp_path / name).mkdir(exist_ok=True)
        (tmp_path / name / "__init__.py").touch()
        for known in [key for key in sys.modules if key == name or key.startswith(f"{name}.")]:
            del sys.modules[known]
        return __import__(name)

    return write


def found(name: str, *, phase: Phase = Phase.GATES, reasons=(), settings=None, section="", pack="a", **hooks):
    module = ModuleType(f"{pack}.{name}")
    for hook, function in (hooks or {"werkrevisor_gate": lambda context: None}).items():
        setattr(module, hook, hookimpl(function))
    extra = {"settings": settings} if settings else {}
    return FoundRule(RuleInfo(name, phase, "1", reasons, section=section, **extra), module, pack, "1.0")


def test_the_built_in_rules_come_through_their_entry_point():
    rules = {rule.info.name: rule for rule in find_rules()}
    assert rules["risky_paths"].pack == "werkrevisor"
    assert {"imports", "whitespace", "renamed", "coverage"} <= set(rules)


def test_every_module_of_a_step_folder_is_a_rule(pack):
    package = pack(
        "pack_one",
        gates__first=GATE.format(name="first", phase="GATES"),
        gates__second=GATE.format(name="second", phase="GATES"),
        gates___support="",
        other__third="raise RuntimeError",
    )
    assert sorted(rule.info.name for rule in rules_of(package, "one", "1")) == ["first", "second"]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "has no RULE"),
        (GATE.format(name="other", phase="GATES"), "must be named 'odd'"),
        (GATE.format(name="odd", phase="ADJUST"), "stands in the folder 'gates'"),
    ],
)
def test_a_module_that_does_not_fit_its_place_is_refused(pack, text, fault):
    with pytest.raises(RegistryError, match=fault):
        rules_of(pack("pack_two", gates__odd=text), "two", "1")


def test_a_pack_without_rules_is_refused(pack):
    with pytest.raises(RegistryError, match="has no rule"):
        rules_of(pack("pack_three"), "three", "1")


@pytest.mark.parametrize("text", ["raise RuntimeError('no luck')", "import nowhere_to_be_found", "def broken(:"])
def test_a_pack_that_fails_to_load_stops_the_start(pack, monkeypatch, text):
    pack("pack_four", gates__bad=text)
    point = Announced("four", "pack_four", "", "four", "?")
    monkeypatch.setattr("werkrevisor_core.registry.announced", lambda group: [point])
    with pytest.raises(RegistryError, match=r"the pack four .*fails to load"):
        find_rules()


def test_a_refusal_inside_a_pack_keeps_its_own_words(pack, monkeypatch):
    pack("pack_five", gates__bad="")
    monkeypatch.setattr(
        "werkrevisor_core.registry.announced", lambda group: [Announced("five", "pack_five", "", "five", "?")]
    )
    with pytest.raises(RegistryError, match="has no RULE"):
        find_rules()


def test_duplicate_names_are_refused_naming_both():
    with pytest.raises(RegistryError, match=r"a\.same \(a 1\.0\) and b\.same \(b 1\.0\)"):
        load_registry([found("same"), found("same", pack="b")])


def test_duplicate_reasons_are_refused_naming_both():
    with pytest.raises(RegistryError, match="bring the reason 'r'"):
        load_registry([found("one", reasons=("r",)), found("two", reasons=("r",), pack="b")])


@frozen
class SettingsA:
    x: int = 1


@frozen
class SettingsB:
    x: int = 1


def test_a_section_belongs_to_one_settings_class():
    shared = [found("one", settings=SettingsA, section="s"), found("two", settings=SettingsA, section="s")]
    assert dict(load_registry(shared).sections) == {"s": SettingsA}
    with pytest.raises(RegistryError, match=r"section \[s\] with different settings"):
        load_registry([*shared, found("three", settings=SettingsB, section="s")])


@pytest.mark.parametrize(
    ("hooks", "fault"),
    [
        ({"werkrevisor_gatee": lambda context: None}, "werkrevisor_gatee"),
        ({"werkrevisor_gate": lambda contexts: None}, "contexts"),
        ({"werkrevisor_adjust": lambda context: ()}, "does not belong to the phase 'gates'"),
    ],
)
def test_hooks_that_do_not_exist_or_do_not_fit_are_refused(hooks, fault):
    with pytest.raises(RegistryError, match=fault):
        load_registry([found("odd", **hooks)])


def test_a_hook_without_its_marker_is_refused():
    rule = found("odd")
    rule.module.werkrevisor_coverage = lambda context: None
    with pytest.raises(RegistryError, match="'werkrevisor_coverage' looks like a hook and lacks @hookimpl"):
        load_registry([rule])


def test_a_rule_without_a_hook_is_refused():
    rule = FoundRule(RuleInfo("odd", Phase.GATES, "1"), ModuleType("odd"), "a", "1")
    with pytest.raises(RegistryError, match="implements no hook"):
        load_registry([rule])


def test_rules_are_switched_per_host():
    registry = load_registry([found("one"), found("two")])
    assert [rule.info.name for rule in registry.switched(["two"]).active] == ["one"]
    assert [rule.info.name for rule in registry.switched(["two"], ["two"]).active] == ["one", "two"]
    assert [rule.why for rule in registry.switched(["two"]).rules] == ["default", "[plugins] disable"]


def test_an_unknown_name_in_plugins_lists_the_known_ones():
    with pytest.raises(RegistryError, match=r"'thre'.*known rules: one, two"):
        load_registry([found("one"), found("two")]).switched(["thre"])


@pytest.mark.parametrize("name", ["coverage", "not_reviewed", "change_kind"])
def test_what_keeps_unread_files_out_cannot_be_switched_off(name):
    with pytest.raises(RegistryError, match="cannot be switched off"):
        load_registry().switched([name])


def test_a_pack_without_metadata_is_named_by_its_entry_point(pack, monkeypatch):
    pack("pack_six", gates__fine=GATE.format(name="fine", phase="GATES"))
    monkeypatch.setattr(
        "werkrevisor_core.registry.announced", lambda group: [Announced("six", "pack_six", "", "six", "?")]
    )
    assert [(rule.pack, rule.pack_version) for rule in find_rules()] == [("six", "?")]
