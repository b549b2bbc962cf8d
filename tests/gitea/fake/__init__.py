"""A verified fake of Gitea 1.26.4: a real HTTP server on loopback with state.

What it does was written down from a real server; the suite in `../contract` asserts the same of both.
"""

from .faults import Fault, Faults, Kind, Record
from .server import Closed, FakeGitea
from .state import State

__all__ = ["Closed", "FakeGitea", "Fault", "Faults", "Kind", "Record", "State"]
