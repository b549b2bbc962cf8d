"""The command `werkrevisor config show|check|schema`."""

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from werkrevisor_core.config.layers import Config, Layer, LayerKind, load
from werkrevisor_core.config.parse import MAX_BYTES
from werkrevisor_core.config.wording import printable
from werkrevisor_core.errors import UsageError
from werkrevisor_core.models.verdict import Level

if TYPE_CHECKING:
    # argparse does not export the type that a parser's sub-commands are added to.
    SubParsers = argparse._SubParsersAction[argparse.ArgumentParser]  # noqa: SLF001

_ACTIONS: Mapping[str, str] = {
    "show": "print every value with the layer it came from",
    "check": "say whether the files are valid",
    "schema": "print a JSON Schema for editors",
}


def add_parser(subparsers: "SubParsers") -> argparse.ArgumentParser:
    """Add the command to a command line and return its parser.

    Args:
        subparsers: what `ArgumentParser.add_subparsers` returned.
    """
    parser = subparsers.add_parser("config", help="show, check or describe the config")
    actions = parser.add_subparsers(dest="action", required=True, metavar="show|check|schema", prog=parser.prog)
    for name, text in _ACTIONS.items():
        action = actions.add_parser(name, help=text)
        if name == "schema":
            action.add_argument(
                "--for",
                dest="kind",
                choices=("host", "repository"),
                default="host",
                help="whose file: the host's (default) or the repository's .werkrevisor.toml",
            )
            continue
        action.add_argument("--config", metavar="FILE", help="the host's file")
        action.add_argument("--repository", metavar="FILE", help="the repository's .werkrevisor.toml")
    return parser


def layers_of(host: str | None, repository: str | None) -> list[Layer]:
    """Read the files that were named on the command line.

    Args:
        host: path of the host's file, or None.
        repository: path of the repository's file, or None.

    Raises:
        UsageError: a file cannot be read.
    """
    named = ((host, LayerKind.HOST), (repository, LayerKind.REPOSITORY))
    return [Layer(path, kind, _read(path)) for path, kind in named if path is not None]


def _read(path: str) -> bytes:
    try:
        with Path(path).open("rb") as file:
            # One byte more than is allowed is enough for the loader to refuse it.
            return file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        why = (error.strerror if isinstance(error, OSError) else None) or "not a path"
        raise UsageError(f"The config file {printable(path)} cannot be read ({why}); name one that exists.") from None


def run(
    args: argparse.Namespace,
    sections: Mapping[str, type],
    known_elsewhere: Mapping[str, type] | None = None,
    out: TextIO | None = None,
    err: TextIO | None = None,
) -> int:
    """Run the command and return its exit status: 0 where all is valid, 4 where there are faults.

    Args:
        args: what the parser made of the command line.
        sections: the settings class of each active rule's section.
        known_elsewhere: sections of rules that are switched off.
        out: takes the result; standard output by default.
        err: takes faults and warnings beside a result; standard error by default.

    Raises:
        UsageError: a file cannot be read, or none was named.
    """
    out, err = out or sys.stdout, err or sys.stderr
    if args.action == "schema":
        out.write(_schema({**(known_elsewhere or {}), **sections}, repository=args.kind == "repository"))
        return 0
    if args.action == "check" and args.config is None and args.repository is None:
        raise UsageError("There is nothing to check; name a file with --config or --repository.")
    layers = layers_of(args.config, args.repository)
    config = load(layers, sections, known_elsewhere)
    if args.action == "show":
        from werkrevisor_core.config.show import show  # noqa: PLC0415 (brings json; the other actions need it not)

        out.write(show(config))
        _complain(config, err)
    else:
        _complain(config, out)
        if not config.faults:
            names = " and ".join(printable(layer.name) for layer in layers)
            out.write(f"{names}: valid\n")
    return int(Level.ERROR) if config.faults else 0


def _complain(config: Config, to: TextIO) -> None:
    to.writelines(f"error: {fault}\n" for fault in config.faults)
    to.writelines(f"warning: {warning}\n" for warning in config.warnings)


def _schema(sections: Mapping[str, type], *, repository: bool) -> str:
    import json  # noqa: PLC0415 (only this action needs it)

    from werkrevisor_core.config.schema import schema  # noqa: PLC0415

    return json.dumps(schema(sections, repository=repository), indent=2, ensure_ascii=False) + "\n"
