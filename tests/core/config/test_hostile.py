"""Hostile files: every one ends as a fault or a value, in bounded time, and never in an exception."""

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from werkrevisor_core.config.layers import Layer, LayerKind, load
from werkrevisor_core.config.sections import CORE_SECTIONS


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"[size\nmax_files = 1", ": line 1, column 6: Expected ']' at the end of a table declaration"),
        (b"[size]\nmax_files = 1\nmax_files = 2\n", ": line 3, column 14: Cannot overwrite a value"),
        (b"[size]\n[size]\n", ": line 2, column 6: Cannot declare ('size',) twice"),
        (b"[size]\nmax_files = [1,", ": line 2, column 16: Invalid value"),
        (b"[size]\nmax_files = \xff", ": line 2, column 13: not valid UTF-8"),
        (b'a = "\\ud800"', ": line 1, column 12: Escaped character is not a Unicode scalar value"),
        (b"a = 1\x00", ": line 1, column 6: Expected newline or end of document after a statement"),
        (b"a = " + b"[" * 5000, ": its lists or tables are nested too deeply"),
        (b"a = " + b"{a = " * 5000, ": its lists or tables are nested too deeply"),
        (b"[size]\nmax_files = " + b"9" * 5000, ": line 2, column 13: a number or date cannot be read"),
        (b"a." * 17 + b"a = 1", ": line 1, column 1: a dotted key has more than 16 parts"),
        (b"x = 1\n[" + b"a . " * 60_000 + b"a]", ": line 2, column 2: a dotted key has more than 16 parts"),
        (b"x = {" + b"'a'." * 60_000 + b"a = 1}", ": line 1, column 6: a dotted key has more than 16 parts"),
        (b"#" * (256 * 1024 + 1), ": 262145 bytes are too many; a config file holds at most 262144"),
        (b"a = 2024-02-31", None),
        (b'a = "' + b'\\"' * 100_000, None),
        (b'"""' + b'""' * 100_000, None),
        (b"'''" + b"''a" * 60_000, None),
        (b"a" * 200_000, None),
        (b"\r\r\r", None),
    ],
)
def test_what_is_no_toml_is_one_fault_with_its_place(text, message):
    for kind in LayerKind:
        loaded = load([Layer("file", kind, text)], {})
        (fault,) = loaded.faults
        assert (fault.section, fault.key, fault.layer, fault.kind) == ("", "", "file", kind)
        assert str(fault).isprintable()
        if message is not None:
            assert str(fault) == f"file{message}"


def test_a_file_of_the_largest_size_is_read():
    assert load([Layer("file", LayerKind.HOST, b"#" * (256 * 1024))], {}).faults == ()


def test_dots_in_strings_and_comments_are_no_keys(config):
    dots = "a." * 40
    loaded = config(f'# {dots}\n[mechanical]\nwhitespace_significant = [\'{dots}\', """{dots}""", "{dots}"]')
    assert loaded.faults == ()
    assert loaded.section("mechanical").whitespace_significant == (dots, dots, dots)


def test_a_byte_order_mark_and_windows_line_ends_are_no_fault(config):
    loaded = config(b"\xef\xbb\xbf[size]\r\nmax_files = 3\r\n")
    assert loaded.faults == ()
    assert loaded.section("size").max_files == 3


def test_what_cannot_be_seen_is_escaped_and_what_is_long_is_cut(config):
    key = "\\u202e`@all`\\n\\u0000" + "x" * 1000
    loaded = config(repository=f'"{key}" = 1\n[size]\n"{key}" = 1\nmax_files = "{key}"')
    texts = [*loaded.warnings, *map(str, loaded.faults)]
    assert len(texts) == 3
    assert all(text.isprintable() and len(text) < 400 for text in texts)
    assert all('"\\u202e`@all`\\n\\u0000xxx' in text for text in texts)


