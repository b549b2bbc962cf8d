"""Holds the prose of changed documents against the writing rules of the config.

What it looks at:
    The lines, sentences, paragraphs or headings that hold an added line, in documents and in files
    that match `globs`. Code blocks, inline code and links are no prose.

Why:
    What can be said by a pattern need not be said by a person or a model, round after round.

Example:
    The rule `{id = "no-simply", pattern = "(?i)\\bsimply\\b", message = "Drop the word."}` finds the
    word in a changed line and gives a hint on that line.

Options:
    `rules` and `globs`. A rule of level `hint` blocks nothing by itself, one of level `orange` does.

Not covered:
    Text that did not change, and a paragraph from which lines were only removed. Without the file's
    contents only what the diff shows is prose, cut at the border of the hunks.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final, Literal

from werkrevisor_core.globs import Globs, glob_fault
from werkrevisor_core.markers import hookimpl
from werkrevisor_core.models.change import FileChange, Status
from werkrevisor_core.models.classes import Category
from werkrevisor_core.models.context import GateResult, ReviewContext
from werkrevisor_core.models.verdict import Finding, Level
from werkrevisor_core.records import frozen
from werkrevisor_core.rule import Phase, RuleInfo, setting
from werkrevisor_rules._support.markdown import read_markdown
from werkrevisor_rules._support.pr_documents import head_text, prefetch
from werkrevisor_rules._support.prose import Scope, ScopeKind, scopes

_LEVELS: Final = {"hint": Level.GREEN, "orange": Level.ORANGE}
_MOST: Final = 50


def _compiled(pattern: str) -> Any:  # noqa: ANN401 (google-re2 has no types)
    import re2  # noqa: PLC0415 (costs milliseconds, and most configs have no writing rule)

    options = re2.Options()
    options.log_errors = False
    return re2.compile(pattern, options)


def _pattern_fault(pattern: str) -> str | None:
    if not pattern:
        return "is missing"
    try:
        _compiled(pattern)
    except Exception:  # google-re2 and its encoder raise errors of several kinds
        return f"has an invalid regex {pattern!r}"
    return None


def _id_fault(name: str) -> str | None:
    fine = name and all(char.isascii() and (char.isalnum() or char in "._-") for char in name)
    return None if fine else "must be a name of letters, digits, dots, dashes and underscores"


@frozen
class WritingRule:
    """One entry of `[[writing_rules.rules]]`."""

    id: str = setting("", "Name of the rule in its findings.", check=_id_fault)
    pattern: str = setting("", "Regular expression (google-re2) that the prose must not match.", check=_pattern_fault)
    message: str = setting("", "What the author reads.")
    scope: ScopeKind = setting(ScopeKind.LINE, "What is searched: line, sentence, paragraph or heading.")
    level: Literal["hint", "orange"] = setting("hint", "How bad a match is: a hint blocks nothing, orange does.")


def _twice(rules: tuple[WritingRule, ...]) -> str | None:
    ids = [rule.id for rule in rules]
    twice = sorted({name for name in ids if ids.count(name) > 1})
    return f"has the id {twice[0]!r} more than once" if twice else None


@frozen
class Settings:
    """The section `[writing_rules]`."""

    rules: tuple[WritingRule, ...] = setting((), "The rules that prose is held against.", check=_twice)
    globs: tuple[str, ...] = setting((), "Globs of files that are prose besides the documents.", check=glob_fault)


RULE = RuleInfo(name="writing_rules", phase=Phase.GATES, since="0.1.0", settings=Settings)


def _changed_lines(file: FileChange) -> set[int]:
    blocks = (block for hunk in file.patch.hunks() for block in hunk.blocks())
    return {block.new_line + index for block in blocks for index in range(len(block.added))}


def _prose(context: ReviewContext, file: FileChange) -> Iterator[Scope]:
    """Yield the prose of a file; of what the hunks show where the whole file is not known."""
    text = head_text(context.contents, file)
    if text is not None:
        yield from scopes(read_markdown(text))
        return
    for hunk in file.patch.hunks():
        shown = [line[1:] for line in hunk.lines if line[:1] != b"-"]
        offset = hunk.new_start - 1
        for scope in scopes(read_markdown(b"\n".join(shown).decode("utf-8", "replace"))):
            yield Scope(scope.kind, scope.start + offset, scope.end + offset, scope.text)


def _findings(path: str, prose: Sequence[Scope], rule: WritingRule) -> Iterator[Finding]:
    search = _compiled(rule.pattern).search
    hits = [scope for scope in prose if scope.kind is rule.scope and search(scope.text)]
    message = rule.message or f"The text breaks the writing rule {rule.id}."
    for scope in hits[:_MOST]:
        yield Finding(RULE.name, rule.id, path, _LEVELS[rule.level], message, scope.start, scope.end)
    if len(hits) > _MOST:
        more = f"{message} ({len(hits) - _MOST} more places)"
        yield Finding(RULE.name, rule.id, path, _LEVELS[rule.level], more)


def evaluate(context: ReviewContext, settings: Settings) -> GateResult | None:
    """Return a finding for every piece of changed prose that a rule matches, or None."""
    if not settings.rules:
        return None
    globs = Globs(settings.globs)
    files = [
        file.change
        for file in context.files
        if file.change.status is not Status.REMOVED
        and not file.change.binary
        and (file.category is Category.DOCS or globs.match(file.path) is not None)
    ]
    prefetch(context.contents, [file.path for file in files])
    findings: list[Finding] = []
    for file in files:
        changed = _changed_lines(file)
        prose = [scope for scope in _prose(context, file) if not changed.isdisjoint(range(scope.start, scope.end + 1))]
        for rule in settings.rules:
            findings += _findings(file.path, prose, rule)
    return GateResult(findings=tuple(findings)) if findings else None


@hookimpl
def werkrevisor_gate(context: ReviewContext, settings: Settings) -> GateResult | None:
    """Hold changed prose against the writing rules."""
    return evaluate(context, settings)
