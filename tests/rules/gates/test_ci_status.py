from pathlib import Path

import pytest

from werkrevisor_core.testing.cases import load_cases, run_case
from werkrevisor_rules.gates import ci_status

CASES = load_cases(Path(__file__).parents[1] / "cases" / "ci_status.toml")


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case):
    run_case(ci_status, case)
