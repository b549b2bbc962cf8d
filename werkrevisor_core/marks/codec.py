"""Writes and reads the marker of a result comment: one line, hidden, signed, at the comment's end.

    <!-- werkrevisor-marker VERSION KEY-ID PAYLOAD SIGNATURE -->

The payload is compressed JSON in base64 (whose alphabet has no dash, so nothing in it ends the HTML
comment). The signature is checked over its bytes before anything is unpacked.
"""

import base64
import binascii
import hashlib
import hmac
import re
import zlib
from collections.abc import Iterator, Sequence
from typing import Final

from attrs import evolve

from werkrevisor_core.fingerprints import framed, whole_mark
from werkrevisor_core.marks.keys import HostKey, Keyring, Origin, Purpose
from werkrevisor_core.marks.payload import READABLE, VERSION, PayloadFault, decode, encode
from werkrevisor_core.models.forge import Marker
from werkrevisor_core.records import frozen

MARKER_ROOM: Final = 44_000
"""Bytes that a marker takes at most; a comment has 60,000, and the rest is for people."""
LONGEST: Final = 60_000
"""Characters of a line above which it is not even looked at."""
UNPACKED: Final = 8 << 20
"""Bytes of a payload when unpacked, above which it is refused."""
_LABEL: Final = "werkrevisor-marker"
# A line of code that the comment quotes is indented by four blanks or more.
_LIKE: Final = re.compile(rf" {{0,3}}<!--[ \t]*{_LABEL}\b")
_LINE: Final = re.compile(rf"<!-- {_LABEL} ([0-9]{{1,4}}) ([0-9a-f]{{16}}) ([A-Za-z0-9+/]+=*) ([0-9a-f]{{64}}) -->")


@frozen
class Comment:
    """A comment of the pull request, as the forge gives it."""

    id: int
    login: str
    body: str


@frozen
class Written:
    """A marker as text, and what it holds; `note` is for the comment where something had no room."""

    text: str
    marker: Marker
    note: str = ""


@frozen
class Read:
    """What the comments of a pull request hold.

    `markers` are the valid ones, oldest first. `broken` are sentences on comments of the bot whose
    marker is not valid, `ignored` on comments of others that look like one.
    """

    markers: tuple[Marker, ...] = ()
    broken: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()


class MarkerFault(ValueError):
    """A line looks like a marker and is none; the text goes behind "has a marker that"."""


def write_marker(marker: Marker, keyring: Keyring, most: int = MARKER_ROOM) -> Written:
    """Return a marker as text of at most `most` bytes, signed with the newest key.

    What does not fit is given up in this order: a fingerprint per block (one per file stays), all
    fingerprints, who was involved, the reasons. Without fingerprints no approval is carried, and the note says so.

    Args:
        marker: with fingerprints made with the newest key.
        keyring: the host's keys.
        most: bytes.
    """
    key = keyring.newest
    marker = evolve(marker, key_id=key.id)
    for reduced, note in _forms(marker, key):
        text = _signed(VERSION, key, encode(reduced), Origin(marker.server, marker.repository_id))
        written = Written(text, reduced, note)
        if len(text) <= most:
            break
    return written


def _forms(marker: Marker, key: HostKey) -> Iterator[tuple[Marker, str]]:
    yield marker, ""
    secret = key.derive(Purpose.FINGERPRINT, Origin(marker.server, marker.repository_id))
    yield evolve(marker, files=tuple(whole_mark(secret, mark) for mark in marker.files)), ""
    note = (
        "The fingerprints of this change do not fit into the comment, so no approval of this head is carried over "
        "to another one."
    )
    yield evolve(marker, files=()), note
    # Without fingerprints nothing is carried, so nobody asks any more who had a hand in it.
    yield evolve(marker, files=(), involved=()), note
    yield evolve(marker, files=(), involved=(), reasons=()), note


def _signed(version: int, key: HostKey, payload: bytes, origin: Origin) -> str:
    packed = zlib.compress(payload, 9)
    return (
        f"<!-- {_LABEL} {version} {key.id} {base64.b64encode(packed).decode()} "
        f"{_signature(version, key, packed, origin).hex()} -->"
    )


