"""The signed last line of a line comment: which finding it was written for, and who may answer it.

Anybody who may write can edit the bot's line comments. One whose mark is gone or does not hold is
answered by a human reviewer only.
"""

import hashlib
import hmac
import re
from typing import Final

from attrs import frozen

from werkrevisor_core.fingerprints import framed
from werkrevisor_core.marks.keys import HostKey, Keyring, Origin, Purpose

_LABEL: Final = "werkrevisor-finding"
_LINE: Final = re.compile(rf"<!-- {_LABEL} ([0-9a-f]{{16}}) ([0-9a-f]{{32}}) (lowered|as-found) ([0-9a-f]{{64}}) -->")


@frozen
class LineMark:
    """What a line comment remembers: the key of its finding, and whether that was lowered."""

    finding: str
    lowered: bool


@frozen
class Place:
    """The pull request and the head to which a line comment belongs."""

    origin: Origin
    number: int
    head: str


def write_line_mark(mark: LineMark, keyring: Keyring, place: Place) -> str:
    """Return the mark as one hidden line, signed with the newest key."""
    key = keyring.newest
    state = _state(mark)
    signature = _signature(key, place, mark.finding, state).hex()
    return f"<!-- {_LABEL} {key.id} {mark.finding} {state} {signature} -->"


def read_line_mark(body: str, keyring: Keyring, place: Place) -> LineMark | None:
    """Return the mark at the end of a line comment, None where there is none that holds."""
    found = _LINE.fullmatch(body.replace("\r\n", "\n").rstrip("\n \t\r").rpartition("\n")[2])
    key = keyring.get(found[1]) if found else None
    if found is None or key is None:
        return None
    if not hmac.compare_digest(_signature(key, place, found[2], found[3]), bytes.fromhex(found[4])):
        return None
    return LineMark(found[2], found[3] == "lowered")


def _state(mark: LineMark) -> str:
    return "lowered" if mark.lowered else "as-found"


def _signature(key: HostKey, place: Place, finding: str, state: str) -> bytes:
    fields = (str(place.number), place.head, finding, state)
    secret = key.derive(Purpose.LINE_COMMENT, place.origin)
    return hmac.digest(secret, framed([field.encode("utf-8", "replace") for field in fields]), hashlib.sha256)
