"""Keyed fingerprints of blocks and file headers, with which a marker remembers what was reviewed.

128 bits of BLAKE2b with a key of the host: without the key an author could look for two blocks with
the same fingerprint. Every field is preceded by its length, and every list by its count, so no two
different changes are written alike. Line numbers and context are no part of a block.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from typing import Final

from attrs import field

from werkrevisor_core.models.change import REGULAR_MODES, Block, FileChange, Hunk
from werkrevisor_core.models.forge import FileMark, Marker
from werkrevisor_core.records import frozen

DIGEST_BYTES: Final = 16
_BLOCK: Final = b"werkrevisor.blk"
_HEADER: Final = b"werkrevisor.head"
_WHOLE: Final = b"werkrevisor.file"
# The version line of a pointer, or its id where a hunk shows no more.
_LFS: Final = re.compile(rb"^[ +-](?:version https://(?:git-lfs|hawser)\.github\.com/spec/|oid sha256:)", re.MULTILINE)


@frozen
class KeyedFingerprints:
    """The port `Fingerprints`: `keys` maps the ids of the host's keys, newest first, to what is derived from each."""

    keys: Mapping[str, bytes] = field(repr=False)

    def of(self, files: Sequence[FileChange]) -> tuple[FileMark, ...]:
        """Return the fingerprints for a new marker, made with the newest key."""
        key = next(iter(self.keys.values()))
        return tuple(file_mark(key, file) for file in files)

    def like(self, marker: Marker, files: Sequence[FileChange]) -> tuple[FileMark, ...] | None:
        """Return the fingerprints in the form in which the marker keeps its own, None where its key is not known."""
        key = self.keys.get(marker.key_id)
        if key is None:
            return None
        marks = [file_mark(key, file) for file in files]
        if any(mark.blocks is None for mark in marker.files):
            marks = [whole_mark(key, mark) for mark in marks]
        return tuple(marks)


def file_mark(key: bytes, file: FileChange) -> FileMark:
    """Return the fingerprints of one changed file.

    Args:
        key: at most 64 secret bytes.
        file: the change; one that was not read is known by its blob ids alone.
    """
    hunks = file.patch.hunks()
    blocks = tuple(block_fingerprint(key, file.path, block) for hunk in hunks for block in hunk.blocks())
    return FileMark(file.path, header_fingerprint(key, file, hunks), blocks)


def block_fingerprint(key: bytes, path: str, block: Block) -> str:
    """Return the fingerprint of one block: path, removed and added lines."""
    return _digest(key, _BLOCK, [_text(path), framed(block.removed), framed(block.added)])


def header_fingerprint(key: bytes, file: FileChange, hunks: Sequence[Hunk]) -> str:
    """Return the fingerprint of what stands in a file's header rather than in its lines.

    The ids of the contents belong to it only where no lines show the change, since any edit of the
    base elsewhere in the file changes them.
    """
    ends = [b"%d%d" % (hunk.old_unterminated, hunk.new_unterminated) for hunk in hunks]
    fields = [
        file.status.value.encode(),
        _text(file.path),
        _text(file.old_path),
        _text(file.old_mode or ""),
        _text(file.new_mode or ""),
        framed([end for end in ends if end != b"00"]),
        b"binary" if file.binary else b"",
    ]
    if _known_by_id(file, hunks):
        fields += [_text(file.old_blob or ""), _text(file.new_blob or "")]
    return _digest(key, _HEADER, fields)


def _known_by_id(file: FileChange, hunks: Sequence[Hunk]) -> bool:
    modes = {mode for mode in (file.old_mode, file.new_mode) if mode is not None}
    if not hunks or file.binary or file.unread is not None or not modes <= REGULAR_MODES:
        return True
    return _LFS.search(file.patch.text()) is not None


def whole_mark(key: bytes, mark: FileMark) -> FileMark:
    """Return the one hash that stands for all fingerprints of a file, where there is no room for each."""
    blocks = mark.blocks or ()
    whole = _digest(key, _WHOLE, [_text(mark.path), _text(mark.header), framed([_text(block) for block in blocks])])
    return FileMark(mark.path, "", None, whole)


def _digest(key: bytes, person: bytes, fields: Sequence[bytes]) -> str:
    return blake2b(framed(fields), digest_size=DIGEST_BYTES, key=key, person=person).hexdigest()


def framed(fields: Iterable[bytes]) -> bytes:
    """Join fields, each preceded by its length, so that no other list of fields gives the same bytes."""
    parts = list(fields)
    return b"".join([len(parts).to_bytes(8, "big"), *(len(part).to_bytes(8, "big") + part for part in parts)])


def _text(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
