"""A user's mistake is one sentence that says what to do; the exit status is 64, never that of a verdict."""

import subprocess
import sys

import pytest

from werkrevisor_core.cli.main import main


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "the following arguments are required: COMMAND; see `werkrevisor --help`"),
        (("frobnicate",), "invalid choice: 'frobnicate' (choose from 'review', "),
        (("review", "--frob"), "unrecognized arguments: --frob; see `werkrevisor --help`"),
        (("review", "extra"), "unrecognized arguments: extra"),
        (("review", "--bas", "HEAD"), "unrecognized arguments: --bas"),
        (("review", "--publish"), "--publish needs the URL of a pull request"),
        (("review", "https://host/a/b/pulls/1", "--diff", "-"), "--diff belongs to a local review"),
        (("review", "https://host/a/b/pulls/1"), "a pull request needs the host's config: pass --config FILE"),
        (("review", "--format", "xml"), "(choose from 'text', 'markdown', 'json', 'sarif'); see `werkrevisor review"),
        (("review", "--mode", "none"), "argument --mode: invalid choice: 'none'"),
        (("review", "--base"), "argument --base: expected one argument"),
        (("review", "--base", "-x"), "argument --base: expected one argument"),
        (("explain", "--base", "HEAD", "a", "b"), "unrecognized arguments: b"),
        (("review", "\x1b[2J"), r"unrecognized arguments: \u001b[2J"),
        (("config",), "the following arguments are required: show|check|schema"),
        (("config", "check"), "There is nothing to check; name a file with --config or --repository."),
    ],
)
def test_the_command_line(werkrevisor, arguments, words):
    assert words in werkrevisor(*arguments).complaint


@pytest.mark.parametrize("command", ["review", "explain"])
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--base", "nonsense"), "`nonsense` names no commit in this repository: give a branch, a tag or a commit id"),
        (("--head", "nonsense"), "`nonsense` names no commit in this repository: give a branch, a tag or a commit id"),
        (("--base=-x",), "`-x` names no commit"),
        (("--base=--help",), "`--help` names no commit"),
        (("--head=--output=x",), "`--output=x` names no commit"),
        (("--base", ""), "`` names no commit"),
        (("--base", "HEAD:src"), "`HEAD:src` names no commit"),
        (("--base", "main..topic"), "`main..topic` names no commit"),
        (("--base", "topic"), "HEAD has no commit that topic lacks"),
        (("--base", "topic", "--head", "main"), "main has no commit that topic lacks"),
        (("--head", "main"), "main is the first commit of this repository"),
        (("--repo", "missing"), "missing is no folder: name the folder of a git repository"),
        (("--repo", "README.md"), "README.md is no folder"),
        (("--config", "missing.toml"), "the config file missing.toml cannot be read: No such file or directory; pass"),
        (("--config", "src"), "the config file src cannot be read: Is a directory; pass another --config"),
        (("--diff", "missing.diff"), "the diff missing.diff cannot be read (No such file or directory); name another"),
        (("--diff", "src"), "the diff src cannot be read (Is a directory); name another"),
        (("--diff", "README.md", "--base", "main"), "--diff reads a finished diff, so leave out --base and --head"),
        (("--diff", "README.md", "--head", "main"), "--diff reads a finished diff, so leave out --base and --head"),
    ],
)
def test_what_is_to_be_reviewed(changed, werkrevisor, command, arguments, words):
    assert words in werkrevisor(command, *arguments).complaint


def test_no_repository(werkrevisor, tmp_path):
    folder = tmp_path / "empty"
    folder.mkdir()
    words = werkrevisor("review", cwd=folder).complaint
    assert words.startswith("there is no git repository in . or above it")
    assert words.endswith("go into one, name one with --repo, or review a diff with --diff")


def test_a_folder_with_a_hostile_name_does_not_drive_the_terminal(werkrevisor, tmp_path):
    folder = tmp_path / "a\n\x1b[2Jb"
    folder.mkdir()
    assert r"a\x0a\x1b[2Jb" in werkrevisor("review", "--repo", folder).complaint


