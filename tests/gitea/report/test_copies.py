"""The copies on this machine: bounds, tidying, locks between processes."""

import os

import pytest
from attrs import evolve

from werkrevisor_core.errors import GitError, UsageError
from werkrevisor_core.git.command import Server
from werkrevisor_core.git.partial import Bounds, NoSuchCommit, PartialStore
from werkrevisor_gitea.locks import Busy, exclusive, shared
from werkrevisor_gitea.repository_cache import Address, cache_root, folder_name, open_cache
from werkrevisor_gitea.token import Token


@pytest.fixture
def address(project):
    number = project.forge.get("bot", project.api)["id"]
    return Address(project.forge.url, project.full_name, number)


@pytest.fixture
def token(project):
    return Token(project.forge.tokens["bot"])


def sha(project, name="HEAD"):
    return project.git("rev-parse", name)


def test_a_head_is_fetched_once_and_kept(project, address, token, tmp_path):
    change = project.change()
    base = sha(project, "main")
    with open_cache(tmp_path, address, token) as cache:
        cache.bring_head(change.number, change.head, base)
        cache.bring_changes([(base, change.head)])
        assert cache.heads(change.number) == (change.head,)
        assert cache.heads(change.number + 1) == ()
    # Nobody can be asked any more, and nothing has to be asked.
    gone = evolve(address, repository="no/where")
    with open_cache(tmp_path, gone, token) as cache:
        cache.bring_head(change.number, change.head, base)
        cache.bring_changes([(base, change.head)])


def test_a_copy_that_is_half_made_is_made_anew(project, address, token, tmp_path):
    with open_cache(tmp_path, address, token) as cache:
        (cache.git_folder / "HEAD").unlink()
    change = project.change()
    with open_cache(tmp_path, address, token) as cache:
        cache.bring_head(change.number, change.head, sha(project, "main"))
        assert (cache.git_folder / "HEAD").is_file()


def test_a_fetch_that_brings_too_much_is_stopped(project, address, token, tmp_path):
    project.write({"noise.bin": os.urandom(3_000_000)})
    project.commit("noise")
    project.push("main", "owner")
    old, new = sha(project, "HEAD~1"), sha(project)
    with open_cache(tmp_path, address, token, Bounds(size=200_000)) as cache:
        cache.bring_head(1, new, old)
        with pytest.raises(GitError, match=r"has more than 200,000 bytes, so the fetch was stopped"):
            cache.bring_changes([(old, new)])


def test_a_copy_that_is_too_large_or_in_pieces_is_tidied_when_nobody_reads_it(project, address, token, tmp_path):
    change = project.change()
    base = sha(project, "main")
    with open_cache(tmp_path, address, token) as cache:
        cache.bring_head(change.number, change.head, base)
        with open_cache(tmp_path, address, token, Bounds(size=1)) as second:
            assert second.heads(change.number) == (change.head,)
    with open_cache(tmp_path, address, token, Bounds(size=1)) as cache:
        assert cache.heads(change.number) == ()


def test_a_head_of_half_a_year_ago_is_forgotten_and_a_newer_one_is_not(project, address, token, tmp_path):
    old, new = project.change(branch="old"), project.change(branch="new")
    heads = {}
    with open_cache(tmp_path, address, token) as cache:
        for change, branch in ((old, "old"), (new, "new")):
            heads[change.number] = sha(project, branch)
            cache.bring_head(change.number, heads[change.number], sha(project, "main"))
        ref = cache.git_folder / "refs/werkrevisor" / str(old.number) / heads[old.number]
        half_a_year_ago = ref.stat().st_mtime - 181 * 24 * 3600
        os.utime(ref, (half_a_year_ago, half_a_year_ago))
    with open_cache(tmp_path, address, token) as cache:
        assert cache.heads(old.number) == ()
        assert cache.heads(new.number) == (heads[new.number],)


def test_packs_become_one_and_nothing_is_lost(project, token, tmp_path):
    store = _store(project, token, tmp_path)
    heads = []
    for number in range(3):
        project.write({"a.go": f"package a\n\nvar x = {number}\n"})
        heads.append(project.commit(f"{number}"))
        project.push("main", "owner")
        store.bring_commits(heads[-1:], lambda commit: f"refs/werkrevisor/1/{commit}")
    blobs = store.changed_blobs(heads[0], heads[2])
    store.bring_blobs(blobs)
    assert store.packs() == 4
    store.repack()
    assert store.packs() == 1
    assert store.missing([*heads, *blobs]) == []