def test_many_faults_are_counted_and_not_all_spelt_out(config):
    text = "[size]\n" + "".join(f"max_{number} = 1\n" for number in range(15_000))
    host = config(text)
    assert len(host.faults) == 101
    assert str(host.faults[-1]) == "host.toml: 14900 more faults"
    repository = config(repository=text)
    assert repository.faults == ()
    assert len(repository.warnings) == 101
    assert repository.warnings[-1] == ".werkrevisor.toml: 14900 more unknown names, ignored as well"


def test_the_name_of_a_layer_may_be_any_file_name():
    (fault,) = load([Layer("a\udcff\n.toml", LayerKind.HOST, b"[")], {}).faults
    assert str(fault).startswith("a\\udcff\\n.toml: line 1, column 2: ")


NAMES = st.sampled_from([*CORE_SECTIONS, "size", "mechanical", "wide", "version", "max_files", "imports", "rules"])
KEYS = NAMES | st.sampled_from(["mode", "branches", "reviewers", "ratio", "enabled", "auto_approvable", "globs"])
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["12", "true", "combined", "docs_only", "(unclosed", "!x", 2**63, 2**70])
    | st.datetimes()
)
WANTED = {
    ("size", "max_files"): (int, lambda value: 0 <= value < 2**63),
    ("mechanical", "enabled"): (bool, lambda _: True),
    ("model", "engine"): (str, lambda _: True),
    ("wide", "ratio"): (float, math.isfinite),
    ("wide", "style"): (str, lambda value: value in ("a", "b")),
}
"""Section and key -> the only type that is taken, and which values of it are."""

VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3))
TABLES = st.dictionaries(NAMES, st.dictionaries(KEYS, VALUES, max_size=4) | VALUES, max_size=4)


@given(host=TABLES, repository=TABLES, command_line=TABLES)
def test_random_tables_never_raise_and_their_messages_are_printable(sections, host, repository, command_line):
    given_layers = [
        Layer("host", LayerKind.HOST, host),
        Layer("repository", LayerKind.REPOSITORY, repository),
        Layer("command line", LayerKind.COMMAND_LINE, command_line),
    ]
    loaded = load(given_layers, sections)
    assert all(str(fault).isprintable() for fault in loaded.faults)
    assert all(warning.isprintable() for warning in loaded.warnings)
    assert len(loaded.digest) == 64


@given(value=VALUES, section_key=st.sampled_from(sorted(WANTED)))
def test_random_values_are_taken_as_they_are_or_refused(sections, value, section_key):
    section, key = section_key
    wanted, fits = WANTED[section_key]
    assume(not (wanted is float and type(value) is int))  # an int is a float by intent, tested elsewhere
    loaded = load([Layer("host", LayerKind.HOST, {section: {key: value}})], sections)
    got = getattr(loaded.section(section), key)
    if type(value) is wanted and fits(value):
        assert loaded.faults == ()
        assert (type(got), got) == (wanted, value)
    else:
        (fault,) = loaded.faults
        assert (fault.section, fault.key) == (section, key)
        assert got == getattr(type(loaded.section(section))(), key)


@given(st.binary(max_size=200) | st.text(max_size=200).map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_random_bytes_never_raise(sections, data):
    for kind in LayerKind:
        loaded = load([Layer("file", kind, data)], sections)
        assert all(str(fault).isprintable() for fault in loaded.faults)


@given(st.text(alphabet="[]{}=.,\"'#\n\\ ax1_-", max_size=60))
def test_random_text_of_toml_characters_never_raises(sections, text):
    loaded = load([Layer("file", LayerKind.HOST, text.encode())], sections)
    assert all(str(fault).isprintable() for fault in loaded.faults)


def test_what_a_check_repeats_is_bounded_and_visible(config):
    regex = "(\\u202e\\n" + "x" * 100_000
    (fault,) = config(repository=f'[mechanical.imports]\njava = ["{regex}"]').faults
    assert str(fault).isprintable()
    assert len(str(fault)) < 500
