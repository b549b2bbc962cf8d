"""The config sections that belong to the core, each as one frozen attrs class."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal

from werkrevisor_core.config.defaults import CONFIG, DB_SCHEMA, DOCS, GENERATED, TESTS
from werkrevisor_core.globs import glob_fault
from werkrevisor_core.models.classes import ChangeKind
from werkrevisor_core.models.verdict import Mode
from werkrevisor_core.patterns import lazy
from werkrevisor_core.records import frozen
from werkrevisor_core.rule import setting

Names = tuple[str, ...]

_ENVIRONMENT: Final = lazy(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_REPOSITORY: Final = lazy(r"(?!\.{1,2}/)[A-Za-z0-9_.-]+/(?!\.{1,2}\Z)[A-Za-z0-9_.-]+\Z")
_URL: Final = lazy(r"https?://[^\s/@?#]+(?:/[^\s@?#]*)?\Z")


def _positive(value: int) -> str | None:
    return None if value > 0 else f"must be above 0 and is {value}"


def _not_negative(value: int) -> str | None:
    return None if value >= 0 else f"must be 0 or more and is {value}"


def _factor(value: float) -> str | None:
    return None if 0.1 <= value <= 100 else f"must be between 0.1 and 100 and is {value}"


def _share(value: float) -> str | None:
    return None if 0 <= value <= 1 else f"must be between 0 and 1 and is {value}"


def _names(value: Names) -> str | None:
    if any(not name or name.split() != [name] for name in value):
        return "has a name that is empty or has a space in it"
    if len(set(value)) != len(value):
        return "has a name twice"
    return None


def _reviewers(value: Mapping[str, Names]) -> str | None:
    for glob, names in value.items():
        if fault := glob_fault((glob,)):
            return fault
        if not names:
            return f'names nobody for "{glob}", so no change there could ever pass'
        if fault := _names(names):
            return f'for "{glob}" {fault}'
    return None


def _url(value: str) -> str | None:
    # The value is not repeated: what is wrong with it may be a password.
    if not value or _URL.match(value):
        return None
    return "must look like https://git.example.org, without user, password, query or fragment"


def _repository(value: str) -> str | None:
    return None if not value or _REPOSITORY.match(value) else "must be written owner/name"


def _environment(value: str) -> str | None:
    return None if not value or _ENVIRONMENT.match(value) else "must be the name of an environment variable"


@frozen
class EngineSettings:
    """Who judges, and within which bounds."""

    mode: Mode = setting(
        Mode.CLASSIFIER,
        "Who judges what the rules leave: nobody, Jev alone, the model alone, or both.",
        host_only=True,
    )
    rule_timeout_seconds: int = setting(
        120, "Seconds after which a rule that hangs ends the review as ERROR.", host_only=True, check=_positive
    )
    max_diff_bytes: int = setting(
        1_000_000_000, "Bytes of diff above which a review ends as ERROR unread.", host_only=True, check=_positive
    )


@frozen
class ModelSettings:
    """What the model is sent and what it may cost; tokens are those of o200k_base times the factor."""

    engine: str = setting("", "Name of the engine that is asked; empty where only one is installed.", host_only=True)
    token_count_factor: float = setting(
        1.55,
        "What the counted tokens are multiplied with, since other models count more than o200k_base.",
        host_only=True,
        check=_factor,
    )
    full_file_tokens: int = setting(
        8_000,
        "Tokens above which a file is sent as the functions and classes around its changes.",
        host_only=True,
        check=_not_negative,
    )
    call_tokens: int = setting(120_000, "Tokens that one call of the model may send.", host_only=True, check=_positive)
    pull_request_tokens: int = setting(
        1_000_000, "Tokens that one pull request may cost in all its rounds.", host_only=True, check=_positive
    )
    author_day_tokens: int = setting(
        3_000_000, "Tokens that the pull requests of one author may cost in a day.", host_only=True, check=_positive
    )
    repository_day_tokens: int = setting(
        10_000_000, "Tokens that this repository may cost in a day.", host_only=True, check=_positive
    )


@frozen
class PathJudgeSettings:
    """From which percentile on a risk that Jev sees stands against a change."""

    yellow_percentile: float = setting(
        0.90, "Share of past changes that were less risky, above which a block needs a human.", check=_share
    )
    red_percentile: float = setting(
        0.99, "Share above which a block with a confirmed finding must not merge.", check=_share
    )

    def __attrs_post_init__(self) -> None:
        """Refuse thresholds in the wrong order.

        Raises:
            ValueError: the threshold for RED is below that for YELLOW.
        """
        if self.red_percentile < self.yellow_percentile:
            raise ValueError(
                f"red_percentile ({self.red_percentile}) is below yellow_percentile ({self.yellow_percentile})"
            )


@frozen
class ReviewSettings:
    """How findings are shown."""

    doc_hint_line_comments: bool = setting(
        False, "Whether hints of the model on unchanged text of documents stay line comments."
    )


@frozen
class GateSettings:
    """Who approves, what holds a merge, and how it merges."""

    branches: Names = setting(
        (), "Base branches that are gated; empty for the repository's default branch.", host_only=True, check=_names
    )
    human_reviewers: Names = setting(
        (), "Logins whose approval counts as a human one; nobody else's does.", host_only=True, check=_names
    )
    reviewers: Mapping[str, Names] = setting(
        MappingProxyType({}),
        "Table of glob and logins: a YELLOW or ORANGE path under a glob needs an approval of one of its own.",
        host_only=True,
        check=_reviewers,
    )
    ci_accounts: Names = setting(
        (),
        "Logins whose commit statuses count as CI; empty for anyone but the poster and the pushers.",
        host_only=True,
        check=_names,
    )
    ci: Literal["required", "none"] = setting(
        "required", "Whether a head without any CI status may merge: only with `none`.", host_only=True
    )
    merge: Literal["pinned", "schedule", "never"] = setting(
        "pinned",
        "Whether the merge is made at the judged head, handed to the forge, or left to people.",
        host_only=True,
    )
    mergers: Names = setting(
        (),
        "Logins that may merge by hand into a gated branch, besides the bot; `protect` writes them into its rule.",
        host_only=True,
        check=_names,
    )
    merge_style: Literal["merge", "rebase", "rebase-merge", "squash", "fast-forward-only"] = setting(
        "merge", "How the forge merges.", host_only=True
    )
    max_red_rounds: int = setting(
        3, "RED rounds in a row after which a human is called; 0 never calls.", host_only=True, check=_not_negative
    )
    carry_over_approvals: bool = setting(
        True, "Whether a human approval survives a rebase that changes nothing.", host_only=True
    )
    carry_over_new_lines: int = setting(
        10,
        "New lines in conflicts, in all, up to which a carried approval still holds.",
        host_only=True,
        check=_not_negative,
    )


@frozen
class GiteaSettings:
    """Which repository of which server this file is for; the secret itself never stands here."""

    url: str = setting("", "Address of the Gitea or Forgejo server.", host_only=True, check=_url)
    repository: str = setting("", "The reviewed repository, as owner/name.", host_only=True, check=_repository)
    token_env: str = setting(
        "", "Name of the environment variable that holds the bot's token.", host_only=True, check=_environment
    )
    token_file: str = setting("", "Path of the file that holds the bot's token.", host_only=True)
    key_file: str = setting(
        "", "Path of the file with the key that signs the markers in the bot's comments.", host_only=True
    )
    hook_url: str = setting(
        "", "Address under which the server delivers webhooks to `werkrevisor serve`.", host_only=True, check=_url
    )
    hook_secret_env: str = setting(
        "", "Name of the environment variable that holds the webhook's secret.", host_only=True, check=_environment
    )
    hook_secret_file: str = setting("", "Path of the file that holds the webhook's secret.", host_only=True)

    def __attrs_post_init__(self) -> None:
        """Refuse two sources of one secret.

        Raises:
            ValueError: both are named.
        """
        for name in ("token", "hook_secret"):
            if getattr(self, f"{name}_env") and getattr(self, f"{name}_file"):
                raise ValueError(f"{name}_env and {name}_file are both set; name one of them")


@frozen
class PluginsSettings:
    """Which rules are on, by rule name."""

    disable: Names = setting((), "Rules that are switched off.", host_only=True, check=_names)
    enable: Names = setting(
        (), "Rules that are switched on although they are off by default.", host_only=True, check=_names
    )

    def __attrs_post_init__(self) -> None:
        """Refuse a rule that is switched on and off.

        Raises:
            ValueError: a name stands in both lists.
        """
        if both := sorted(set(self.disable) & set(self.enable)):
            raise ValueError(f"disable and enable both name {', '.join(both)}")


@frozen
class CategoriesSettings:
    """What a path is, by globs; where several categories match, the first one here holds, where none, main."""

    db_schema: Names = setting(DB_SCHEMA, "Migrations and schemas of databases.", check=glob_fault)
    main: Names = setting((), "Code that would otherwise fall under one of the following.", check=glob_fault)
    config: Names = setting(CONFIG, "Configuration, build and CI files.", check=glob_fault)
    tests: Names = setting(TESTS, "Tests and what only they use.", check=glob_fault)
    generated: Names = setting(
        GENERATED, "Files that a tool writes; they count, but not for the size.", check=glob_fault
    )
    docs: Names = setting(DOCS, "Documents.", check=glob_fault)
    auto_approvable: tuple[ChangeKind, ...] = setting(
        (ChangeKind.MECHANICAL_ONLY, ChangeKind.DOCS_ONLY, ChangeKind.TESTS_ONLY, ChangeKind.REFACTORING),
        "Kinds of change that may become GREEN without a human.",
    )


CORE_SECTIONS: Mapping[str, type] = MappingProxyType(
    {
        "categories": CategoriesSettings,
        "engine": EngineSettings,
        "gate": GateSettings,
        "gitea": GiteaSettings,
        "model": ModelSettings,
        "path_judge": PathJudgeSettings,
        "plugins": PluginsSettings,
        "review": ReviewSettings,
    }
)
"""The core's sections by name; they exist whatever is installed."""
