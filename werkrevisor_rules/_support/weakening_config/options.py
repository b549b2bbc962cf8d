"""Compares the arguments of two versions of one check: does the new one refuse less than the old?

Only what is known to narrow, to soften or to lower is reported; an option of unknown meaning, another
order and more of everything are not.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from werkrevisor_core.patterns import lazy
from werkrevisor_core.records import frozen
from werkrevisor_rules._support.weakening import Kind

_ANY: Final = ""
_ADDED: Final = tuple(
    (lazy(programs), lazy(names), kind)
    for programs, names, kind in (
        (
            r"mypy|pyright|ty",
            (
                r"--(?:ignore-missing-imports|follow-imports.*|no-strict.*|allow-.*|disable-error-code.*"
                r"|no-warn.*"
                r"|implicit-.*|no-check.*|no-disallow.*)"
            ),
            Kind.FLOOR_LOWERED,
        ),
        (
            _ANY,
            (
                r"--(?:exit-zero|soft-fail|warn-only|pass-?with-?no-?tests|passWithNoTests|if-present"
                r"|fail-never|no-fail"
                r"|updateSnapshot|update-snapshots?|snapshot-update|suppress-tests-failed-exit-code"
                r"|ignore-exit-code"
                r"|fix-only|no-exit-code)"
            ),
            Kind.NON_FAILING,
        ),
        (_ANY, r"--(?:issues-)?exit-code=0", Kind.NON_FAILING),
        (
            r"mvn",
            r"-fn|-D(?:maven\.test\.failure\.ignore|testFailureIgnore)(?:=true)?|-D\S*[fF]ail\S*=false",
            Kind.NON_FAILING,
        ),
        (r"make.*", r"-i|--ignore-errors", Kind.NON_FAILING),
        (r"jest|vitest|run .*", r"-u", Kind.NON_FAILING),
        (
            _ANY,
            (
                r"--(?:skip|exclude|ignore|deselect|omit|disable|filter|grep-invert|invert|grep|changed"
                r"|changed-?[sS]ince"
                r"|onlyChanged|only-changed|since|lastCommit|findRelatedTests|related"
                r"|testPathIgnorePatterns"
                r"|testPathPatterns?|testNamePattern|test-name-pattern|spec|only|last-failed|lf|stepwise"
                r"|sw|collect-only"
                r"|co|no-run|list|listTests|dry-run|picked|testmon|fast|new|ignore-unfixed)(?:[-=].*)?"
                r"|--(?:extend|no)-(?:exclude|ignore)(?:[-=].*)?|--per-file-ignores.*|--new-from-.*"
            ),
            Kind.NARROWED,
        ),
        (
            r"pytest",
            r"-[km](?:=.*)?|-p=no:(?!cacheprovider|randomly|warnings|xdist).*|--no-cov.*|-o=.*|--override-ini.*",
            Kind.NARROWED,
        ),
        (r"pytest", r"-W=ignore.*|--disable-warnings", Kind.FLOOR_LOWERED),
        (r"go test", r"--?(?:run|skip|short|list)(?:=.*)?|--?vet=off", Kind.NARROWED),
        (
            r"cargo .*",
            (
                r"--(?:lib|bins?|test|doc|examples?|package|no-default-features|ignored)(?:=.*)?"
                r"|-[pE](?:=.*)?"
            ),
            Kind.NARROWED,
        ),
        (r"cargo .*", r"-A(?:=.*)?|--allow.*|--cap-lints.*", Kind.FLOOR_LOWERED),
        (
            r"mvn",
            (
                r"-D(?:[\w.-]*\.)?skip(?:Tests|ITs)?(?:=true)?|-Dmaven\.test\.skip(?:\.exec)?(?:=true)?"
                r"|-D(?:test|it\.test"
                r"|groups|excludedGroups)=.*"
            ),
            Kind.NARROWED,
        ),
        (r"gradle", r"-x=.*|--exclude-task.*|--tests.*|-P[Ss]kip\S*|-m", Kind.NARROWED),
        (r"mocha|jest|vitest|playwright|ava|run .*", r"-[gtfo](?:=.*)?", Kind.NARROWED),
        (r"golangci-lint|uses .*golangci.*", r"-D(?:=.*)?|--tests=false|--enable-only.*", Kind.NARROWED),
        (r"eslint", r"--quiet", Kind.FLOOR_LOWERED),
        (r"tsc", r"--noCheck|--skipLibCheck|--strict=false", Kind.FLOOR_LOWERED),
        (r"nox|tox", r"-[kt](?:=.*)?|--skip-.*", Kind.NARROWED),
        (
            r"uses .*",
            (
                r"--(?:soft-fail|only-new-issues|continue-on-error|allow-failure)=true|--exit-code=0"
                r"|--fail-\S+=false"
            ),
            Kind.NON_FAILING,
        ),
        (r"bandit", r"-[sx](?:=.*)?|-l+", Kind.NARROWED),
        (r"trivy|.*audit", r"--(?:severity|audit-level|omit|production)(?:=.*)?", Kind.NARROWED),
        (r"dotnet .*", r"[-/]p:TreatWarningsAsErrors=false", Kind.FLOOR_LOWERED),
        (r"ctest", r"-[RELI]E?(?:=.*)?|--(?:tests-regex|exclude-regex|label-regex).*", Kind.NARROWED),
    )
)
"""Options that weaken where they come: programs, the option with `=` before its value, and how it weakens."""
_DROPPED: Final = tuple(
    (lazy(programs), lazy(names), kind)
    for programs, names, kind in (
        (
            _ANY,
            (
                r"--strict.*|--check(?:-.*)?|--?race|-Werror|--fatal-warnings|--max-warnings=.*"
                r"|--forbid-only|--pedantic"
                r"|--(?:fail|errors?|deny|disallow|no-allow|verify)(?:-.*|=.*)?|--exit-code=[1-9]"
                r"|--cov-fail-under=.*"
                r"|--check-coverage|--typecheck|--xfail-strict|-warnaserror.*"
                r"|-p:TreatWarningsAsErrors=true"
                r"|--list-different|--diff"
            ),
            Kind.FLOOR_LOWERED,
        ),
        (
            _ANY,
            r"--(?:workspaces?|recursive|all-files|doctest-modules|all-targets|all-features|all-tests)",
            Kind.NARROWED,
        ),
        (r"cargo .*", r"--(?:all|tests|benches)", Kind.NARROWED),
        (r"cargo .*", r"-D(?:=.*)?", Kind.FLOOR_LOWERED),
        (r"run .*", r"-r", Kind.NARROWED),
        (r"go .*", r"--?tags=.*", Kind.NARROWED),
        (r"mvn", r"-P=?.*(?:test|it\b|integration|check|e2e|verify).*", Kind.NARROWED),
        (r"pytest|unittest", r"-W=error.*", Kind.FLOOR_LOWERED),
        (r"mypy", r"--warn-.*|--check-untyped-defs|--no-implicit-.*|--extra-checks", Kind.FLOOR_LOWERED),
        (r"ruff|flake8|pylint", r"--(?:extend-)?select.*|--enable.*", Kind.FLOOR_LOWERED),
    )
)
"""Options that weaken where they go."""
_SYNONYMS: Final = {
    "cargo": {"--all": "--workspace"},
    "mvn": {"-Dmaven.test.skip": "-DskipTests", "-Dmaven.test.skip.exec": "-DskipTests"},
}
"""Options that mean the same, by the first word of a key."""
_SELECTIONS: Final = tuple(
    (lazy(programs), lazy(names))
    for programs, names in (
        (r"nox|tox", r"-[es]|--sessions?"),
        (r"cargo .*", r"-p|--package"),
        (r"mvn", r"-pl|--projects"),
        (r"playwright|vitest|jest|uses .*", r"--projects?|--selectProjects"),
        (r"ruff|flake8|pylint|golangci-lint|uses .*golangci.*", r"--(?:extend-)?select|-E|--enable"),
    )
)
"""Options that say what is chosen: they weaken where the choice loses something or comes anew."""
_ADDS: Final = lazy(r"ruff|flake8|pylint|.*golangci")
"""Programs whose choice comes on top of what is on by itself."""
_BOUNDED: Final = lazy(r"(?:script|make|run) .*(?:cov|threshold|floor).*")
"""Commands of a project's own whose bare number is a floor, as in `check-coverage.sh 85`."""
_FLOORS: Final = lazy(
    r"--(?:cov-fail-under|fail-under|coverage\.thresholds?\.\w+|lines|branches|functions|statements|min-\S+)"
)
_CEILINGS: Final = lazy(r"--(?:max-warnings|max-complexity|max-\S*(?:errors|issues)\S*)")
_RETRIES: Final = lazy(r"--(?:retries|retry|reruns|retry-times|retryTimes|flake-attempts|force-flaky)|-D\S*rerun\S*")
_TIMEOUTS: Final = lazy(r"--?(?:timeout|testTimeout|test-timeout)|-D\S*[tT]imeout\S*")
_FLAGS: Final = frozenset(
    {"-x", "-v", "-q", "-s", "-race", "-short", "--strict", "--all", "--workspace", "--lib", "--", "-B", "--check"}
)
"""Options that take no value, so that what follows is an argument of its own."""
_VALUED: Final = frozenset(
    {"-k", "-m", "-t", "-g", "-run", "-skip", "-n", "-c", "-o", "-D", "-A", "-W", "-e", "-pl", "-P"}
)
"""Options whose value may look like a path."""
_PATH: Final = lazy(r"\.{1,3}|.*[/*].*|.*\.\w{1,4}|tests?|src|lib|specs?|docs?|__tests__")
_SUBCOMMANDS: Final = frozenset(
    {"run", "test", "discover", "check", "report", "lint", "ci", "build", "analyze", "scan"}
)
_BROAD: Final = frozenset({".", "./", "./...", "...", "all", "*", "**"})
_USUAL: Final = lazy(r"\.?/?(?:tests?|specs?|__tests__|src|lib)/?")
_UNITS: Final = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
_MAVEN: Final = ("validate", "compile", "test", "package", "integration-test", "verify", "install", "deploy")
_EVERYTHING: Final = frozenset({"*"})


