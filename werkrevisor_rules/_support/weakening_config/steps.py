"""The checks that run on a change, before and after, and what the new ones no longer refuse."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from attrs import evolve

from werkrevisor_core.models.ports import Side
from werkrevisor_core.patterns import lazy
from werkrevisor_core.records import frozen
from werkrevisor_rules._support.weakening import Kind, Weakened
from werkrevisor_rules._support.weakening_config.check_tables import NO_CHECK
from werkrevisor_rules._support.weakening_config.checks import Command, topic_of_name
from werkrevisor_rules._support.weakening_config.options import compared_words, covers
from werkrevisor_rules._support.weakening_config.tree import UnreadableConfig

MAX_PAIRS: Final = 20_000
"""Pairs of checks that are compared at most."""
_MAX_EXPANDED: Final = 5_000
_DEPTH: Final = 4
PULL_REQUEST: Final = "pull_request"
_SHOWN: Final = 160


@frozen
class Limit:
    """Something that keeps a check from refusing a change.

    `text` says what in short. With `values` it is a filter: of what is let through (`allows`) or of
    what is left out. With `amount` it is a number, e.g. of retries.
    """

    kind: Kind
    text: str
    line: int
    values: frozenset[str] = frozenset()
    allows: bool = False
    amount: float = 0


@frozen(eq=False)
class Check:
    """A check in its place.

    `definition` names what it defines (`make test`, `run lint`, `script ci/test.sh`, `uses PATH`), empty
    where the CI runs it by itself. `events` are the events of a forge that start it, with their lines.
    """

    command: Command
    path: str
    line: int
    label: str = ""
    limits: tuple[Limit, ...] = ()
    definition: str = ""
    directory: str = ""
    events: Mapping[str, int] = MappingProxyType({PULL_REQUEST: 0})
    again: bool = False

    @property
    def shown(self) -> str:
        """The check in one line."""
        return " ".join((self.command.key, *self.command.words))[:_SHOWN]

    @property
    def counts(self) -> bool:
        """Whether its failure is one of the change."""
        return not any(limit.kind is Kind.NON_FAILING for limit in self.limits)


_SMALLER: Final = lazy(r"[^a-z](?:unit|smoke|fast|quick|short|changed|affected|lite|basic|sanity)(?:[^a-z]|$)")
_RELATED: Final = MappingProxyType(
    {
        "coverage": frozenset({"coverage", "test", "all"}),
        "build": frozenset({"build", "test", "all"}),
        "all": frozenset({"all", "test", "lint"}),
    }
)
"""Topics that can take the place of a topic; any topic is replaced by itself and by `all`."""
_GATHERING: Final = (
    "tox",
    "nox",
    "pre-commit",
    "prek",
    "make",
    "just",
    "task",
    "run ",
    "script ",
    "uses ",
    "gradle",
    "mvn",
    "hatch",
)
_COMPILED_BY: Final = MappingProxyType(
    {
        "go build": ("go test", "go vet"),
        "cargo build": ("cargo test", "cargo clippy", "cargo check"),
        "cargo check": ("cargo test", "cargo clippy", "cargo build"),
        "dotnet build": ("dotnet test",),
    }
)


def compare_checks(old: Sequence[Check], new: Sequence[Check]) -> tuple[Weakened, ...]:
    """Return what the checks of a change no longer refuse.

    Args:
        old: all checks of all files of the change before it, those of definitions included.
        new: the same after it.

    Raises:
        UnreadableConfig: there are too many of them.
    """
    return _Comparison(old, new).result()


class _Comparison:
    def __init__(self, old: Sequence[Check], new: Sequence[Check]) -> None:
        self._before = {(check.command.key, check.directory) for check in old}
        self._old_keys = {key for key, _ in self._before}
        self._stood = {(check.command, check.directory) for check in old}
        self._old_root_keys = {check.command.key for check in old if not check.definition}
        roots = _expanded([check for check in new if not check.definition], new)
        self._roots = _by_key(roots)
        self._all = _by_key([*roots, *(check for check in new if check.definition)])
        self._unchanged = {_identity(check) for check in (*roots, *new)}
        calls = {check.command.call for check in roots}
        defined = {check.definition for check in new}
        inlined = {check.definition for check in old} - defined
        self._old = [
            *_still_called(old, calls),
            # What a definition that is gone stood for is compared by itself.
            *(check for check in old if _defines_checks(check) and check.command.call not in inlined),
        ]
        self._pairs = 0
        self._used: Counter[Check] = Counter()

    def result(self) -> tuple[Weakened, ...]:
        found: dict[tuple[object, ...], Weakened] = {}
        for check in self._old:
            if check.counts:
                for weakened in self._fate(check):
                    found.setdefault((weakened.path, weakened.line, weakened.kind, weakened.now), weakened)
        return tuple(found.values())

    def _fate(self, check: Check) -> Iterable[Weakened]:
        if _identity(check) in self._unchanged:
            return ()
        pool = self._all if check.definition else self._roots
        same = [other for other in pool.get(check.command.key, ()) if self._comparable(check, other)]
        self._pairs += len(same) + 1
        if self._pairs > MAX_PAIRS:
            raise UnreadableConfig("the change has too many checks to compare them one by one")
        if same:
            return min((list(weaknesses(check, other)) for other in same), key=lambda found: _cost(check, found))
        other = self._replacement(check, pool)
        if other is not None:
            return [*_smaller(check, other), *_held_back(check, other)]
        return [_dropped(check)]

    def _comparable(self, check: Check, other: Check) -> bool:
        """Tell whether a check can be another one's new form: not one that stood beside it before."""
        elsewhere = check.directory != other.directory and (other.command.key, other.directory) in self._before
        if elsewhere:
            return False
        same = check.command == other.command and check.directory == other.directory
        stood = not same and (other.command, other.directory) in self._stood
        return not stood or covers(check.command.key, check.command.words, other.command.words)

    def _replacement(self, check: Check, pool: Mapping[str, Sequence[Check]]) -> Check | None:
        """Return a check that is new and on the same subject, or one that compiles what a build compiled."""
        for key in _COMPILED_BY.get(check.command.key, ()):
            if found := next((other for other in pool.get(key, ()) if other.counts), None):
                return found
        wanted = _RELATED.get(check.command.topic, frozenset({check.command.topic, "all"}))
        known = self._old_keys if check.definition else self._old_root_keys
        for key, others in pool.items():
            if key in known:
                continue
            for other in others:
                free = key.startswith(_GATHERING) or not self._used[other]
                if other.command.topic in wanted and other.counts and free:
                    self._used[other] += 1
                    return other
        return None


