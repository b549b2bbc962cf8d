import pytest

from werkrevisor_core.diff import reader
from werkrevisor_core.diff.reader import read_diff, sections
from werkrevisor_core.diff.source import BytesSource
from werkrevisor_core.models.change import FileChange, Status

HUNK = b"@@ -1 +1 @@\n-a\n+b\n"


def read(text: bytes) -> dict[str, FileChange]:
    found = read_diff(BytesSource(text))
    assert found.faults == ()
    return {file.path: file for file in found.files}


def one(text: bytes) -> FileChange:
    (file,) = read(text).values()
    return file


def modified(name: bytes, body: bytes = HUNK) -> bytes:
    return b"diff --git a/%s b/%s\nindex 1111111..2222222 100644\n--- a/%s\n+++ b/%s\n%s" % (
        name,
        name,
        name,
        name,
        body,
    )


def test_a_plain_modification():
    file = one(modified(b"src/A.java"))
    assert (file.path, file.old_path, file.status) == ("src/A.java", "src/A.java", Status.MODIFIED)
    assert (file.old_mode, file.new_mode) == ("100644", "100644")
    assert (file.old_blob, file.new_blob) == ("1111111", "2222222")
    assert (file.added, file.removed, file.unread, file.binary) == (1, 1, None, False)
    assert [hunk.lines for hunk in file.patch.hunks()] == [(b"-a", b"+b")]


@pytest.mark.parametrize(
    ("header", "path"),
    [
        (
            b"diff --git a/a b/x.txt b/a b/x.txt\nindex 1111..2222 100644\n--- a/a b/x.txt\t\n+++ b/a b/x.txt\t\n",
            "a b/x.txt",
        ),
        (
            "diff --git a/Bug 排查.md b/Bug 排查.md\nindex 1111..2222 100644\n"
            "--- a/Bug 排查.md\t\n+++ b/Bug 排查.md\t\n".encode(),
            "Bug 排查.md",
        ),
        (
            rb'diff --git "a/Bug \346\216\222.md" "b/Bug \346\216\222.md"' + b"\nindex 1111..2222 100644\n"
            rb'--- "a/Bug \346\216\222.md"' + b"\n" + rb'+++ "b/Bug \346\216\222.md"' + b"\n",
            "Bug 排.md",
        ),
        (b"diff --git x y x y\nindex 1111..2222 100644\n--- x y\t\n+++ x y\t\n", "x y"),
        (b"diff --git i/x w/x\nindex 1111..2222 100644\n--- i/x\n+++ w/x\n", "x"),
        (b"diff --git a/\xff b/\xff\nindex 1111..2222 100644\n--- a/\xff\n+++ b/\xff\n", "\udcff"),
    ],
)
def test_names_with_odd_characters(header, path):
    file = one(header + HUNK)
    assert (file.path, file.old_path, file.status, file.unread) == (path, path, Status.MODIFIED, None)


@pytest.mark.parametrize(
    ("text", "status", "modes"),
    [
        (b"new file mode 100644\nindex 0000000..e69de29\n", Status.ADDED, (None, "100644")),
        (b"deleted file mode 100644\nindex e69de29..0000000\n", Status.REMOVED, ("100644", None)),
        (b"old mode 100644\nnew mode 100755\n", Status.MODIFIED, ("100644", "100755")),
        (
            b"new file mode 100644\nindex 0000000..1111111\n--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+a\n",
            Status.ADDED,
            (None, "100644"),
        ),
        (
            b"deleted file mode 100755\nindex 1111111..0000000\n--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n",
            Status.REMOVED,
            ("100755", None),
        ),
        (
            b"index e69de29..1111111 100644\n--- a/f\n+++ b/f\n@@ -0,0 +1 @@\n+a\n",
            Status.MODIFIED,
            ("100644", "100644"),
        ),
        (
            b"index 1111111..e69de29 100644\n--- a/f\n+++ b/f\n@@ -1 +0,0 @@\n-a\n",
            Status.MODIFIED,
            ("100644", "100644"),
        ),
    ],
)
def test_the_status_comes_from_the_header_and_never_from_the_hunks(text, status, modes):
    file = one(b"diff --git a/f b/f\n" + text)
    assert (file.status, (file.old_mode, file.new_mode), file.unread) == (status, modes, None)


def test_an_added_file_has_no_old_blob():
    assert one(b"diff --git a/f b/f\nnew file mode 100644\nindex 0000000..e69de29\n").old_blob is None
    assert one(b"diff --git a/f b/f\ndeleted file mode 100644\nindex e69de29..0000000\n").new_blob is None


