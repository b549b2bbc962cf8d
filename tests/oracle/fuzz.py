"""Mutates real files and real diffs for a while; any "mechanical" that the oracle denies is printed.

usage: PYTHONPATH=tests python -m oracle.fuzz MIRRORS [SECONDS] [SEED]

MIRRORS holds git directories, as MIRRORS/OWNER+NAME/repo; nothing of them is kept.
"""

import random
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from oracle.check import Verdict, check, ways_differ
from oracle.mutations import mutate
from oracle.tokens import GRAMMARS

_LARGEST = 20_000
_PER_REPOSITORY = 300


def texts(mirrors: Path, choose: random.Random) -> list[tuple[str, str]]:
    """Return (path, text) of files of every repository, at most some hundred of each."""
    found = []
    for folder in sorted(mirrors.glob("*/repo")):
        paths = _git(folder, "ls-tree", "-r", "--name-only", "HEAD").decode("utf-8", "replace").split("\n")
        paths = [path for path in paths if path.rpartition(".")[2] in GRAMMARS]
        choose.shuffle(paths)
        for path in paths[:_PER_REPOSITORY]:
            text = _git(folder, "cat-file", "blob", f"HEAD:{path}").decode("utf-8", "replace")
            if len(text) < _LARGEST:
                found.append((path, text))
    return found


def _git(folder: Path, *arguments: str) -> bytes:
    command = ["git", f"--git-dir={folder}", *arguments]
    return subprocess.run(command, capture_output=True, check=False).stdout


def tried(
    sources: list[tuple[str, str]], choose: random.Random, seconds: float
) -> Iterator[tuple[Verdict, str, str, str]]:
    """Yield (verdict, path, old, new) until the time is over."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        path, text = sources[choose.randrange(len(sources))]
        extension = path.rpartition(".")[2]
        start = choose.randrange(max(1, text.count("\n") - 120))
        old = text if choose.randrange(3) else "\n".join(text.split("\n")[start:])
        # Half of the time both versions are mutated, so that the old one is odd, too.
        old = mutate(old, choose, extension) if choose.randrange(2) else old
        new = mutate(old, choose, extension)
        if both := ways_differ(path, old.encode(), new.encode()):
            print(f"DIFFERENT {both}")
            yield Verdict.WRONG, path, old, new
        yield check(path, old.encode(), new.encode(), readable=bool(choose.randrange(2))), path, old, new


def main(mirrors: str, seconds: str = "600", seed: str = "1") -> int:
    """Print what was tried and every wrong answer; returns 1 if there is one."""
    choose = random.Random(int(seed))  # noqa: S311 (choices of a test)
    sources = texts(Path(mirrors), choose)
    counts = dict.fromkeys(Verdict, 0)
    for verdict, path, old, new in tried(sources, choose, float(seconds)):
        counts[verdict] += 1
        if verdict is Verdict.WRONG:
            place = Path(f"wrong-{counts[verdict]}")
            print(f"WRONG {path}, written to {place}.old and {place}.new")
            place.with_suffix(".old").write_text(old, encoding="utf-8")
            place.with_suffix(".new").write_text(new, encoding="utf-8")
    print(f"{len(sources)} files;", ", ".join(f"{count} {verdict.value}" for verdict, count in counts.items()))
    return int(counts[Verdict.WRONG] > 0)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
