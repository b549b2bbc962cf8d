"""Runs commands and measures time and peak memory of each process."""

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import attrs

REVIEW: Final = (sys.executable, "-m", "werkrevisor_core.cli.main", "review")


@attrs.frozen
class Cost:
    """Seconds of wall time, and the peak of resident memory in bytes."""

    seconds: float
    memory: int


def environment(cache: Path) -> dict[str, str]:
    """Return the environment of all measured processes: byte code is kept, in a folder of its own."""
    given = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**given, "PYTHONPYCACHEPREFIX": str(cache), "GIT_CONFIG_NOSYSTEM": "1", "HOME": "/nonexistent"}


def run(command: Sequence[str], env: dict[str, str], output: Path | None = None) -> Cost:
    """Run a command; its output goes to a file, or nowhere.

    Raises:
        RuntimeError: it ended with a status that is neither 0 nor a verdict.
    """
    with (output or Path(os.devnull)).open("wb") as out:
        started = time.perf_counter()
        process = subprocess.Popen(command, stdout=out, env=env)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if not 0 <= process.returncode <= 4:
        raise RuntimeError(f"{command[0]} ended with {process.returncode}")
    return Cost(seconds, usage.ru_maxrss * 1024)


def best(costs: Sequence[Cost]) -> Cost:
    """Return the least of each figure: what the machine did beside only adds."""
    return Cost(min(cost.seconds for cost in costs), min(cost.memory for cost in costs))
