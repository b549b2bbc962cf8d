"""`werkrevisor review`: reviews a range or a diff and prints the result; the exit status is the verdict."""

import argparse
import os
import sys
import time
from collections.abc import Callable

from attrs import evolve

from werkrevisor_core.cli.collect import prepared
from werkrevisor_core.engine import failed
from werkrevisor_core.models.result import Review
from werkrevisor_core.models.verdict import Level, Reason
from werkrevisor_core.session import Prepared
from werkrevisor_core.watchdog import Progress, supervise


def run_review(options: argparse.Namespace) -> int:
    """Review what the options ask for and print it.

    Returns:
        The level of the verdict, 0 (GREEN) to 4 (ERROR).
    """
    started = time.monotonic()
    progress = Progress()
    with prepared(options, progress) as ready:
        return supervised(ready, progress, lambda review: _print(options, started, review))


def supervised(ready: Prepared | Review, progress: Progress, show: Callable[[Review], int]) -> int:
    """Run a prepared review under the watchdog and show it; a finished one is only shown.

    Args:
        ready: the review.
        progress: where the running rule is noted.
        show: prints a review and returns the exit status.
    """
    if isinstance(ready, Review):
        return show(ready)
    engine = ready.given.engine

    def ended(rule: str, what: str) -> int:
        return show(failed(ready.given.change, (_ended(rule, what),), engine.mode, ready.given.notes))

    return supervise(lambda: show(ready.run()), progress, engine.rule_timeout_seconds, ended)


def _ended(rule: str, what: str) -> Reason:
    return Reason(
        "rule_hung",
        Level.ERROR,
        f"The rule {rule or 'of the core'} {what}.",
        (),
        "The operator mends or updates the rule, or switches it off in the host's config; then the review runs again.",
        rule or "core",
    )


def _print(options: argparse.Namespace, started: float, review: Review) -> int:
    review = evolve(review, seconds=time.monotonic() - started)
    _WRITERS[options.format](review)
    return int(review.verdict)


def _text(review: Review) -> None:
    from werkrevisor_core.render.text import render_text  # noqa: PLC0415 (only the format that is asked for)

    sys.stdout.write(render_text(review, colour=wants_colour()))


def _markdown(review: Review) -> None:
    from werkrevisor_core.render.comment import render_comment  # noqa: PLC0415

    sys.stdout.write(render_comment(review))


def _json(review: Review) -> None:
    from werkrevisor_core.render.json import write_json  # noqa: PLC0415

    write_json(review, sys.stdout)


def _sarif(review: Review) -> None:
    from werkrevisor_core.render.sarif import write_sarif  # noqa: PLC0415

    write_sarif(review, sys.stdout)


_WRITERS = {"text": _text, "markdown": _markdown, "json": _json, "sarif": _sarif}


def wants_colour() -> bool:
    """Tell whether standard output is a terminal that wants colour (https://no-color.org)."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
