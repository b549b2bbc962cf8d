import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from unidiff import PatchSet

from werkrevisor_core.diff.hunks import HunkFault, NoPatch, count_lines, parse_hunks
from werkrevisor_core.models.change import Block
from werkrevisor_core.testing.build import hunk_text, patch

PLAIN = b"@@ -1,3 +1,3 @@ class A {\n a\n-b\n+c\n d\n"


def test_a_hunk_is_read_with_its_counts_and_heading():
    (hunk,) = parse_hunks(PLAIN)
    assert (hunk.old_start, hunk.old_count, hunk.new_start, hunk.new_count) == (1, 3, 1, 3)
    assert hunk.heading == b"class A {"
    assert hunk.lines == (b" a", b"-b", b"+c", b" d")
    assert list(hunk.blocks()) == [Block(2, 2, (b"b",), (b"c",))]


def test_what_looks_like_a_header_inside_a_hunk_is_text():
    text = (
        b"@@ -1,4 +1,4 @@\n--- a/fake\n+++ b/fake\n@@ -1 +1 @@\n".replace(b"@@ -1 +1 @@", b" @@ -1 +1 @@")
        + b" diff --git a/x b/x\n-- x\n+++ i;\n"
    )
    (hunk,) = parse_hunks(text)
    assert hunk.lines == (b"--- a/fake", b"+++ b/fake", b" @@ -1 +1 @@", b" diff --git a/x b/x", b"-- x", b"+++ i;")
    assert count_lines(text) == (2, 2)


def test_only_line_feed_ends_a_line():
    odd = b"a\rb\x0bc\x0cd\x1ce\xc2\x85f\xe2\x80\xa8g"
    text = b"@@ -1 +1 @@\n-x\n+" + odd + b"\n"
    (hunk,) = parse_hunks(text)
    assert hunk.lines == (b"-x", b"+" + odd)


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        (b"@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n", True, False),
        (b"@@ -1 +1 @@\n-a\n+a\n\\ Kein Zeilenumbruch am Dateiende.\n", False, True),
        (b"@@ -1 +1 @@\n-a\n\\ x\n+b\n\\ x\n", True, True),
        (b"@@ -1,2 +1,2 @@\n-a\n+b\n c\n\\ x\n", True, True),
    ],
)
def test_a_missing_newline_at_the_end_is_known_per_side(text, old, new):
    (hunk,) = parse_hunks(text)
    assert (hunk.old_unterminated, hunk.new_unterminated) == (old, new)
    assert count_lines(text) == (1, 1)


@pytest.mark.parametrize(
    "text",
    [
        b"@@ -1,3 +1,3 @@\n a\n-b\n+c\n",  # fewer lines than claimed
        b"@@ -1 +1 @@\n-b\n+c\n d\n",  # more
        b"@@ -1,2 +1,2 @@\n-b\n-c\n-d\n+e\n",  # others
        b"@@ -1 +1 @@\n-b\n+c\ngarbage\n",
        b"garbage\n@@ -1 +1 @@\n-b\n+c\n",
        b"@@ -1 +1 @@\n-b\n+c",  # cut in a line
        b"@@ -1 +1\n-b\n+c\n",
        b"@@ -1 +1 @@\n\\ x\n-b\n+c\n",  # an end where no line ends
        b"@@ -1 +1 @@\n-b\n\\ x\n\\ x\n+c\n",
        b"@@ -1,2 +1 @@\n-b\n\\ x\n-d\n+c\n",  # a line behind the last one
        b"@@ -1 +1 @@\n-b\n+c\n@@ -1 +1 @@\n-b\n+c\n",  # two hunks on one place
        b"@@ -5 +5 @@\n-b\n+c\n@@ -1 +1 @@\n-b\n+c\n",  # backwards
        b"@@ -1 +7 @@\n-b\n+c\n",  # sides that do not fit together
        b"@@ -99999999999 +1 @@\n-b\n+c\n",
    ],
)
def test_hunks_that_are_not_what_they_claim_are_faults(text):
    with pytest.raises(HunkFault):
        parse_hunks(text)
    with pytest.raises(HunkFault):
        count_lines(text)
    assert patch(text).hunks() == ()


