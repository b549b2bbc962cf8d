from pathlib import Path

import pytest

from werkrevisor_core.testing.cases import load_cases, run_case
from werkrevisor_rules.gates import change_kind

CASES = load_cases(Path(__file__).parents[1] / "cases" / "change_kind.toml")


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case):
    run_case(change_kind, case)