_Options = list[tuple[str, str]]


@frozen
class Difference:
    """One way in which the new arguments refuse less."""

    kind: Kind
    was: str | None
    now: str | None


def number_of(text: str | None) -> float | None:
    """Return the number that a text begins with, in its unit of time where it has one, None for none."""
    found = re.match(r"\s*(-?\d+(?:[._]\d+)*)\s*(ms|s|m|h)?", text or "")
    if found is None:
        return None
    return (
        float(found.group(1).replace("_", "")) * _UNITS.get(found.group(2) or "", 1.0)
        if found.group(1).count(".") < 2
        else None
    )


def compared_words(key: str, old: Sequence[str], new: Sequence[str]) -> tuple[Difference, ...]:
    """Return in which ways the arguments of a check weaken it.

    Args:
        key: the check's key: its program with its verb.
        old: its arguments before.
        new: its arguments now.
    """
    if list(old) == list(new):
        return ()
    was, now = _parsed(key, old), _parsed(key, new)
    found = [*_numbers(was[0], now[0]), *_selections(key, was[0], now[0]), *_options(key, was[0], now[0])]
    if key in ("mvn", "gradle"):
        found += _goals(key, was[1], now[1])
    elif _BOUNDED.fullmatch(key):
        found += _lower_number(old, new)
    elif not key.startswith(("make", "run ", "script ")):
        found += _places(was[1], now[1])
    return tuple(dict.fromkeys(found))