def test_a_space_in_the_path_of_an_added_file():
    text = b"diff --git a/A B/c d.cs b/A B/c d.cs\nnew file mode 100644\nindex 0000000..e69de29\n"
    assert one(text).path == "A B/c d.cs"
    assert one(text).status is Status.ADDED


@pytest.mark.parametrize(("word", "status"), [(b"rename", Status.RENAMED), (b"copy", Status.COPIED)])
def test_renames_and_copies_are_told_apart(word, status):
    file = one(b"diff --git a/x b/long y\nsimilarity index 100%%\n%s from x\n%s to long y\n" % (word, word))
    assert (file.path, file.old_path, file.status, file.unread) == ("long y", "x", status, None)


def test_a_rename_with_a_mode_change_and_lines():
    file = one(
        b"diff --git a/run.txt b/run.sh\nold mode 100644\nnew mode 100755\nsimilarity index 90%\n"
        b"rename from run.txt\nrename to run.sh\nindex 1111..2222\n--- a/run.txt\n+++ b/run.sh\n" + HUNK
    )
    assert (file.status, file.old_mode, file.new_mode, file.added) == (Status.RENAMED, "100644", "100755", 1)


@pytest.mark.parametrize(
    "text",
    [
        b"index 1111111..2222222 100644\nBinary files a/f and b/f differ\n",
        (
            b"index 1111111..2222222 100644\nGIT binary patch\n"
            b"literal 4\nLcmZQzWMT#Y01f~L\n\ndelta 3\nKcmZQz00IC200000\n\n"
        ),
        b"new file mode 100644\nindex 0000000..2222222\nBinary files /dev/null and b/f differ\n",
    ],
)
def test_binary_files_are_read_as_such(text):
    file = one(b"diff --git a/f b/f\n" + text)
    assert (file.binary, file.unread, file.patch.hunks()) == (True, None, ())


def test_a_binary_file_first_does_not_disturb_the_next():
    text = b"diff --git a/f.png b/f.png\nindex 1111..2222 100644\nBinary files a/f.png and b/f.png differ\n"
    assert [(f.path, f.binary) for f in read(text + modified(b"x")).values()] == [("f.png", True), ("x", False)]


def test_a_change_of_type_is_one_file():
    file = one(
        b"diff --git a/f b/f\ndeleted file mode 100644\nindex 1111..0000\n--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n"
        b"diff --git a/f b/f\nnew file mode 120000\nindex 0000..2222\n--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+b\n"
        b"\\ No newline at end of file\n"
    )
    assert (file.status, file.old_mode, file.new_mode) == (Status.TYPE_CHANGED, "100644", "120000")
    assert [hunk.lines for hunk in file.patch.hunks()] == [(b"-a",), (b"+b",)]
    assert file.patch.text().startswith(b"@@ -1 +0,0 @@")
    assert (file.added, file.removed) == (1, 1)


