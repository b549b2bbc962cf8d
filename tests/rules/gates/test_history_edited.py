from pathlib import Path

import pytest

from werkrevisor_core.testing.cases import load_cases, run_case
from werkrevisor_rules.gates import history_edited

CASES = load_cases(Path(__file__).parents[1] / "cases" / "history_edited.toml")


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case):
    run_case(history_edited, case)
