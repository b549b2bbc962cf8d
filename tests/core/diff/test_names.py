import pytest
from hypothesis import given
from hypothesis import strategies as st

from werkrevisor_core.diff.names import NameFault, check_path, common_path, two_names, unquote


@pytest.mark.parametrize(
    ("quoted", "plain"),
    [
        (b"plain name", b"plain name"),
        (rb'"\303\274.txt"', "ü.txt".encode()),
        (rb'"a\tb\nc\\d\"e"', b'a\tb\nc\\d"e'),
        (rb'"\a\b\f\r\v"', b"\a\b\f\r\v"),
        ('"Bug 排查.md"'.encode(), "Bug 排查.md".encode()),
    ],
)
def test_quoted_names_are_read_as_git_wrote_them(quoted, plain):
    assert unquote(quoted) == plain


@pytest.mark.parametrize("quoted", [b'"open', b'"a"b"', rb'"\x41"', rb'"\9"', rb'"\400"', b'"a\\"'])
def test_quotes_that_git_does_not_write_are_faults(quoted):
    with pytest.raises(NameFault):
        unquote(quoted)


@given(st.binary(min_size=1, max_size=40))
def test_unquoting_undoes_octal_quoting_of_any_bytes(name):
    quoted = b'"' + b"".join(b"\\%03o" % byte for byte in name) + b'"'
    assert unquote(quoted) == name


@pytest.mark.parametrize("path", [b"", b"/etc/passwd", b"a/../b", b"./a", b"a//b", b"a/", b"a\0b"])
def test_paths_that_git_cannot_store_are_faults(path):
    with pytest.raises(NameFault):
        check_path(path)


def test_a_path_of_any_bytes_survives():
    assert check_path(b"a/\xff.txt") == "a/\udcff.txt"


@pytest.mark.parametrize(
    ("rest", "names"),
    [
        (b"a/x b/x", (b"a/x", b"b/x")),
        (b"a/a b/x.txt b/a b/x.txt", (b"a/a b/x.txt", b"b/a b/x.txt")),
        (b"x y x y", (b"x y", b"x y")),
        (rb'"a/\303\274" "b/\303\274"', ("a/ü".encode(), "b/ü".encode())),
        (rb'a/x "b/\303\274"', (b"a/x", "b/ü".encode())),
        (rb'"a/\303\274" b/x', ("a/ü".encode(), b"b/x")),
        (b"a/one b/three", None),
    ],
)
def test_the_two_names_of_a_header_are_told_apart(rest, names):
    assert two_names(rest) == names


def test_a_broken_quote_in_a_header_is_a_fault():
    with pytest.raises(NameFault):
        two_names(b'"a/x b/x')


@pytest.mark.parametrize(
    ("old", "new", "path"),
    [
        (b"a/x", b"b/x", b"x"),
        (b"i/x", b"w/x", b"x"),
        (b"a/x", b"a/x", b"a/x"),
        (b"a/x", b"b/y", None),
        (b"z/x", b"y/x", None),
        (b"old/x", b"new/x", None),
    ],
)
def test_prefixes_are_taken_off_only_where_git_puts_them(old, new, path):
    assert common_path(old, new) == path