def test_a_file_that_stands_twice_was_not_understood():
    assert one(modified(b"x") * 2).unread == "it stands twice in the diff"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (b"diff --cc f\nindex 1,2..3\n--- a/f\n+++ b/f\n@@@ -1,1 -1,1 +1,1 @@@\n- a\n -b\n++c\n", "combined diff"),
        (b"diff --combined f\nindex 1,2..3\n", "combined diff"),
        (b"diff --git a/f b/f\nindex 1111..2222 100644\n--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n-a\n+b\n", "fewer lines"),
        (
            b"diff --git a/f b/f\nindex 1111..2222 100644\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n-c\n",
            "between the hunks",
        ),
        (b"diff --git a/f b/f\nindex 1111..2222 100644\n", "no hunk shows it"),
        (b"diff --git a/f b/f\nindex 1111..2222 100644\n--- a/f\n+++ b/f\n", "no hunk shows it"),
        (b"diff --git a/f b/f\n", "no hunk shows it"),
        (b"diff --git a/f b/f\nnew file mode 100644\nindex 0000..1111\n", "no hunk shows it"),
        (b"diff --git a/f b/f\ndeleted file mode 100644\nindex 1111..0000\n", "no hunk shows it"),
        (b"diff --git a/x b/y\nsimilarity index 90%\nrename from x\nrename to y\n", "no hunk shows it"),
        (
            b"diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\nindex 1111..2222\n",
            "no hunk shows it",
        ),
        (
            b"diff --git a/f b/f\nnew file mode 100644\nindex 0000..1111\n--- /dev/null\n+++ b/f\n" + HUNK,
            "does not exist",
        ),
        (b"diff --git a/f b/f\nnew file mode 100644\nindex 0000..1111\n--- a/f\n+++ b/f\n" + HUNK, "does not exist"),
        (b"diff --git a/f b/f\nindex 1111..2222 100644\n--- a/g\n+++ b/f\n" + HUNK, "different files"),
        (b"diff --git a/f b/g\nindex 1111..2222 100644\n--- a/f\n+++ b/g\n" + HUNK, "which file"),
        (b"diff --git a/f b/f\nindex 1111..2222 100644\n--- a/f\n" + HUNK, "only one of"),
        (b"diff --git a/f b/f\nstrange line\n", "git does not write"),
        (b"diff --git a/f b/f\nold mode 999\n", "git does not write"),
        (b"diff --git a/f b/f\nold thing mode 100644\n", "git does not write"),
        (b"diff --git a/f b/f\nindex 11\n", "git does not write"),
        (b"diff --git a/f b/f\nindex 1111..2222\nindex 1111..2222\n", "git does not write"),
        (b"diff --git a/f b/g\nrename from f\n", "both names"),
        (b"diff --git a/f b/g\nrename over f\n", "git does not write"),
        (b'diff --git "a/f b/f\n', "does not end"),
        (b"diff --git a/../f b/../f\nindex 1111..2222 100644\n--- a/../f\n+++ b/../f\n" + HUNK, "cannot store"),
        (b"diff --git a/f b/f\nindex 1111..2222 100644\nBinary files a/f and b/f differ\nmore\n", "behind the note"),
        (
            b"diff --git a/f b/f\nindex 1111..2222 100644\nGIT binary patch\nliteral 4\nwith blanks in it\n",
            "inside a binary",
        ),
        (b"diff --git a/f b/f\nindex 1111..22", "middle of a line"),
        (b"diff --git a/f b/f\nindex 1111..2222 100644\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b", "middle of a line"),
    ],
)
def test_what_cannot_be_read_is_said(text, why):
    file = one(text)
    assert file.unread is not None
    assert why in file.unread
    assert file.patch.hunks() == ()


def test_one_broken_file_leaves_the_others_alone():
    text = modified(b"x") + modified(b"y", b"@@ -1,9 +1 @@\n-a\n+b\n") + modified(b"z")
    assert [(f.path, f.unread is None) for f in read(text).values()] == [("x", True), ("y", False), ("z", True)]


@pytest.mark.parametrize(
    ("text", "line"),
    [(b"--- a/x\n+++ b/x\n" + HUNK, 1), (b"\n\n" + HUNK, 3), (b"Submodule s 1111..2222:\n", 1), (b"{}", 1)],
)
def test_a_diff_without_headers_is_a_fault(text, line):
    found = read_diff(BytesSource(text))
    assert found.files == ()
    assert [(fault.why, fault.line) for fault in found.faults] == [
        ("no `diff --git` line, so this is no git diff", line)
    ]


def test_text_before_the_first_file_is_a_fault():
    found = read_diff(BytesSource(b"From 1111 Mon\nSubject: x\n\n" + modified(b"x")))
    assert [file.path for file in found.files] == ["x"]
    assert [fault.why for fault in found.faults] == ["text before the first `diff --git` line"]


@pytest.mark.parametrize("text", [b"", b"\n", b"\n \n"])
def test_nothing_is_no_fault(text):
    assert read_diff(BytesSource(text)) == reader.DiffFiles((), ())


def test_a_diff_converted_to_crlf_is_read_with_clean_names():
    file = one(modified(b"x").replace(b"\n", b"\r\n"))
    assert (file.path, file.status, file.unread, file.crlf_headers) == ("x", Status.MODIFIED, None, True)
    binary = b"diff --git a/f b/f\nindex 1111..2222 100644\nBinary files a/f and b/f differ\n"
    assert one(binary.replace(b"\n", b"\r\n")).binary


def test_text_that_looks_like_a_file_inside_a_hunk_is_text():
    body = b"@@ -1,2 +1,2 @@\n diff --git a/evil b/evil\n-@@ -1 +1 @@\n+--- a/evil\n"
    assert list(read(modified(b"x", body))) == ["x"]


