"""The lock files fit pyproject.toml; whether the pins are the newest is nobody's business here."""

import ast
import re
import sys
import tomllib

import pytest

PIN = re.compile(r"^([A-Za-z0-9._-]+)==(\S+) \\$", re.MULTILINE)


def normal(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def pins(text):
    return {normal(name): version for name, version in PIN.findall(text)}


@pytest.fixture
def project(root):
    return tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))


def required(requirements):
    return {normal(re.match(r"[A-Za-z0-9._-]+", text)[0]): text for text in requirements}


def floor_holds(requirement, version):
    floor = re.search(r">=([0-9.]+)", requirement)
    return floor is None or numbers(version) >= numbers(floor[1])


def numbers(version):
    return [int(part) for part in re.findall(r"\d+", version)]


@pytest.mark.parametrize(("lock", "extra"), [("requirements.lock", None), ("requirements-dev.lock", "dev")])
def test_every_dependency_is_pinned_and_new_enough(root, project, lock, extra):
    pinned = pins((root / lock).read_text(encoding="utf-8"))
    wanted = [*project["project"]["dependencies"], *project["build-system"]["requires"]]
    wanted += project["project"]["optional-dependencies"][extra] if extra else []
    wanted += project["project"]["optional-dependencies"]["gitea"] if extra else []
    for name, requirement in required(text for text in wanted if not text.startswith("werkrevisor[")).items():
        assert name in pinned, f"{name} is not in {lock}; run: make lock"
        assert floor_holds(requirement, pinned[name]), f"{lock} pins {name} {pinned[name]}; run: make lock"


def test_both_locks_agree(root):
    small, large = (pins((root / name).read_text("utf-8")) for name in ("requirements.lock", "requirements-dev.lock"))
    assert small.items() <= large.items()
    assert len(small) < len(large)


def test_every_pin_has_hashes_and_nothing_else_is_in_the_locks(root):
    for name in ("requirements.lock", "requirements-dev.lock"):
        for line in (root / name).read_text(encoding="utf-8").splitlines():
            assert line.startswith(("#", "    # via", "    --hash=sha256:")) or PIN.match(line), f"{name}: {line}"
        text = (root / name).read_text(encoding="utf-8")
        assert re.search(r"== ?\S+ \\\n(?!    --hash)", text) is None


IMPORTED_AS = {"attrs": {"attrs", "attr"}, "google-re2": {"re2"}}


def foreign_names(paths):
    """Return the top-level names of other distributions that modules import, by name or by text."""
    names = set()
    for path in paths:
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Import):
                names |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                names.add(node.module)
            elif isinstance(node, ast.Constant) and str(node.value).startswith("tree_sitter_"):
                names.add(node.value)  # grammars are imported by name
    tops = {name.partition(".")[0] for name in names}
    return {name for name in tops - sys.stdlib_module_names if not name.startswith("werkrevisor")}


def imported_as(requirements):
    return {module for name in required(requirements) for module in IMPORTED_AS.get(name, {name.replace("-", "_")})}


def test_core_and_rules_import_what_every_installation_has(root, project, sources):
    forge = root / "werkrevisor_gitea"
    found = foreign_names(path for path in sources if forge not in path.parents)
    assert found <= imported_as(project["project"]["dependencies"])


def test_the_forge_package_imports_what_its_extra_brings(root, project, sources):
    forge = root / "werkrevisor_gitea"
    found = foreign_names(path for path in sources if forge in path.parents)
    extra = project["project"]["optional-dependencies"]["gitea"]
    assert found <= imported_as([*project["project"]["dependencies"], *extra])


def test_nothing_is_installed_that_nothing_imports(project, sources):
    found = foreign_names(sources)
    wanted = [*project["project"]["dependencies"], *project["project"]["optional-dependencies"]["gitea"]]
    unused = [name for name in required(wanted) if not IMPORTED_AS.get(name, {name.replace("-", "_")}) & found]
    assert unused == []
