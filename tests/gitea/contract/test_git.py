"""Git over HTTP: fetching commits by their id, with a token in a header."""

import subprocess

import pytest


def fetch(project, role, *what, folder, check=True):
    url = f"{project.forge.url}/{project.full_name}.git"
    project.git("init", "-q", "--bare", str(folder))
    credentials = project.credentials(role) if role else {}
    return project.git(
        "--git-dir", str(folder), "fetch", "-q", "--no-tags", *what[:-1], url, what[-1], check=check, **credentials
    )


def has(project, folder, sha):
    return project.git("--git-dir", str(folder), "cat-file", "-t", sha, check=False) == "commit"


def test_a_commit_by_its_full_id(project, tmp_path):
    change = project.change()
    fetch(project, "bot", change.head, folder=tmp_path)
    assert has(project, tmp_path, change.head)
    assert has(project, tmp_path, project.git("rev-parse", "main"))


def test_without_blobs(project, tmp_path):
    change = project.change()
    fetch(project, "bot", "--filter=blob:none", change.head, folder=tmp_path)
    assert has(project, tmp_path, change.head)
    missing = project.git("--git-dir", str(tmp_path), "rev-list", "--objects", "--missing=print", change.head)
    assert "?" in missing


def test_an_overwritten_head_can_still_be_fetched(project, tmp_path):
    change = project.change()
    old = change.head
    sha = project.commit("amended", "--amend")
    project.push("topic", "author", "-f")
    change.settled(sha)
    fetch(project, "bot", old, folder=tmp_path)
    assert has(project, tmp_path, old)
    assert not has(project, tmp_path, sha)


def test_the_head_of_a_fork_is_in_the_base_repository(forge, project, tmp_path):
    answer = forge.api("forker", "POST", f"{project.api}/forks", {"name": f"git-{forge.suffix}"})
    assert answer.status_code == 202
    project.branch("topic")
    project.write({"b.txt": "2\n"})
    project.commit("from a fork")
    project.push("topic", "forker", repo=f"{forge.name('forker')}/git-{forge.suffix}")
    change = project.open("forker", f"{forge.name('forker')}:topic").ready()
    fetch(project, "bot", change.head, folder=tmp_path)
    assert has(project, tmp_path, change.head)


def test_refs_of_pull_requests(project, tmp_path):
    change = project.change()
    fetch(project, "bot", f"refs/pull/{change.number}/head:refs/heads/x", folder=tmp_path)
    assert project.git("--git-dir", str(tmp_path), "rev-parse", "refs/heads/x") == change.head


def test_an_unknown_commit_is_not_our_ref(project, tmp_path):
    with pytest.raises(AssertionError, match="not our ref"):
        fetch(project, "bot", "0" * 39 + "1", folder=tmp_path)


def test_a_private_repository_needs_a_token_that_may_read_it(forge, tmp_path):
    project = forge.project(private=True)
    head = project.git("rev-parse", "HEAD")
    for role, folder in ((None, "nobody"), ("forker", "stranger")):
        with pytest.raises(AssertionError):
            fetch(project, role, head, folder=tmp_path / folder)
    fetch(project, "reader", head, folder=tmp_path / "reader")
    assert has(project, tmp_path / "reader", head)
    project.remove()


def test_a_public_repository_needs_no_token_to_read_and_one_to_push(project, tmp_path):
    head = project.git("rev-parse", "HEAD")
    fetch(project, None, head, folder=tmp_path)
    assert has(project, tmp_path, head)
    with pytest.raises(AssertionError):
        project.push("topic", "reader")
    done = subprocess.run(
        ["git", "push", f"{project.forge.url}/{project.full_name}.git", "HEAD:refs/heads/topic"],
        cwd=project.folder,
        env={"PATH": "/usr/bin:/bin", "GIT_TERMINAL_PROMPT": "0", "HOME": "/nonexistent", "LC_ALL": "C"},
        capture_output=True,
        check=False,
    )
    assert done.returncode != 0


def test_a_token_without_the_scope_cannot_fetch_a_private_repository(forge, tmp_path):
    project = forge.project(private=True)
    head = project.git("rev-parse", "HEAD")
    tokens = dict(forge.tokens)
    try:
        forge.tokens["bot"] = forge.token("bot", ("read:user",))
        with pytest.raises(AssertionError):
            fetch(project, "bot", head, folder=tmp_path / "without")
        forge.tokens["bot"] = forge.token("bot", ("read:repository",))
        fetch(project, "bot", head, folder=tmp_path / "with")
    finally:
        forge.tokens.update(tokens)
    assert has(project, tmp_path / "with", head)
    project.remove()
