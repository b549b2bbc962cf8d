"""Explains lines that are whole import statements of plain form.

What it looks at:
    The changed lines of Java, Kotlin, JavaScript, TypeScript, Go and Rust (or what the config names). A
    line is explained where it is proved to be an import in the place where imports stand, and no
    text of a string or comment; a statement over several lines must be shown whole by one hunk. The
    old and the new version are read apart. Where the file can be read, the place is proved from its
    first line; else a hunk below the first line has to look like the import section.

Why:
    Nobody has anything to judge in a line that only names what the file uses (seed PR#11, 11.04).

Example:
    `import java.util.Map;` is explained, `import './polyfill';` is not: it binds no name and is there
    for its effect. Nor is a line that moves across such an import.

Options:
    `[mechanical] enabled`, `imports` and `rebinding_imports`.

Not covered:
    Imports that bind a name to another module stay explained; each such name is in the proof, and
    `rebinding_imports` asks about it. Comments behind imports, import attributes, re-exports.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any, Final

from attrs import define

from werkrevisor_core.markers import hookimpl
from werkrevisor_core.models.change import FileChange, Hunk, Status
from werkrevisor_core.models.classes import Classifier, Explained, WholePatch
from werkrevisor_core.models.ports import Contents, NoContents
from werkrevisor_core.rule import Phase, RuleInfo
from werkrevisor_rules._support.import_hunks import ImportReader
from werkrevisor_rules._support.import_sweep import sweep_over
from werkrevisor_rules._support.mechanical import MechanicalSettings, compile_regex, extension
from werkrevisor_rules._support.statements import Grammar

RULE = RuleInfo("imports", Phase.CLASSIFY, "0.1.0", settings=MechanicalSettings, section="mechanical")

_NOTHING: Final = Explained({})
_TYPED_ONLY: Final = frozenset({"ts", "mts", "cts"})
_MODULES: Final = frozenset({"mjs", "mts"})


@hookimpl
def werkrevisor_classifier(contents: Contents, settings: MechanicalSettings) -> Classifier | None:
    """Return the classifier, or None where mechanical changes are off."""
    return ImportClassifier(contents, settings) if settings.enabled else None


class ImportClassifier:
    """Explains the import lines of the languages that the settings name."""

    def __init__(self, contents: Contents, settings: MechanicalSettings) -> None:
        """Prepare one set of rules per extension, when it is first met."""
        self._contents = contents
        self._entries = settings.imports
        self._strict = settings.rebinding_imports == "review"
        self._rules: dict[str, _Rules | None] = {}

    def rules_out(self, file: FileChange, text: bytes, at: int) -> int:
        """Return where the first changed line begins, from `at` on, that is no import in this language for sure."""
        rules = self._rules_of(file)
        if rules is None:
            return at
        if rules.regexes or rules.grammar is None:
            return -1
        found = rules.grammar.never(text).search(text, at - 1)
        return -1 if found is None else found.start() + 1

    def explain_whole(self, file: FileChange, text: bytes) -> WholePatch | None:
        """Explain a patch of the plainest kind, of which nothing but the hunks is known."""
        rules = self._rules_of(file)
        if rules is None or rules.grammar is None or rules.regexes or not isinstance(self._contents, NoContents):
            return None
        last = max(text.rfind(b"\n-"), text.rfind(b"\n+"))
        if rules.grammar.never(text).match(text, last):
            return None
        return sweep_over(rules.grammar.sweep, text, strict=self._strict)

    def explain(self, file: FileChange, hunks: Sequence[Hunk]) -> Iterator[Explained] | None:
        """Explain a modified file hunk by hunk; None where its language has no import rule."""
        rules = self._rules_of(file)
        return None if rules is None else self._hunks(file, hunks, rules)

    def _rules_of(self, file: FileChange) -> "_Rules | None":
        name = extension(file.path)
        if name not in self._rules:
            self._rules[name] = _rules_for(name, self._entries)
        return self._rules[name] if file.status is Status.MODIFIED else None

    def _hunks(self, file: FileChange, hunks: Sequence[Hunk], rules: "_Rules") -> Iterator[Explained]:
        reader = None
        if rules.grammar is not None:
            reader = ImportReader(rules.grammar, self._contents, file, strict=self._strict)
        for hunk in hunks:
            explained = _NOTHING if reader is None else reader.explain(hunk)
            if rules.regexes:
                explained = Explained({**_by_regex(hunk, rules.regexes), **explained.lines}, explained.rebound)
            yield explained


@define
class _Rules:
    """What explains an import line of one extension."""

    grammar: Grammar | None
    regexes: tuple[Any, ...]


def _rules_for(name: str, entries: Mapping[str, tuple[str, ...]]) -> _Rules | None:
    given = entries.get(name, ())
    if not given:
        return None
    grammars = [entry for entry in given if entry.startswith("@")]
    regexes = tuple(compile_regex(entry) for entry in given if not entry.startswith("@"))
    return _Rules(_grammar(grammars[0], name) if grammars else None, regexes)


def _grammar(entry: str, name: str) -> Grammar:
    """Return the grammar of an entry; its module is imported here, since few changes need all of them."""
    if entry == "@ecmascript":
        from werkrevisor_rules._support.imports_ecmascript import EcmaScriptImports  # noqa: PLC0415

        types = name in _TYPED_ONLY or name == "tsx"
        return EcmaScriptImports(jsx=name not in _TYPED_ONLY, types=types, scripts=name not in _MODULES)
    module, _, cls = _GRAMMARS[entry].partition(":")
    grammar: Callable[[], Grammar] = getattr(import_module(f"werkrevisor_rules._support.{module}"), cls)
    return grammar()


_GRAMMARS: Final[Mapping[str, str]] = {
    "@go": "imports_go:GoImports",
    "@java": "imports_java:JavaImports",
    "@kotlin": "imports_java:KotlinImports",
    "@rust": "imports_rust:RustImports",
}


def _by_regex(hunk: Hunk, regexes: Sequence[Any]) -> dict[int, str]:
    """Explain the changed lines that a regex of the config matches as a whole."""
    out = {}
    for index, line in enumerate(hunk.lines):
        if line[:1] == b" ":
            continue
        text = line[1:].removesuffix(b"\r").decode("utf-8", "replace")
        if any(regex.fullmatch(text) for regex in regexes):
            out[index] = "matches an import regex of the configuration"
    return out


__all__ = ["RULE", "ImportClassifier", "werkrevisor_classifier"]
