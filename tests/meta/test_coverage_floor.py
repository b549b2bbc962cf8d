import json


def facts(percent, lines=(), branches=()):
    return {
        "summary": {"percent_covered": percent},
        "missing_lines": list(lines),
        "missing_branches": [list(branch) for branch in branches],
    }


def test_a_rule_with_a_gap_is_named_with_its_lines_and_branches(coverage_floor):
    files = {"werkrevisor_rules/gates/size.py": facts(98.5, [4, 9], [(3, -1)])}
    assert coverage_floor.gaps(files) == [
        "werkrevisor_rules/gates/size.py: 98.5 % of 100 %; without a test: lines 4, 9; branches 3 to -1"
    ]


def test_a_step_counts_and_other_modules_do_not(coverage_floor):
    files = {"werkrevisor_core/steps/verdict.py": facts(99.0), "werkrevisor_core/cli/main.py": facts(10.0)}
    assert len(coverage_floor.gaps(files)) == 1


def test_what_rules_share_has_a_lower_floor(coverage_floor):
    assert coverage_floor.gaps({"werkrevisor_rules/_support/a.py": facts(95.0)}) == []
    assert len(coverage_floor.gaps({"werkrevisor_rules/_support/a.py": facts(94.9)})) == 1


def test_whole_coverage_is_no_gap(coverage_floor):
    assert coverage_floor.gaps({"werkrevisor_rules/gates/size.py": facts(100.0)}) == []


def test_a_report_without_any_rule_fails(coverage_floor, tmp_path, capsys):
    report = tmp_path / "report.json"
    report.write_text(json.dumps({"files": {"a.py": facts(100.0)}}))
    assert coverage_floor.main(str(report)) == 1
    assert "knows no rule" in capsys.readouterr().err
