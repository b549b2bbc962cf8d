from pathlib import Path

import pytest

from werkrevisor_core.testing.cases import load_cases, run_case
from werkrevisor_rules.escalate import red_rounds

CASES = load_cases(Path(__file__).parents[1] / "cases" / "red_rounds.toml")


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case):
    run_case(red_rounds, case)
