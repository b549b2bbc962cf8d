"""Which files test frameworks discover by their path alone, one row per framework.

A framework that finds tests in any file of its language (Rust's `#[cfg(test)]`, xUnit, NUnit) has a
row whose pattern is the usual place of tests; `language_of` tells the language of any source file.
"""

import re
from typing import Final

from werkrevisor_core.patterns import lazy
from werkrevisor_core.records import frozen

LANGUAGES: Final = {
    "py": "python",
    "java": "java",
    "kt": "kotlin",
    "kts": "kotlin",
    "js": "javascript",
    "jsx": "javascript",
    "mjs": "javascript",
    "cjs": "javascript",
    "ts": "typescript",
    "mts": "typescript",
    "cts": "typescript",
    "tsx": "tsx",
    "go": "go",
    "rs": "rust",
    "cs": "csharp",
}
"""Source languages by file extension."""


@frozen
class Discovery:
    """The paths in which a framework looks for tests: name, and a pattern over the whole path."""

    framework: str
    pattern: re.Pattern[str]


_JS: Final = r"[cm]?[jt]sx?"
_JVM_NAME: Final = r"(?:[^/]*(?:Tests?|TestCase|Spec|IT|ITCase|Example)|Tests?[A-Z0-9_][^/]*)"

TABLE: Final = tuple(
    Discovery(framework, lazy(pattern))
    for framework, pattern in (
        ("pytest", r"(?:.*/)?(?:test_[^/]*|[^/]*_test|tests?)\.py"),
        ("go", r"(?:.*/)?[^/._][^/]*_test\.go"),
        ("jest", rf"(?:.*/)?(?:[^/]+[.\-_](?:test|spec|cy|e2e)(?:-d)?\.{_JS}|(?:test|spec)s?\.{_JS})"),
        ("jest", rf"(?:.*/)?__tests__/.*\.{_JS}"),
        # By default Mocha takes every script of a folder of tests; Jest and Vitest go by the name.
        ("mocha", rf"(?:.*/)?(?:test|tests|spec|e2e)/(?:.*/)?[^/]+\.{_JS}"),
        # A source set named for tests (`src/test`, `src/jvmTest`, `src/integrationTest`) and a class named for them.
        ("junit", rf"(?:.*/)?(?:[a-zA-Z]*[tT]ests?|it)/(?:.*/)?{_JVM_NAME}\.(?:java|kt)"),
        ("rust", r"(?:.*/)?tests/(?:[^/]+\.rs|[^/]+/main\.rs)"),
        ("rust", r"(?:.*/)?src/(?:.*/)?(?:tests?|[^/]*_tests?|tests?/.*)\.rs"),
        ("dotnet", r"(?:.*/)?[^/]*[tT]ests?[^/]*/(?:.*/)?[^/]+\.cs"),
        ("dotnet", r"(?:.*/)?[^/]*(?:Tests?|Specs?)\.cs"),
    )
)
"""The discovery rules in the frameworks' default configuration, one row each."""

# What is in every path that a row of the table matches; most paths of a change have none of it.
_HINT: Final = lazy(r"[tT]est|[sS]pec|e2e|cy\.|it/")

# Files in a folder of tests that hold data, configuration or build output and no tests.
_NO_TESTS: Final = lazy(r"(?:.*/)?(?:node_modules|testdata|fixtures|__fixtures__|__mocks__|obj|bin|target)/.*")


def language_of(path: str) -> str | None:
    """Return the source language that a path's extension names, or None."""
    name = path.rsplit("/", 1)[-1]
    return LANGUAGES.get(name.rsplit(".", 1)[-1].lower()) if "." in name else None


def is_test_path(path: str) -> str | None:
    """Return the framework that discovers a file by its path, or None where none does.

    The answer is that of the frameworks' defaults: suffixes and folders that a project configures
    elsewhere are not known here.
    """
    if not _HINT.search(path) or _NO_TESTS.fullmatch(path):
        return None
    return next((row.framework for row in TABLE if row.pattern.fullmatch(path)), None)


def loses_discovery(old_path: str, new_path: str) -> bool:
    """Return whether a move takes a file out of reach of the framework that discovered it.

    A name that Jest and Vitest look for is more than a folder that Mocha looks into: losing the name
    counts although the folder stays.
    """
    was, now = is_test_path(old_path), is_test_path(new_path)
    return was is not None and (now is None or (was == "jest" and now == "mocha"))
