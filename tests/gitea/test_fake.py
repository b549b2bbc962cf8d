"""What the fake adds to a real server: faults on demand, windows that stay open, a log of the calls."""

import threading
import time

import httpx
import pytest
from contract.forge import Forge
from fake import FakeGitea, Fault, Kind


@pytest.fixture
def fake():
    with FakeGitea(delay=0.01) as fake:
        yield fake


@pytest.fixture
def forge(fake):
    forge = Forge(fake.url, fake.admin_token(), quiet=0.0, fake=fake)
    forge.set_up()
    yield forge
    forge.clean_up()


@pytest.fixture
def change(fake, project):
    change = project.change()
    fake.settle()
    fake.faults.clear()
    return change


def test_an_error_status_comes_before_anything_is_done(fake, forge, change):
    fake.faults.plan(Fault(Kind.STATUS, "POST", "/comments", nth=2, status=503))
    answers = [forge.api("bot", "POST", f"{change.issue}/comments", {"body": str(n)}) for n in range(3)]
    assert [answer.status_code for answer in answers] == [201, 503, 201]
    assert [row["body"] for row in forge.get("bot", f"{change.issue}/comments")] == ["0", "2"]


def test_a_dropped_call_was_not_done_and_a_lost_answer_was(fake, forge, change):
    path = f"{change.issue}/comments"
    fake.faults.plan(Fault(Kind.DROP, "POST", nth=1))
    fake.faults.plan(Fault(Kind.LOST, "POST", nth=2))
    for body in ("dropped", "lost"):
        with pytest.raises(httpx.TransportError):
            forge.api("bot", "POST", path, {"body": body})
    assert [row["body"] for row in forge.get("bot", path)] == ["lost"]


def test_a_cut_answer_and_garbage(fake, forge, change):
    fake.faults.plan(Fault(Kind.CUT, "GET", nth=1))
    fake.faults.plan(Fault(Kind.GARBAGE, "GET", nth=2))
    with pytest.raises(httpx.RemoteProtocolError):
        forge.api("bot", "GET", change.api)
    garbage = forge.api("bot", "GET", change.api)
    assert garbage.status_code == 200
    with pytest.raises(ValueError, match="Unterminated"):
        garbage.json()
    assert change.get()["number"] == change.number


def test_a_late_answer(fake, change):
    fake.faults.plan(Fault(Kind.DELAY, "GET", seconds=0.3))
    with pytest.raises(httpx.ReadTimeout):
        change.forge.api("bot", "GET", change.api, timeout=0.05)


def test_a_refused_connection_and_the_same_server_again(fake, change):
    fake.refuse()
    with pytest.raises(httpx.ConnectError):
        change.get()
    fake.listen()
    assert change.get()["number"] == change.number


def test_the_head_moves_just_before_the_nth_call_of_one_user(fake, forge, change):
    old = change.head
    moved = []
    fake.faults.before(2, lambda: moved.append(change.push()), user=forge.name("bot"))
    heads = [change.get("author")["head"]["sha"], *(change.get("bot")["head"]["sha"] for _ in range(3))]
    assert heads == [old, old, moved[0], moved[0]]


def test_every_call_from_the_nth_on(fake, forge, change):
    fake.faults.plan(Fault(Kind.STATUS, path="/reviews", nth=2, every=True, status=500))
    assert [forge.api("bot", "GET", f"{change.api}/reviews").status_code for _ in range(3)] == [200, 500, 500]


def test_the_log_of_calls(fake, forge, change):
    change.get("bot")
    forge.api(None, "GET", "/version")
    records = [(record.method, record.target, record.user) for record in fake.faults.calls]
    assert records == [
        ("GET", f"/api/v1{change.api}", forge.name("bot")),
        ("GET", "/api/v1/version", ""),
    ]
    fake.faults.clear()
    assert fake.faults.calls == []


def test_the_window_after_a_push_can_be_walked_through(fake, project):
    project.protect(required_approvals=1, dismiss_stale_approvals=True)
    change = project.change()
    change.approve("reviewer")
    fake.settle()

    def seen(sha):
        row = change.review_of("reviewer")
        return change.get()["head"]["sha"] == sha, len(change.pushes()), row["stale"], row["dismissed"]

    with fake.state.late.held():
        sha = change.push()
        assert seen(sha) == (True, 1, False, False)
        fake.state.late.run_one()
        assert seen(sha) == (True, 2, False, False)
        fake.settle()
        assert seen(sha) == (True, 2, True, True)


def test_a_call_in_process_is_not_logged(fake, forge, change):
    status, found = fake.call(forge.name("author"), "PATCH", change.api, {"title": "Other"})
    assert (status, found["title"]) == (201, "Other")
    assert fake.faults.calls == []
    with pytest.raises(LookupError, match="nobody"):
        fake.call("nobody", "GET", "/user")


def test_parallel_reviews_mix_their_line_comments(fake, forge, change):
    # On a real server it is luck; here a second review starts between two comments of the first.
    line = {"path": "a.go", "new_position": 8, "old_position": 0}

    def second():
        fake.state.between_line_comments = None
        body = {"event": "COMMENT", "body": "second", "comments": [{**line, "body": "s"}], "commit_id": change.head}
        fake.call(forge.name("bot"), "POST", f"{change.api}/reviews", body)

    fake.state.between_line_comments = second
    comments = [{**line, "body": "one"}, {**line, "body": "two"}]
    change.review("bot", "COMMENT", "first", comments, change.head)
    bodies = {row["body"]: [one["body"] for one in change.line_comments(row["id"])] for row in change.reviews()}
    assert bodies == {"second": ["one", "s"], "first": ["two"]}


def test_an_overwritten_head_is_gone_once_it_was_pruned(fake, forge, change, tmp_path):
    project = change.project
    old = change.head
    project.commit("amended", "--amend")
    project.push("topic", "author", "-f")
    fake.settle()
    fake.prune(project.full_name)
    project.git("init", "-q", "--bare", str(tmp_path))
    url = f"{forge.url}/{project.full_name}.git"
    with pytest.raises(AssertionError, match="not our ref"):
        project.git("--git-dir", str(tmp_path), "fetch", "-q", url, old)


def test_a_fault_of_late_work_is_not_lost():
    fake = FakeGitea(delay=0.0)

    def fail():
        raise LookupError("late")

    fake.state.late.add(fail)
    fake.settle()
    with pytest.raises(LookupError, match="late"):
        fake.close()


def test_another_version_that_lacks_a_route():
    with FakeGitea(version="16.0.0+gitea-1.22.0", hidden=("/resolve$",)) as fake:
        assert httpx.get(f"{fake.url}/api/v1/version").json() == {"version": "16.0.0+gitea-1.22.0"}
        assert httpx.post(f"{fake.url}/api/v1/repos/a/b/pulls/comments/1/resolve").status_code == 404


def test_many_calls_at_once(fake, forge, change):
    codes = []

    def comment(number):
        codes.append(forge.api("bot", "POST", f"{change.issue}/comments", {"body": str(number)}).status_code)

    threads = [threading.Thread(target=comment, args=(number,)) for number in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert codes == [201] * 16
    rows = forge.get("bot", f"{change.issue}/comments")
    assert len({row["id"] for row in rows}) == 16


def test_late_work_waits_for_its_time():
    with FakeGitea(delay=0.05) as fake:
        done = []
        started = time.monotonic()
        fake.state.late.add(lambda: done.append(time.monotonic()))
        while not done and time.monotonic() < started + 10:
            time.sleep(0.005)
        assert done
        assert done[0] - started >= 0.05