def _store(project, token, tmp_path):
    url = project.forge.url
    server = Server(url, f"{url}/{project.full_name}.git", f"Authorization: token {token.reveal()}")
    (tmp_path / "store").mkdir()
    store = PartialStore(str(tmp_path / "store"), server)
    store.create("sha1")
    return store


def test_what_the_server_lacks_is_a_sentence(project, token, tmp_path):
    store = _store(project, token, tmp_path)
    with pytest.raises(NoSuchCommit, match=r"the server does not have that commit \(any more\)"):
        store.bring_commits(["1" * 40], lambda commit: f"refs/werkrevisor/1/{commit}")
    with pytest.raises(GitError, match="is no full commit id"):
        store.bring_commits(["main"], lambda commit: f"refs/werkrevisor/1/{commit}")
    with pytest.raises(GitError, match="git cannot compare 111111111111 with 222222222222"):
        store.changed_blobs("1" * 40, "2" * 40)


def test_the_token_is_in_no_text_of_a_server():
    server = Server("https://git.test", "https://git.test/a/b.git", "Authorization: token s3cret")
    assert "s3cret" not in repr(server)
    assert server.environment()["GIT_ALLOW_PROTOCOL"] == "https"
    private = evolve(server, ca_file="/etc/own.pem").environment()
    assert "/etc/own.pem" in private.values()
    assert [value for value in server.environment().values() if "s3cret" in value] == [server.header]


def test_only_one_process_holds_a_lock(tmp_path):
    path = tmp_path / "deep" / "lock"
    reader, writer = os.pipe()
    with exclusive(path, 1, "works"):
        child = os.fork()
        if child == 0:
            try:
                with exclusive(path, 0.2, "works"):
                    os.write(writer, b"both")
            except Busy:
                os.write(writer, b"busy")
            finally:
                os._exit(0)
        os.waitpid(child, 0)
    assert os.read(reader, 4) == b"busy"
    with exclusive(path, 0, "works"):
        pass


def test_who_waits_for_a_lock_is_told_once(tmp_path, monkeypatch):
    told, now = [], iter(range(0, 100, 3))
    monkeypatch.setattr("werkrevisor_gitea.locks.time.monotonic", lambda: next(now))
    monkeypatch.setattr("werkrevisor_gitea.locks.time.sleep", lambda seconds: None)
    path = tmp_path / "lock"
    with (
        exclusive(path, 9, "works", told.append),
        pytest.raises(Busy, match="has not ended within 9 s"),
        exclusive(path, 9, "works", told.append),
    ):
        pass
    assert told == ["another process works; this one waits up to 9 s for it"]


def test_who_shares_a_lock_is_alone_only_without_others(tmp_path):
    with shared(tmp_path / "lock") as one:
        with one.alone() as alone:
            assert alone
        with shared(tmp_path / "lock"), one.alone() as alone:
            assert not alone
        with one.alone() as alone:
            assert alone


def test_a_folder_that_cannot_be_used_is_a_sentence(tmp_path):
    (tmp_path / "file").touch()
    with (
        pytest.raises(UsageError, match=r"cannot be used \(.+\); set WERKREVISOR_CACHE to another"),
        exclusive(tmp_path / "file" / "lock", 0, "works"),
    ):
        pass


def test_where_the_copies_are(tmp_path):
    assert cache_root({"WERKREVISOR_CACHE": "/c"}).as_posix() == "/c"
    assert cache_root({"XDG_CACHE_HOME": "/x"}).as_posix() == "/x/werkrevisor"
    assert cache_root({"XDG_CACHE_HOME": "relative"}).name == "werkrevisor"
    assert cache_root({"XDG_CACHE_HOME": "relative"}).is_absolute()
    assert folder_name("https://git.test/sub", "1") != folder_name("https://git.test/sub", "2")
    assert folder_name("https://git.test/sub", "1").startswith("git.test-sub-")
