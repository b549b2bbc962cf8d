"""Settings that say how much a tool refuses, before and after, and which new ones refuse less."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from types import MappingProxyType
from typing import Final

from werkrevisor_core.models.ports import Side
from werkrevisor_core.patterns import lazy
from werkrevisor_core.records import frozen
from werkrevisor_rules._support.weakening import Kind, Weakened
from werkrevisor_rules._support.weakening_config.lists import covers_less, leaves_out_more, lost
from werkrevisor_rules._support.weakening_config.options import compared_words, number_of

_SHOWN: Final = 160


class Effect(Enum):
    """What a setting does when it changes."""

    FLOOR = "a number below which the tool fails"
    CEILING = "a number above which the tool fails"
    RETRY = "a number of further tries"
    TIMEOUT = "a limit of time"
    STRICT = "a switch that makes the tool refuse more; on by itself"
    STRICT_OFF = "a switch that makes the tool refuse more; off by itself"
    LAX = "a switch that makes the tool refuse less"
    LEFT_OUT = "a list of what is left out"
    COVERED = "a list of what is looked at; everything where it is missing"
    CHOSEN = "a list of what is on; nothing where it is missing"
    SEVERITY = "a step of a ladder from error to off"
    ARGUMENTS = "arguments of a command"
    PRESENT = "something whose absence switches checks off"


@frozen
class Setting:
    """One setting in its place; a list has `values`, anything else `text`."""

    tool: str
    key: str
    path: str
    line: int
    text: str = ""
    values: tuple[str, ...] | None = None
    fresh: bool = False

    @property
    def items(self) -> tuple[str, ...]:
        """The values of a list; a text with separators counts as one."""
        if self.values is not None:
            return self.values
        return tuple(part for part in re.split(r"[\s,;]+", self.text) if part)

    @property
    def lines(self) -> tuple[str, ...]:
        """The values of a list, or the lines of a text."""
        return self.values if self.values is not None else tuple(self.text.split("\n"))

    @property
    def shown(self) -> str:
        """The setting in one line."""
        value = self.text if self.values is None else ", ".join(self.values)
        return f"{self.key} = {' '.join(value.split())}"[:_SHOWN]


@frozen
class Row:
    """What is known of settings: tools, keys as a pattern, the effect, and the kind of weakening."""

    tools: frozenset[str]
    keys: re.Pattern[str]
    effect: Effect
    kind: Kind


Finder = Callable[[str, str], Row | None]
_Place = tuple[str, int]
_Names = Mapping[tuple[str, str], Mapping[_Place, Setting]]


def compare_settings(old: Sequence[Setting], new: Sequence[Setting], find: Finder) -> Iterator[Weakened]:
    """Yield the settings that refuse less.

    Args:
        old: the settings of all files of the change before it.
        new: those after it; `fresh` where their file is new.
        find: what is known of a setting, by tool and key.
    """
    before, after = _by_name(old), _by_name(new)
    for name in dict.fromkeys((*before, *after)):
        row = find(*name)
        if row is None:
            continue
        for found, now in _pairs(before.get(name, {}), after.get(name, {})):
            was = found or _on_by_strict(row, now, before)
            if (
                now is not None
                and was is None
                and ((now.fresh and not _leaves_tests_out(row, now)) or _in_new_table(now, before, after))
            ):
                continue
            if (
                _weaker(row.effect, was, now)
                and not _implied(was, now, after)
                and not _replaced(row, was, now, before, after)
            ):
                yield _weakened(row, was, now)


_RUNNERS: Final = frozenset({"pytest", "jest", "vitest", "mocha", "playwright", "karma"})


def _leaves_tests_out(row: Row, now: Setting) -> bool:
    """Tell whether a setting of a new file keeps tests from running that ran without it."""
    return now.tool in _RUNNERS and row.kind is Kind.NARROWED and row.effect in (Effect.ARGUMENTS, Effect.LEFT_OUT)


def _in_new_table(now: Setting, before: _Names, after: _Names) -> bool:
    """Tell whether a setting came with the whole table of a thing that is new: a test, a profile, a set of lints."""
    if now.key.startswith("profile "):
        scope = now.key.split(": ", 1)[0] + ": "
        return not any(tool == now.tool and key.startswith(scope) for tool, key in before)
    table = now.key.rpartition(".")[0]
    if now.tool == "cargo" and "lints" in table:
        return not any(key.startswith(f"{table}.") for tool, key in before if tool == "cargo")
    name = (now.tool, f"{table}.name")
    return name in after and name not in before


def _by_name(settings: Sequence[Setting]) -> dict[tuple[str, str], dict[_Place, Setting]]:
    """Return settings by tool and key, then by file and by how often the key stood there before."""
    found: dict[tuple[str, str], dict[_Place, Setting]] = {}
    counts: Counter[tuple[str, str, str]] = Counter()
    for setting in settings:
        name = (setting.tool, setting.key, setting.path)
        found.setdefault((setting.tool, setting.key), {})[(setting.path, counts[name])] = setting
        counts[name] += 1
    return found


def _pairs(
    before: Mapping[_Place, Setting], after: Mapping[_Place, Setting]
) -> Iterator[tuple[Setting | None, Setting | None]]:
    """Pair the settings of one name: in the same file, else one that is gone with one that came elsewhere."""
    came = [after[place] for place in after if place not in before]
    for place, was in before.items():
        yield was, after.get(place) or (came.pop(0) if came else None)
    for now in came:
        yield None, now


_BY_STRICT: Final[Mapping[str, re.Pattern[str]]] = MappingProxyType(
    {
        "tsc": lazy(r"strict\w+|alwaysStrict|noImplicit(?:Any|This)|useUnknownInCatchVariables"),
        "mypy": lazy(
            r"warn_(?:unused_configs|redundant_casts|unused_ignores|return_any)|disallow_\w+|check_untyped_defs"
            r"|no_implicit_reexport|strict_\w+|extra_checks"
        ),
    }
)
"""What `strict` switches on, by tool."""


def _on_by_strict(row: Row, now: Setting | None, before: _Names) -> Setting | None:
    """Return what was on without being named, because `strict` was on, where it is named now."""
    if now is None or row.effect is not Effect.STRICT_OFF or not off(now):
        return None
    scope, _, name = now.key.rpartition(".")
    by_strict = _BY_STRICT.get(now.tool)
    if by_strict is None or not by_strict.fullmatch(name):
        return None
    strict = before.get((now.tool, f"{scope}.strict" if scope else "strict"), {})
    return next((one for one in strict.values() if not off(one)), None)


def _implied(
    was: Setting | None, now: Setting | None, after: Mapping[tuple[str, str], Mapping[_Place, Setting]]
) -> bool:
    """Tell whether a switch that is gone is implied by a stricter one: mypy's and TypeScript's `strict`."""
    if was is None or now is not None or was.key.rsplit(".", 1)[-1] == "strict":
        return False
    scope, _, name = was.key.rpartition(".")
    by_strict = _BY_STRICT.get(was.tool)
    if by_strict is not None and not by_strict.fullmatch(name):
        return False
    strict = after.get((was.tool, f"{scope}.strict" if scope else "strict"), {})
    return any(setting.text.lower() == "true" for setting in strict.values())


_KINDS_OF_TOOLS: Final = (
    frozenset({"ruff", "flake8", "pylint", "eslint", "biome", "oxlint", "stylelint", "golangci"}),
    frozenset({"jest", "vitest", "mocha", "karma", "nyc", "c8"}),
    frozenset({"mypy", "pyright"}),
)


def _replaced(row: Row, was: Setting | None, now: Setting | None, before: _Names, after: _Names) -> bool:
    """Tell whether a setting is gone because another tool of the same kind came; its floors must come along."""
    if was is None or now is not None:
        return False
    kind = next((tools for tools in _KINDS_OF_TOOLS if was.tool in tools), frozenset[str]())
    fresh = kind & ({tool for tool, _ in after} - {tool for tool, _ in before})
    if row.effect is not Effect.FLOOR:
        return bool(fresh)
    name = was.key.rsplit(".", 1)[-1]
    places = (places for (tool, key), places in after.items() if tool in fresh and key.rsplit(".", 1)[-1] == name)
    return any(not _floor(was, setting) for found in places for setting in found.values())


def _weakened(row: Row, was: Setting | None, now: Setting | None) -> Weakened:
    place = now or was
    assert place is not None  # noqa: S101 (a pair has one side at least)
    side = Side.NEW if now is not None else Side.OLD
    return Weakened(
        place.path,
        place.line,
        side,
        row.kind,
        f"{place.tool} {place.key}",
        was.shown if was else None,
        now.shown if now else None,
        row.effect.value,
    )


def _weaker(effect: Effect, was: Setting | None, now: Setting | None) -> bool:
    if was is not None and now is not None and (was.text, was.values) == (now.text, now.values):
        return False
    return _TESTS[effect](was, now)


def numbers(text: str) -> list[float]:
    """Return the numbers in a text; words and names that hold digits are none."""
    found = (number_of(part) for part in re.findall(r"(?<![\w.])-?\d+(?:[._]\d+)*(?:ms|s|m|h)?(?![\w.])", text))
    return [number for number in found if number is not None]


def _least(setting: Setting | None) -> float | None:
    found = numbers(setting.text) if setting else []
    return min(found) if found else None


def _most(setting: Setting | None) -> float | None:
    found = numbers(setting.text) if setting else []
    return max(found) if found else None


def _floor(was: Setting | None, now: Setting | None) -> bool:
    before, after = _least(was), _least(now)
    if before is None:
        return False
    if after is None:
        return now is None or now.text.lower() in ("", "false", "off", "no", "none", "null")
    return after < before


def _ceiling(was: Setting | None, now: Setting | None) -> bool:
    before, after = _most(was), _most(now)
    return before is not None and (after is None or after > before)


def _retry(was: Setting | None, now: Setting | None) -> bool:
    return (_most(now) or 0) > (_most(was) or 0)


def _timeout(was: Setting | None, now: Setting | None) -> bool:
    before, after = _most(was), _most(now)
    return before is not None and before > 0 and after is not None and (after >= 2 * before or after == 0)


def off(setting: Setting | None) -> bool:
    """Tell whether a switch is off or missing."""
    return setting is None or setting.text.strip().lower() in (
        "false",
        "0",
        "no",
        "off",
        "",
        "none",
        "null",
        "disable",
        "disabled",
    )


def _strict(was: Setting | None, now: Setting | None) -> bool:
    return (was is None or not off(was)) and now is not None and off(now)


def _strict_off(was: Setting | None, now: Setting | None) -> bool:
    return not off(was) and off(now)


def _lax(was: Setting | None, now: Setting | None) -> bool:
    return off(was) and not off(now)


def _left_out(was: Setting | None, now: Setting | None) -> bool:
    before, after = (setting.items if setting else () for setting in (was, now))
    return leaves_out_more(before, after)


def _covered(was: Setting | None, now: Setting | None) -> bool:
    return was is not None and now is not None and covers_less(was.items, now.items)


def _chosen(was: Setting | None, now: Setting | None) -> bool:
    return was is not None and bool(lost(was.items, now.items if now else ()))


LADDER: Final[Mapping[str, int]] = MappingProxyType(
    {
        "forbid": 4, "deny": 3, "error": 3, "2": 3, "strict": 3, "fatal": 3, "true": 3, "all": 3, "enable": 3,
        "warn": 2, "warning": 2, "1": 2, "standard": 2, "warnings": 2, "normal": 3, "success": 0,
        "info": 1, "information": 1, "suggestion": 1, "hint": 1, "silent": 1, "basic": 1, "fast": 1,
        "off": 0, "none": 0, "allow": 0, "0": 0, "false": 0, "ignore": 0, "skip": 0, "disable": 0,
    }
)  # fmt: skip
"""Words for how bad a fault is, as numbers: 3 fails, 2 warns, 1 tells, 0 is silent."""


def _severity(was: Setting | None, now: Setting | None) -> bool:
    before, after = _rank(was), _rank(now)
    if now is None:
        return before is not None and before >= 3
    if after is None:
        return False
    return after < before if before is not None else was is None and after == 0


def _rank(setting: Setting | None) -> int | None:
    if setting is None:
        return None
    first = setting.values[0] if setting.values else setting.text
    return LADDER.get(first.strip().lower())


def _arguments(was: Setting | None, now: Setting | None) -> bool:
    words = [[*setting.items] if setting else [] for setting in (was, now)]
    tool = (now or was or Setting("", "", "", 0)).tool
    return bool(compared_words(tool, *words))


def _present(was: Setting | None, now: Setting | None) -> bool:
    return was is not None and now is None


_TESTS: Final[Mapping[Effect, Callable[[Setting | None, Setting | None], bool]]] = MappingProxyType(
    {
        Effect.FLOOR: _floor,
        Effect.CEILING: _ceiling,
        Effect.RETRY: _retry,
        Effect.TIMEOUT: _timeout,
        Effect.STRICT: _strict,
        Effect.STRICT_OFF: _strict_off,
        Effect.LAX: _lax,
        Effect.LEFT_OUT: _left_out,
        Effect.COVERED: _covered,
        Effect.CHOSEN: _chosen,
        Effect.SEVERITY: _severity,
        Effect.ARGUMENTS: _arguments,
        Effect.PRESENT: _present,
    }
)
