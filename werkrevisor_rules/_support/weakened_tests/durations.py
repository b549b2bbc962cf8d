"""Reads spans of time as frameworks write them, as milliseconds."""

import re
from collections.abc import Sequence
from typing import Final

_UNITS: Final = (
    (re.compile(r"MILLISECONDS|[mM]illis|\bMillisecond"), 1.0),
    (re.compile(r"SECONDS|\b[sS]econds?\b|ofSeconds|FromSeconds|from_secs"), 1000.0),
    (re.compile(r"MINUTES|\b[mM]inutes?\b|ofMinutes|FromMinutes"), 60_000.0),
    (re.compile(r"HOURS|\b[hH]ours?\b|ofHours"), 3_600_000.0),
)
_GO_TIME: Final = re.compile(r"\btime \.")
_NUMBER: Final = re.compile(r"[\d_]*\d[\d_]*(?:\.\d[\d_]*)?")
_FACTOR: Final = re.compile(r"[\d_]*\d(?:\.\d+)?(?=\s*\*|\s*$|\s*[,)}])|(?<=\*)\s*\d[\d_]*")


def unit_of(text: str) -> float | None:
    """Return how many milliseconds the unit in a text has, None where it names none."""
    return next((factor for unit, factor in _UNITS if unit.search(text)), None)


def milliseconds(text: str) -> float | None:
    """Return the span that a text says; a number without a unit counts as milliseconds, a unit alone as one of it."""
    unit, found = unit_of(text), _NUMBER.search(text)
    if found is None:
        return unit
    product = 1.0
    for part in _FACTOR.findall(text) if "*" in text else [found[0]]:
        product *= float(part.replace("_", "").strip())
    return product * (unit or 1.0)


def limit_among(name: str, texts: Sequence[str]) -> str:
    """Return which of a call's arguments says how long or how often: of `Eventually` the first span, of others all."""
    timed = [text for text in texts if _GO_TIME.search(text)]
    return timed[0] if name.startswith("Eventually") and timed else " ".join(texts)
