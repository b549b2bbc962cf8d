"""Finds the lines of one text in another as difflib does, within a bound of work.

difflib takes quadratic time and more where lines repeat. Here the work of each of its steps is known
beforehand and taken from a budget; what is left when that is spent counts as not found.
"""

from collections.abc import Hashable, Sequence
from itertools import accumulate
from typing import Final

WORK: Final = 3_000_000
"""Steps of the innermost loop of difflib; 3 million take about a second."""
MOST_LINES: Final = 500_000


def found_in(old: Sequence[Hashable], new: Sequence[Hashable], work: int = WORK) -> list[int | None]:
    """Return for each line of the new text where in the old one difflib finds it, None where it does not.

    Args:
        old: the lines of the old text.
        new: those of the new one.
        work: the budget; where it is spent, or a text is too long, lines count as not found.
    """
    places: list[int | None] = [None] * len(new)
    if max(len(old), len(new)) > MOST_LINES:
        return places
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        places[start] = start
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        places[len(new) - 1 - end] = len(old) - 1 - end
        end += 1
    _match(old[start : len(old) - end], new[start : len(new) - end], start, places, work)
    return places


def _match(old: Sequence[Hashable], new: Sequence[Hashable], offset: int, places: list[int | None], work: int) -> None:
    from difflib import SequenceMatcher  # noqa: PLC0415 (only a later round compares versions)

    matcher = SequenceMatcher(None, old, new, autojunk=False)
    counts: dict[Hashable, int] = {}
    for line in new:
        counts[line] = counts.get(line, 0) + 1
    costs = list(accumulate((counts.get(line, 0) + 1 for line in old), initial=0))
    waiting = [(0, len(old), 0, len(new))]
    while waiting:
        old_start, old_end, new_start, new_end = waiting.pop()
        work -= costs[old_end] - costs[old_start]
        if work < 0:
            return
        old_at, new_at, size = matcher.find_longest_match(old_start, old_end, new_start, new_end)
        for step in range(size):
            places[offset + new_at + step] = offset + old_at + step
        if size:
            waiting += [
                part
                for part in (
                    (old_start, old_at, new_start, new_at),
                    (old_at + size, old_end, new_at + size, new_end),
                )
                if part[0] < part[1] and part[2] < part[3]
            ]
