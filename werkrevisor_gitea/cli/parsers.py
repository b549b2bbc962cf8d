"""The command lines of this package; what a command does is imported only when it runs."""

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING

from werkrevisor_core.errors import UsageError

if TYPE_CHECKING:
    # argparse does not export the type that a parser's sub-commands are added to.
    SubParsers = argparse._SubParsersAction[argparse.ArgumentParser]  # noqa: SLF001


def add_doctor(commands: "SubParsers") -> None:
    """Add `werkrevisor doctor`."""
    parser = commands.add_parser("doctor", help="check server, token, rights, webhook and branch rule, line by line")
    _add_host(parser)

    def run(options: argparse.Namespace) -> int:
        from werkrevisor_gitea.cli.doctor import run_doctor  # noqa: PLC0415 (each command imports only what it needs)

        return run_doctor(options.config, options.admin_token_env)

    parser.set_defaults(run=_with_extra(run))


def add_protect(commands: "SubParsers") -> None:
    """Add `werkrevisor protect`."""
    parser = commands.add_parser("protect", help="print the branch rule that binds everybody; --apply sets it")
    _add_host(parser)
    parser.add_argument("--apply", action="store_true", help="set the rule on the server")

    def run(options: argparse.Namespace) -> int:
        from werkrevisor_gitea.cli.protect import run_protect  # noqa: PLC0415

        return run_protect(options.config, options.admin_token_env, apply=options.apply)

    parser.set_defaults(run=_with_extra(run))


def add_init(commands: "SubParsers") -> None:
    """Add `werkrevisor init`."""
    parser = commands.add_parser("init", help="make a host file, a key and a webhook secret, then run doctor")
    parser.add_argument("--url", required=True, metavar="URL", help="the server, e.g. https://git.example.org")
    parser.add_argument("--repository", required=True, metavar="OWNER/NAME", help="the repository to review")
    parser.add_argument("--hook-url", metavar="URL", default="", help="where the server reaches `werkrevisor serve`")
    parser.add_argument("--token-env", metavar="NAME", default="", help="variable that holds the bot's token")
    parser.add_argument("--token-file", metavar="FILE", default="", help="file that holds the bot's token")
    parser.add_argument("--directory", metavar="DIR", default=".", help="where the files go (default: here)")

    def run(options: argparse.Namespace) -> int:
        from werkrevisor_gitea.cli.init import Answers, run_init  # noqa: PLC0415

        given = {name: getattr(options, name) for name in ("url", "repository", "hook_url", "token_env", "token_file")}
        return run_init(Answers(**given), options.directory)

    parser.set_defaults(run=_with_extra(run))


def review_pull_request(options: argparse.Namespace) -> int:
    """Run `werkrevisor review URL`."""

    def run(given: argparse.Namespace) -> int:
        from werkrevisor_gitea.cli.review import run_review_of_url  # noqa: PLC0415

        return run_review_of_url(given)

    return _with_extra(run)(options)


def _add_host(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--config", required=True, metavar="FILE", help="the host's config file")
    parser.add_argument(
        "--admin-token-env",
        metavar="NAME",
        default="",
        help="variable with the token of a repository admin, for the branch rule, where the bot is none",
    )


def _with_extra(run: Callable[[argparse.Namespace], int]) -> Callable[[argparse.Namespace], int]:
    """Say in one sentence that the packages for the forge are missing; local reviews do without them."""

    def wrapped(options: argparse.Namespace) -> int:
        try:
            return run(options)
        except ModuleNotFoundError as error:
            if error.name not in ("cattrs", "httpcore", "httpx"):
                raise
            raise UsageError(f"the package {error.name} is missing; install werkrevisor[gitea]") from None

    return wrapped
