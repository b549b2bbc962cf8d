"""What a reason rests on, in a form that outlives a rebase: ids, levels and hashes of evidence."""

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import Final

from werkrevisor_core.models.forge import ReasonMark
from werkrevisor_core.models.verdict import Evidence, Reason

_DIGEST_BYTES: Final = 20
_MOST: Final = 64
"""Pieces of evidence that are hashed one by one; with more, one hash stands for all."""


def reason_mark(reason: Reason) -> ReasonMark:
    """Return what a marker keeps of a reason."""
    return ReasonMark(reason.id, reason.level, " ".join(sorted(_hashes(reason))))


def _hashes(reason: Reason) -> set[str]:
    if not reason.evidence:
        return {_digest([reason.message])}
    pieces = [_digest(_parts(piece)) for piece in reason.evidence]
    return set(pieces) if len(pieces) <= _MOST else {_digest(pieces)}


def _parts(piece: Evidence) -> list[object]:
    """Return a piece of evidence without its line: a base that grows above moves every line below."""
    return [piece.path, piece.side.value, piece.was, piece.now, piece.count, piece.limit, piece.note]


def _digest(parts: Sequence[object]) -> str:
    return blake2b(repr(parts).encode("utf-8", "surrogatepass"), digest_size=_DIGEST_BYTES).hexdigest()


def stood(reason: Reason, marks: Iterable[ReasonMark]) -> bool:
    """Tell whether a reason stood at a marked head already.

    It did if one of the same id and of no lower level had all of its evidence; less evidence than
    then is no new reason, one more piece is.
    """
    hashes = _hashes(reason)
    return any(
        mark.id == reason.id and mark.level >= reason.level and hashes <= set(mark.evidence.split(" "))
        for mark in marks
    )
