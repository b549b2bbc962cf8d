"""A rename whose first line names other files than its `rename` lines is not read."""

import pytest

from werkrevisor_core.diff.reader import read_diff
from werkrevisor_core.diff.source import BytesSource


def read(first: bytes, old: bytes, new: bytes):
    text = b"diff --git %s\nsimilarity index 100%%\nrename from %s\nrename to %s\n" % (first, old, new)
    (file,) = read_diff(BytesSource(text)).files
    return file


@pytest.mark.parametrize(
    ("first", "old", "new"),
    [
        (b"a/A.java b/B.java", b"A.java", b"B.java"),
        (b"A.java B.java", b"A.java", b"B.java"),
        (b"i/x y w/y x z", b"x y", b"y x z"),
        (b'"a/\\t" b/B.java', b'"\\t"', b"B.java"),
        (b'a/A.java "b/\\t"', b"A.java", b'"\\t"'),
    ],
)
def test_names_that_agree_are_read(first, old, new):
    assert read(first, old, new).unread is None


@pytest.mark.parametrize(
    ("first", "old", "new"),
    [
        (b"a/A.java b/B.java", b"C.java", b"B.java"),
        (b"a/A.java b/B.java", b"A.java", b"C.java"),
        (b"a/A.java b/B.java", b"B.java", b"A.java"),
        (b'"a/\\t" b/B.java', b'"\\n"', b"B.java"),
        (b'a/A.java "b/\\t"', b"A.java", b'"\\n"'),
    ],
)
def test_names_that_differ_are_a_fault(first, old, new):
    assert read(first, old, new).unread == "the header names different files"
