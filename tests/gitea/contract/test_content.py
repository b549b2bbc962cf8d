"""Diffs, changed files, commits, blobs and raw files, with the traps of each."""

import base64

import pytest

NOTHING = "0" * 39 + "1"


@pytest.fixture
def change(project):
    """A pull request with several shapes of change."""
    big = "".join(f"line {number}\n" for number in range(40))
    project.write(
        {"old.py": big, "bin.dat": bytes(range(256)), "run.sh": "echo\n", "gone.txt": "x\n", "umläut/é f.txt": "x\n"}
    )
    project.commit("more files")
    project.push("main", "owner")
    project.branch("topic")
    project.git("mv", "old.py", "new.py")
    project.write(
        {"bin.dat": bytes(reversed(range(256))), "umläut/é f.txt": "y\n", "new.txt": "", "lat.txt": b"caf\xe9\n"}
    )
    project.replace("new.py", "line 7\n", "line seven\n")
    (project.folder / "run.sh").chmod(0o755)
    (project.folder / "gone.txt").unlink()
    project.commit("shapes")
    project.push("topic", "author")
    return project.open("author", "topic").ready()


def test_the_diff(forge, change):
    answer = forge.api("bot", "GET", f"{change.api}.diff")
    assert answer.headers["content-type"].startswith("text/plain")
    text = answer.content
    assert "diff --git a/umläut/é f.txt b/umläut/é f.txt".encode() in text
    assert b"rename from old.py\nrename to new.py\n" in text
    assert b"Binary files a/bin.dat and b/bin.dat differ" in text
    assert b"old mode 100644\nnew mode 100755\n" in text
    assert b"+caf\xe9\n" in text
    binary = forge.api("bot", "GET", f"{change.api}.diff?binary=true").content
    assert b"GIT binary patch" in binary
    assert forge.api("bot", "GET", f"{change.api}.patch").content.startswith(b"From ")


def test_changed_files(forge, change):
    rows = {row["filename"]: row for row in forge.get("bot", f"{change.api}/files?limit=50")}
    assert {name: row["status"] for name, row in rows.items()} == {
        "new.py": "renamed",
        "bin.dat": "unchanged",
        "run.sh": "unchanged",
        "gone.txt": "deleted",
        "umläut/é f.txt": "changed",
        "new.txt": "added",
        "lat.txt": "added",
    }
    assert rows["new.py"]["previous_filename"] == "old.py"
    assert "previous_filename" not in rows["new.txt"]
    assert (rows["new.py"]["additions"], rows["new.py"]["deletions"], rows["new.py"]["changes"]) == (1, 1, 2)
    assert "patch" not in rows["new.py"]


def test_files_in_pages(forge, project):
    project.branch("topic")
    project.write({f"d/{number:02}.txt": "x\n" for number in range(55)})
    project.commit("many")
    project.push("topic", "author")
    change = project.open("author", "topic").ready()
    answer = forge.api("bot", "GET", f"{change.api}/files?limit=100")
    assert len(answer.json()) == 50
    headers = {
        name: answer.headers[name] for name in ("x-total-count", "x-page", "x-perpage", "x-pagecount", "x-hasmore")
    }
    assert headers == {"x-total-count": "55", "x-page": "1", "x-perpage": "50", "x-pagecount": "2", "x-hasmore": "true"}
    assert [row["filename"] for row in forge.get("bot", f"{change.api}/files?limit=50&page=2")] == [
        f"d/{n}.txt" for n in range(50, 55)
    ]
    assert forge.get("bot", f"{change.api}/files?limit=50&page=9") == []
    assert change.get()["changed_files"] == 55


def test_the_parameters_that_crash(forge, change):
    assert forge.api("bot", "GET", f"{change.api}/files?skip-to=run.sh").status_code == 500


def test_commits(forge, change):
    project = change.project
    project.write({"b.txt": "x\n"})
    sha = project.commit("second")
    project.push("topic", "author")
    change.settled(sha)
    answer = forge.api("bot", "GET", f"{change.api}/commits?files=false")
    assert [row["commit"]["message"].strip() for row in answer.json()] == ["second", "shapes"]
    first = answer.json()[0]
    assert first["sha"] == sha
    assert first["commit"]["author"] == {
        "name": "Ada",
        "email": "ada@example.com",
        "date": first["commit"]["author"]["date"],
    }
    assert first["commit"]["committer"]["email"] == "ada@example.com"
    assert first["author"] is None
    assert len(first["parents"]) == 1
    assert answer.headers["x-total-count"] == "2"
    assert answer.headers["x-hasmore"] == "false"


