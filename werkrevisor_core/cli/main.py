"""`werkrevisor`: parses the command line and hands over to one module per command."""

import argparse
import gc
import io
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Any, Final, NoReturn

from werkrevisor_core import __version__
from werkrevisor_core.cli.output import USAGE_STATUS, complain, complain_of_output
from werkrevisor_core.config.wording import printable
from werkrevisor_core.errors import RegistryError, WerkrevisorError

if TYPE_CHECKING:
    # argparse does not export the type that a parser's sub-commands are added to.
    SubParsers = argparse._SubParsersAction[argparse.ArgumentParser]  # noqa: SLF001


_USUAL_WIDTH: Final = 100
"""Columns of help where there is no terminal."""


class _Formatter(argparse.HelpFormatter):
    """argparse's own, which would import shutil for the width of the terminal with every start."""

    def __init__(self, prog: str) -> None:
        try:
            width = os.get_terminal_size().columns
        except OSError:
            width = _USUAL_WIDTH
        super().__init__(prog, width=width - 2)


class _Parser(argparse.ArgumentParser):
    """argparse that answers a mistake with one sentence and our own exit status."""

    def __init__(self, **given: Any) -> None:  # noqa: ANN401 (argparse has a dozen arguments of many types)
        # Abbreviations are off, else a new option could break a script.
        super().__init__(allow_abbrev=False, formatter_class=_Formatter, **given)

    def error(self, message: str) -> NoReturn:
        """Print what is wrong and where help is, and leave."""
        self.exit(USAGE_STATUS, f"werkrevisor: {printable(message)}; see `{self.prog} --help`\n")


class _Terminated(KeyboardInterrupt):
    """SIGTERM arrived; a KeyboardInterrupt, so that all that Ctrl-C cleans up is cleaned up."""


def main(arguments: Sequence[str] | None = None) -> int:  # noqa: PLR0911 (one per way to end)
    """Run one command.

    Args:
        arguments: the command line without the program's name; that of the process where None.

    Returns:
        The exit status: that of the command, 64 for a user's mistake, 70 for a fault of this program,
        74 where the result cannot be written.
    """
    try:
        with _terminable():
            return _run(arguments)
    except WerkrevisorError as error:
        return complain(str(error), USAGE_STATUS)
    except BrokenPipeError:
        # The reader of our output has gone; nothing is left to say, and Python must not try on exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except OSError as error:
        return complain_of_output(error)
    except _Terminated:
        return 128 + signal.SIGTERM
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    except Exception:  # whatever it is: Python would end with 1, which is a verdict
        from werkrevisor_core.watchdog import INTERNAL_STATUS  # noqa: PLC0415 (no other way needs it here)

        sys.excepthook(*sys.exc_info())
        return complain("a fault of werkrevisor itself; nothing was judged, so please report it", INTERNAL_STATUS)


def _run(arguments: Sequence[str] | None) -> int:
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A terminal that cannot show a character gets its number; a review never ends for that.
        sys.stdout.reconfigure(errors="backslashreplace")
    given = sys.argv[1:] if arguments is None else list(arguments)
    options = build_parser(more=_wants_more(given)).parse_args(given)
    status = int(options.run(options))
    sys.stdout.flush()  # here a closed pipe is still quiet
    return status


@contextmanager
def _terminable() -> Iterator[None]:
    """Let SIGTERM end the program as Ctrl-C does, with nothing left behind."""

    def end(_signal: int, _frame: FrameType | None) -> NoReturn:
        raise _Terminated

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


COMMANDS: Final = "werkrevisor_commands"
"""Group of entry points of other packages' commands: functions that take what `add_subparsers` returned.

The name of an entry point is that of its command. The core knows no forge, so the commands for one come so.
"""


def _wants_more(given: Sequence[str]) -> bool:
    """Tell whether commands of other packages matter; finding them takes time that a local review does not have."""
    return not given or given[0] not in _BUILT_IN


def _add_more(commands: "SubParsers") -> None:
    import importlib.metadata  # noqa: PLC0415 (costs 20 ms)

    for point in sorted(importlib.metadata.entry_points(group=COMMANDS), key=lambda each: each.name):
        if point.name in commands.choices:
            raise RegistryError(f"the command `{point.name}` comes from two packages; uninstall one of them")
        try:
            point.load()(commands)
        except Exception as error:
            raise RegistryError(f"the command `{point.name}` ({point.value}) cannot be loaded: {error}") from error