def test_a_path_that_holds_a_header_is_one_path():
    assert list(read(modified(b"x diff --git y"))) == ["x diff --git y"]


@pytest.mark.parametrize("size", [1, 2, 7, 16, 17, 18, 64, 1000])
def test_files_are_found_however_the_text_is_cut(monkeypatch, size):
    text = (
        modified(b"x") + modified(b"y", b"@@ -1 +1 @@\n-diff --git a/q b/q\n+b\n") + b"diff --cc z\n" + modified(b"w")
    )
    whole = list(sections(BytesSource(text), 0, len(text)))
    monkeypatch.setattr("werkrevisor_core.diff.source.CHUNK", size)
    assert list(sections(BytesSource(text), 0, len(text))) == whole
    assert len(whole) == 4


def test_a_diff_that_is_too_large_for_one_file_is_said(monkeypatch):
    monkeypatch.setattr(reader, "MAX_SECTION", 100)
    file = one(modified(b"x", HUNK.replace(b"-a", b"-" + b"a" * 100)))
    assert file.path == "x"
    assert "larger than" in str(file.unread)
    broken = one(b"diff --git a/x b/y\n" + b"z" * 200)
    assert "larger than" in str(broken.unread)


def test_a_diff_with_too_many_lines_is_said(monkeypatch):
    monkeypatch.setattr(reader, "MAX_LINES", 5)
    assert "more than 5 lines" in str(one(modified(b"x")).unread)


ODD = b"".join(
    [
        modified(b"z"),
        b"diff --git a/t b/t\ndeleted file mode 100644\nindex 1111111..0000000\n",
        b"--- a/t\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n",
        b"diff --git a/o b/n\nsimilarity index 100%\nrename from o\nrename to n\n",
        modified(b"cut", b"@@ -1,2 +1 @@\n-a\n+b\n"),
        modified(b"dark", b"@@ -1 +1 @@\n-a\n+\xe2\x80\xae\n"),
        b"diff --git a/t b/t\nnew file mode 120000\nindex 0000000..2222222\n",
        b"--- /dev/null\n+++ b/t\n@@ -0,0 +1 @@\n+x\n",
        b"diff --git a/e b/e\nold mode 100644\nnew mode 100755\n",
        b"diff --git a/pic b/pic\nindex 1111111..2222222 100644\nBinary files a/pic and b/pic differ\n",
        modified(b"\xff"),
    ]
)


@pytest.fixture
def halved(monkeypatch):
    """Let one half of any diff be read in another process."""
    monkeypatch.setattr(reader, "LARGE", 0)
    monkeypatch.setattr(reader, "pays", lambda: True)


@pytest.mark.parametrize(
    "text", [ODD, ODD * 2, b"no diff\n" + ODD, modified(b"one"), b"", b"\n", ODD.replace(b"\n", b"\r\n")]
)
def test_a_half_that_is_read_elsewhere_is_read_the_same(monkeypatch, text):
    source = BytesSource(text)
    alone = read_diff(source)
    monkeypatch.setattr(reader, "LARGE", 0)
    monkeypatch.setattr(reader, "pays", lambda: True)
    assert read_diff(source) == alone


def test_both_halves_are_found(halved):
    assert sorted(read(ODD)) == ["cut", "dark", "e", "n", "pic", "t", "z", "\udcff"]
    assert one(modified(b"t") + b"").status is Status.MODIFIED


def test_a_half_that_cannot_be_read_elsewhere_is_read_here(halved, monkeypatch):
    def fails(*_):
        raise MemoryError

    monkeypatch.setattr(reader, "packed", fails)
    assert sorted(read(ODD)) == ["cut", "dark", "e", "n", "pic", "t", "z", "\udcff"]


def test_what_is_packed_is_unpacked():
    source = BytesSource(ODD)
    packed = reader.packed(source, 0, len(ODD))
    starts = [start for start, _ in sections(source, 0, len(ODD))]
    found = list(reader.unpacked(source, packed))
    assert [start for start, _ in found] == starts
    alone = {file.path: file for file in read_diff(source).files if file.path != "t"}  # t stands twice
    assert {file.path: file for _, file in found if file.path != "t"} == alone


def test_a_large_diff_is_read_here_where_there_is_one_processor(monkeypatch):
    monkeypatch.setattr(reader, "LARGE", 0)
    monkeypatch.setattr(reader, "pays", lambda: False)
    monkeypatch.setattr(reader, "forked", None)
    assert len(read(ODD)) == 8