def test_the_author_of_a_commit_is_whoever_it_says(forge, project):
    project.branch("topic")
    project.write({"b.txt": "x\n"})
    project.git("add", "-A")
    mail = f"{forge.name('reviewer')}@example.com"
    project.git("commit", "-q", "-m", "forged", GIT_AUTHOR_EMAIL=mail)
    project.push("topic", "author")
    change = project.open("author", "topic").ready()
    row = forge.get("bot", f"{change.api}/commits")[0]
    assert row["author"]["login"] == forge.name("reviewer")
    assert row["committer"] is None


def test_comparing_has_commits_and_no_diff(forge, change):
    base = change.get()["base"]["sha"]
    for spec in ("main...topic", f"{base}..{change.head}"):
        found = forge.get("bot", f"{change.project.api}/compare/{spec}")
        assert found["total_commits"] == 1
        assert [row["sha"] for row in found["commits"]] == [change.head]
    answer = forge.api("bot", "GET", f"{change.project.api}/compare/{base}..{change.head}?output=diff")
    assert "json" in answer.headers["content-type"]
    assert forge.api("bot", "GET", f"{change.project.api}/compare/main...nope").status_code == 404


def test_contents(forge, change):
    path = f"{change.project.api}/contents"
    row = forge.get("bot", f"{path}/new.py?ref={change.head}")
    assert (row["type"], row["path"], row["encoding"]) == ("file", "new.py", "base64")
    assert b"line seven\n" in base64.b64decode(row["content"])
    assert row["size"] == len(base64.b64decode(row["content"]))
    assert forge.get("bot", f"{path}/new.py?ref=topic")["sha"] == row["sha"]
    assert forge.get("bot", f"{path}/old.py")["path"] == "old.py"
    listed = forge.get("bot", f"{path}/umläut?ref={change.head}")
    assert [(one["path"], one["type"], one["content"]) for one in listed] == [("umläut/é f.txt", "file", None)]
    for query in (f"ref={change.head[:10]}", "ref=refs/heads/topic", "ref=nope", f"ref={NOTHING}"):
        assert forge.api("bot", "GET", f"{path}/b.txt?{query}").status_code == 404
    assert forge.api("bot", "GET", f"{path}/missing.txt?ref={change.head}").status_code == 404


def test_raw_falls_back_to_the_default_branch(forge, change):
    def raw(ref, path="b.txt"):
        return forge.api("bot", "GET", f"{change.project.api}/raw/{path}?ref={ref}")

    assert raw(change.head, "lat.txt").content == b"caf\xe9\n"
    for ref in ("nope", change.head[:10], change.head.upper()):
        assert (raw(ref).status_code, raw(ref).content) == (200, b"1\n2\n3\n")
        assert raw(ref, "lat.txt").status_code == 404
    assert raw(NOTHING).status_code == 404
    assert raw(change.head, "missing.txt").status_code == 404
    assert raw(change.head, "umläut").status_code == 404


def test_trees_and_blobs(forge, change):
    api = change.project.api
    tree = forge.get("bot", f"{api}/git/trees/{change.head}?recursive=true")
    rows = {row["path"]: row for row in tree["tree"]}
    assert rows["run.sh"]["mode"] == "100755"
    assert rows["umläut"]["type"] == "tree"
    assert tree["truncated"] is False
    assert tree["total_count"] == len(rows)
    blob = forge.get("bot", f"{api}/git/blobs/{rows['lat.txt']['sha']}")
    assert (base64.b64decode(blob["content"]), blob["encoding"], blob["size"]) == (b"caf\xe9\n", "base64", 5)
    assert forge.api("bot", "GET", f"{api}/git/trees/{NOTHING}").status_code == 400
    assert forge.api("bot", "GET", f"{api}/git/blobs/{NOTHING}").status_code == 400
