"""What stands in a case file: the specs of a case, and the reader that refuses what it does not know."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import attrs

from werkrevisor_core.config.issues import Issues, LayerKind, Place
from werkrevisor_core.config.structure import structured
from werkrevisor_core.models.change import Status
from werkrevisor_core.models.classes import Category, ChangeKind
from werkrevisor_core.models.ports import Side
from werkrevisor_core.models.verdict import Level, Mode
from werkrevisor_core.records import frozen


class CaseFault(ValueError):
    """A case file is not valid; the message says where and why."""


@frozen
class RebindingSpec:
    """A name that an import of a file binds to another module."""

    name: str
    was: str
    now: str
    line: int | None = None


@frozen
class FileSpec:
    """A changed file. Its status follows from which of `old`, `new` and `old_path` there are.

    With `times = 31` there are 31 such files, `{n}` in path and texts being 1 to 31. `rules` name the
    rules by which the file is mechanical. `known = false` hides it from the contents port. Where
    `added` and `removed` are missing they are counted.
    """

    path: str
    old: str | None = None
    new: str | None = None
    old_path: str | None = None
    status: Status | None = None
    old_mode: str | None = None
    new_mode: str | None = None
    binary: bool = False
    unread: str | None = None
    added: int | None = None
    removed: int | None = None
    category: Category = Category.MAIN
    old_category: Category | None = None
    rules: tuple[str, ...] = ()
    rebound: tuple[RebindingSpec, ...] = ()
    approved: bool = False
    known: bool = True
    times: int = 1


@frozen
class FaultSpec:
    """A part of the input that was not read."""

    why: str
    path: str | None = None
    line: int | None = None


@frozen
class ConfigChangeSpec:
    """What the change does to the repository's own config."""

    path: str = ".werkrevisor.toml"
    faults: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    regular: bool = True
    readable: bool = True
    removed: bool = False


@frozen
class ReadingSpec:
    """What a model was sent and read."""

    asked: bool = False
    sent: frozenset[str] = frozenset()
    read: frozenset[str] = frozenset()
    partly: frozenset[str] = frozenset()


@frozen
class RoundSpec:
    """An earlier round of the same pull request."""

    verdict: Level
    head: str = "c" * 40
    complete: bool = True


@frozen
class StatusSpec:
    """The newest status of one context on the judged head."""

    context: str
    state: str = "success"
    creator: str = "ci"


@frozen
class ForgeSpec:
    """What the forge knows of the pull request; without it the case is a local range."""

    poster: str = "ada"
    bot: str = "werkrevisor"
    involved: tuple[str, ...] = ("ada",)
    own_context: str = "werkrevisor/main"
    required_contexts: tuple[str, ...] = ()
    edited: tuple[str, ...] = ()
    status: tuple[StatusSpec, ...] = ()


@frozen
class EvidenceSpec:
    """Expected evidence; what is not written is not compared."""

    path: str | None = None
    line: int | None = None
    side: Side | None = None
    was: str | None = None
    now: str | None = None
    count: int | None = None
    limit: int | None = None
    note: str | None = None


@frozen
class ReasonSpec:
    """An expected reason. `message` is a part of its message."""

    id: str
    level: Level
    message: str | None = None
    evidence: tuple[EvidenceSpec, ...] | None = None


@frozen
class FindingSpec:
    """An expected finding; `id` is reviewer/rule, `message` a part of its message."""

    id: str
    path: str
    level: Level
    start: int | None = None
    end: int | None = None
    message: str | None = None


@frozen
class Case:
    """One case of a case file.

    `contents` adds files that the contents port knows beside the changed ones, per side. `bare` makes
    the change a bare diff, whose contents nobody knows. `verdict` is what an escalation is called with.
    `forge` makes it a pull request and says what the forge knows of it.
    """

    name: str
    settings: Mapping[str, object] = MappingProxyType({})
    file: tuple[FileSpec, ...] = ()
    fault: tuple[FaultSpec, ...] = ()
    kind: ChangeKind = ChangeKind.MIXED
    mode: Mode = Mode.RULES
    auto_approvable: tuple[str, ...] = ("mechanical_only", "docs_only", "tests_only", "refactoring")
    bare: bool = False
    contents: Mapping[str, Mapping[str, str]] = MappingProxyType({})
    config_change: ConfigChangeSpec | None = None
    config_warnings: tuple[str, ...] = ()
    reading: ReadingSpec = ReadingSpec()
    round: tuple[RoundSpec, ...] = ()
    forge: ForgeSpec | None = None
    verdict: Level = Level.GREEN
    reason: tuple[ReasonSpec, ...] = ()
    finding: tuple[FindingSpec, ...] = ()

    def __str__(self) -> str:
        """Return the name, which pytest shows."""
        return self.name


def load_cases(path: Path) -> tuple[Case, ...]:
    """Read a case file.

    Raises:
        CaseFault: it is no valid TOML, has unknown or missing keys or values of a wrong type, or two
            of its cases have the same name.
    """
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise CaseFault(f"{path.name} is no valid TOML: {error}") from None
    tables = document.pop("case", None)
    if document or not isinstance(tables, list) or not tables:
        raise CaseFault(f"{path.name} must hold tables [[case]] and nothing else")
    cases = tuple(_case(path.name, number, table) for number, table in enumerate(tables, 1))
    names = [case.name for case in cases]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise CaseFault(f"{path.name} has two cases with the name {twice[0]!r}")
    return cases


def _case(name: str, number: int, table: object) -> Case:
    issues = Issues(name, LayerKind.HOST)
    if not isinstance(table, Mapping):
        raise CaseFault(f"{name}: case {number} is no table")
    # The rule's own class says what its settings are, once the rule is known.
    given = dict(table)
    settings = given.pop("settings", {})
    case = structured(given, Case, Place("case", str(table.get("name", number))), issues)
    if issues.faults or not isinstance(case, Case) or not isinstance(settings, Mapping):
        faults = [str(fault) for fault in issues.faults] or [f"{name}: the settings of case {number} are no table"]
        raise CaseFault("\n".join(faults))
    return attrs.evolve(case, settings=settings)