def test_no_commit_yet(repo, werkrevisor):
    assert "`HEAD` names no commit in this repository" in werkrevisor("review").complaint


def test_only_one_commit(repo, werkrevisor):
    repo.commit({"a": "a\n"})
    words = werkrevisor("review").complaint
    assert words == (
        "HEAD is the first commit of this repository, so there is nothing to compare it with; "
        "make a second commit, or pass --base and --head"
    )


def test_no_main_branch(changed, werkrevisor):
    changed.git("branch", "-m", "main", "trunk")
    words = werkrevisor("review").complaint
    assert words == "there is no origin/HEAD, main or master to compare with: name the base with --base"


def test_histories_that_have_nothing_in_common(changed, werkrevisor):
    changed.git("checkout", "-q", "--orphan", "other")
    changed.commit({"x": "x\n"})
    changed.commit({"x": "y\n"})
    assert "no common ancestor" in werkrevisor("review").complaint


def test_a_shallow_clone(changed, tmp_path, werkrevisor):
    changed.git("clone", "-q", "--depth", "1", f"file://{changed.path}", str(tmp_path / "shallow"))
    words = werkrevisor("review", cwd=tmp_path / "shallow").complaint
    assert words.endswith("run `git fetch --unshallow`")


def test_a_partial_clone_is_one_sentence_or_a_verdict(changed, tmp_path, werkrevisor):
    changed.git("config", "uploadpack.allowFilter", "true")
    clone = str(tmp_path / "partial")
    changed.git("clone", "-q", "--filter=blob:none", "--no-checkout", f"file://{changed.path}", clone)
    words = werkrevisor("review", "--base", "HEAD~1", cwd=tmp_path / "partial").complaint
    assert words.startswith("this clone is partial and lacks contents that the review needs")
    assert "which fetches them" in words


def test_a_config_that_is_too_large(changed, tmp_path, werkrevisor):
    (tmp_path / "big.toml").write_bytes(b"#" * (1 << 21))
    assert "is larger than 1 MB" in werkrevisor("review", "--config", tmp_path / "big.toml").complaint


@pytest.mark.parametrize("command", [("review",), ("rules",), ("config", "show")])
def test_a_rule_that_is_not_installed(changed, tmp_path, werkrevisor, command):
    (tmp_path / "host.toml").write_text('[plugins]\ndisable = ["nonsuch"]\n')
    words = werkrevisor(*command, "--config", tmp_path / "host.toml").complaint
    known = words.removeprefix("[plugins] names the rule 'nonsuch', which is not installed; known rules: ").split(", ")
    assert {"change_kind", "size", "imports"} <= set(known)


def test_a_rule_that_may_not_be_switched_off(changed, tmp_path, werkrevisor):
    (tmp_path / "host.toml").write_text('[plugins]\ndisable = ["coverage"]\n')
    words = werkrevisor("review", "--config", tmp_path / "host.toml").complaint
    assert "'coverage', which cannot be switched off" in words


def test_closed_standard_input(tmp_path):
    command = f"'{sys.executable}' -m werkrevisor_core.cli.main review --diff - <&-"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (64, "")
    assert done.stderr == "werkrevisor: --diff - reads standard input, which is closed; name a file instead\n"


def test_version_and_help_are_no_mistakes(werkrevisor):
    assert werkrevisor("--version").status == 0
    for command in ("review", "explain", "rules", "config"):
        assert werkrevisor(command, "--help").status == 0


def test_a_fault_of_the_program_itself_is_no_verdict(monkeypatch, capsys):
    def broken(_):
        raise ZeroDivisionError("a fault")

    monkeypatch.setattr("werkrevisor_core.cli.review.run_review", broken)
    assert main(["review"]) == 70
    error = capsys.readouterr().err
    assert "ZeroDivisionError: a fault" in error
    assert error.endswith("werkrevisor: a fault of werkrevisor itself; nothing was judged, so please report it\n")
