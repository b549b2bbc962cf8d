from pathlib import Path

import pytest

from werkrevisor_core.testing.cases import load_cases, run_case
from werkrevisor_rules.gates import status_forged

CASES = load_cases(Path(__file__).parents[1] / "cases" / "status_forged.toml")


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case):
    run_case(status_forged, case)
