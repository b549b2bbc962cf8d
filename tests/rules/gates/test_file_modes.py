from pathlib import Path

import pytest

from werkrevisor_core.testing.build import modified
from werkrevisor_core.testing.cases import load_cases, run_case
from werkrevisor_core.testing.run import run
from werkrevisor_rules.gates import file_modes

CASES = load_cases(Path(__file__).parents[1] / "cases" / "file_modes.toml")


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case):
    run_case(file_modes, case)


def test_a_pointer_that_a_configured_regex_takes_for_imports_is_named_all_the_same():
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:{}\nsize 1\n"
    file = modified("a.psd", pointer.format("0" * 64), pointer.format("1" * 64))
    result = run(file, repository='[mechanical.imports]\npsd = ["oid sha256:[0-9a-f]+"]\n')
    assert result.files[0].classification.rules == ("imports",)
    assert "file_modes" in [reason.id for reason in result.reasons]
