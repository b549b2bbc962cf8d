"""The command line as a user meets it: packs that are installed beside it, and a change to review."""

from collections.abc import Callable

import pytest


@pytest.fixture
def pack(tmp_path) -> Callable[[str], dict[str, str]]:
    """Install a pack with one gate from its source; returns the environment in which it is installed."""

    def install(source: str, name: str = "odd") -> dict[str, str]:
        site = tmp_path / "site"
        gates = site / "odd_pack" / "gates"
        gates.mkdir(parents=True, exist_ok=True)
        (site / "odd_pack" / "__init__.py").touch()
        (gates / "__init__.py").touch()
        (gates / f"{name}.py").write_text(source)
        info = site / "odd_pack-1.0.dist-info"
        info.mkdir(exist_ok=True)
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: odd-pack\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text("[werkrevisor]\nodd = odd_pack\n")
        return {"PYTHONPATH": str(site)}

    return install


@pytest.fixture
def changed(repo):
    """A repository with a branch `topic` of one changed line of code, checked out; returns the repository."""
    repo.commit({"src/Shop.java": "class Shop {\n    int price = 1;\n}\n", "README.md": "# Shop\n"})
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit({"src/Shop.java": "class Shop {\n    int price = 2;\n}\n"})
    return repo
