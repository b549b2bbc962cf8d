"""What the house promises about its modules; see CONTRIBUTING.md."""

import ast
import os
import re
import subprocess
import sys

MAX_LINES = 400
BANNED_NAMES = {"helper", "helpers", "manager", "misc", "util", "utils", "common"}
PACKAGES = ("werkrevisor_core", "werkrevisor_rules", "werkrevisor_gitea")
# Written in pieces, so that this file does not hold what it looks for.
BANNED_TEXT = re.compile(
    "|".join(
        "".join(pieces)
        for pieces in (
            ("/ho", "me/[a-z]"),
            ("/Us", "ers/"),
            ("/wo", "rk/"),
            ("/opt/wh", "eels"),
            ("--ind", "ex-url"),
            ("--extra-ind", "ex-url"),
            ("--find-", "links"),
            ("pythonho", "sted"),
            (r"pypi\.", "org"),
        )
    )
)
FORBIDDEN_CALLS = {"open", "exec", "eval", "compile", "__import__", "input", "print"}
NOT_OURS = {"LICENSE"}

IMPORT_EACH_ALONE = """
import os, sys
import argparse, importlib.metadata, json, logging, subprocess, tomllib
import attrs, cattrs, httpx, pluggy, re2, tree_sitter
for name in sys.argv[1:]:
    child = os.fork()
    if child == 0:
        try:
            __import__(name)
        except BaseException as error:
            print(f"{name}: {type(error).__name__}: {error}", flush=True)
            os._exit(1)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    if status:
        print(f"{name}: exit status {status}", flush=True)
"""


def names_of(root, paths):
    for path in paths:
        parts = path.relative_to(root).with_suffix("").parts
        yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def test_no_module_is_longer_than_one_can_keep_in_mind(root, sources):
    lengths = {str(path.relative_to(root)): len(path.read_bytes().split(b"\n")) - 1 for path in sources}
    assert {name: length for name, length in lengths.items() if length > MAX_LINES} == {}


def test_no_module_has_a_name_that_says_nothing(root, sources):
    words = {name: set(re.split(r"[._]", name)) & BANNED_NAMES for name in names_of(root, sources)}
    assert {name: found for name, found in words.items() if found} == {}


def test_every_package_is_typed(root):
    assert [package for package in PACKAGES if not (root / package / "py.typed").is_file()] == []


def test_every_module_can_be_imported_alone(root, sources):
    # Forked before anything of the project is imported: as good as a fresh interpreter, and cheap
    # as long as byte code may be kept.
    names = list(names_of(root, sources))
    assert len(names) > 20
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", IMPORT_EACH_ALONE, *names],
        cwd=root,
        env={name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == ""


def test_no_text_names_a_machine_or_a_package_index(root, tracked):
    found = {}
    for path in tracked:
        name = str(path.relative_to(root))
        if name not in NOT_OURS and (hit := BANNED_TEXT.search(path.read_bytes().decode("utf-8", "replace"))):
            found[name] = hit.group()
    assert found == {}


def test_rules_do_not_open_files_or_run_text(root, sources):
    found = []
    for path in sources:
        if path.relative_to(root).parts[0] != "werkrevisor_rules":
            continue
        for node in ast.walk(ast.parse(path.read_bytes())):
            name = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
            found += [f"{path.name}: {name}"] if name in FORBIDDEN_CALLS else []
    assert found == []