def _lower_number(old: Sequence[str], new: Sequence[str]) -> Iterator[Difference]:
    before, after = ([number for word in words if (number := number_of(word)) is not None] for words in (old, new))
    if len(before) == len(after) == 1 and after[0] < before[0]:
        yield Difference(Kind.FLOOR_LOWERED, " ".join(old), " ".join(new))


def covers(key: str, old: Sequence[str], new: Sequence[str]) -> bool:
    """Tell whether a check that was there all along looks at all that another one looked at."""
    was, now = _parsed(key, old)[1], _parsed(key, new)[1]
    return not now or (bool(was) and all(any(_covers(place, other) for place in now) for other in was))


def _parsed(key: str, words: Sequence[str]) -> tuple[_Options, list[str]]:
    """Return the options with their values (empty for none), and the other arguments."""
    options: _Options = []
    others: list[str] = []
    flags = _FLAGS - {"-x"} if key == "gradle" else _FLAGS
    waiting = ""
    for word in words:
        if word.startswith("-") and len(word) > 1 and not word[1:].isdigit():
            name, equals, value = word.partition("=")
            options.append((name, value))
            waiting = "" if equals or name in flags or re.match(r"-[DP]\w", name) else name
        elif waiting and (waiting in _VALUED or (key == "gradle" and waiting == "-x") or not _PATH.fullmatch(word)):
            options[-1] = (waiting, word)
            waiting = ""
        else:
            waiting = ""
            if not word.startswith(("$", "{")) and (word not in _SUBCOMMANDS or key in ("mvn", "gradle")):
                others.append(word)
    return options, others


def _text(option: tuple[str, str]) -> str:
    return f"{option[0]}={option[1]}" if option[1] else option[0]


