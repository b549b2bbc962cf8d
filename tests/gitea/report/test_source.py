"""What is read of a pull request: forks, links, pointers, what is missing; and at what cost."""

import json
import subprocess
import sys

from contract.forge import CODE, eventually
from report_ground import BLANK, State, command

from werkrevisor_core.models.verdict import Level
from werkrevisor_core.session import Prepared
from werkrevisor_core.watchdog import Progress
from werkrevisor_gitea.cli.review import load_host
from werkrevisor_gitea.reviewing import opened

POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:" + "ab" * 32 + "\nsize 12345\n"


def reviewed(host, change):
    """Review without publishing."""
    with opened(load_host(str(host.file)), change.number, Progress(), host.environment) as given:
        return given.ready.run() if isinstance(given.ready, Prepared) else given.ready


def test_a_fork_is_read_from_the_base_repository(host, project):
    fork = host.forge.made("forker", "POST", f"{project.api}/forks", {"name": project.full_name.replace("/", "-")})
    host.forge.remember(fork["full_name"])
    project.branch("topic")
    project.write({"a.go": BLANK})
    sha = project.commit("Space out")
    eventually(lambda: project.push("topic", "forker", repo=fork["full_name"], check=False) or True)
    change = project.open("forker", f"{host.forge.name('forker')}:topic")
    eventually(change.get, lambda found: found["head"]["sha"] == sha and found["mergeable"])
    review, published = host.review(change)
    assert (review.change.head, review.verdict) == (sha, Level.GREEN)
    assert published.whole, published
    assert change.get()["merged"] is True


def test_a_deleted_fork_can_still_be_reviewed(host, project):
    fork = host.forge.made(
        "forker", "POST", f"{project.api}/forks", {"name": f"gone-{project.full_name.split('/')[1]}"}
    )
    project.branch("topic")
    project.write({"a.go": BLANK})
    sha = project.commit("Space out")
    project.push("topic", "forker", repo=fork["full_name"])
    change = project.open("forker", f"{host.forge.name('forker')}:topic")
    eventually(change.get, lambda found: found["head"]["sha"] == sha and found["mergeable"])
    host.forge.made("forker", "DELETE", f"/repos/{fork['full_name']}")
    assert eventually(change.get, lambda found: found["state"] == "closed")["head"]["repo"] is None
    review, published = host.review(change)
    assert review.change.head == sha
    assert published.stopped == "the pull request has been closed"


def test_binaries_pointers_submodules_and_odd_names_are_read_like_a_local_range(host, project):
    files = {
        "app.jar": b"PK\x03\x04\x00\x00\xff\xfe" * 20,
        "big.bin": POINTER,
        "sécurité/a b.go": CODE,
        "mode.sh": "echo\n",
    }
    project.branch("topic")
    project.write({**files, "a.go": BLANK})
    project.git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},sub")
    project.git("add", "-A", ".", ":!sub")
    project.git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},sub")
    project.git("commit", "-q", "-m", "odd things")
    project.push("topic", "author")
    change = project.open("author", "topic").ready()
    review = reviewed(host, change)
    found = {file.change.path: (file.change.status.value, file.change.binary) for file in review.files}
    assert found == {
        "a.go": ("modified", False),
        "app.jar": ("added", True),
        "big.bin": ("added", False),
        "mode.sh": ("added", False),
        "sub": ("added", False),
        "sécurité/a b.go": ("added", False),
    }
    assert "file_modes" in [reason.id for reason in review.reasons]


