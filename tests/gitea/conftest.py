"""A forge for the tests: the fake, or the real server that `WERKREVISOR_TEST_GITEA` names."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

# The fake and the ground of the contract are packages of the tests, which are no packages themselves.
sys.path.insert(0, str(Path(__file__).parent))

from contract.forge import Forge, Project
from contract.receiver import Receiver, receiving
from fake import FakeGitea

VARIABLE = "WERKREVISOR_TEST_GITEA"
PASSED = pytest.StashKey[int]()


@pytest.fixture(scope="session")
def fake_server() -> Iterator[FakeGitea]:
    with FakeGitea() as fake:
        yield fake


@pytest.fixture(scope="session")
def forge(request: pytest.FixtureRequest) -> Iterator[Forge]:
    """The forge under contract with an account of each role."""
    named = os.environ.get(VARIABLE, "")
    if named:
        url, _, token = named.partition(",")
        forge = Forge(url.rstrip("/"), token, quiet=1.5)
    else:
        fake = request.getfixturevalue("fake_server")
        forge = Forge(fake.url, fake.admin_token(), quiet=0.0, fake=fake)
    try:
        forge.set_up()
        yield forge
    finally:
        forge.clean_up()


@pytest.fixture(scope="session")
def faked(fake_server: FakeGitea) -> Iterator[Forge]:
    """A forge on the fake, also where a real server is under contract: only it can be told to fail."""
    forge = Forge(fake_server.url, fake_server.admin_token(), quiet=0.1, fake=fake_server)
    try:
        forge.set_up()
        yield forge
    finally:
        forge.clean_up()


@pytest.fixture
def project(forge: Forge) -> Iterator[Project]:
    """A repository with two files."""
    project = forge.project()
    yield project
    project.remove()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """Something on loopback that webhooks can be sent to."""
    with receiving() as receiver:
        yield receiver


def pytest_assertion_pass(item: pytest.Item) -> None:
    """Count the assertions that held; on with `-o enable_assertion_pass_hook=true`."""
    item.config.stash[PASSED] = item.config.stash.get(PASSED, 0) + 1


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    count = terminalreporter.config.stash.get(PASSED, 0)
    if count:
        terminalreporter.write_line(f"{count} assertions held")
