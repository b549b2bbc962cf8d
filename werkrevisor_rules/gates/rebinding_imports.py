"""Asks a human where changed imports give a name that the code uses to another module.

What it looks at:
    Files of main code in which only imports changed, and the names that they bind to another module
    than before. A name counts as used where it stands outside the import lines, where it can work
    without being written (a trait, an operator, the factory of JSX), and where the contents of the
    file are not known.

Why:
    One changed import line can change what every call below it does: `crypto/rand` and `math/rand`
    are both called `rand`. The file stays mechanical, so nobody else would look.

Example:
    `import java.security.SecureRandom as Random` in place of `import java.util.Random` gives YELLOW.

Options:
    `[mechanical] rebinding_imports`: `human` asks a human; with `review` such a file is not
    mechanical; `allow` lets it pass.

Not covered:
    A module that this change set itself moves from the old place to the new one. Modules that keep
    their name and change their content.
"""

import posixpath
from collections.abc import Iterator
from typing import Final

from werkrevisor_core.errors import ContentsUnavailable
from werkrevisor_core.markers import hookimpl
from werkrevisor_core.models.classes import Category, JudgedFile, Rebinding
from werkrevisor_core.models.context import GateResult, ReviewContext
from werkrevisor_core.models.ports import Contents, Side
from werkrevisor_core.models.verdict import Evidence, Level, Reason
from werkrevisor_core.patterns import lazy
from werkrevisor_core.rule import Phase, RuleInfo
from werkrevisor_rules._support.evidence import amount, bounded
from werkrevisor_rules._support.mechanical import MechanicalSettings
from werkrevisor_rules._support.moved_modules import moves

RULE = RuleInfo(
    name="rebinding_imports", phase=Phase.GATES, since="0.1.0", settings=MechanicalSettings, section="mechanical"
)

_WORD: Final = lazy(r"[\w$]+")
_JVM_LINE: Final = lazy(r"\s*+(?:import|package)\s[\w\s.*]++;?\s*+")
_SCRIPT_LINE: Final = lazy(r"\s*+import\s[\w\s{},*]+\sfrom\s*+(?:'[^']*+'|\"[^\"]*+\")\s*+;?\s*+")
_GO_LINE: Final = lazy(r"\s*+(?:import\s++)?(?:[\w.]++\s++)?\"[^\"]*+\"\s*+")
_IMPORT_LINES: Final = {
    **dict.fromkeys((".java", ".kt", ".kts"), _JVM_LINE),
    **dict.fromkeys((".ts", ".tsx", ".js", ".jsx", ".mjs"), _SCRIPT_LINE),
    ".go": _GO_LINE,
}
"""Lines that are nothing but an import, by extension. Rust is missing: a trait works unnamed."""

_OPERATORS: Final = lazy(
    "component[0-9]+|unary(?:Plus|Minus)|not|inc|dec|(?:plus|minus|times|div|rem|mod)(?:Assign)?|range(?:To|Until)|contains"
    "|get|set|invoke|equals|compareTo|iterator|next|hasNext|getValue|setValue|provideDelegate"
)
_FACTORIES: Final = frozenset({"React", "Preact", "Fragment", "h", "jsx", "jsxs", "jsxDEV"})


def _works_unnamed(name: str, extension: str) -> bool:
    if not name.isidentifier():
        return True
    if extension in (".kt", ".kts"):
        return _OPERATORS.fullmatch(name) is not None
    return extension in (".js", ".jsx", ".tsx") and name in _FACTORIES


def _words(file: JudgedFile, contents: Contents) -> frozenset[str] | None:
    """Return the words of the new file outside its import lines, or None where no name can be ruled out."""
    extension = posixpath.splitext(file.path)[1].lower()
    pattern = _IMPORT_LINES.get(extension)
    try:
        data = contents.read(Side.NEW, file.path)
    except ContentsUnavailable:
        return None
    # A name can be written with escapes in Java and in scripts.
    if pattern is None or data is None or b"\\u" in data:
        return None
    bound = {rebinding.line for rebinding in file.classification.rebound}
    lines = enumerate(data.decode("utf-8", "replace").split("\n"), 1)
    code = (line for number, line in lines if number not in bound and not pattern.fullmatch(line))
    return frozenset(word for line in code for word in _WORD.findall(line))


def _used(file: JudgedFile, contents: Contents) -> Iterator[Rebinding]:
    """Yield the rebound names that the code uses or could use."""
    words = _words(file, contents)
    extension = posixpath.splitext(file.path)[1].lower()
    for rebinding in file.classification.rebound:
        name = rebinding.name
        if words is None or name in words or _works_unnamed(name, extension):
            yield rebinding


def evaluate(context: ReviewContext, settings: MechanicalSettings) -> GateResult | None:
    """Return one reason that names every used name with its module before and now, or None."""
    if settings.rebinding_imports != "human":
        return None
    files = [file for file in context.files if file.category is Category.MAIN and file.classification.rebound]
    files = [file for file in files if "imports" in file.classification.rules]
    context.contents.prefetch([(Side.NEW, file.path) for file in files])
    used = [(file.path, found) for file in files for found in _used(file, context.contents)]
    moved = moves(context.change, context.contents)
    moved.prefetch({path for path, _ in used})
    evidence = [
        Evidence(path=path, line=found.line, was=found.was, now=found.now, note=f"the name {found.name}")
        for path, found in used
        if not moved.proved(path, found)
    ]
    if not evidence:
        return None
    reason = Reason(
        id=RULE.name,
        level=Level.YELLOW,
        message=f"Changed imports give {amount(len(evidence), 'used name')} another module.",
        evidence=bounded(evidence),
        advice="A human reviewer has to check that each name may mean the other module, and approve this head.",
        rule=RULE.name,
    )
    return GateResult((reason,))


@hookimpl
def werkrevisor_gate(context: ReviewContext, settings: MechanicalSettings) -> GateResult | None:
    """Ask a human about names that mean something else now."""
    return evaluate(context, settings)
