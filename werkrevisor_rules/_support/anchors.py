"""How many of the lines that two versions have exactly once stand above a line: its place among them.

What encloses a line is known from indentation alone, and many texts have none. Where a merge lands a block
in a look-alike, some line that only one place has has changed sides: it stood above and stands below.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from werkrevisor_rules._support.enclosing import has_word

CROSSED: Final = -1
"""The place of a line where not the same lines stand above as in the other version."""


def anchored(before: Sequence[bytes], after: Sequence[bytes]) -> tuple[list[int], list[int]]:
    """Return for every line of both versions how many common ones stand above, the same for the same ones.

    Args:
        before: all lines of one version of a file.
        after: all lines of the other one.
    """
    anchors = _once(before) & _once(after)
    rank = {line: place for place, line in enumerate(line for line in before if line in anchors)}
    return list(_above(before, rank)), list(_above(after, rank))


def _once(lines: Iterable[bytes]) -> frozenset[bytes]:
    return frozenset(line for line, count in Counter(lines).items() if count == 1 and has_word(line))


def _above(lines: Iterable[bytes], rank: dict[bytes, int]) -> Iterator[int]:
    """Yield the number of anchors above each line, which are the first ones exactly if none has a higher rank."""
    count = highest = 0
    for line in lines:
        yield count if highest <= count else CROSSED
        if line in rank:
            count += 1
            highest = max(highest, rank[line] + 1)
