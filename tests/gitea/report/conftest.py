"""The ground of the tests that publish; the classes are in `report_ground.py`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import pytest
from contract.forge import Forge
from report_ground import green, host, yellow  # noqa: F401 - found by the line above


@pytest.fixture(scope="session")
def faked(fake_server):
    """A forge on the fake, also where a real server is under contract: only it can be told to fail."""
    forge = Forge(fake_server.url, fake_server.admin_token(), quiet=0.1, fake=fake_server)
    try:
        forge.set_up()
        yield forge
    finally:
        forge.clean_up()