def _identity(check: Check) -> tuple[object, ...]:
    """Return all that a check is but for its line: what is the same before and after needs no second look."""
    limits = frozenset((limit.kind, limit.text, limit.values, limit.amount) for limit in check.limits)
    return check.command, bool(check.definition), check.directory, limits, frozenset(check.events), check.again


def _defines_checks(check: Check) -> bool:
    """Tell whether a definition is one of checks: a script for something else may do without what it ran."""
    kind, _, name = check.definition.partition(" ")
    if not kind or topic_of_name(name) is not None:
        return bool(kind)
    return kind != "script" and check.command.topic != "build" and not NO_CHECK.search(name.lower())


def _cost(check: Check, found: list[Weakened]) -> tuple[int, bool]:
    return len(found), bool(found) and (found[0].path, found[0].test) != (check.path, check.label)


def _by_key(checks: Iterable[Check]) -> dict[str, list[Check]]:
    found: dict[str, list[Check]] = {}
    for check in checks:
        found.setdefault(check.command.key, []).append(check)
    return found


def _expanded(roots: Sequence[Check], all_checks: Sequence[Check]) -> list[Check]:
    """Return checks and, for each that names a definition of the change, what stands there."""
    definitions: dict[str, list[Check]] = {}
    for check in all_checks:
        if check.definition:
            definitions.setdefault(check.definition, []).append(check)
    out = list(roots)
    waiting = [(check, 0) for check in roots]
    while waiting and definitions:
        check, depth = waiting.pop()
        for inner in definitions.get(check.command.call, ()) if depth < _DEPTH else ():
            found = evolve(inner, definition="", limits=(*inner.limits, *check.limits), events=check.events)
            out.append(found)
            waiting.append((found, depth + 1))
            if len(out) > _MAX_EXPANDED:
                raise UnreadableConfig("the change has too many checks to compare them one by one")
    return out


