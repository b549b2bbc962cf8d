"""The entry points found are those that `importlib.metadata` finds."""

import importlib.metadata
import sys
import zipfile

import pytest

from werkrevisor_core.errors import RegistryError
from werkrevisor_core.packs import Announced, announced


@pytest.fixture
def site(tmp_path, monkeypatch):
    """A folder at the end of the path in which distributions can be put."""
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.setattr(sys, "path", [*sys.path, str(folder)])
    return folder


def put(folder, name, points, version="1.0", kind="dist-info"):
    info = folder / f"{name}-{version}.{kind}"
    info.mkdir(parents=True)
    metadata = info / ("METADATA" if kind == "dist-info" else "PKG-INFO")
    metadata.write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n\nName: no\n")
    (info / "entry_points.txt").write_text(points)


def by_importlib(group):
    return [
        Announced(point.name, point.module, point.attr or "", point.dist.name, point.dist.version)
        for point in importlib.metadata.entry_points(group=group)
    ]


@pytest.mark.parametrize("group", ["werkrevisor", "console_scripts", "pytest11", "nonsuch"])
def test_those_of_this_environment(group):
    assert sorted(announced(group)) == sorted(by_importlib(group))


@pytest.mark.parametrize("kind", ["dist-info", "egg-info"])
def test_written_in_every_way(site, kind):
    points = (
        "[other]\na = b\n[mine]\n# none = none\n\none=pack\ntwo  =  pack.sub : thing.part\nthree = pack:f [extra]\n"
    )
    put(site, "My_Pack", points, kind=kind)
    assert announced("mine") == [
        Announced("one", "pack", "", "My_Pack", "1.0"),
        Announced("two", "pack.sub", "thing.part", "My_Pack", "1.0"),
        Announced("three", "pack", "f", "My_Pack", "1.0"),
    ]
    assert announced("mine") == by_importlib("mine")


def test_a_distribution_counts_once(site, tmp_path, monkeypatch):
    put(site, "one_pack", "[mine]\na = first\n")
    later = tmp_path / "later"
    put(later, "One.Pack", "[mine]\na = second\n", "2.0")
    monkeypatch.setattr(sys, "path", [*sys.path, str(later)])
    assert [point.module for point in announced("mine")] == ["first"]
    assert announced("mine") == by_importlib("mine")


def test_an_archive_on_the_path_is_read_too(site, monkeypatch):
    archive = site / "packs.zip"
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("zipped-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: zipped\nVersion: 1.0\n")
        file.writestr("zipped-1.0.dist-info/entry_points.txt", "[mine]\na = inside\n")
    monkeypatch.setattr(sys, "path", [*sys.path, str(archive)])
    assert announced("mine") == [Announced("a", "inside", "", "zipped", "1.0")]


def test_another_finder_is_asked_too(monkeypatch):
    class Finder:
        def find_spec(self, *arguments):
            return None

        def find_distributions(self, context):
            return ()

    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path, Finder()])
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: ())
    assert announced("werkrevisor") == []


def test_a_line_that_cannot_be_read_is_no_missing_rule(site):
    put(site, "odd", "[mine]\nthis is nothing\n")
    with pytest.raises(RegistryError, match=r"the pack odd 1\.0 announces what cannot be read"):
        announced("mine")


def test_the_object_is_loaded():
    assert Announced("x", "json.decoder", "JSONDecoder.decode", "p", "1").load().__name__ == "decode"
    assert Announced("x", "json", "", "p", "1").load().__name__ == "json"
