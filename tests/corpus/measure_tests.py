"""Measures the gates on tests with real commits: how much is found, what is called weakened wrongly.

usage: python tests/corpus/measure_tests.py MIRRORS [REFS]

`tests_weakened_real.jsonl` names repository, commit and path of each case and quotes no code. MIRRORS
holds one git directory per repository, as MIRRORS/OWNER+NAME/repo; nothing of them is copied into this
project. Each commit is read whole, as a git range from its first parent: whether a test moved shows
only there. A case is found (or called) where evidence of `tests_weakened`, for renames `moved_across`,
names its path.
"""

import collections
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from werkrevisor_core.errors import GitError
from werkrevisor_core.git.source import open_source
from werkrevisor_core.models.verdict import Evidence
from werkrevisor_core.registry import Registry, load_registry
from werkrevisor_core.rule import Phase
from werkrevisor_core.session import Sources
from werkrevisor_core.testing.run import review

REFS = Path(__file__).parent / "tests_weakened_real.jsonl"
GATES = {"tests_weakened", "moved_across"}
FOUND, WRONG = 0.85, 0.08

Row = dict[str, object]


def rules() -> Registry:
    """Return the classifiers and the gates that are measured."""
    return Registry(
        tuple(rule for rule in load_registry().rules if rule.info.phase is Phase.CLASSIFY or rule.info.name in GATES)
    )


def judged(rows: list[Row], mirrors: Path) -> Iterator[tuple[Row, tuple[Evidence, ...]]]:
    """Yield each case with the evidence that names its path."""
    registry = rules()
    by_commit: dict[tuple[str, str], list[Row]] = collections.defaultdict(list)
    for row in rows:
        by_commit[str(row["repo"]), str(row["commit"])].append(row)
    for (repo, commit), cases in sorted(by_commit.items()):
        git_dir = mirrors / repo.replace("/", "+") / "repo"
        if not git_dir.exists():
            print(f"not there: {repo} ({len(cases)} cases)")
            continue
        with open_source(git_dir) as source:
            try:
                change = source.change_set(source.resolve(f"{commit}^"), source.resolve(commit))
            except GitError as error:
                print(f"cannot be read here: {repo} {commit}: {error}")
                continue
            result = review(Sources(change, source.contents(change)), registry=registry)
        evidence = [piece for reason in result.reasons if reason.id in GATES for piece in reason.evidence]
        for case in cases:
            paths = {case["path"], case["old_path"]}
            yield case, tuple(piece for piece in evidence if piece.path in paths)


def told(case: Row, evidence: tuple[Evidence, ...]) -> str:
    """Return a line for the reader about a case that is judged otherwise than labelled."""
    kinds = ", ".join(str(kind) for kind in case["kinds"])  # type: ignore[attr-defined]
    head = f"{case['id']} {case['repo']} {str(case['commit'])[:12]} {case['path']}: {kinds}"
    lines = [f"    {piece.note} line {piece.line} ({piece.side}): {piece.was} -> {piece.now}" for piece in evidence]
    return "\n".join([head, *lines])


def main(mirrors: str, refs: str = str(REFS)) -> int:
    """Print every wrong answer and the figures; returns 1 if a bar is missed."""
    rows = [json.loads(line) for line in Path(refs).read_text(encoding="utf-8").splitlines()]
    tally: dict[tuple[bool, str], list[int]] = collections.defaultdict(lambda: [0, 0])
    for case, evidence in judged(rows, Path(mirrors)):
        label = case["weakened"]
        if not isinstance(label, bool):
            continue
        for name in ("all", str(case["lang"])):
            tally[label, name][0] += bool(evidence)
            tally[label, name][1] += 1
        if label and not evidence:
            print("MISSED", told(case, evidence))
        if not label and evidence:
            print("WRONG", told(case, evidence))
    for (label, name), (hit, total) in sorted(tally.items()):
        print(f"{'found' if label else 'wrongly called'}, {name}: {hit} of {total} = {hit / total:.1%}")
    found, wrong = tally[True, "all"], tally[False, "all"]
    return int(found[0] < FOUND * found[1] or wrong[0] > WRONG * wrong[1])


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
