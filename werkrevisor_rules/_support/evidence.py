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
    return (*pieces[:MAX_EVIDENCE], *_others([repr(piece) for piece in pieces[MAX_EVIDENCE:]]))


def bounded_paths(noted: Iterable[tuple[str, str]]) -> tuple[Evidence, ...]:
    """Do the same for paths, each with its note; it is fast for very many of them."""
    pairs = tuple(noted)
    pieces = tuple(Evidence(path=path, note=note) for path, note in pairs[:MAX_EVIDENCE])
    return (*pieces, *_others([f"{note} {path}" for path, note in pairs[MAX_EVIDENCE:]]))


def _others(texts: list[str]) -> tuple[Evidence, ...]:
    if not texts:
        return ()
    # No path holds a NUL, so no two lists join to the same text.
    joined = "\0".join(texts).encode("utf-8", "surrogateescape")
    digest = blake2b(joined, digest_size=16).hexdigest()
    return (Evidence(count=len(texts), note=f"more that are not listed, digest {digest}"),)


def amount(count: int, noun: str) -> str:
    """Return a number with its noun, e.g. `1 file` or `2 files`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
