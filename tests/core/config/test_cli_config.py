"""The command `werkrevisor config show|check|schema`."""

import argparse
import io
import json

import pytest

from werkrevisor_core.cli.config import add_parser, run
from werkrevisor_core.errors import UsageError


@pytest.fixture
def command(sections):
    """Run the command with arguments; returns exit status, standard output and standard error."""

    def of(*arguments):
        parser = argparse.ArgumentParser()
        add_parser(parser.add_subparsers())
        out, err = io.StringIO(), io.StringIO()
        status = run(parser.parse_args(["config", *map(str, arguments)]), sections, {}, out, err)
        return status, out.getvalue(), err.getvalue()

    return of


@pytest.fixture
def file(tmp_path):
    def of(name, text):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return of


def test_check_of_valid_files(command, file):
    host, repository = file("host.toml", "[size]\nmax_files = 3"), file("repo.toml", "[size]\nmax_lines = 3")
    assert command("check", "--config", host, "--repository", repository) == (
        0,
        f"{host} and {repository}: valid\n",
        "",
    )


def test_check_prints_all_faults_of_all_files(command, file):
    host = file("host.toml", '[size]\nmax_files = "3"\nmax_lines = -1')
    repository = file("repo.toml", '[gate]\nci = "none"\n[size]\nmax_line = 1')
    status, out, err = command("check", "--config", host, "--repository", repository)
    assert (status, err) == (4, "")
    assert out.split("\n")[:3] == [
        f'error: {host}: [size] max_files: expected int, got str "3"',
        f"error: {host}: [size] max_lines must not be negative and is -1",
        f"error: {repository}: [gate] ci may be set by the host only, not by the repository",
    ]
    assert out.split("\n")[3].startswith(f"warning: {repository}: [size] max_line is not a known key;")


def test_check_of_unknown_names_in_the_repository_alone_is_valid_with_a_warning(command, file):
    repository = file("repo.toml", "[size]\nmax_line = 1")
    status, out, _ = command("check", "--repository", repository)
    assert status == 0
    assert out.startswith("warning: ")
    assert out.endswith(f"\n{repository}: valid\n")


def test_check_of_nothing_says_what_to_name(command):
    with pytest.raises(UsageError, match="--config or --repository"):
        command("check")


@pytest.mark.parametrize("action", ["check", "show"])
@pytest.mark.parametrize("option", ["--config", "--repository"])
def test_a_file_that_is_not_there_is_one_sentence(command, tmp_path, action, option):
    with pytest.raises(UsageError, match=r"nowhere\.toml cannot be read \(No such file or directory\)"):
        command(action, option, tmp_path / "nowhere.toml")
    with pytest.raises(UsageError, match=r"cannot be read \(Is a directory\)"):
        command(action, option, tmp_path)
    with pytest.raises(UsageError, match=r"a\\u0000b cannot be read \(not a path\)"):
        command(action, option, "a\0b")


def test_a_huge_file_is_a_fault_and_not_read_whole(command, file):
    status, out, _ = command("check", "--config", file("host.toml", "#" * 1_000_000))
    assert status == 4
    assert "262145 bytes are too many" in out


def test_show_prints_values_and_then_complains(command, file):
    status, out, err = command("show", "--config", file("host.toml", "[size]\nmax_files = 3\nmax_line = 1"))
    assert status == 4
    assert "max_files = 3  # " in out
    assert err.startswith("error: ")
    assert "max_line is not a known key" in err


def test_show_without_files_prints_the_defaults(command):
    status, out, err = command("show")
    assert (status, err) == (0, "")
    assert "max_files = 30  # default" in out


def test_schema_is_that_of_a_host_unless_asked_otherwise(command):
    status, out, _ = command("schema")
    assert (status, out) == command("schema", "--for", "host")[:2]
    assert status == 0
    assert "gate" in json.loads(out)["properties"]
    assert "gate" not in json.loads(command("schema", "--for", "repository")[1])["properties"]
