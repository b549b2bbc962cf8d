"""The comparison of the diff reader with git's own list: any difference makes the file unread."""

import pytest
from attrs import evolve

from werkrevisor_core.diff.source import BytesSource
from werkrevisor_core.errors import GitError
from werkrevisor_core.git.listing import Counts, Listed, Listing, compare, read_listing
from werkrevisor_core.models.change import Status
from werkrevisor_core.testing.build import modified

ONE, TWO, ZERO = "1" * 40, "2" * 40, "0" * 40

FILE = modified("a", "1\n", "2\n", old_blob=ONE, new_blob=TWO)
LISTED = Listed("a", "a", Status.MODIFIED, "100644", "100644", ONE, TWO, Counts(1, 1, binary=False))


def listing(*listed):
    return Listing({entry.path: entry for entry in listed})


def read(*fields):
    return read_listing(BytesSource("".join(f"{field}\0" for field in fields).encode("utf-8", "surrogateescape")))


def test_all_kinds_of_entries():
    found = read(
        f":100644 100755 {ONE} {TWO} M",
        "m",
        f":000000 100644 {ZERO} {TWO} A",
        "a\nb\t",
        f":100644 000000 {ONE} {ZERO} D",
        "d",
        f":100644 100644 {ONE} {TWO} R075",
        "from",
        "to",
        f":100644 120000 {ONE} {TWO} T",
        "t",
        "1\t2\tm",
        "3\t0\ta\nb\t",
        "0\t4\td",
        "5\t6\t",
        "from",
        "to",
        "-\t-\tt",
    )
    assert found.twice == set()
    assert list(found.files.values()) == [
        Listed("m", "m", Status.MODIFIED, "100644", "100755", ONE, TWO, Counts(1, 2, binary=False)),
        Listed("a\nb\t", "a\nb\t", Status.ADDED, None, "100644", None, TWO, Counts(3, 0, binary=False)),
        Listed("d", "d", Status.REMOVED, "100644", None, ONE, None, Counts(0, 4, binary=False)),
        Listed("to", "from", Status.RENAMED, "100644", "100644", ONE, TWO, Counts(5, 6, binary=False)),
        Listed("t", "t", Status.TYPE_CHANGED, "100644", "120000", ONE, TWO, Counts(0, 0, binary=True)),
    ]


def test_nothing_listed():
    assert read() == Listing()


@pytest.mark.parametrize(
    "fields",
    [
        [f":100644 100644 {ONE} {TWO} U", "a"],
        [f":100644 100644 {ONE} {TWO} M"],
        [f":100644 100644 {ONE} {TWO} R100", "a"],
        [f"::100644 100644 100644 {ONE} {ONE} {TWO} MM", "a"],
        ["1\t1\tb"],
        ["one\t1\ta"],
        ["hello"],
        [""],
    ],
)
def test_lists_that_git_does_not_print(fields):
    with pytest.raises(GitError, match="cannot be read"):
        read(*fields)


def test_list_that_is_cut_off():
    with pytest.raises(GitError, match="cut off"):
        read_listing(BytesSource(f":100644 100644 {ONE} {TWO} M\0a".encode()))


def test_list_longer_than_a_chunk():
    paths = [f"{number:05}" + "x" * 200 for number in range(6_000)]
    fields = [field for path in paths for field in (f":100644 100644 {ONE} {TWO} M", path)]
    assert list(read(*fields).files) == paths


def test_agreement_changes_nothing():
    (file,) = compare([FILE], listing(LISTED))
    assert file is FILE


def test_what_the_diff_leaves_out_is_taken_from_the_list():
    bare = evolve(FILE, old_mode=None, new_mode=None, old_blob=None, new_blob=None)
    (file,) = compare([bare], listing(LISTED))
    assert file == FILE


@pytest.mark.parametrize(
    ("other", "what"),
    [
        ({"status": Status.ADDED}, "the status"),
        ({"status": Status.RENAMED, "old_path": "b"}, "the status"),
        ({"old_path": "b"}, "the old path"),
        ({"old_mode": "100755"}, "the old mode"),
        ({"new_mode": "120000"}, "the new mode"),
        ({"new_mode": None}, "the new mode"),
        ({"old_blob": TWO}, "the old content's id"),
        ({"new_blob": ONE}, "the new content's id"),
        ({"counts": Counts(1, 2, binary=False)}, "the line counts"),
        ({"counts": Counts(2, 1, binary=False)}, "the line counts"),
        ({"counts": None}, "the line counts"),
        ({"counts": Counts(0, 0, binary=True)}, "whether it is binary"),
    ],
)
def test_any_difference_makes_the_file_unread(other, what):
    listed = evolve(LISTED, **other)
    (file,) = compare([FILE], listing(listed))
    assert file.unread == f"the diff and git's own list of the changed files differ in {what}"
    assert (file.status, file.old_path) == (listed.status, listed.old_path)
    assert (file.old_mode, file.new_mode) == (listed.old_mode, listed.new_mode)
    if listed.counts:
        assert (file.added, file.removed, file.binary) == (
            listed.counts.added,
            listed.counts.removed,
            listed.counts.binary,
        )


def test_text_that_the_diff_calls_binary():
    (file,) = compare([evolve(FILE, binary=True)], listing(LISTED))
    assert file.unread == "the diff and git's own list of the changed files differ in whether it is binary"


def test_unchanged_binary_content_is_binary():
    renamed = evolve(LISTED, status=Status.RENAMED, old_path="b", new_blob=ONE, counts=Counts(0, 0, binary=True))
    bare = evolve(FILE, status=Status.RENAMED, old_path="b", old_blob=None, new_blob=None, added=0, removed=0)
    (file,) = compare([bare], listing(renamed))
    assert (file.unread, file.binary) == (None, True)


def test_counts_of_a_changed_type_are_the_diff_s():
    listed = evolve(LISTED, status=Status.TYPE_CHANGED, new_mode="120000", counts=Counts(0, 0, binary=False))
    (file,) = compare([evolve(FILE, status=Status.TYPE_CHANGED, new_mode="120000")], listing(listed))
    assert (file.unread, file.added, file.removed) == (None, 1, 1)


def test_file_that_only_the_list_names():
    listed = evolve(LISTED, path="b", old_path="old", status=Status.RENAMED, new_mode="100755")
    first, second = compare([FILE], listing(evolve(listed, path="0", old_path="0"), LISTED, listed))[::2]
    assert [first.path, second.path] == ["0", "b"]
    assert "the diff does not show it" in (second.unread or "")
    assert (second.status, second.old_path, second.new_mode) == (Status.RENAMED, "old", "100755")
    assert (second.added, second.removed, second.patch.hunks()) == (1, 1, ())


def test_file_that_only_the_diff_names():
    (file,) = compare([FILE], Listing())
    assert file.unread == "git's own list of the changed files does not name it"


def test_file_that_the_list_names_twice():
    found = read(f":100644 000000 {ONE} {ZERO} D", "a", f":000000 100644 {ZERO} {TWO} A", "a", "0\t1\ta", "1\t0\ta")
    assert found.twice == {"a"}
    (file,) = compare([FILE], found)
    assert file.unread == "git's own list of the changed files names it twice"


def test_the_reader_s_reason_is_kept():
    (file,) = compare([evolve(FILE, unread="cut off")], Listing())
    assert file.unread == "cut off"