def build_parser(*, more: bool = True) -> argparse.ArgumentParser:
    """Build the parser of all commands; a command's module is imported only when it runs.

    Args:
        more: whether the commands of other packages are needed, too.

    Raises:
        RegistryError: a command of another package cannot be loaded.
    """
    parser = _Parser(prog="werkrevisor", description="Reviews a change and says what it takes to merge it.")
    parser.add_argument("--version", action="version", version=f"werkrevisor {__version__}")
    # With `prog` given, argparse formats no usage line here, which would import shutil and locale.
    commands: SubParsers = parser.add_subparsers(  # type: ignore[assignment]
        metavar="COMMAND", required=True, prog=parser.prog
    )
    _add_review(commands)
    _add_explain(commands)
    _add_rules(commands)
    _add_config(commands)
    if more:
        _add_more(commands)
    return parser


_BUILT_IN: Final = frozenset({"review", "explain", "rules", "config"})


def _add_source(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--repo", metavar="DIR", default=".", help="the git repository (default: the one around here)")
    parser.add_argument("--base", metavar="REV", help="the branch to merge into (default: origin/HEAD, main or master)")
    parser.add_argument("--head", metavar="REV", help="what is to be merged (default: HEAD)")
    parser.add_argument("--diff", metavar="FILE", help="review a diff made by git instead; - reads standard input")
    parser.add_argument("--config", metavar="FILE", help="the host's config file")
    parser.add_argument("--mode", choices=["rules", "classifier", "llm", "combined"], help="who judges")


def _add_review(commands: "SubParsers") -> None:
    parser = commands.add_parser(
        "review", help="review a range, a diff or a pull request; the exit status is the verdict"
    )
    parser.add_argument("url", nargs="?", metavar="URL", help="a pull request, e.g. https://host/owner/name/pulls/7")
    parser.add_argument("--publish", action="store_true", help="tell the forge of that pull request, too")
    _add_source(parser)
    parser.add_argument(
        "--format", choices=["text", "markdown", "json", "sarif"], default="text", help="how to print it"
    )

    def run(options: argparse.Namespace) -> int:
        from werkrevisor_core.cli.review import run_review  # noqa: PLC0415 (each command imports only what it needs)

        if options.url is not None and not options.url.startswith(("http://", "https://")):
            parser.error(f"unrecognized arguments: {options.url}")
        return run_review(options)

    parser.set_defaults(run=run)


def _add_explain(commands: "SubParsers") -> None:
    parser = commands.add_parser("explain", help="show per file why it is mechanical, or is not")
    parser.add_argument("path", nargs="?", metavar="PATH", help="only this file")
    _add_source(parser)

    def run(options: argparse.Namespace) -> int:
        from werkrevisor_core.cli.explain import run_explain  # noqa: PLC0415

        return run_explain(options)

    parser.set_defaults(run=run)


def _add_rules(commands: "SubParsers") -> None:
    parser = commands.add_parser("rules", help="list every rule, its pack, phase, reasons and section")
    parser.add_argument("--config", metavar="FILE", help="the host's config file, for what is switched off")
    parser.add_argument("--format", choices=["text", "json"], default="text", help="how to print it")

    def run(options: argparse.Namespace) -> int:
        from werkrevisor_core.cli.rules import run_rules  # noqa: PLC0415

        return run_rules(options)

    parser.set_defaults(run=run)


def _add_config(commands: "SubParsers") -> None:
    from werkrevisor_core.cli.config import add_parser  # noqa: PLC0415

    parser = add_parser(commands)

    def run(options: argparse.Namespace) -> int:
        from werkrevisor_core.cli.collect import host_layer  # noqa: PLC0415
        from werkrevisor_core.cli.config import run as run_config  # noqa: PLC0415
        from werkrevisor_core.registry import load_registry  # noqa: PLC0415
        from werkrevisor_core.session import active_sections, switched  # noqa: PLC0415

        registry = switched(load_registry(), host_layer(getattr(options, "config", None)))
        return run_config(options, active_sections(registry), registry.sections)

    parser.set_defaults(run=run)


def run_and_exit() -> NoReturn:
    """Run one command as a process of its own: the entry point of the installed program.

    Neither collecting garbage while modules are loaded nor taking the interpreter apart at the end
    does anything for a user, and both together were a tenth of a small review.
    """
    gc.disable()
    status = main()
    sys.stderr.flush()
    os._exit(status)


if __name__ == "__main__":
    run_and_exit()
