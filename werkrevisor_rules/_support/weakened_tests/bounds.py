"""How much is compared, and what is said of a file beyond it."""

from werkrevisor_core.records import frozen


@frozen
class Bounds:
    """How much is compared: bytes of a file, tests of a file, length of a line, depth, bytes in all."""

    file_bytes: int = 2_000_000
    tests: int = 5_000
    line_length: int = 20_000
    depth: int = 200
    total_bytes: int = 200_000_000
    seconds_per_file: float = 10.0


class NotComparable(Exception):
    """A version of a file is beyond a bound; the text says which, in words for the reader."""


class NotParsed(Exception):
    """A version of a file is not valid in its language; the text says where."""
