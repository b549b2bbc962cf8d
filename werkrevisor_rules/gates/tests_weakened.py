"""Asks a human about tests that demand less than before, or that no longer run.

What it looks at:
    Changed test files in Python, Java, Kotlin, JavaScript, TypeScript, Go, Rust and C#, and the files
    that decide whether tests run: CI, build files, settings of tests, coverage and lint. Both versions
    are parsed, the tests of the whole change are paired one by one, and each pair is compared: removed
    or no longer discovered tests, skips, focus, retries, limits, dropped cases, removed or loosened
    assertions, what keeps an assertion from being reached or its failure from being heard. What is
    around the tests counts too: set-ups and fixtures that skip, hooks that drop tests. In other
    languages the changed lines alone are looked at.

Why:
    Who cannot make a test pass can take its teeth, and line by line that looks harmless.

Example:
    `assertThat(items).containsExactly("pen")` that became `isNotEmpty()` gives YELLOW, with the name
    of the test, the line, what stood there and what stands there now.

Options:
    `max_file_bytes`, `max_total_bytes`, `max_tests`, `max_line_length`, `max_depth`: how much is
    compared. A file beyond them is named as not compared, which is YELLOW too, and so is one that
    cannot be read or parsed where its changed lines show nothing.

Not covered:
    A changed expected value. What files outside the change decide: helpers that assert, inherited
    tests, discovery that a project configures, cases that are computed or read from data. A removed
    test whose subject the same change removes.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from werkrevisor_core.markers import hookimpl
from werkrevisor_core.models.context import GateResult, ReviewContext
from werkrevisor_core.models.verdict import Evidence, Level, Reason
from werkrevisor_core.records import frozen
from werkrevisor_core.rule import Phase, RuleInfo, setting
from werkrevisor_rules._support.changed_texts import changed_texts
from werkrevisor_rules._support.evidence import amount, bounded
from werkrevisor_rules._support.weakened_tests.bounds import Bounds
from werkrevisor_rules._support.weakened_tests.compare import compare_tests
from werkrevisor_rules._support.weakening import Kind, Weakened
from werkrevisor_rules._support.weakening_config import compare, concerns


def _not_positive(value: int) -> str | None:
    return None if value > 0 else "must be positive"


@frozen
class Settings:
    """The section `[tests_weakened]`."""

    max_file_bytes: int = setting(2_000_000, "Largest test file that is compared, in bytes.", check=_not_positive)
    max_total_bytes: int = setting(
        200_000_000, "Bytes of test files, both versions, that are compared in one change.", check=_not_positive
    )
    max_tests: int = setting(5_000, "Most tests of one file that are compared.", check=_not_positive)
    max_line_length: int = setting(20_000, "Longest line of a test file that is compared.", check=_not_positive)
    max_depth: int = setting(200, "Deepest nesting of a test file that is compared.", check=_not_positive)


RULE = RuleInfo(name="tests_weakened", phase=Phase.GATES, since="0.1.0", settings=Settings)


def _bounds(settings: Settings) -> Bounds:
    return Bounds(
        file_bytes=settings.max_file_bytes,
        total_bytes=settings.max_total_bytes,
        tests=settings.max_tests,
        line_length=settings.max_line_length,
        depth=settings.max_depth,
    )


def _evidence(one: Weakened) -> Evidence:
    words = (one.kind.value, one.test, one.note)
    return Evidence(one.path, one.line, one.side, one.was, one.now, note=": ".join(word for word in words if word))


def _spread(found: Iterable[Weakened]) -> list[Weakened]:
    """Put one piece of each file first, so that a list that is cut names as many files as it can."""
    by_path: dict[str, list[Weakened]] = defaultdict(list)
    for one in found:
        by_path[one.path].append(one)
    first = [pieces[0] for pieces in by_path.values()]
    return [*first, *(one for pieces in by_path.values() for one in pieces[1:])]


def _message(found: Sequence[Weakened]) -> str:
    weaker = {one.path for one in found if one.kind is not Kind.NOT_COMPARED}
    unknown = {one.path for one in found if one.kind is Kind.NOT_COMPARED}
    said = []
    if weaker:
        said.append(f"The change makes tests weaker in {amount(len(weaker), 'file')}")
    if unknown:
        said.append(f"{'the' if said else 'The'} tests of {amount(len(unknown), 'file')} could not be compared")
    return ", and ".join(said) + "."


def evaluate(context: ReviewContext, settings: Settings) -> GateResult | None:
    """Return one reason that names every weaker test, or None."""
    texts, unknown = changed_texts(context.files, context.contents, concerns)
    tests = compare_tests(context.files, context.contents, _bounds(settings))
    found = [*tests, *compare(texts), *unknown]
    if not found:
        return None
    reason = Reason(
        id=RULE.name,
        level=Level.YELLOW,
        message=_message(found),
        evidence=bounded(map(_evidence, _spread(found))),
        advice="Restore what the tests demanded, or a human reviewer has to agree to the loss and approve this head.",
        rule=RULE.name,
    )
    return GateResult((reason,))


@hookimpl
def werkrevisor_gate(context: ReviewContext, settings: Settings) -> GateResult | None:
    """Ask a human about tests that got weaker."""
    return evaluate(context, settings)