def test_the_host_and_the_command_line_see_the_same_bytes(host, yellow):
    remote = command(host, yellow, "--format", "json")
    assert (remote.returncode, remote.stderr) == (int(Level.YELLOW), "")
    project = host.project
    arguments = ["--repo", str(project.folder), "--base", "main", "--head", "topic", "--mode", "rules"]
    code = "import sys; from werkrevisor_core.cli.main import main; sys.exit(main(sys.argv[1:]))"
    local = subprocess.run(
        [sys.executable, "-c", code, "review", *arguments, "--format", "json"],
        env=host.environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    assert local.returncode == int(Level.YELLOW)
    here, there = json.loads(local.stdout), json.loads(remote.stdout)
    for name in ("files", "findings", "verdict", "decision", "change_kind", "mode", "head"):
        assert here[name] == there[name], name
    assert [row for row in there["reasons"] if row["id"] != "ci_status"] == here["reasons"]


def test_the_command_line_prints_and_publishes_only_when_told(host, green):
    host.more["merge"] = '"never"'
    printed = command(host, green)
    assert (printed.returncode, printed.stderr) == (0, "")
    assert printed.stdout.startswith("GREEN, pass.")
    assert State.of(green).comments() == []
    told = command(host, green, "--publish")
    assert told.returncode == 0, told.stderr
    assert told.stdout.split("\n")[0] == printed.stdout.split("\n")[0]
    assert "The status is success." in told.stderr.split("\n")
    assert State.of(green).approved() == [green.head]
    assert host.environment["BOT_TOKEN"] not in told.stdout + told.stderr


def test_the_repositorys_config_is_that_of_the_tip_of_the_base_branch(host, project):
    change = project.change("Change F1", {"a.go": CODE.replace("return 1\n", "return 101\n")})
    assert "size" not in [reason.id for reason in reviewed(host, change).reasons]
    project.git("checkout", "-q", "main")
    project.write({".werkrevisor.toml": "[size]\nmax_lines = 1\n"})
    project.commit("smaller")
    project.push("main", "owner")
    eventually(change.get, lambda found: found["base"]["sha"] == project.git("rev-parse", "HEAD"))
    assert "size" in [reason.id for reason in reviewed(host, change).reasons]


def test_the_number_of_requests_does_not_depend_on_that_of_the_files(host, faked, tmp_path):
    counts = []
    for files in (1, 10, 100, 300):
        project = faked.project({f"f{number}.go": CODE for number in range(files)})
        here = type(host)(project, tmp_path, dict(host.environment), {"max_red_rounds": "3"})
        (tmp_path / "key").write_text("5a" * 32)
        here.token(faked.tokens["bot"])
        change = project.change("Space out", {f"f{number}.go": BLANK for number in range(files)})
        faked.fake.faults.clear()
        review, published = here.review(change)
        assert len(review.files) == files
        assert published.whole, published
        bot = [call for call in faked.fake.faults.calls if call.user == faked.name("bot")]
        git = [call for call in bot if not call.target.startswith("/api/v1/")]
        counts.append((len(bot) - len(git), len(git)))
        project.remove()
    assert len(set(counts)) == 1, counts
    assert counts[0][0] <= 40
    assert 0 < counts[0][1] <= 8


def test_a_change_of_the_repositorys_own_config_is_judged_by_the_bases(host, project):
    valid = project.change("Larger", {".werkrevisor.toml": "[size]\nmax_lines = 9\n"}, branch="valid")
    reasons = {reason.id: reason.level for reason in reviewed(host, valid).reasons}
    assert reasons["own_config"] is Level.YELLOW
    faulty = project.change("Faulty", {".werkrevisor.toml": "[size]\nmax_lines = true\n"}, branch="faulty")
    reasons = {reason.id: reason.level for reason in reviewed(host, faulty).reasons}
    assert reasons["own_config"] is Level.RED


def test_a_config_that_is_no_regular_file_is_red(host, project):
    project.branch("topic")
    (project.folder / ".werkrevisor.toml").symlink_to("a.go")
    project.commit("link")
    project.push("topic", "author")
    reasons = {reason.id: reason.level for reason in reviewed(host, project.open("author", "topic").ready()).reasons}
    assert reasons["own_config"] is Level.RED


def test_a_config_of_the_base_that_cannot_be_read_is_an_error(host, project):
    (project.folder / ".werkrevisor.toml").symlink_to("a.go")
    project.commit("link")
    project.push("main", "owner")
    review = reviewed(host, project.change())
    assert review.verdict is Level.ERROR
    assert "config" in [reason.id for reason in review.reasons]
