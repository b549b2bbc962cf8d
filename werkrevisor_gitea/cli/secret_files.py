"""Keys and secrets on this machine: made so that nobody else can read them, and checked for that."""

import os
import secrets
import stat
from pathlib import Path
from typing import Final

from werkrevisor_core.errors import UsageError

KEY_BYTES: Final = 32
LEAST_CHARACTERS: Final = 32
"""Shortest key or secret that is accepted: 128 bits as hexadecimal digits."""
_MOST_BYTES: Final = 4096
_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO


def make_secret(path: Path) -> bool:
    """Write a new random secret as hexadecimal digits, readable by its owner alone.

    Returns:
        Whether it was made; an existing file is left as it is.

    Raises:
        UsageError: the file cannot be made.
    """
    return write_new(path, f"{secrets.token_hex(KEY_BYTES)}\n")


def write_new(path: Path, text: str) -> bool:
    """Write a file that only its owner can read, never over an existing one.

    Returns:
        Whether it was written.

    Raises:
        UsageError: it cannot be written.
    """
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    except FileExistsError:
        return False
    except OSError as error:
        raise UsageError(f"{path} cannot be made ({error.strerror}); name another folder with --directory") from error
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
    return True


def fault_of_secret(path: Path) -> str:
    """Say what is wrong with a file that holds a key or secret; empty where nothing is.

    The text never repeats what the file holds.
    """
    try:
        with path.open("rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            held = file.read(_MOST_BYTES).strip()
    except OSError as error:
        return f"{path} cannot be read ({error.strerror}); let `werkrevisor init` make it, or mend its owner and mode"
    if mode & _OTHERS:
        return f"{path} can be read or written by others (mode {stat.S_IMODE(mode):04o}); run: chmod 600 {path}"
    if len(held) < LEAST_CHARACTERS:
        return f"{path} holds less than {LEAST_CHARACTERS} characters; make a new one, e.g. openssl rand -hex 32"
    return ""


def others_can_read(path: Path) -> str:
    """Say that others than its owner can read a file; empty where they cannot, or where there is no file."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return ""
    return f"{path} can be read or written by others; run: chmod 600 {path}" if mode & _OTHERS else ""
