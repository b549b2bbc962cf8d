"""Globs mean what git says they mean; git itself is asked."""

import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from werkrevisor_core.globs import GlobFault, Globs, fold, glob_fault, translate


@pytest.mark.parametrize(
    ("glob", "paths", "others"),
    [
        ("a", ["a", "a/b", "c/a", "c/a/b"], ["b", "ab", "c/ab", "A"]),
        ("/a", ["a", "a/b"], ["c/a"]),
        ("a/b", ["a/b", "a/b/c"], ["c/a/b", "a/bc"]),
        ("a/", ["a/b", "c/a/b"], ["a", "c/a"]),
        ("*.py", ["a.py", "b/a.py", ".py", "a.py/b"], ["a.pyc", "apy"]),
        ("src/*.py", ["src/a.py"], ["src/b/a.py", "a.py"]),
        ("a*b", ["ab", "axb", "c/axxb"], ["a/b", "axbx"]),
        ("a?b", ["axb", "a\u00e9b"], ["ab", "a/b", "axxb"]),
        ("**", ["a", "a/b"], []),
        ("**/", ["a/b"], ["a"]),
        ("**/a", ["a", "b/a", "b/c/a/d"], ["ba"]),
        ("a/**", ["a/b", "a/b/c"], ["a", "b/a/c"]),
        ("a/**/b", ["a/b", "a/c/b", "a/c/d/b/e"], ["ab", "a/cb"]),
        ("a/**/", ["a/b/c"], ["a/b", "a"]),
        ("**/a/**", ["a/b", "c/a/b"], ["a", "c/a"]),
        ("a**b", ["ab", "axb"], ["a/b"]),
        ("[ab]", ["a", "b"], ["c", "ab"]),
        ("[!ab]", ["c", "c/a"], ["a", "b/a"]),
        ("[^a]", ["c"], ["a"]),
        ("[a-c]x", ["ax", "cx"], ["dx", "-x"]),
        ("[]a]x", ["]x", "ax"], ["x"]),
        ("[a-]x", ["-x", "ax"], ["bx"]),
        ("[.-0]x", [".x", "0x"], ["/x", "1x"]),
        ("[[:digit:]_]x", ["7x", "_x"], ["ax", "[x"]),
        ("[\\]]x", ["]x"], ["\\x"]),
        ("[a-\\c]x", ["bx"], ["dx"]),
        ("\\#a", ["#a"], ["a"]),
        ("\\!a", ["!a"], ["a"]),
        ("\\*", ["*"], ["a"]),
        ("a\\ ", ["a "], ["a"]),
        ("a ", ["a"], ["a "]),
        (" a", [" a"], ["a"]),
        ("a.b+(c)|$", ["a.b+(c)|$"], ["axb+(c)|$"]),
        ("{a,b}", ["{a,b}"], ["a"]),
        ("a", ["x\ny/a/b\n"], ["x\na", "a\n"]),
        ("s\u00e9curit\u00e9/", ["s\u00e9curit\u00e9/a"], ["securite/a"]),
    ],
)
def test_meaning(glob, paths, others):
    globs = Globs((glob,))
    assert [path for path in paths if globs.match(path) != glob] == []
    assert [path for path in others if globs.match(path) is not None] == []


@pytest.mark.parametrize(
    ("glob", "why"),
    [
        ("", "it matches nothing"),
        (" ", "it matches nothing"),
        ("/", "it matches nothing"),
        ("#a", "it is a comment"),
        ("!a", "a glob cannot be negated"),
        ("a//b", "no path has such a part"),
        ("./a", "no path has such a part"),
        ("a/../b", "no path has such a part"),
        ("a\\", "nothing follows its backslash"),
        ("[a", "its bracket is not closed"),
        ("[]", "its bracket is not closed"),
        ("[a\\", "nothing follows its backslash"),
        ("[a/b]", "its bracket is not closed"),
        ("[z-a]", "its range z-a runs backwards"),
        ("[[:word:]]", "it has no class of characters"),
        ("a" * 4097, "longer than 4096 characters"),
        ("a\udcff", "not valid text"),
    ],
)
def test_glob_that_means_nothing_is_refused(glob, why):
    fault = glob_fault(("*.py", glob))
    assert fault is not None
    assert why in fault
    assert "has an invalid glob " in fault
    with pytest.raises(GlobFault):
        Globs((glob,))


