"""How many random cases the property tests try.

`ci` (the default) is the same on every machine and in every run, so a red build is never luck.
`nightly` tries new and many more ones. A test that needs another number says so itself, as a
multiple: `settings(max_examples=5 * settings().max_examples)`.
"""

import os

import pytest
from hypothesis import HealthCheck, settings

# A busy machine is no fault of the code, so no example has a time limit.
settings.register_profile(
    "ci",
    max_examples=100,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "nightly", max_examples=5000, deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of large inputs: they measure processes, so nothing may run beside them."""
    for item in items:
        if item.path.name.startswith("test_large"):
            item.add_marker("alone")