def _options(key: str, old: _Options, new: _Options) -> Iterator[Difference]:
    aliases = _SYNONYMS.get(key.split(" ", 1)[0], {})
    olds = {_text((aliases.get(name, name), value)) for name, value in old}
    news = {_text((aliases.get(name, name), value)) for name, value in new}
    names = {name for name, _ in new}
    for text in sorted(news - olds):
        if not _is_number(text) and (kind := _kind(_ADDED, key, text)) and not text.endswith("=false"):
            before = next((other for other in sorted(olds) if other.split("=")[0] == text.split("=")[0]), None)
            yield Difference(kind, before, text)
    for text in sorted(olds - news):
        name = text.split("=")[0]
        if name not in names and (kind := _kind(_DROPPED, key, text)):
            yield Difference(kind, text, None)


def _selections(key: str, old: _Options, new: _Options) -> Iterator[Difference]:
    for programs, names in _SELECTIONS:
        if not programs.fullmatch(key):
            continue
        was, now = _chosen(old, names), _chosen(new, names)
        left_out, leaves_out = ({part for part in parts if part.startswith("!")} for parts in (was, now))
        chosen, chooses = was - left_out, now - leaves_out
        came = chooses and not chosen and not _ADDS.match(key)
        if came or (chooses and chooses < chosen) or len(leaves_out) > len(left_out):
            yield Difference(Kind.NARROWED, " ".join(sorted(was)) or None, " ".join(sorted(now)))


def _chosen(options: _Options, names: re.Pattern[str]) -> set[str]:
    return {part for name, value in options if names.fullmatch(name) for part in value.split(",")}


def _is_number(text: str) -> bool:
    name = text.split("=", maxsplit=1)[0]
    return any(pattern.fullmatch(name) for pattern in (_FLOORS, _CEILINGS, _RETRIES, _TIMEOUTS))


def _kind(table: Sequence[tuple[re.Pattern[str], re.Pattern[str], Kind]], key: str, text: str) -> Kind | None:
    for programs, names, kind in table:
        if (not programs.pattern or programs.fullmatch(key)) and names.fullmatch(text):
            return kind
    return None


def _numbers(old: _Options, new: _Options) -> Iterator[Difference]:
    was, now = dict(old), dict(new)
    for name in sorted({*was, *now}):
        before, after = number_of(was.get(name)), number_of(now.get(name))
        shown = (_text((name, was[name])) if name in was else None, _text((name, now[name])) if name in now else None)
        if (_FLOORS.fullmatch(name) and before is not None and (after is None or after < before)) or (
            _CEILINGS.fullmatch(name) and before is not None and after is not None and after > before
        ):
            yield Difference(Kind.FLOOR_LOWERED, *shown)
        elif _RETRIES.fullmatch(name) and after is not None and after > (before or 0):
            yield Difference(Kind.RETRY_ADDED, *shown)
        elif _TIMEOUTS.fullmatch(name) and before and after is not None and (after >= 2 * before or after == 0):
            yield Difference(Kind.TIMEOUT_RAISED, *shown)


def _places(old: list[str], new: list[str]) -> Iterator[Difference]:
    """Compare the paths or packages that a check looks at."""
    lost = [place for place in old if not any(_covers(other, place) for other in new)]
    come = [place for place in new if not any(_covers(other, place) for other in old)]
    shown = (" ".join(old) or None, " ".join(new) or None)
    if not old:
        if new and not all(_USUAL.fullmatch(place) or place in _BROAD for place in new):
            yield Difference(Kind.NARROWED, *shown)
    elif new and lost and len(come) < len(lost):
        yield Difference(Kind.NARROWED, *shown)


def _covers(place: str, other: str) -> bool:
    if place in _BROAD or place == other:
        return True
    base = place.removesuffix("...").rstrip("/*").removeprefix("./")
    return other.removeprefix("./").rstrip("/") == base or other.removeprefix("./").startswith(base + "/")


def _goals(key: str, old: list[str], new: list[str]) -> Iterator[Difference]:
    was, now = _reached(key, old), _reached(key, new)
    if not was <= now and now != _EVERYTHING:
        yield Difference(Kind.NARROWED, " ".join(old), " ".join(new))


def _reached(key: str, goals: list[str]) -> frozenset[str]:
    """Return what goals or tasks check."""
    if key == "mvn":
        reached = max((_MAVEN.index(goal) for goal in goals if goal in _MAVEN), default=0)
        steps = {name for rank, name in ((1, "compile"), (2, "unit"), (4, "integration")) if reached >= rank}
        return frozenset(steps | {goal for goal in goals if goal not in (*_MAVEN, "clean", "site")})
    names = {goal.rsplit(":", 1)[-1] for goal in goals}
    if names & {"check", "build", "ci"}:
        return _EVERYTHING
    return frozenset(names - {"clean"})