def _still_called(old: Sequence[Check], calls: set[str]) -> list[Check]:
    """Return the CI's checks before; in place of a call that is gone, what it called where that is known."""
    roots = [check for check in old if not check.definition]
    out = []
    for check in roots:
        inner = [] if not check.command.call or check.command.call in calls else _expanded([check], old)[1:]
        out += inner or [check]
    return out


def _smaller(old: Check, new: Check) -> Iterator[Weakened]:
    """Yield that what took a check's place is by its own name a smaller one, e.g. `test:unit` for `test`."""
    key = new.command.key
    part = key.startswith(old.command.key) or not old.command.call
    if part and _SMALLER.search(key) and not _SMALLER.search(old.command.key):
        name = new.label or new.command.key
        yield Weakened(
            new.path, new.line, Side.NEW, Kind.NARROWED, name, old.shown, new.shown, "a smaller one by its name"
        )


def weaknesses(old: Check, new: Check) -> Iterator[Weakened]:
    """Yield in which ways the new form of a check refuses less than the old one."""
    for difference in compared_words(old.command.key, old.command.words, new.command.words):
        yield Weakened(
            new.path, new.line, Side.NEW, difference.kind, new.label or new.command.key, difference.was, difference.now,
            f"`{new.shown}` refuses less",
        )  # fmt: skip
    if new.again and not old.again:
        yield Weakened(
            new.path, new.line, Side.NEW, Kind.RETRY_ADDED, new.label, old.shown, new.shown, "runs again on failure"
        )
    yield from _held_back(old, new)


def _held_back(old: Check, new: Check) -> Iterator[Weakened]:
    """Yield what keeps the new form from running or failing; of a definition's callers it is not a matter."""
    return (found for found in _by_limits(old, new) if not old.definition or found.kind is Kind.NON_FAILING)


def _by_limits(old: Check, new: Check) -> Iterator[Weakened]:
    if not any(event in new.events for event in old.events) and (
        PULL_REQUEST in old.events or PULL_REQUEST not in new.events
    ):
        event, line = next(iter(old.events.items()))
        yield Weakened(
            old.path, line or None, Side.OLD, Kind.PATH_FILTER, old.label, event, None, "no longer started by it"
        )
    known = {limit.text: limit for limit in old.limits}
    for limit in new.limits:
        if _is_new(limit, known.get(limit.text)):
            name = new.label or new.command.key
            was = known.get(limit.text)
            before = None if was is None else _limit_text(was)
            note = f"`{new.shown}` is held back"
            yield Weakened(new.path, limit.line, Side.NEW, limit.kind, name, before, _limit_text(limit), note)


def _is_new(limit: Limit, known: Limit | None) -> bool:
    if limit.amount:
        return limit.amount > (known.amount if known else 0)
    if limit.values or limit.allows:
        before = known.values if known else frozenset()
        if limit.allows:
            return known is None or bool(before - limit.values)
        return bool(limit.values - before)
    return known is None


def _limit_text(limit: Limit) -> str:
    text = f"{limit.text} {limit.amount:g}" if limit.amount else limit.text
    return (f"{text}: {', '.join(sorted(limit.values))}" if limit.values else text)[:_SHOWN]


def _dropped(check: Check) -> Weakened:
    return Weakened(
        check.path, check.line, Side.OLD, Kind.CI_STEP_DROPPED, check.label or check.command.key, check.shown, None,
        "nothing of the change runs it any more",
    )  # fmt: skip
