"""How a run is struck at each of its calls in turn; only the fake can be told to fail, or to wait, at the nth call."""

import pytest
from contract.forge import CODE, Change
from fake import Fault, Kind
from report_ground import BLANK, Host

from werkrevisor_gitea.errors import ForgeError

MANY = 90
API = "/api/v1/"
READING = 12
"""Calls that every run begins with, and that change nothing; where they fail or not is tried once."""
SHARES = 3
"""Parts of each test, so that none takes long."""

by_share = pytest.mark.parametrize("share", range(SHARES))
in_each_way = pytest.mark.parametrize(
    "how",
    [
        "not done",
        "done, and the answer is lost",
        "not done, and the run ends",
        "done, and the run ends",
    ],
)


@pytest.fixture
def fake(faked):
    """The fake, without planned faults; also where a real server is under contract."""
    faked.fake.faults.clear()
    yield faked.fake
    faked.fake.faults.clear()


@pytest.fixture
def ground(fake, faked, tmp_path):
    """A host of a repository with a file for each case, and a base branch beside main."""
    forge = faked
    project = forge.project({**{f"f{number}.go": CODE for number in range(MANY)}, "b.txt": "1\n"})
    project.push("release", "owner")
    (tmp_path / "key").write_text("5a" * 32)
    environment = {"PATH": "/usr/bin:/bin", "WERKREVISOR_CACHE": str(tmp_path / "cache")}
    host = Host(project, tmp_path, environment, {})
    host.token(forge.tokens["bot"])
    yield host
    project.remove()


def green(host, number) -> Change:
    """Open a pull request that is mechanical, in a file of its own."""
    return host.project.change(f"Space {number}", {f"f{number}.go": BLANK}, branch=f"t{number}")


def evil(host, number) -> str:
    """Push a change of the code to the same pull request; return the new head."""
    host.project.replace(f"f{number}.go", "return 5\n", "return 505\n")
    sha = host.project.commit("evil")
    host.project.push(f"t{number}", "author")
    return sha


def plain(review):
    """Leave a review as it is."""
    return review


def tried(host, change, adjust=plain):
    """Review once; a server that cannot be read at all is as good as anything else that failed."""
    try:
        return host.review(change, adjust)[1]
    except ForgeError:
        return None


def api_calls(fake):
    return [call for call in fake.faults.calls if call.target.startswith(API)]


def strike(fake, how, number, bot):
    """Plan that a call of the bot goes wrong; where the run ends there, everything after it does, too."""
    kind = Kind.GARBAGE if how.startswith("done") else Kind.STATUS
    fake.faults.plan(Fault(kind, path=API, nth=number, user=bot, status=500))
    if how.endswith("the run ends"):
        fake.faults.plan(Fault(Kind.STATUS, path=API, nth=number + 1, user=bot, status=500, every=True))


def points(fake, run, share, *, reading):
    """Yield 0 for a run in which nothing happens, then the numbers of the calls of one share, each tried by `run`."""
    fake.faults.clear()
    run(0)
    last = counted(fake)
    assert last > 2 * READING
    for number in range(1 if reading else READING + 1, last + 1):
        if number % SHARES == share:
            fake.faults.clear()
            run(number)


def counted(fake):
    """Return how many calls a whole run makes."""
    calls = api_calls(fake)
    assert {call.method for call in calls[:READING]} == {"GET"}
    return len(calls)
