"""A change of the repository's own config: its faults, its unknown names, and whether it mends the base."""

import pytest

from werkrevisor_core.config.examine import REPOSITORY_FILE, examine, mends
from werkrevisor_core.config.layers import Layer, LayerKind, load
from werkrevisor_core.models.context import ConfigChange

HOST = Layer("host.toml", LayerKind.HOST, b"[path_judge]\nred_percentile = 0.95\n[size]\nmax_files = 3")
BASE = Layer(REPOSITORY_FILE, LayerKind.REPOSITORY, b"[size]\nmax_files = 4")


def test_a_valid_version_has_neither_faults_nor_unknown_names(sections):
    assert examine([HOST, BASE], b"[size]\nmax_files = 5", sections) == ConfigChange(REPOSITORY_FILE)


def test_a_removed_file_is_said_to_be_removed(sections):
    assert examine([HOST], None, sections) == ConfigChange(REPOSITORY_FILE, removed=True)


def test_faults_and_unknown_names_are_kept_apart(sections):
    text = b'[size]\nmax_files = "5"\nmax_line = 1\n[gate]\nci = "none"\n[categories]\nauto_approvable = ["x"]'
    change = examine([HOST, BASE], text, sections)
    assert change.faults == (
        '.werkrevisor.toml: [size] max_files: expected int, got str "5"',
        ".werkrevisor.toml: [gate] ci may be set by the host only, not by the repository",
    )
    assert [text.split(" is not")[0] for text in change.unknown] == [
        ".werkrevisor.toml: [size] max_line",
        '.werkrevisor.toml: [categories] auto_approvable: "x"',
    ]


def test_faults_of_the_host_are_not_those_of_the_change(sections):
    broken = Layer("host.toml", LayerKind.HOST, b"[size]\nmax_line = 3")
    assert examine([broken], b"[size]\nmax_files = 5", sections) == ConfigChange(REPOSITORY_FILE)


def test_faults_of_the_base_are_not_those_of_the_change(sections):
    broken = Layer(REPOSITORY_FILE, LayerKind.REPOSITORY, b"[size")
    assert examine([HOST, broken], b"[size]\nmax_files = 5", sections) == ConfigChange(REPOSITORY_FILE)


def test_a_key_that_does_not_fit_the_hosts_is_a_fault_wherever_it_comes_out(sections):
    command = Layer("command line", LayerKind.COMMAND_LINE, {"path_judge": {"red_percentile": 0.96}})
    change = examine([HOST, BASE, command], b"[path_judge]\nyellow_percentile = 0.97", sections)
    assert change.faults == ("command line: [path_judge] red_percentile (0.96) is below yellow_percentile (0.97)",)


def test_sections_of_disabled_rules_are_known(sections):
    assert examine([HOST], b"[other]\nx = 1", sections, {"other": int}) == ConfigChange(REPOSITORY_FILE)


@pytest.mark.parametrize(
    ("base", "new", "paths", "expected"),
    [
        (b"[size", b"[size]\nmax_files = 1", [REPOSITORY_FILE], True),
        (b"[size]\nmax_files = true", b"[size]\nmax_files = 1", [REPOSITORY_FILE, REPOSITORY_FILE], True),
        (b"[size", b"[size]\nnewer = 1", [REPOSITORY_FILE], True),
        (b"[size", None, [REPOSITORY_FILE], True),
        (b"[size", b"[siz", [REPOSITORY_FILE], False),
        (b"[size", b"[size]\nmax_files = 1", [REPOSITORY_FILE, "a.py"], False),
        (b"[size]\nmax_files = 2", b"[size]\nmax_files = 1", [REPOSITORY_FILE], False),
    ],
)
def test_mending_is_making_the_base_valid_and_nothing_else(sections, base, new, paths, expected):
    layers = [HOST, Layer(REPOSITORY_FILE, LayerKind.REPOSITORY, base)]
    assert mends(load(layers, sections), examine(layers, new, sections), paths) is expected


def test_a_fault_of_the_host_cannot_be_mended_by_the_repository(sections):
    layers = [
        Layer("host.toml", LayerKind.HOST, b"[size"),
        Layer(REPOSITORY_FILE, LayerKind.REPOSITORY, b"[size"),
    ]
    change = examine(layers, b"[size]\nmax_files = 1", sections)
    assert not mends(load(layers, sections), change, [REPOSITORY_FILE])


@pytest.mark.parametrize(
    "change", [None, ConfigChange(REPOSITORY_FILE, regular=False), ConfigChange(REPOSITORY_FILE, readable=False)]
)
def test_what_is_no_regular_file_or_cannot_be_read_mends_nothing(sections, change):
    config = load([Layer(REPOSITORY_FILE, LayerKind.REPOSITORY, b"[size")], sections)
    assert not mends(config, change, [REPOSITORY_FILE])
