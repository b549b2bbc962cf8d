from pathlib import Path

import pytest

from werkrevisor_core.globs import glob_fault
from werkrevisor_core.testing.build import context, modified
from werkrevisor_core.testing.cases import load_cases, run_case
from werkrevisor_rules._support.risky_paths import FLOOR, RiskyPathsSettings
from werkrevisor_rules.gates import risky_paths

CASES = load_cases(Path(__file__).parents[1] / "cases" / "risky_paths.toml")


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case):
    run_case(risky_paths, case)


def test_unknown_group_of_the_floor_is_refused_with_the_known_ones():
    with pytest.raises(ValueError, match="names the unknown group 'cy'; known are ci, own_config, git, "):
        RiskyPathsSettings(drop_floor=("git", "cy"))


def test_glob_that_means_nothing_is_refused():
    with pytest.raises(ValueError, match=r"has an invalid glob '!a' \(a glob cannot be negated"):
        RiskyPathsSettings(globs=("!a",))


def test_every_glob_of_the_floor_means_something():
    assert glob_fault([glob for globs in FLOOR.values() for glob in globs]) is None


def test_bytes_that_are_no_text_hide_no_path():
    path = b"\xff/.github/\xfe.yml".decode("utf-8", "surrogateescape")
    result = risky_paths.evaluate(context(modified(path, "a\n", "b\n")), RiskyPathsSettings())
    assert result is not None
    assert [evidence.path for evidence in result.reasons[0].evidence] == [path]


def test_two_lists_that_differ_behind_the_last_listed_path_have_different_evidence():
    def evidence(names):
        files = [modified(f"{name}/go.mod", "a\n", "b\n") for name in names]
        result = risky_paths.evaluate(context(*files), RiskyPathsSettings())
        assert result is not None
        return result.reasons[0].evidence

    first = [f"a{number:02}" for number in range(20)]
    one, other = evidence([*first, "b", "c"]), evidence([*first, "b", "d"])
    assert len(one) == len(other) == 21
    assert one[:20] == other[:20]
    assert one[20].count == other[20].count == 2
    assert one != other
