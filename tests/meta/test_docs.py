"""The documentation says what the code says."""

import importlib
import re
import sys

import pytest

from werkrevisor_core.registry import load_registry, rules_of

LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
CODE = re.compile(r"^```.*?^```|`[^`\n]+`", re.MULTILINE | re.DOTALL)
PYTHON = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_generated_pages_are_fresh(generator):
    assert generator.stale(generator.pages()) == [], f"run: {generator.COMMAND}"


def test_links_between_pages_lead_somewhere(root, tracked):
    pages = [path for path in tracked if path.suffix == ".md" and "changelog.d" not in path.parts]
    pages = [path for path in pages if path.parent == root or root / "docs" in path.parents]
    assert len(pages) >= 10
    dead = [
        f"{page.relative_to(root)}: {target}"
        for page in pages
        for target in LINK.findall(CODE.sub("", page.read_text(encoding="utf-8")))
        if "://" not in target and not (page.parent / target).exists()
    ]
    assert dead == []


def test_every_hook_is_documented_and_has_a_test_of_its_name(generator, root):
    page = (root / "docs/hooks.md").read_text(encoding="utf-8")
    tests = (root / "tests/core/test_hooks.py").read_text(encoding="utf-8")
    for name, _ in generator.hooks():
        assert f"\n## {name}\n" in page
        assert f"def test_{name}" in tests, f"tests/core/test_hooks.py has no test_{name}"


def test_every_decision_has_a_number_of_its_own_and_the_three_headings(root):
    pages = sorted(path for path in (root / "docs/decisions").glob("*.md") if path.name != "README.md")
    numbers = [page.name[:4] for page in pages]
    assert numbers == [f"{number:04}" for number in range(1, len(pages) + 1)]
    for page in pages:
        text = page.read_text(encoding="utf-8")
        assert text.startswith(f"# {int(page.name[:4])}. "), page.name
        assert all(f"**{heading}.**" in text for heading in ("Question", "Answer", "Why")), page.name


@pytest.fixture
def worked_example(root, tmp_path, monkeypatch):
    """Write the code of docs/writing-a-rule.md as a pack and return its two pieces' modules."""
    rule, cases = PYTHON.findall((root / "docs/writing-a-rule.md").read_text(encoding="utf-8"))
    gates = tmp_path / "pack" / "gates"
    gates.mkdir(parents=True)
    (tmp_path / "pack/__init__.py").touch()
    (gates / "__init__.py").touch()
    (gates / "licence_files.py").write_text(rule, encoding="utf-8")
    (tmp_path / "licence_cases.py").write_text(cases, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    yield importlib.import_module("pack"), importlib.import_module("licence_cases")
    for name in [name for name in sys.modules if name.split(".")[0] in {"pack", "licence_cases"}]:
        del sys.modules[name]


def test_the_worked_example_is_a_rule_that_the_registry_takes(worked_example, generator):
    package, _ = worked_example
    [rule] = load_registry(rules_of(package, "pack", "1.0")).rules
    assert rule.info.reason_ids == ("licence_files",)
    summary, _ = generator.rule_parts(rule.module.__doc__, "licence_files")
    assert summary == "Asks a human about every change of a licence or notice file."


def test_the_cases_of_the_worked_example_pass(worked_example):
    _, module = worked_example
    cases = [case for name, case in vars(module).items() if name.startswith("test_")]
    assert len(cases) == 4
    for case in cases:
        case()
