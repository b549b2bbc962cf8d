"""Start and finish of a review of a small range, against what its size would cost anybody.

    python tests/benchmarks/bench_start_up.py

Compares `werkrevisor review` of one changed file with `python -c 'import pluggy, attrs, cattrs,
unidiff'` plus `git diff` of that range. Byte code is compiled for both, the runs are interleaved.
Prints least and median milliseconds and their ratio; issue 3 demands less than 3.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from generated import make_repository
from measure import REVIEW, Cost, environment, run

IMPORTS = [sys.executable, "-c", "import pluggy, attrs, cattrs, unidiff"]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=15)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        repo = Path(folder, "repo")
        make_repository(repo, 1, 1000, "mixed")
        env = environment(Path(folder, "cache"))
        commands = {
            "imports": IMPORTS,
            "git diff": ["git", "-C", str(repo), "diff", "main~1", "main"],
            "review": [*REVIEW, "--repo", str(repo), "--base", "main~1", "--head", "main"],
        }
        for command in commands.values():
            subprocess.run(command, env=env, stdout=subprocess.DEVNULL, check=False)  # writes the byte code
        rounds = [{name: run(command, env) for name, command in commands.items()} for _ in range(options.runs)]
    for what, choose in (("least", min), ("median", median)):
        show(what, {name: choose(seconds(rounds, name)) for name in commands})


def seconds(rounds: list[dict[str, Cost]], name: str) -> list[float]:
    """Return the wall time of one command in every round."""
    return [one[name].seconds for one in rounds]


def show(what: str, cost: dict[str, float]) -> None:
    """Print one row."""
    ratio = cost["review"] / (cost["imports"] + cost["git diff"])
    figures = ", ".join(f"{name} {value * 1000:.0f} ms" for name, value in cost.items())
    sys.stdout.write(f"{what:<8}{figures}, ratio {ratio:.2f}\n")


if __name__ == "__main__":
    main()
