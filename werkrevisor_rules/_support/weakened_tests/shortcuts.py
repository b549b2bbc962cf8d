"""Tells by text alone that two versions of a test demand the same, so that most need no syntax tree."""

import re
from typing import Final

from werkrevisor_rules._support.weakened_tests.declarations import Declaration

_TOKEN: Final = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|\w[\w.]*|[^\w\s]")
_VALUE: Final = re.compile(r"\d+|\"[^\"{}$*\\]*\"|'[^'{}$*\\]*'")
# Where such words stand a number can be a tolerance, a limit, a count of retries or of calls, or a bound; and what is
# behind a comment's mark is no code.
__FIGURES_WORDS: Final = (
    "time retr flaky repeat within delta approx close toler places almost diff least most limit skip ignore data param "
    "each case source rows values range match regex plan assertions greater less above below between comment run max_ "
    "maxcount // #"
)
_FIGURES: Final = tuple(__FIGURES_WORDS.split())
_SHORT: Final = re.compile(r"\b(?:abs|eps|for\b)|\d\.\d")


def _may_loosen(text: str) -> bool:
    """Return whether a number in a text can be one that loosens something; looking for words is cheap."""
    lowered = text.replace("=>", "").replace("->", "").replace("#[", "").lower()
    if "<" in lowered or ">" in lowered or any(word in lowered for word in _FIGURES):
        return True
    return _SHORT.search(lowered) is not None


def only_values_differ(old: Declaration, new: Declaration) -> bool:
    """Return whether whole numbers and plain texts are all that differ, and none of them can loosen anything.

    Such a change expects another value, just as exactly.
    """
    if (old.hidden, old.full_name) != (new.hidden, new.full_name) or old.state[2:] != new.state[2:]:
        return False
    if len(old.raw) > 20_000 or _may_loosen(old.raw) or _may_loosen(new.raw):
        return False
    before, after = _TOKEN.findall(old.raw), _TOKEN.findall(new.raw)
    if len(before) != len(after):
        return False
    changed = [(one, other) for one, other in zip(before, after, strict=True) if one != other]
    return all(_VALUE.fullmatch(one) and _VALUE.fullmatch(other) for one, other in changed)
