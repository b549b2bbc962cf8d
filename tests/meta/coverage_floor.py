"""Fails where a rule or the function of a step is not covered wholly, in lines and branches.

    python tests/meta/coverage_floor.py .coverage.json

The floor for the rest is `fail_under` in `pyproject.toml`. A gate is as good as its least tested branch,
so rules and steps have none that no test runs. What rules share has some defensive ones.
"""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

FLOORS = (
    ("werkrevisor_rules/_support/", 95),
    ("werkrevisor_rules/", 100),
    ("werkrevisor_core/steps/", 100),
)
"""Per cent by folder; the first that fits holds."""


def gaps(files: Mapping[str, Any]) -> list[str]:
    """Return a sentence per file that is below its floor, with the lines and branches that no test runs.

    Args:
        files: the table `files` of coverage's JSON report.
    """
    found = []
    for name, facts in sorted(files.items()):
        floor = next((floor for folder, floor in FLOORS if name.startswith(folder)), 0)
        covered = facts["summary"]["percent_covered"]
        if covered < floor:
            lines = ", ".join(str(line) for line in facts["missing_lines"]) or "none"
            branches = ", ".join(f"{start} to {end}" for start, end in facts["missing_branches"]) or "none"
            found.append(f"{name}: {covered:.1f} % of {floor} %; without a test: lines {lines}; branches {branches}")
    return found


def main(report: str) -> int:
    """Print the gaps; return 1 where there are some, or where the report has no rule in it."""
    files = json.loads(Path(report).read_text(encoding="utf-8"))["files"]
    if not any(name.startswith("werkrevisor_rules/") for name in files):
        sys.stderr.write("the coverage report knows no rule: it was not made in the root of the repository\n")
        return 1
    found = gaps(files)
    sys.stderr.writelines(f"{gap}\n" for gap in found)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
