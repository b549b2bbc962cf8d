import pytest
from attrs import evolve

from werkrevisor_core.fingerprints import block_fingerprint, file_mark, framed, whole_mark
from werkrevisor_core.models.change import Block, Status
from werkrevisor_core.testing.build import added, change, modified, renamed

KEY = b"k" * 32
OLD = "".join(f"line {number}\n" for number in range(30))
NEW = OLD.replace("line 3\n", "line three\n").replace("line 20\n", "")
FILE = modified("src/a.py", OLD, NEW, old_blob="1" * 40, new_blob="2" * 40)


def test_a_file_has_one_fingerprint_per_block_in_order():
    mark = file_mark(KEY, FILE)
    assert mark.path == "src/a.py"
    assert mark.blocks == (
        block_fingerprint(KEY, "src/a.py", Block(9, 9, (b"line 3",), (b"line three",))),
        block_fingerprint(KEY, "src/a.py", Block(1, 1, (b"line 20",), ())),
    )
    assert {len(digest) for digest in (mark.header, *mark.blocks)} == {32}


@pytest.mark.parametrize(
    ("key", "path", "block"),
    [
        (b"other", "a", Block(1, 1, (b"x",), (b"y",))),
        (KEY, "b", Block(1, 1, (b"x",), (b"y",))),
        (KEY, "a", Block(1, 1, (b"y",), (b"x",))),
        (KEY, "a", Block(1, 1, (), (b"x", b"y"))),
        (KEY, "a", Block(1, 1, (b"x", b"y"), ())),
        (KEY, "a", Block(1, 1, (b"x",), (b"y", b""))),
        (KEY, "a", Block(1, 1, (b"x\ny",), ())),
        (KEY, "a", Block(1, 1, (b"x",), (b"y\r",))),
        (KEY, "ax", Block(1, 1, (b"",), (b"y",))),
    ],
)
def test_any_other_key_path_or_line_gives_another_fingerprint(key, path, block):
    assert block_fingerprint(key, path, block) != block_fingerprint(KEY, "a", Block(1, 1, (b"x",), (b"y",)))


def test_line_numbers_and_context_are_no_part_of_it():
    moved = modified("src/a.py", "top\n" * 9 + OLD, "top\n" * 9 + NEW, old_blob="3" * 40, new_blob="4" * 40)
    assert file_mark(KEY, moved) == file_mark(KEY, FILE)


@pytest.mark.parametrize(
    "given",
    [
        {"status": Status.RENAMED, "old_path": "src/b.py"},
        {"old_path": "src/b.py"},
        {"new_mode": "100755"},
        {"old_mode": "100755"},
        {"binary": True},
        {"unread": "cut off"},
    ],
)
def test_the_header_says_what_else_changed(given):
    assert file_mark(KEY, evolve(FILE, **given)).header != file_mark(KEY, FILE).header


def test_a_missing_last_line_end_is_part_of_the_header():
    one, other = modified("a", "x\ny\n", "x\nz\n"), modified("a", "x\ny\n", "x\nz")
    assert file_mark(KEY, one).blocks == file_mark(KEY, other).blocks
    assert file_mark(KEY, one).header != file_mark(KEY, other).header


@pytest.mark.parametrize(
    "file",
    [
        change("logo.png", Status.MODIFIED, "", "", binary=True, old_blob="1" * 40),
        change("run.sh", Status.MODIFIED, "", "", new_mode="100755", old_blob="1" * 40),
        change("link", Status.MODIFIED, "a", "b", old_mode="120000", new_mode="120000", old_blob="1" * 40),
        change("sub", Status.MODIFIED, "a", "b", old_mode="160000", new_mode="160000", old_blob="1" * 40),
        change("a.py", Status.MODIFIED, "a\n", "b\n", unread="cut", old_blob="1" * 40),
        modified(
            "big.bin",
            "version https://git-lfs.github.com/spec/v1\noid sha256:aa\nsize 1\n",
            "version https://git-lfs.github.com/spec/v1\noid sha256:bb\nsize 1\n",
            old_blob="1" * 40,
        ),
    ],
    ids=lambda file: file.path,
)
def test_what_no_line_shows_is_known_by_the_ids_of_its_contents(file):
    one, other = evolve(file, new_blob="2" * 40), evolve(file, new_blob="3" * 40)
    assert file_mark(KEY, one).header != file_mark(KEY, other).header
    assert file_mark(KEY, evolve(one, old_blob="9" * 40)).header != file_mark(KEY, one).header


def test_the_ids_of_a_file_whose_lines_are_shown_may_change():
    assert file_mark(KEY, evolve(FILE, new_blob="9" * 40)) == file_mark(KEY, FILE)


def test_one_hash_for_a_file_changes_with_each_of_its_fingerprints():
    mark = file_mark(KEY, FILE)
    whole = whole_mark(KEY, mark)
    assert (whole.path, whole.header, whole.blocks, len(whole.whole)) == ("src/a.py", "", None, 32)
    assert mark.blocks is not None
    others = [
        evolve(mark, header="0" * 32),
        evolve(mark, path="b"),
        evolve(mark, blocks=mark.blocks[:1]),
        evolve(mark, blocks=mark.blocks[::-1]),
        evolve(mark, blocks=(*mark.blocks, mark.blocks[0])),
    ]
    assert whole.whole not in {whole_mark(KEY, other).whole for other in others}


def test_paths_of_any_bytes_have_fingerprints():
    names = ["caf\udce9", "café", "a\nb", "a"]
    assert len({file_mark(KEY, added(name, "x\n")).header for name in names}) == 4
    assert file_mark(KEY, renamed("a", "b")).header != file_mark(KEY, renamed("c", "b")).header


def test_no_two_lists_of_fields_are_framed_alike():
    lists = [[], [b""], [b"", b""], [b"a"], [b"a", b""], [b"", b"a"], [b"ab"], [b"a", b"b"], [framed([b"a"])]]
    assert len({framed(fields) for fields in lists}) == len(lists)
