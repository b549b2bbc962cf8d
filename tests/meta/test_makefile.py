"""`make review` hands any text through and tells verdicts from failures; `make` alone helps."""

import os
import shutil
import subprocess

import pytest

STUB = """#!/bin/sh
printf '<%s>\\n' "$@"
exit ${STATUS:-0}
"""


@pytest.fixture
def checkout(root, tmp_path):
    """Return a folder whose environment is ready and whose `werkrevisor` prints its arguments."""
    folder = tmp_path / "it's a checkout"
    (folder / ".venv/bin").mkdir(parents=True)
    for name in ("Makefile", "requirements.lock", "pyproject.toml"):
        shutil.copy(root / name, folder)
    stub = folder / ".venv/bin/werkrevisor"
    stub.write_text(STUB)
    stub.chmod(0o755)
    (folder / ".venv/made-in").write_text(f"{folder.resolve()}\n")
    (folder / ".venv/ready-review").touch()
    return folder


def make(folder, *arguments, **environment):
    # Whoever runs these tests through make must not lead the inner one.
    ours = {name: value for name, value in os.environ.items() if name in {"PATH", "LANG", "LC_ALL"}}
    return subprocess.run(
        ["make", *arguments], cwd=folder, env={**ours, **environment}, capture_output=True, text=True, check=False
    )


def test_without_variables_it_reviews_the_last_commit(checkout):
    done = make(checkout, "review")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "<review>\n<--repo=.>\n<--base=HEAD~1>\n<--head=HEAD>\n<--format=markdown>\n"


@pytest.mark.parametrize(
    "text",
    ["a b", "a'b", 'a"b', "a;touch x", "$(shell touch x)", "`touch x`", "$$HOME", "${HOME}", "a#b", "-x", "a\\b", "é"],
)
@pytest.mark.parametrize("through_environment", [False, True])
def test_any_text_arrives_as_it_is_and_runs_nothing(checkout, text, through_environment):
    given = {"environment": {"BASE": text}} if through_environment else {"arguments": [f"BASE={text}"]}
    done = make(checkout, "review", *given.get("arguments", []), **given.get("environment", {}))
    assert f"<--base={text}>\n" in done.stdout
    assert not (checkout / "x").exists()


@pytest.mark.parametrize("status", ["0", "1", "2", "3", "4"])
def test_every_verdict_is_a_success(checkout, status):
    assert make(checkout, "review", STATUS=status).returncode == 0


@pytest.mark.parametrize("status", ["5", "64", "130"])
def test_whatever_is_no_verdict_fails(checkout, status):
    done = make(checkout, "review", STATUS=status)
    assert done.returncode != 0
    assert done.stdout == ""


def test_a_crash_that_looks_like_a_verdict_fails(checkout):
    # Python leaves with 1 after a traceback; then there is no comment.
    (checkout / ".venv/bin/werkrevisor").write_text("#!/bin/sh\nexit 1\n")
    assert make(checkout, "review").returncode != 0


def test_make_alone_lists_what_there_is(checkout):
    listed = make(checkout).stdout
    assert "make review - " in listed
    assert "make test - " in listed


def test_an_old_python_is_told_in_one_sentence(checkout):
    old = checkout / "old-python"
    old.write_text("#!/bin/sh\nexit 1\n")
    old.chmod(0o755)
    (checkout / ".venv/ready-review").unlink()
    done = make(checkout, "review", "PYTHON=./old-python")
    assert done.returncode != 0
    assert "werkrevisor needs Python 3.11 or newer" in done.stderr


def test_a_checkout_that_was_moved_sets_up_anew(checkout, tmp_path):
    moved = checkout.rename(tmp_path / "moved")
    assert "--require-hashes" in make(moved, "--dry-run", "review").stdout
