"""Throughput of a whole review against `git diff` printing the range and `unidiff` parsing it.

    python tests/benchmarks/bench_throughput.py
    python tests/benchmarks/bench_throughput.py --files 10 1000 50000 --mb 1 20 200 --runs 1
    python tests/benchmarks/bench_throughput.py --repo /path/to/clone --base v1.0 --head v2.0

Prints per change: files, MB of diff, seconds of each program, MB/s and peak memory of the review, and
the ratios. Every program is a whole process; the runs are interleaved and the best of each counts.
The aim of issue 4: `review --diff` takes at most 0.6 of unidiff's time, in at most 150 MB.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from generated import KINDS, make_repository
from measure import REVIEW, best, environment, run

UNIDIFF = "import sys, unidiff; unidiff.PatchSet(open(sys.argv[1], encoding='utf-8', errors='surrogateescape'))"
HEADINGS = ("change", "files", "MB", "git diff", "unidiff", "--diff", "range", "MB/s", "peak MB", "/unidiff", "/git")


def measured(repo: Path, base: str, head: str, runs: int, env: dict[str, str]) -> Iterator[str]:
    """Yield the figures of one change, as they go into the columns."""
    git = ["git", "-C", str(repo), "diff", "--no-color", "--no-ext-diff", f"{base}...{head}"]
    with tempfile.TemporaryDirectory() as folder:
        diff = Path(folder, "change.diff")
        commands = {
            "git": git,
            "unidiff": [sys.executable, "-c", UNIDIFF, str(diff)],
            "diff": [*REVIEW, "--format", "json", "--diff", str(diff)],
            "range": [*REVIEW, "--format", "json", "--repo", str(repo), "--base", base, "--head", head],
        }
        run(git, env, diff)
        rounds = [{name: run(command, env) for name, command in commands.items()} for _ in range(runs)]
        cost = {name: best([one[name] for one in rounds]) for name in commands}
        size = diff.stat().st_size / 1e6
        with diff.open("rb") as file:
            yield str(sum(line.startswith(b"diff --git ") for line in file))
    yield f"{size:.1f}"
    yield from (f"{cost[name].seconds:.2f}" for name in commands)
    yield f"{size / cost['diff'].seconds:.1f}"
    yield f"{cost['diff'].memory / 1e6:.0f}"
    yield f"{cost['diff'].seconds / cost['unidiff'].seconds:.2f}"
    yield f"{cost['range'].seconds / cost['git'].seconds:.1f}"


def show(cells: Sequence[str]) -> None:
    """Print one row."""
    sys.stdout.write(f"{cells[0]:<24}" + "".join(f"{cell:>9}" for cell in cells[1:]) + "\n")
    sys.stdout.flush()


def main() -> None:
    """Measure what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, nargs="+", default=[1_000, 12_000])
    parser.add_argument("--mb", type=float, nargs="+", default=[20])
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS)
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--repo", type=Path, help="a real repository instead")
    parser.add_argument("--base", default="HEAD~100")
    parser.add_argument("--head", default="HEAD")
    options = parser.parse_args()
    show(HEADINGS)
    with tempfile.TemporaryDirectory() as folder:
        env = environment(Path(folder, "cache"))
        run([*REVIEW, "--help"], env)  # writes the byte code
        if options.repo is not None:
            show((options.repo.name, *measured(options.repo, options.base, options.head, options.runs, env)))
            return
        for kind in options.kinds:
            for files in options.files:
                for megabytes in options.mb:
                    name = f"{kind}-{files}-{megabytes:g}"
                    repo = Path(folder, name)
                    make_repository(repo, files, round(megabytes * 1e6), kind)
                    show((name, *measured(repo, "main~1", "main", options.runs, env)))


if __name__ == "__main__":
    main()
