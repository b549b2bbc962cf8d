"""Compares the marks of two versions of a test: skips, focus, retries, limits and cases."""

import re
from collections.abc import Iterable
from typing import Final

from werkrevisor_core.records import frozen
from werkrevisor_rules._support.weakened_tests.bodies import Body
from werkrevisor_rules._support.weakened_tests.declarations import Declaration, Mark
from werkrevisor_rules._support.weakened_tests.demands import number_of
from werkrevisor_rules._support.weakened_tests.durations import milliseconds
from werkrevisor_rules._support.weakened_tests.frameworks import FACTS
from werkrevisor_rules._support.weakening import Kind

_ENABLED_FALSE: Final = re.compile(r"\benabled\s*=\s*false\b")
_SKIP_KEYS: Final = re.compile(r"\b(?:Skip|Ignore|IgnoreReason|Explicit)\s*=(?!\s*(?:null|\"\"|false))")
_SKIP_OPTION: Final = re.compile(r"\b(?:skip|todo|fails)\s*:\s*(?!false\b|undefined\b)(\S+)")
_ONLY_OPTION: Final = re.compile(r"\bonly\s*:\s*true\b")
_RETRY_OPTION: Final = re.compile(r"\bretr(?:y|ies)\s*:\s*(\d+|\{)")
_LIMIT_OPTION: Final = re.compile(r"\btimeout\s*[:=]\s*([\d_]+)")
_UNCONDITIONAL: Final = frozenset({"skip", "Ignore", "Ignored", "Disabled", "expectedFailure"})
_ALWAYS: Final = re.compile(
    r"(?:[sS]kip_?[iI]f|DisabledIf\w*)\s*\(\s*(?:value\s*=\s*)?\"?(?:True|true|1)\b|"
    r"(?:skip_?[uU]nless|runIf|EnabledIf\w*)\s*\(\s*(?:value\s*=\s*)?\"?(?:False|false|0)\b"
)
_NO_TEST_CFG: Final = re.compile(r"#!?\[cfg\(test\)\]")


@frozen
class Setting:
    """A mark brought to what it does: how, with which text, in which line, and its figure if it has one."""

    kind: Kind
    text: str
    line: int
    figure: float | None = None
    condition: str = ""


def _settings_of(mark: Mark, language: str) -> Iterable[Setting]:  # noqa: C901 (one branch per effect of a mark)
    facts, name, text = FACTS[language], mark.name, mark.text
    short = name.rsplit("::", 1)[-1].rsplit(".", 1)[-1]
    if name == "build" and not _asks_for_tag(text):
        return
    if name in ("if", "build", "#if", "not public", "abstract"):
        kind = Kind.UNDISCOVERED if name != "if" else Kind.SKIP_ADDED
        yield Setting(kind, f"{name} {text}", mark.line, condition=text)
        return
    if name == "options":
        yield from _options(mark)
        return
    if language == "rust":
        yield from _rust(mark, short)
        return
    if language == "csharp":
        yield from _csharp(mark, short)
    elif _ENABLED_FALSE.search(text):
        yield Setting(Kind.SKIP_ADDED, text, mark.line)
    if facts.only.fullmatch(short):
        yield Setting(Kind.ONLY_ADDED, text, mark.line)
    elif facts.skips.fullmatch(short) and language != "csharp":
        plain = short in _UNCONDITIONAL or not ("(" in text or "If" in short)
        yield Setting(Kind.SKIP_ADDED, text, mark.line, condition="" if plain else text)
    if facts.retries.fullmatch(short):
        yield Setting(Kind.RETRY_ADDED, text, mark.line, _figure(text))
    if facts.limits.fullmatch(short):
        yield Setting(Kind.TIMEOUT_RAISED, text, mark.line, milliseconds(text))
    elif (found := _LIMIT_OPTION.search(text)) and short in ("Test", "Fact", "Theory"):
        yield Setting(Kind.TIMEOUT_RAISED, text, mark.line, float(found[1].replace("_", "")))


def _asks_for_tag(text: str) -> bool:
    """Return whether a build constraint of Go leaves the file out of a plain build."""
    words = re.findall(r"!?\w[\w.]*", text.removeprefix("//go:build").removeprefix("// +build"))
    return any(not word.startswith("!") and not re.fullmatch(r"go1\.\d+|unix|cgo|gc", word) for word in words)


def _csharp(mark: Mark, short: str) -> Iterable[Setting]:
    facts = FACTS["csharp"]
    if facts.skips.fullmatch(short) or _SKIP_KEYS.search(mark.text):
        yield Setting(Kind.SKIP_ADDED, mark.text, mark.line, condition=mark.text)
    if re.search(r"\bTimeout\s*=", mark.text) and (found := re.search(r"Timeout\s*=\s*([\d_]+)", mark.text)):
        yield Setting(Kind.TIMEOUT_RAISED, mark.text, mark.line, float(found[1].replace("_", "")))


