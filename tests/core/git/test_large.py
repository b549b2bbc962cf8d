"""Large changes: many files, a huge line, a file of NULs."""

import tracemalloc

from werkrevisor_core.git.source import open_source
from werkrevisor_core.models.change import Status
from werkrevisor_core.models.ports import Side

MB = 1 << 20


def many(count, version):
    """Return a fast-import commit that sets every file."""
    texts = [b"one\ntwo\n%d\n%d\n" % (number, version) for number in range(count)]
    files = b"".join(
        b"M 100644 inline d%d/f%06d\ndata %d\n%s\n" % (number % 50, number, len(text), text)
        for number, text in enumerate(texts)
    )
    return b"commit refs/heads/main\ncommitter A <a@example.org> 1 +0000\ndata 0\n" + files


def test_many_files(repo):
    count = 5_000
    repo.git("fast-import", "--quiet", given=many(count, 1) + many(count, 2))
    with open_source(repo.path) as source:
        base, head = source.resolve("main~1"), source.resolve("main")
        tracemalloc.start()
        change = source.change_set(base, head)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert len(change.files) == count
        assert {(file.status, file.added, file.removed, file.unread) for file in change.files} == {
            (Status.MODIFIED, 1, 1, None)
        }
    assert peak < count * 2_500 + 8 * MB  # so 200,000 files stay below 1 GB


def test_line_of_50_mb(repo):
    repo.commit({"a": b"x" * (50 * MB)})
    repo.commit({"a": b"x" * (50 * MB) + b"y\n"})
    with open_source(repo.path) as source:
        change = source.change_set(source.resolve("HEAD~1"), source.resolve("HEAD"))
        (file,) = change.files
        assert file.status is Status.MODIFIED
        assert (file.added, file.removed) == (1, 1)
        assert file.unread is None or "larger than" in file.unread


def test_10_mb_of_nuls(repo):
    repo.commit({"a": "a\n", "b": b"text\n" * 2000})
    repo.commit({"a": bytes(10 * MB), "b": b"text\n" * 2000 + bytes(10 * MB)})
    with open_source(repo.path) as source:
        change = source.change_set(source.resolve("HEAD~1"), source.resolve("HEAD"))
        first, second = change.files
        assert (first.binary, first.unread) == (True, None)
        # The NULs come behind the first 8,000 bytes, so git shows one line of 10 MB.
        assert (second.binary, second.added, second.removed, second.unread) == (False, 1, 0, None)
        assert source.contents(change).read(Side.NEW, "a") == bytes(10 * MB)
