"""`werkrevisor review`: reviews a range or a diff and prints the result; the exit status is the verdict."""

import argparse
import sys
import time
from collections.abc import Callable
from contextlib import redirect_stdout
from typing import Final

from attrs import evolve

from werkrevisor_core.cli.collect import prepared
from werkrevisor_core.cli.output import clear_waiting, complain, complain_of_output, show_waiting, wants_colour
from werkrevisor_core.engine import failed
from werkrevisor_core.errors import RegistryError, UsageError
from werkrevisor_core.models.result import Review
from werkrevisor_core.models.verdict import Level, Reason
from werkrevisor_core.packs import announced
from werkrevisor_core.session import Prepared
from werkrevisor_core.watchdog import Progress, supervise

SOURCES: Final = "werkrevisor_sources"
"""Group of entry points of other packages that review what a URL names.

Each is a function that takes the options of `review` and returns the exit status. The core knows no forge.
"""


def run_review(options: argparse.Namespace) -> int:
    """Review what the options ask for and print it.

    Returns:
        The level of the verdict, 0 (GREEN) to 4 (ERROR).

    Raises:
        UsageError: the options ask for something that cannot be done.
    """
    if options.url is not None:
        return _elsewhere(options)
    if options.publish:
        raise UsageError("--publish needs the URL of a pull request, e.g. https://host/owner/name/pulls/7")
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

    def work() -> int:
        with redirect_stdout(sys.stderr):  # what a rule prints is no part of the result
            review = ready.run()
        progress.start_output()
        clear_waiting()
        return _shown(show, review)

    def ended(rule: str, what: str) -> int:
        clear_waiting()
        if progress.output_started:  # a second document behind a part of the first helps nobody
            return complain(f"the result is cut off, since the process {what}", int(Level.ERROR))
        return show(failed(ready.given.change, (_ended(rule, what),), engine.mode, ready.given.notes))

    return supervise(work, progress, engine.rule_timeout_seconds, ended, show_waiting)


def _shown(show: Callable[[Review], int], review: Review) -> int:
    """Show a review in the child process, where an error of the output would end in a traceback."""
    try:
        status = show(review)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        return complain_of_output(error)
    return status


def _ended(rule: str, what: str) -> Reason:
    return Reason(
        "rule_hung",
        Level.ERROR,
        f"{f'The rule {rule}' if rule else 'The core'} {what}.",
        (),
        "The operator mends or updates the rule, or switches it off in the host's config; then the review runs again.",
        rule or "core",
    )


def _elsewhere(options: argparse.Namespace) -> int:
    """Hand a URL over to the package that knows its forge."""
    for name, given in (("--diff", options.diff), ("--base", options.base), ("--head", options.head)):
        if given is not None:
            raise UsageError(
                f"{name} belongs to a local review, and {options.url} names a pull request: give one of them"
            )
    points = announced(SOURCES)
    if not points:
        raise UsageError("no package for a forge is installed; install werkrevisor[gitea]")
    run = points[0].load()
    if not callable(run):
        raise RegistryError(f"the source {points[0].name} ({points[0].pack}) is no function")
    return int(run(options))


def _print(options: argparse.Namespace, started: float, review: Review) -> int:
    review = evolve(review, seconds=time.monotonic() - started)
    write_review(review, options.format)
    return int(review.verdict)


def write_review(review: Review, form: str) -> None:
    """Write a review to standard output, as `text`, `markdown`, `json` or `sarif`."""
    _WRITERS[form](review)


def _text(review: Review) -> None:
    from werkrevisor_core.render.text import render_text  # noqa: PLC0415 (only the format that is asked for)

    sys.stdout.write(render_text(review, colour=wants_colour(sys.stdout)))


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
