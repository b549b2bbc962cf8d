from pathlib import Path

import pytest

from werkrevisor_core.testing.cases import load_cases, run_case
from werkrevisor_rules.gates import rebinding_imports

CASES = load_cases(Path(__file__).parents[1] / "cases" / "rebinding_imports.toml")


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case):
    run_case(rebinding_imports, case)
