"""`werkrevisor init`: from nothing to a host file, a key and a webhook secret, and then `doctor`."""

import json
import os
import sys
from pathlib import Path
from typing import Final

from attrs import frozen

from werkrevisor_core.config.layers import Layer, LayerKind, load
from werkrevisor_core.config.wording import printable
from werkrevisor_core.errors import UsageError, WerkrevisorError
from werkrevisor_gitea.cli.doctor import run_doctor
from werkrevisor_gitea.cli.host import gated_branches, load_host, wanted_of
from werkrevisor_gitea.cli.secret_files import make_secret, write_new
from werkrevisor_gitea.client import open_client
from werkrevisor_gitea.faults import SCOPES
from werkrevisor_gitea.hooks import EVENTS
from werkrevisor_gitea.protection import Wanted, rule_for

_TOKEN_ENV: Final = "WERKREVISOR_TOKEN"  # noqa: S105 (the name of a variable)


@frozen
class Answers:
    """What the user said on the command line; empty where nothing was said."""

    url: str
    repository: str
    hook_url: str = ""
    token_env: str = ""
    token_file: str = ""


def run_init(answers: Answers, directory: str) -> int:
    """Make the files that are missing, print what to do on the server, and run `doctor`.

    Args:
        answers: server, repository, where the token is.
        directory: where the files go; it is made where it is missing.

    Returns:
        The exit status of `doctor`.

    Raises:
        UsageError: an answer cannot stand in a host file, or a file cannot be made.
    """
    folder = Path(directory).absolute()
    name = answers.repository.partition("/")[2]
    key, secret, host = (folder / f"{name}{ending}" for ending in (".key", ".hook-secret", ".toml"))
    text = host_file(answers, str(key), str(secret))
    faults = load([Layer(host.name, LayerKind.HOST, text.encode())], {}).faults
    if faults:
        raise UsageError(f"no host file can be made of that: {faults[0]}; mend the command line")
    _make_folder(folder)
    for path, made in ((key, make_secret(key)), (secret, make_secret(secret)), (host, write_new(host, text))):
        _say(f"{'made' if made else 'kept'}  {path}")
    for line in ("", *_next_steps(answers, secret, host), *_rule(host), "", "As things stand:"):
        _say(line)
    return run_doctor(str(host))


def host_file(answers: Answers, key: str, secret: str) -> str:
    """Return the text of a new host file.

    Args:
        answers: what the user said.
        key: path of the key that signs markers.
        secret: path of the webhook's secret.
    """
    token = (
        f"token_file = {_quoted(answers.token_file)}"
        if answers.token_file
        else f"token_env = {_quoted(answers.token_env or _TOKEN_ENV)}"
    )
    both = f"\ntoken_env = {_quoted(answers.token_env)}" if answers.token_file and answers.token_env else ""
    return f"""\
# Host config for {printable(answers.repository)}; the repository itself can never change it.
# `werkrevisor config show --config FILE` prints every value, also those that are not set here.
version = 1

[gitea]
url = {_quoted(answers.url)}
repository = {_quoted(answers.repository)}
# Where the bot's token is; never the token itself.
{token}{both}
# The key that signs what the bot remembers in its comments. Keep it, and keep it secret.
key_file = {_quoted(key)}
# Where the server reaches `werkrevisor serve`; empty while only the command line reviews.
hook_url = {_quoted(answers.hook_url)}
hook_secret_file = {_quoted(secret)}

[gate]
# People whose approval lets a YELLOW or ORANGE change pass. While nobody is named, none ever does.
human_reviewers = []
# People who may merge by hand, besides the bot.
mergers = []
# A merge waits for the statuses of the CI. Where nothing checks pull requests, say "none", else it waits for ever.
ci = "required"
"""


def _next_steps(answers: Answers, secret: Path, host: Path) -> tuple[str, ...]:
    server, name = answers.url.rstrip("/"), answers.repository
    token = answers.token_file or f"the environment variable {answers.token_env or _TOKEN_ENV}"
    return (
        "Next:",
        f"1. On the server, an account for the bot, with write access to {name} (administrator, so that it can",
        "   read and set the branch rule), and a token of it with the scopes " + ", ".join(SCOPES) + ".",
        f"   Put the token into {token}.",
        f"2. In {host}, under [gate], human_reviewers: whose approval counts.",
        f"3. A webhook ({server}/{name}/settings/hooks, type Gitea), for the service only:",
        f"   target URL    {answers.hook_url or '(where werkrevisor serve will listen; also [gitea] hook_url)'}",
        "   content type  application/json",
        f"   secret        what stands in {secret}",
        f"   events        {', '.join(EVENTS)}, and all about pull requests and their reviews",
        f"4. What is still missing:  werkrevisor doctor --config {host}",
        f"5. The first review:  werkrevisor review {server}/{name}/pulls/1 --config {host}",
        "   It prints only; with --publish it comments, posts the status, approves and merges.",
        f"6. The branch rule, which is this one as things stand:  werkrevisor protect --config {host} --apply",
    )


def _rule(path: Path) -> tuple[str, ...]:
    """Return the rule as lines; with placeholders for what only the server knows, while it does not answer."""
    host = load_host(str(path))
    try:
        with open_client(host.gitea, os.environ) as bot:
            branch = gated_branches(host, bot.repository.get())[0]
            wanted = wanted_of(host, bot, branch)
    except WerkrevisorError:
        branch = next(iter(host.gate.branches), "main")
        wanted = Wanted(branch, "the-bot", host.gate.mergers, host.approvers)
    return tuple(f"   {line}" for line in json.dumps(rule_for(wanted, None), indent=2).split("\n"))


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(
            f"the folder {folder} cannot be made ({error.strerror}); name another with --directory"
        ) from error


def _quoted(text: str) -> str:
    # JSON's strings are TOML's basic strings, but for the one control character that JSON leaves as it is.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _say(text: str) -> None:
    sys.stdout.write(f"{printable(text)}\n")
