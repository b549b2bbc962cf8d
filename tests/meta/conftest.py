"""What the tests about this repository share."""

import importlib.util
import subprocess
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def root() -> Path:
    """Return the folder of the repository."""
    return ROOT


@pytest.fixture(scope="session")
def generator() -> ModuleType:
    """Return the script that generates the documentation."""
    return script("generate_docs")


@pytest.fixture(scope="session")
def coverage_floor() -> ModuleType:
    """Return the script that demands full coverage of rules and steps."""
    return script("coverage_floor")


def script(name: str) -> ModuleType:
    """Import a script of this folder, which is no package."""
    spec = importlib.util.spec_from_file_location(name, Path(__file__).with_name(f"{name}.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def sources(root: Path) -> list[Path]:
    """Return all Python files of the three packages."""
    return sorted(path for package in root.glob("werkrevisor_*") for path in package.rglob("*.py"))


@pytest.fixture(scope="session")
def tracked(root: Path) -> list[Path]:
    """Return every file of the repository that is, or would be, under version control."""
    ignored = ("__pycache__", ".venv", "dist", "build")
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=root,
        capture_output=True,
        check=False,
    )
    if listed.returncode == 0 and listed.stdout:
        paths = [root / name.decode("utf-8", "surrogateescape") for name in listed.stdout.split(b"\0") if name]
    else:  # an unpacked archive
        paths = [path for path in root.rglob("*") if not any(p in ignored or p[0] == "." for p in path.parts[1:])]
    return sorted(path for path in paths if path.is_file())