def test_globs_that_mean_something_have_no_fault():
    assert glob_fault(("*.py", "a/**")) is None


def test_first_matching_glob_is_named():
    globs = Globs(("*.c", "src/", "*.py"))
    assert globs.match("src/a.py") == "src/"
    assert globs.match("a.py") == "*.py"
    assert globs.match("src/a.c") == "*.c"
    assert globs.match("a.h") is None


def test_no_glob_matches_nothing():
    assert Globs(()).match("a") is None


@pytest.mark.parametrize(
    ("glob", "path"),
    [
        ("CLAUDE.md", "docs/claude.MD"),
        ("claude.md", "CLAUDE.MD"),
        ("se\u0301curite\u0301", "S\u00c9CURIT\u00c9/a"),
        ("s\u00e9curit\u00e9", "se\u0301curite\u0301/a"),
        ("stra\u00dfe", "STRASSE"),
        ("kelvin", "\u212aelvin"),
        ("[A-C]x", "bX"),
        ("[!a]x", "Bx"),
        ("e*", "e\u0301"),
        ("a?c", "a\u00dfc"),
        ("[[:upper:]]x", "ax"),
    ],
)
def test_folded_match(glob, path):
    assert Globs((glob,), folded=True).match(path) == glob


@pytest.mark.parametrize(("glob", "path"), [("a", "b"), ("[!a]x", "ax"), ("A/b", "ab"), ("stra\u00dfe", "strase")])
def test_folded_globs_do_not_match_everything(glob, path):
    assert Globs((glob,), folded=True).match(path) is None


def test_bytes_that_are_no_text():
    name = b"a\xffb.py".decode("utf-8", "surrogateescape")
    assert Globs(("*.py",)).match(name) == "*.py"
    assert Globs(("*.PY",), folded=True).match(name) == "*.PY"
    assert Globs(("a?b.py",)).match(name) == "a?b.py"
    assert Globs(("a\ufffdb.py",)).match(name) == "a\ufffdb.py"


def test_hostile_glob_takes_no_time_on_a_hostile_path():
    assert Globs(("*a" * 100 + "b",)).match("a" * 4000) is None
    assert Globs(("**/a/" * 100 + "b",)).match("a/" * 2000 + "c") is None


def test_where_the_set_is_exhausted_the_globs_are_tried_one_by_one():
    class Exhausted:
        def Match(self, _text):  # noqa: N802 (google-re2's name)
            return []

    globs = Globs(("*.c", "src/", "*.py"))
    globs._exact._set = Exhausted()  # noqa: SLF001 (no input is known that brings google-re2 there)
    assert globs.match("src/a.py") == "src/"
    assert globs.match("a.h") is None


def test_fold():
    assert fold("A/\u00c9/e\u0301") == "a/\u00e9/\u00e9"


def test_translation_is_anchored_and_takes_newlines_for_characters():
    assert translate("/a") == r"(?s)^a(?:/|\z)"


PIECES = ["a", "b", ".", "*", "**", "?", "/", "[ab]", "[!a]", "\\*", "-", "A", "[a-c]", "**/", "/**", "[.-c]", "[]a]"]
NAMES = st.text("abcA.-*]", min_size=1, max_size=3).map(lambda name: "a" if name in (".", "..") else name)
PATHS = st.lists(NAMES, min_size=1, max_size=4).map("/".join)


@pytest.fixture(scope="module")
def repository(tmp_path_factory):
    folder = tmp_path_factory.mktemp("globs")
    subprocess.run(["git", "init", "-q", str(folder)], check=True, capture_output=True)
    return folder


@given(
    glob=st.lists(st.sampled_from(PIECES), min_size=1, max_size=6).map("".join),
    paths=st.lists(PATHS, min_size=20, max_size=40, unique=True),
)
@settings(max_examples=max(60, settings().max_examples // 5))
def test_git_agrees(repository, glob, paths):
    try:
        globs = Globs((glob,))
    except GlobFault:
        return
    (repository / ".git" / "info" / "exclude").write_text(glob + "\n")
    asked = subprocess.run(
        ["git", "-C", str(repository), "-c", "core.excludesFile=", "check-ignore", "--no-index", "-z", "--stdin"],
        input="\0".join(paths).encode(),
        capture_output=True,
        check=False,
    )
    assert asked.stderr == b""
    ignored = {path for path in asked.stdout.decode().split("\0") if path}
    assert {path for path in paths if globs.match(path) is not None} == ignored
