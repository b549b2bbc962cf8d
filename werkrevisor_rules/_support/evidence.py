"""Keeps the evidence of a reason within a size that a reader can take in."""

from collections.abc import Iterable
from hashlib import blake2b
from typing import Final

from werkrevisor_core.models.verdict import Evidence

MAX_EVIDENCE: Final = 20
"""Pieces of evidence that a reason lists; the others are counted."""


def bounded(evidence: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """Return the first pieces of evidence, and one more piece that stands for all the others.

    That last piece holds how many they are and a digest of them, so that two different lists never
    look the same to an approval that answers a reason by its evidence.
    """
    pieces = tuple(evidence)
    if len(pieces) <= MAX_EVIDENCE:
        return pieces
    rest = pieces[MAX_EVIDENCE:]
    digest = blake2b(repr(rest).encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()
    return (*pieces[:MAX_EVIDENCE], Evidence(count=len(rest), note=f"more that are not listed, digest {digest}"))


def amount(count: int, noun: str) -> str:
    """Return a number with its noun, e.g. `1 file` or `2 files`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
