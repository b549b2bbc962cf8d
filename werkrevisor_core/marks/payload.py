"""The inside of a marker: JSON that is written in one way only and read strictly.

Version 1 had neither fingerprints nor approvals. It is still read; nothing is carried from it.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from attrs import evolve

from werkrevisor_core.models.forge import FileMark, Marker, ReasonMark
from werkrevisor_core.models.verdict import Decision, Level

VERSION: Final = 2
READABLE: Final = (VERSION, VERSION - 1)
_HASH_DIGITS: Final = 32
_HEXADECIMAL: Final = frozenset("0123456789abcdef")
_FIRST: Final[Mapping[str, type]] = {
    "server": str,
    "repository_id": int,
    "pull_request": int,
    "base_branch": str,
    "merge_base": str,
    "head": str,
    "verdict": str,
    "decision": str,
    "complete": bool,
    "sequence": int,
    "at": float,
    "config_digest": str,
    "reasons": list,
}
_SINCE_2: Final[Mapping[str, type]] = {
    "files": list,
    "approvals": list,
    "approved_by_bot": bool,
    "named_at": float,
    "involved": list,
}


class PayloadFault(ValueError):
    """What stands in a marker is not what a marker holds."""


def encode(marker: Marker) -> bytes:
    """Return the fields of a marker (but the ids of key and comment) as canonical JSON, ASCII."""
    value = {
        "server": marker.server,
        "repository_id": marker.repository_id,
        "pull_request": marker.pull_request,
        "base_branch": marker.base_branch,
        "merge_base": marker.merge_base,
        "head": marker.head,
        "verdict": marker.verdict.name,
        "decision": marker.decision.value,
        "complete": marker.complete,
        "sequence": marker.sequence,
        "at": float(marker.at),
        "config_digest": marker.config_digest,
        "reasons": [[reason.id, reason.level.name, reason.evidence] for reason in marker.reasons],
        "files": [_file_row(mark) for mark in marker.files],
        "approvals": sorted(marker.approvals),
        "approved_by_bot": marker.approved_by_bot,
        "named_at": float(marker.named_at),
        "involved": sorted(marker.involved),
    }
    return json.dumps(value, ensure_ascii=True, allow_nan=False, sort_keys=True, separators=(",", ":")).encode()


def _file_row(mark: FileMark) -> list[str]:
    # Hexadecimal digits in one run, which compress to half their length.
    return [mark.path, mark.whole] if mark.blocks is None else [mark.path, mark.header, "".join(mark.blocks)]


def decode(version: int, data: bytes) -> Marker:
    """Read the inside of a marker.

    Raises:
        PayloadFault: it is not exactly what a marker of this version holds.
    """
    try:
        value = json.loads(data, object_pairs_hook=_unique, parse_constant=_no_constant)
    except PayloadFault:
        raise
    except (ValueError, RecursionError):
        raise PayloadFault("is no JSON that a marker could hold") from None
    wanted = _FIRST if version < VERSION else {**_FIRST, **_SINCE_2}
    if not isinstance(value, dict) or value.keys() != wanted.keys():
        raise PayloadFault("has other fields than a marker of its version")
    for name, kind in wanted.items():
        if type(value[name]) is not kind:
            raise PayloadFault(f"has a field {name} of another type")
    marker = _first(value)
    return marker if version < VERSION else _since_2(marker, value)


def _unique(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise PayloadFault("names a field twice")
    return found


def _no_constant(name: str) -> object:
    raise PayloadFault(f"holds the number {name}")


def _first(value: Mapping[str, Any]) -> Marker:
    if min(value["repository_id"], value["pull_request"], value["sequence"]) < 0:
        raise PayloadFault("has a negative number")
    try:
        decision = Decision(value["decision"])
    except ValueError:
        raise PayloadFault("names an unknown decision") from None
    return Marker(
        server=value["server"],
        repository_id=value["repository_id"],
        pull_request=value["pull_request"],
        base_branch=value["base_branch"],
        merge_base=value["merge_base"],
        head=value["head"],
        verdict=_level(value["verdict"]),
        decision=decision,
        complete=value["complete"],
        sequence=value["sequence"],
        at=value["at"],
        config_digest=value["config_digest"],
        reasons=tuple(ReasonMark(row[0], _level(row[1]), row[2]) for row in _rows(value["reasons"], (3,))),
    )


def _since_2(marker: Marker, value: Mapping[str, Any]) -> Marker:
    if any(type(number) is not int for number in value["approvals"]):
        raise PayloadFault("has an approval without a number")
    if any(type(login) is not str for login in value["involved"]):
        raise PayloadFault("has a login that is none")
    files = tuple(map(_file, _rows(value["files"], (2, 3))))
    if len({mark.path for mark in files}) != len(files):
        raise PayloadFault("has two entries for one file")
    return evolve(
        marker,
        files=files,
        approvals=tuple(value["approvals"]),
        approved_by_bot=value["approved_by_bot"],
        named_at=value["named_at"],
        involved=tuple(value["involved"]),
    )


def _level(name: str) -> Level:
    if name not in Level.__members__:
        raise PayloadFault("names an unknown level")
    return Level[name]


def _rows(value: Iterable[object], lengths: tuple[int, ...]) -> Iterable[list[str]]:
    for row in value:
        if not isinstance(row, list) or len(row) not in lengths or any(type(item) is not str for item in row):
            raise PayloadFault("has a row that is none")
        yield row


def _file(row: list[str]) -> FileMark:
    if len(row) == 2:
        return FileMark(row[0], "", None, _hashes(row[1], 1)[0])
    header, blocks = row[1], row[2]
    return FileMark(row[0], _hashes(header, 1)[0], _hashes(blocks, len(blocks) // _HASH_DIGITS))


def _hashes(text: str, count: int) -> tuple[str, ...]:
    if len(text) != count * _HASH_DIGITS or not _HEXADECIMAL.issuperset(text):
        raise PayloadFault("has a fingerprint that is none")
    return tuple(text[at : at + _HASH_DIGITS] for at in range(0, len(text), _HASH_DIGITS))