def _rust(mark: Mark, short: str) -> Iterable[Setting]:
    text = mark.text
    if short == "ignore":
        yield Setting(Kind.SKIP_ADDED, text, mark.line)
    elif short == "cfg" and not _NO_TEST_CFG.fullmatch(text):
        condition = re.sub(r"\btest\s*,\s*|,\s*test\b", "", text)
        yield Setting(Kind.UNDISCOVERED, text, mark.line, condition=condition)
    elif short == "cfg_attr" and "ignore" in text:
        yield Setting(Kind.SKIP_ADDED, text, mark.line, condition=text)
    elif short == "timeout":
        yield Setting(Kind.TIMEOUT_RAISED, text, mark.line, milliseconds(text))


def _options(mark: Mark) -> Iterable[Setting]:
    text = mark.text
    if re.fullmatch(r"[\d_]+", text):
        yield Setting(Kind.TIMEOUT_RAISED, text, mark.line, float(text.replace("_", "")))
        return
    if _SKIP_OPTION.search(text):
        yield Setting(Kind.SKIP_ADDED, text, mark.line, condition=text)
    if _ONLY_OPTION.search(text):
        yield Setting(Kind.ONLY_ADDED, text, mark.line)
    if found := _RETRY_OPTION.search(text):
        yield Setting(Kind.RETRY_ADDED, text, mark.line, _figure(found[1]))
    if found := _LIMIT_OPTION.search(text):
        yield Setting(Kind.TIMEOUT_RAISED, text, mark.line, float(found[1].replace("_", "")))


def _figure(text: str) -> float | None:
    return number_of(re.findall(r"[\d_]+", text))


def settings(test: Declaration, body: Body) -> list[Setting]:
    """Return what the marks on and around a test, and calls in it, do to its run."""
    out = [one for mark in (*test.marks, *test.inherited) for one in _settings_of(mark, test.language)]
    facts = FACTS[test.language]
    for name, text, line in body.settings:
        kind = Kind.RETRY_ADDED if facts.retries.fullmatch(name) else Kind.TIMEOUT_RAISED
        figure = _figure(text) if kind is Kind.RETRY_ADDED else milliseconds(text)
        if figure is not None:
            out.append(Setting(kind, f"{name}({text})", line, figure))
    for name, condition, line in body.skips:
        out.append(Setting(Kind.SKIP_ADDED, f"{name} {condition}".strip(), line, condition=condition))
    return out


_NO_LIMIT_BY_ITSELF: Final = frozenset({"java", "kotlin", "csharp"})


def limits_of(test: Declaration) -> list[Setting]:
    """Return the limits on a test, in languages whose frameworks have none by themselves."""
    if test.language not in _NO_LIMIT_BY_ITSELF:
        return []
    found = [one for mark in test.marks for one in _settings_of(mark, test.language)]
    return [one for one in found if one.kind is Kind.TIMEOUT_RAISED and one.figure]


def changed_settings(old: list[Setting], new: list[Setting]) -> list[tuple[Setting | None, Setting]]:
    """Return (was, now) for each setting that keeps more from running or failing than before."""
    out: list[tuple[Setting | None, Setting]] = []
    for kind in (Kind.SKIP_ADDED, Kind.UNDISCOVERED, Kind.ONLY_ADDED):
        before = [one for one in old if one.kind is kind]
        after = [one for one in new if one.kind is kind]
        texts = [_plain(one.text) for one in before]
        fresh = []
        for one in after:
            if _plain(one.text) in texts:
                texts.remove(_plain(one.text))
            else:
                fresh.append(one)
        if fresh and len(after) > len(before):
            out.append((None, fresh[0]))
        elif fresh and before and (_ALWAYS.search(fresh[0].text) or _one_more_condition(before, fresh)):
            out.append((before[0], fresh[0]))
    out += _figures(Kind.RETRY_ADDED, old, new)
    out += _figures(Kind.TIMEOUT_RAISED, old, new)
    return out


def _plain(text: str) -> str:
    return re.sub(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|\s+|reason\s*=", "", text)


def _one_more_condition(before: list[Setting], fresh: list[Setting]) -> bool:
    """Return whether a condition for skipping became an alternative of several."""
    old, new = before[0].condition, fresh[0].condition
    if old and not new:
        return True
    was, now = set(re.findall(r"[\w.]+", old)), set(re.findall(r"[\w.]+", new))
    either = re.search(r"\bor\b|\|\||\bany\(", new) is not None
    return bool(was) and either and len(was & now) >= len(was) - 1 and len(now) > len(was)


def _figures(kind: Kind, old: list[Setting], new: list[Setting]) -> list[tuple[Setting | None, Setting]]:
    before = [one for one in old if one.kind is kind]
    after = [one for one in new if one.kind is kind]
    if not after:
        return []
    now = after[0]
    was = before[0] if before else None
    if kind is Kind.RETRY_ADDED:
        if was is None:
            return [(None, now)] if now.figure is None or now.figure > 0 else []
        more = (
            now.figure is not None
            and was.figure is not None
            and now.figure >= 2 * was.figure
            and now.figure > was.figure
        )
        return [(was, now)] if more else []
    if was is None or was.figure is None or now.figure is None or was.figure == 0:
        # A limit where none was, or one over the framework's own.
        return (
            [(None, now)]
            if was is None and now.figure is not None and (now.figure == 0 or now.figure >= 10_000)
            else []
        )
    off = now.figure == 0
    return [(was, now)] if off or now.figure >= 2 * was.figure else []
