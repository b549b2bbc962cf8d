from pathlib import Path

import pytest

from werkrevisor_core.testing.cases import load_cases, run_case
from werkrevisor_rules.gates import size

CASES = load_cases(Path(__file__).parents[1] / "cases" / "size.toml")


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case):
    run_case(size, case)


def test_negative_limit_is_refused():
    with pytest.raises(ValueError, match="must not be negative"):
        size.Settings(max_files=-1)
