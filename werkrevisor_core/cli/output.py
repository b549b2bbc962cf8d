"""What the commands share in talking to the user: complaints, colour, a line that says that work goes on."""

import os
import sys
from typing import Final, TextIO

from werkrevisor_core.config.wording import printable

USAGE_STATUS: Final = 64
"""Exit status of a user's mistake (EX_USAGE of sysexits.h); verdicts have 0 to 4."""
OUTPUT_STATUS: Final = 74
"""Exit status where the result could not be written (EX_IOERR of sysexits.h)."""
_QUIET_SECONDS: Final = 2.0
"""Time after which a user wonders whether anything happens."""
_CLEAR_LINE: Final = "\r\x1b[K"


def complain(text: str, status: int) -> int:
    """Print one sentence on standard error and return the exit status that goes with it."""
    sys.stderr.write(f"werkrevisor: {printable(text)}\n")
    return status


def complain_of_output(error: OSError) -> int:
    """Say that the result could not be written; return the exit status."""
    why = error.strerror or "unknown error"
    return complain(f"the result cannot be written ({why}); make room, or send it elsewhere", OUTPUT_STATUS)


def wants_colour(stream: TextIO) -> bool:
    """Tell whether a stream is a terminal that wants colour (https://no-color.org)."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def show_waiting(seconds: float, rule: str) -> None:
    """Show on a terminal that a long review goes on, in one line that is written over again and again."""
    if seconds >= _QUIET_SECONDS and sys.stderr.isatty():
        at = f", at the rule {rule}" if rule else ""
        sys.stderr.write(f"{_CLEAR_LINE}reviewing for {seconds:.0f} s{at} ")
        sys.stderr.flush()


def clear_waiting() -> None:
    """Remove that line."""
    if sys.stderr.isatty():
        sys.stderr.write(_CLEAR_LINE)
        sys.stderr.flush()
