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
    for name, requirement in required(wanted).items():
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


IMPORTED_AS = {"attrs": {"attrs", "attr"}, "google-re2": {"re2"}, "pluggy": {"pluggy"}}


def test_the_packages_import_exactly_what_they_declare(project, sources):
    imported = set()
    for path in sources:
        for node in ast.walk(ast.parse(path.read_bytes())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) and node.module and not node.level else []
            imported |= {name.partition(".")[0] for name in names}
    foreign = {name for name in imported if name not in sys.stdlib_module_names and not name.startswith("werkrevisor")}
    declared = required(project["project"]["dependencies"])
    assert foreign <= set().union(*(IMPORTED_AS[name] for name in declared))
    assert [name for name in declared if not IMPORTED_AS[name] & foreign] == []
