"""Measures the classifiers on the real cases: wrong "mechanical", and recall per language.

usage: python tests/corpus/measure.py MIRRORS [REFS]

`real.jsonl` names repository, commit and path of each case and quotes no code. MIRRORS holds one git
directory per repository, as MIRRORS/OWNER+NAME/repo; nothing of them is copied into this project.
Each case is read as a git range, from the commit's first parent to the commit.
"""

import collections
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from attrs import evolve

from werkrevisor_core.errors import GitError
from werkrevisor_core.git.source import open_source
from werkrevisor_core.models.result import Review
from werkrevisor_core.registry import Registry, load_registry
from werkrevisor_core.rule import Phase
from werkrevisor_core.session import Sources
from werkrevisor_core.testing.run import review

REFS = Path(__file__).parent / "real.jsonl"


def classifiers() -> Registry:
    """Return the installed classifiers alone; gates would only cost time here."""
    return Registry(tuple(rule for rule in load_registry().rules if rule.info.phase is Phase.CLASSIFY))


def judged(rows: list[dict[str, object]], mirrors: Path) -> Iterator[tuple[dict[str, object], tuple[str, ...], str]]:
    """Yield each case with the rules that explain it and the reason."""
    rules = classifiers()
    by_repo: dict[str, list[dict[str, object]]] = collections.defaultdict(list)
    for row in rows:
        by_repo[str(row["repo"])].append(row)
    for repo, cases in sorted(by_repo.items()):
        git_dir = mirrors / repo.replace("/", "+") / "repo"
        if not git_dir.exists():
            print(f"not there: {repo} ({len(cases)} cases)")
            continue
        with open_source(git_dir) as source:
            for case in cases:
                try:
                    change = source.change_set(
                        source.resolve(f"{case['commit']}^"), source.resolve(str(case["commit"]))
                    )
                except GitError as error:
                    print(f"cannot be read here: {case['id']}: {error}")
                    continue
                files = tuple(file for file in change.files if file.path == case["path"])
                one = evolve(change, files=files, faults=())
                result: Review = review(Sources(one, source.contents(one)), registry=rules)
                found = result.files[0].classification if result.files else None
                yield case, (found.rules if found else ()), (found.why if found else "not in the change")


def main(mirrors: str, refs: str = str(REFS)) -> int:
    """Print every wrong answer and the figures; returns 1 if a "mechanical" is wrong."""
    rows = [json.loads(line) for line in Path(refs).read_text(encoding="utf-8").splitlines()]
    wanted: collections.Counter[str] = collections.Counter()
    found: collections.Counter[str] = collections.Counter()
    wrong = total = 0
    for case, rules, why in judged(rows, Path(mirrors)):
        total += 1
        expected = case["expected_mechanical"]
        lang = str(case["lang"])
        if expected is False and rules:
            wrong += 1
            print(f"WRONG {case['id']} {case['repo']} {case['commit']} {case['path']}: {', '.join(rules)}")
        if expected is True:
            wanted[lang] += 1
            found[lang] += bool(rules)
            if not rules:
                print(f"missed {case['id']} {case['repo']} {str(case['commit'])[:12]} {case['path']}: {why}")
    print(f"{total} cases, {wrong} wrong")
    for lang in sorted(wanted):
        print(f"{lang}: {found[lang]} of {wanted[lang]}")
    print(f"recall: {found.total()} of {wanted.total()} = {found.total() / max(1, wanted.total()):.1%}")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
