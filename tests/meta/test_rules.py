"""Rule name = module name = folder = docs page = test name, and every rule says what it is."""

import ast
from collections import Counter
from pathlib import Path

import pytest

from werkrevisor_core.cli.rules import CORE_REASONS
from werkrevisor_core.registry import HOOKS, load_registry
from werkrevisor_core.rule import Phase

RULES = [rule for rule in load_registry().rules if rule.pack == "werkrevisor"]
every_rule = pytest.mark.parametrize("rule", RULES, ids=[rule.info.name for rule in RULES])


@every_rule
def test_name_of_the_rule_leads_to_its_module_folder_page_and_tests(rule, root):
    name, folder = rule.info.name, rule.info.phase.value
    package = "werkrevisor_gitea" if rule.info.phase is Phase.REPORT else "werkrevisor_rules"
    assert rule.module.__name__ == f"{package}.{folder}.{name}"
    assert (root / f"docs/rules/{name}.md").is_file()
    assert list((root / "tests").rglob(f"test_{name}.py")), f"no test file test_{name}.py"


@every_rule
def test_docstring_has_the_fixed_headings(rule, generator):
    _, parts = generator.rule_parts(rule.module.__doc__ or "", rule.info.name)
    assert [heading for heading, text in parts.items() if not text] == []


@every_rule
def test_rule_is_short_enough_to_be_read_at_once(rule):
    assert Path(rule.module.__file__).read_bytes().count(b"\n") <= 300


def test_every_reason_id_leads_to_one_rule():
    counts = Counter(reason for rule in RULES for reason in rule.info.reason_ids)
    assert [reason for reason, count in counts.items() if count > 1] == []


def test_every_hook_belongs_to_one_step(generator):
    placed = Counter(hook for hooks in HOOKS.values() for hook in hooks)
    assert placed == Counter(name for name, _ in generator.hooks())


def reasons_in(path):
    """Return the ids of the reasons that a module makes, where they are written out."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Reason":
            ids = [*node.args[:1], *(keyword.value for keyword in node.keywords if keyword.arg == "id")]
            yield from (value.value for value in ids if isinstance(value, ast.Constant))


def test_every_reason_of_the_core_is_listed_with_the_module_that_makes_it(root, sources):
    made = {
        (reason, ".".join(path.relative_to(root).with_suffix("").parts))
        for path in sources
        if path.relative_to(root).parts[0] == "werkrevisor_core"
        for reason in reasons_in(path)
    }
    assert made <= {(reason, module) for reason, module, _ in CORE_REASONS}
    assert len(made) >= 5


def test_no_reason_of_the_core_has_the_id_of_a_rules_reason():
    of_rules = {reason for rule in RULES for reason in rule.info.reason_ids}
    assert of_rules & {reason for reason, _, _ in CORE_REASONS} == set()
