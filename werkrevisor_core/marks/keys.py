"""The host's keys and what is derived from them.

One secret per host; every purpose and every repository gets a key of its own (HKDF, RFC 5869, over
SHA-256), so a marker or a fingerprint of one repository says nothing in another. To rotate, a new key
is put on top: the newest signs, all of them verify.
"""

import hashlib
import hmac
import re
import secrets
from collections.abc import Iterator
from enum import Enum
from typing import Final

from attrs import field

from werkrevisor_core.errors import UsageError
from werkrevisor_core.fingerprints import framed
from werkrevisor_core.records import frozen

KEY_BYTES: Final = 32
_SALT: Final = b"werkrevisor host key"
_LINE: Final = re.compile(r"(?:[0-9a-fA-F]{2})+")
_ID_DIGITS: Final = 16


class Purpose(Enum):
    """What a derived key is for."""

    MARKER = b"marker"
    FINGERPRINT = b"fingerprint"
    KEY_ID = b"key id"
    LINE_COMMENT = b"line comment"


@frozen
class Origin:
    """The repository that a key belongs to: origin of its server (scheme, host, port) and its number there."""

    server: str
    repository_id: int


@frozen
class HostKey:
    """One secret of the host; its id names it in markers and tells nothing about it."""

    secret: bytes = field(repr=False)

    @property
    def id(self) -> str:
        """The name of this key in markers, 16 hexadecimal digits."""
        return _derived(self.secret, Purpose.KEY_ID, Origin("", 0)).hex()[:_ID_DIGITS]

    def derive(self, purpose: Purpose, origin: Origin) -> bytes:
        """Return the 32 bytes for one purpose in one repository."""
        return _derived(self.secret, purpose, origin)


def _derived(secret: bytes, purpose: Purpose, origin: Origin) -> bytes:
    extracted = hmac.digest(_SALT, secret, hashlib.sha256)
    info = framed([purpose.value, origin.server.encode("utf-8", "replace"), str(origin.repository_id).encode()])
    return hmac.digest(extracted, info + b"\x01", hashlib.sha256)


@frozen
class Keyring:
    """All keys of the host, the newest first; at least one."""

    keys: tuple[HostKey, ...]

    @classmethod
    def parse(cls, text: str, where: str = "the key file") -> "Keyring":
        """Read keys, one in a line, in hexadecimal, the newest first.

        Raises:
            UsageError: there is none, or a line is no key; the text never repeats what stands there.
        """
        return cls(tuple(_keys(text, where)))

    @property
    def newest(self) -> HostKey:
        """The key that signs."""
        return self.keys[0]

    def get(self, key_id: str) -> HostKey | None:
        """Return the key with this id, None where the host has none."""
        return next((key for key in self.keys if hmac.compare_digest(key.id.encode(), key_id.encode())), None)

    def fingerprint_keys(self, origin: Origin) -> dict[str, bytes]:
        """Return the fingerprint key of each host key for a repository, by key id."""
        return {key.id: key.derive(Purpose.FINGERPRINT, origin) for key in self.keys}


def _keys(text: str, where: str) -> Iterator[HostKey]:
    seen: set[bytes] = set()
    for number, line in enumerate(text.split("\n"), 1):
        bare = line.strip()
        if not bare or bare.startswith("#"):
            continue
        if not _LINE.fullmatch(bare) or len(bare) < 2 * KEY_BYTES:
            raise UsageError(
                f"line {number} of {where} is no key: a key has at least {2 * KEY_BYTES} hexadecimal digits; "
                "`werkrevisor init` makes one"
            )
        secret = bytes.fromhex(bare)
        if secret in seen:
            raise UsageError(f"line {number} of {where} repeats a key: keep each key once, the newest first")
        seen.add(secret)
        yield HostKey(secret)
    if not seen:
        raise UsageError(f"{where} holds no key: `werkrevisor init` makes one")


def new_key() -> str:
    """Return a fresh random key as a line of a key file."""
    return secrets.token_hex(KEY_BYTES)
