"""Tells by text alone that two versions of a test demand the same, so that most need no syntax tree."""

import re
from typing import Final

from werkrevisor_rules._support.weakened_tests.declarations import Declaration

_TOKEN: Final = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|\w[\w.]*|[^\w\s]")
_VALUE: Final = re.compile(r"\d+|\"[^\"{}$*\\]*\"|'[^'{}$*\\]*'")
# Where such words stand a number can be a tolerance, a limit, a count of retries or of calls, or a bound.
_FIGURES: Final = re.compile(
    r"(?i)(?<![=-])[<>]|time|retr|flaky|repeat|within|delta|approx|close|toler|places|\babs|\beps|almost|diff|least|most|limit|"
    r"skip|ignore|data|param|each|case|source|rows|values|range|\bfor\b|match|regex|plan|assertions|\d\.\d|comment|//|#(?!\[)"
)


def only_values_differ(old: Declaration, new: Declaration) -> bool:
    """Return whether whole numbers and plain texts are all that differ, and none of them can loosen anything.

    Such a change expects another value, just as exactly.
    """
    if (old.hidden, old.full_name) != (new.hidden, new.full_name) or old.state[2:] != new.state[2:]:
        return False
    if len(old.raw) > 20_000 or _FIGURES.search(old.raw) or _FIGURES.search(new.raw):
        return False
    before, after = _TOKEN.findall(old.raw), _TOKEN.findall(new.raw)
    if len(before) != len(after):
        return False
    changed = [(one, other) for one, other in zip(before, after, strict=True) if one != other]
    return all(_VALUE.fullmatch(one) and _VALUE.fullmatch(other) for one, other in changed)