def test_an_empty_context_line_may_have_lost_its_blank():
    text = b"@@ -1,3 +1,3 @@\n\n-b\n+c\n\n"
    (hunk,) = parse_hunks(text)
    assert hunk.lines == (b" ", b"-b", b"+c", b" ")
    assert count_lines(text) == (1, 1)


def test_blank_lines_behind_the_last_hunk_carry_nothing():
    assert parse_hunks(PLAIN + b"\n\n") == parse_hunks(PLAIN)
    assert count_lines(PLAIN + b"\n\n") == (1, 1)


def test_no_text_has_no_hunks():
    assert parse_hunks(b"") == ()
    assert count_lines(b"") == (0, 0)
    assert NoPatch().hunks() == ()
    assert NoPatch().text() == b""


def test_line_numbers_count_both_sides():
    (hunk,) = parse_hunks(b"@@ -0,0 +1,2 @@\n+a\n+b\n")
    assert [(old, new) for old, new, _ in hunk.numbered()] == [(1, 1), (1, 2)]
    (hunk,) = parse_hunks(b"@@ -7,2 +6,0 @@\n-a\n-b\n")
    assert [(old, new) for old, new, _ in hunk.numbered()] == [(7, 7), (8, 7)]


LINES = st.lists(
    st.sampled_from(
        [b"a", b"", b"-- x", b"++ y", b"@@ -1 +1 @@", b"diff --git a/x b/x", b"\\ No", b"\r", b"\xff", b" "]
    ),
    max_size=12,
)


@given(LINES, LINES, st.booleans(), st.booleans())
def test_the_old_text_and_the_hunks_give_the_new_text(old, new, old_open, new_open):
    before, after = _joined(old, open_end=old_open), _joined(new, open_end=new_open)
    text = hunk_text(before, after)
    assert _applied(before, text) == after
    assert count_lines(text) == (text.count(b"\n+"), text.count(b"\n-"))


def _joined(lines: list[bytes], *, open_end: bool) -> bytes:
    text = b"".join(line + b"\n" for line in lines)
    return text[:-1] if open_end and text.rstrip(b"\n") == text[:-1] else text


def _applied(before: bytes, text: bytes) -> bytes:
    old = before.split(b"\n")
    terminated = old.pop() == b"" if before else True
    old = before.split(b"\n")[:-1] if terminated else before.split(b"\n")
    out: list[bytes] = []
    at = 0
    for hunk in parse_hunks(text):
        start = hunk.old_start - 1 if hunk.old_count else hunk.old_start
        out += old[at:start]
        out += [line[1:] for line in hunk.lines if line[:1] != b"-"]
        at = start + hunk.old_count
        if at == len(old):
            terminated = not hunk.new_unterminated
    out += old[at:]
    return b"\n".join(out) + (b"\n" if terminated and out else b"")


@given(old=LINES, new=LINES)
def test_unidiff_reads_the_same_lines_from_real_git(tmp_path_factory, old, new):
    folder = tmp_path_factory.mktemp("pair")
    for name, lines in (("old", old), ("new", new)):
        (folder / name).write_bytes(b"".join(line + b"\n" for line in lines))
    text = _git_diff(folder)
    if not text:
        return
    body = text[text.index(b"\n@@ ") + 1 :]
    ours = [line for hunk in parse_hunks(body) for line in hunk.lines]
    header = b"--- a/x\n+++ b/x\n"
    theirs = [
        f"{line.line_type}{line.value}".removesuffix("\n").encode("utf-8", "surrogateescape")
        for hunk in PatchSet((header + body).decode("utf-8", "surrogateescape"))[0]
        for line in hunk
    ]
    assert ours == theirs


def _git_diff(folder: Path) -> bytes:
    command = ["git", "-c", "core.quotePath=false", "diff", "--no-index", "--text", "old", "new"]
    return subprocess.run(command, cwd=folder, capture_output=True, check=False).stdout