def _signature(version: int, key: HostKey, packed: bytes, origin: Origin) -> bytes:
    secret = key.derive(Purpose.MARKER, origin)
    return hmac.digest(secret, framed([b"marker", str(version).encode(), key.id.encode(), packed]), hashlib.sha256)


def read_comments(comments: Sequence[Comment], bot: str, keyring: Keyring, origin: Origin, pull_request: int) -> Read:
    """Read the markers of a pull request's comments.

    Args:
        comments: all of them.
        bot: login of the bot; only its own comments count, whatever stands in others.
        keyring: the host's keys.
        origin: the repository that the markers must be for.
        pull_request: its number.
    """
    markers: list[Marker] = []
    broken: list[str] = []
    ignored: list[str] = []
    for comment in sorted(comments, key=lambda comment: comment.id):
        if comment.login.casefold() != bot.casefold():
            if any(_LIKE.match(line) for line in comment.body.split("\n")):
                ignored.append(f"The comment {comment.id} has a marker and is not the bot's, so it is ignored.")
            continue
        try:
            marker = read_marker(comment.body, keyring, origin, pull_request)
        except MarkerFault as fault:
            broken.append(f"The bot's comment {comment.id} has a marker that {fault}.")
            continue
        if marker is None:
            continue
        if any(known.sequence == marker.sequence for known in markers):
            broken.append(f"The bot's comment {comment.id} has a marker that stands in another comment, too.")
            continue
        markers.append(evolve(marker, comment=comment.id))
    markers.sort(key=lambda marker: marker.sequence)
    return Read(tuple(markers), tuple(broken), tuple(ignored))


def read_marker(body: str, keyring: Keyring, origin: Origin, pull_request: int) -> Marker | None:
    """Return the marker of one comment, None where it has none.

    Only the comment's last line can be one. What stands in the visible part is text of the change.

    Raises:
        MarkerFault: there is something like a marker that is not valid here.
    """
    lines = body.replace("\r\n", "\n").rstrip("\n \t\r").split("\n")
    like = [number for number, line in enumerate(lines) if _LIKE.match(line)]
    if not like:
        return None
    if len(like) > 1:
        raise MarkerFault("is not the only one in it")
    if like != [len(lines) - 1]:
        raise MarkerFault("does not stand at its end")
    marker = _opened(lines[-1], keyring, origin)
    if (marker.server, marker.repository_id, marker.pull_request) != (*_of(origin), pull_request):
        raise MarkerFault("was made for another pull request")
    return marker


def _of(origin: Origin) -> tuple[str, int]:
    return origin.server, origin.repository_id


def _opened(line: str, keyring: Keyring, origin: Origin) -> Marker:
    found = _LINE.fullmatch(line) if len(line) <= LONGEST else None
    if found is None:
        raise MarkerFault("is not well formed")
    version = int(found[1])
    if version not in READABLE:
        raise MarkerFault(f"has the format {version}, which this version of werkrevisor does not read")
    key = keyring.get(found[2])
    if key is None:
        raise MarkerFault(f"was signed with the key {found[2]}, which this host does not have")
    try:
        packed = base64.b64decode(found[3], validate=True)
    except binascii.Error:
        raise MarkerFault("is not well formed") from None
    if not hmac.compare_digest(_signature(version, key, packed, origin), bytes.fromhex(found[4])):
        raise MarkerFault("does not fit its signature")
    try:
        return evolve(decode(version, _unpacked(packed)), key_id=key.id)
    except PayloadFault as fault:
        raise MarkerFault(str(fault)) from None


def _unpacked(packed: bytes) -> bytes:
    unpacker = zlib.decompressobj()
    try:
        data = unpacker.decompress(packed, UNPACKED)
    except zlib.error:
        raise PayloadFault("cannot be unpacked") from None
    if not unpacker.eof or unpacker.unused_data:
        raise PayloadFault("unpacks to more than a marker can hold")
    return data
