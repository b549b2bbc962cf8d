"""`werkrevisor review URL`: reviews a pull request, prints the result and, with `--publish`, tells the forge."""

import argparse
import os
import re
import sys
import time
from contextlib import ExitStack
from typing import Final

from attrs import evolve

from werkrevisor_core.cli.collect import host_layer
from werkrevisor_core.cli.output import complain
from werkrevisor_core.cli.review import supervised, write_review
from werkrevisor_core.config.layers import Layer, LayerKind
from werkrevisor_core.config.sections import EngineSettings, GateSettings, GiteaSettings
from werkrevisor_core.config.wording import printable
from werkrevisor_core.errors import UsageError
from werkrevisor_core.models.result import Review
from werkrevisor_core.models.verdict import Level
from werkrevisor_core.registry import load_registry
from werkrevisor_core.session import load_config, switched
from werkrevisor_core.watchdog import Progress
from werkrevisor_gitea.errors import ForgeError
from werkrevisor_gitea.locks import Busy
from werkrevisor_gitea.reviewing import HostConfig, Opened, alone, opened, publish_review
from werkrevisor_gitea.withdrawing import withdraw

_PULL: Final = re.compile(r"(?P<server>https?://.+)/(?P<repository>[^/]+/[^/]+)/pulls/(?P<number>[1-9][0-9]{0,8})/?\Z")


def run_review_of_url(options: argparse.Namespace) -> int:
    """Review the pull request that the options name.

    Returns:
        The level of the verdict; 4 (ERROR) where the server could not be read, or not be told everything.

    Raises:
        UsageError: the options or the config ask for something that cannot be done.
    """
    started = time.monotonic()
    host = load_host(options.config, options.mode)
    number = number_of(options.url, host.gitea)
    progress = Progress()
    try:
        with ExitStack() as stack:
            if options.publish:
                stack.enter_context(alone(host, number, os.environ, _tell))
            try:
                given = stack.enter_context(opened(host, number, progress))
            except ForgeError as error:
                return _not_read(host, number, error, publish=options.publish)
            return supervised(given.ready, progress, lambda review: _show(given, options, started, review))
    except (ForgeError, Busy) as error:
        return complain(str(error), int(Level.ERROR))


def _tell(says: str) -> None:
    complain(says, 0)


def _not_read(host: HostConfig, number: int, error: ForgeError, *, publish: bool) -> int:
    if publish:
        for sentence in withdraw(host.gitea, number, error, os.environ):
            sys.stderr.write(f"{printable(sentence)}\n")
    return complain(str(error), int(Level.ERROR))


def _show(given: Opened, options: argparse.Namespace, started: float, review: Review) -> int:
    review = evolve(review, seconds=time.monotonic() - started)
    write_review(review, options.format)
    if not options.publish:
        return int(review.verdict)
    sys.stdout.flush()
    published = publish_review(given, review)
    for sentence in published.done:
        sys.stderr.write(f"{printable(sentence)}\n")
    for sentence in published.failed:
        complain(sentence, 0)
    if published.stopped:
        complain(f"publishing was stopped, and what was granted is taken back: {published.stopped}", 0)
    return int(review.verdict) if published.whole else int(Level.ERROR)


def load_host(path: str | None, mode: str | None = None) -> HostConfig:
    """Load the host's config for a review of a pull request.

    Args:
        path: the file that `--config` names.
        mode: what `--mode` says.

    Raises:
        UsageError: no file is named, it cannot be read, or it is faulty.
    """
    layer = host_layer(path)
    if layer is None:
        raise UsageError("a pull request needs the host's config: pass --config FILE (`werkrevisor init` makes one)")
    command_line = None if mode is None else Layer("command line", LayerKind.COMMAND_LINE, {"engine": {"mode": mode}})
    registry = switched(load_registry(), layer, command_line)
    config = load_config(registry, [layer])
    if config.faults:
        raise UsageError(f"the config is at fault: {'; '.join(map(str, config.faults))}")
    return HostConfig(
        layer,
        registry,
        config.core(GiteaSettings),
        config.core(GateSettings),
        config.core(EngineSettings),
        command_line,
    )


def number_of(url: str, settings: GiteaSettings) -> int:
    """Return the number of the pull request that a URL names.

    Raises:
        UsageError: it names none, or one of another server or repository than the config, or the config names none.
    """
    for key, value in (("url", settings.url), ("repository", settings.repository)):
        if not value:
            raise UsageError(f"the host's config has no [gitea] {key}; set it, or run `werkrevisor init`")
    found = _PULL.match(url)
    if found is None:
        raise UsageError(f"{url} names no pull request; it must look like https://host/owner/name/pulls/7")
    wanted = (settings.url.rstrip("/"), settings.repository.casefold())
    if (found["server"], found["repository"].casefold()) != wanted:
        raise UsageError(
            f"{url} is not a pull request of {wanted[0]}/{settings.repository}, for which the config is; "
            "pass the --config of that repository"
        )
    return int(found["number"])
