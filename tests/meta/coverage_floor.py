"""Fails where a rule or the function of a step is not covered wholly, lines and branches.

    python tests/meta/coverage_floor.py .coverage.json

The floor for the rest is `fail_under` in `pyproject.toml`. A gate is as good as its least tested branch,
so rules and steps have none that no test runs.
"""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

WHOLE = ("werkrevisor_rules/", "werkrevisor_core/steps/")


def gaps(files: Mapping[str, Any]) -> list[str]:
    """Return a sentence per file of rules and steps that has lines or branches without a test.

    Args:
        files: the table `files` of coverage's JSON report.
    """
    found = []
    for name, facts in sorted(files.items()):
        if name.startswith(WHOLE) and facts["summary"]["percent_covered"] < 100:
            lines = ", ".join(str(line) for line in facts["missing_lines"]) or "none"
            branches = ", ".join(f"{start} to {end}" for start, end in facts["missing_branches"]) or "none"
            found.append(f"{name} is not covered wholly: lines {lines}; branches {branches}")
    return found


def main(report: str) -> int:
    """Print the gaps; return 1 where there are some, or where the report has no rule in it."""
    files = json.loads(Path(report).read_text(encoding="utf-8"))["files"]
    if not any(name.startswith(WHOLE[0]) for name in files):
        sys.stderr.write("the coverage report knows no rule: it was not made in the root of the repository\n")
        return 1
    found = gaps(files)
    sys.stderr.writelines(f"{gap}\n" for gap in found)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
