"""What the comparison knows of test frameworks: which marks make, skip, focus, repeat or limit a test.

A framework is a row in these tables and its cases in the tests. `strictness` holds what its assertions
mean.
"""

import re
from collections.abc import Mapping
from typing import Final

from werkrevisor_core.records import frozen


@frozen
class Framework:
    """One row: the languages, and the names that mean something in them.

    `tests` match the names of marks (or functions) that make a test, `skips` those that keep one from
    running or from failing, `only` those that keep the others from running, `retries`, `limits` and
    `cases` those that say how often, how long and with which data. `skip_calls` are calls that end a
    running test as skipped.
    """

    name: str
    languages: frozenset[str]
    tests: str = ""
    skips: str = ""
    only: str = ""
    retries: str = ""
    limits: str = ""
    cases: str = ""
    skip_calls: str = ""


_JVM: Final = frozenset({"java", "kotlin"})
_JS: Final = frozenset({"javascript", "typescript", "tsx"})

FRAMEWORKS: Final = (
    Framework(
        "pytest",
        frozenset({"python"}),
        skips=r"skip|skipif|xfail|skip_if.*|skip_.*|.*_skip|requires?_.*|.*_only",
        retries=r"flaky|rerunfailures|reruns|retry",
        limits=r"timeout",
        cases=r"parametrize|params?|expand|data|cases|fixture",
        skip_calls=r"(?:pytest\.)?(?:skip|xfail|importorskip)",
    ),
    Framework(
        "unittest",
        frozenset({"python"}),
        skips=r"skip|skipIf|skipUnless|expectedFailure|SkipTest",
        skip_calls=r"self\.skipTest|(?:unittest\.)?SkipTest",
    ),
    Framework(
        "junit",
        _JVM,
        tests=r"(?:(?!Before|After)\w*Test|TestFactory|TestTemplate|Theory|Property|Example)",
        skips=r"Ignore[ds]?|Disabled\w*|Enabled\w*|Assume\w*|Ignored?\w*|DoNotTest|SdkSuppress|RequiresDevice|FlakyTest",
        retries=r"RetryingTest|Retry\w*|Flaky|RepeatedIfExceptionsTest|RetryOnFailure",
        limits=r"Timeout|assertTimeout(?:Preemptively)?|atMost|runTest|runBlockingTest|withTimeout",
        cases=r"\w*Source|CsvSource|ValueSource|EnumSource|Parameters|TestWith|DataProvider|CartesianTest",
        skip_calls=r"(?:[\w.]*\.)?(?:assume\w*|assuming\w*|abort)|throw SkipException",
    ),
    Framework("testng", _JVM, tests=r"Test", cases=r"DataProvider"),
    Framework("kotlin.test", _JVM, tests=r"Test", skips=r"Ignore"),
    Framework(
        "xunit",
        frozenset({"csharp"}),
        tests=r"\w*Fact|\w*Theory",
        skips=r"SkippableFact|Skip\w*",
        cases=r"InlineData|MemberData|ClassData",
        retries=r"Retry\w*",
        skip_calls=r"(?:Assert\.)?Skip(?:If|Unless|When)?|Skip\.\w+",
    ),
    Framework(
        "nunit",
        frozenset({"csharp"}),
        tests=r"Test|TestCase|TestCaseSource|Theory|\w*TestMethod|DataTestMethod",
        skips=r"Ignore|Explicit|Platform|Skip",
        retries=r"Retry\w*",
        limits=r"Timeout|MaxTime|CancelAfter",
        cases=r"TestCase|TestCaseSource|Values\w*|DataRow|ValueSource",
        skip_calls=r"Assert\.(?:Ignore|Inconclusive|Pass)|Assume\.\w+",
    ),
    Framework(
        "rust",
        frozenset({"rust"}),
        tests=r"(?:\w+::)*(?:test|rstest|test_case|proptest|quickcheck|wasm_bindgen_test|case|test_with)",
        skips=r"ignore|cfg|cfg_attr",
        limits=r"timeout",
        cases=r"case|test_case|values|test_matrix",
    ),
    Framework(
        "go",
        frozenset({"go"}),
        tests=r"(?:Test|Fuzz|Example)(?![a-z]).*",
        limits=r"Eventually\w*",
        skip_calls=r"(?:\w+\.)+(?:Skip|Skipf|SkipNow)|skip\w*",
    ),
    Framework(
        "javascript",
        _JS,
        tests=r"it|test|specify|fit|xit|xtest|xspecify|ftest|bench",
        skips=r"skip|xit|xtest|xdescribe|xcontext|xspecify|todo|fixme|fails|fail|failing|skipIf|runIf|pending|slow_skip",
        only=r"only|fit|fdescribe|ftest|fcontext",
        retries=r"retryTimes|retries|retry",
        limits=r"timeout|setTimeout|testTimeout|setConfig",
        cases=r"each|for",
        skip_calls=r"(?:this|t|test|it|ctx|context|testInfo)\.(?:skip|fixme|todo)|pending|test\.fail",
    ),
)
"""The frameworks, one row each."""


@frozen
class Facts:
    """What all frameworks of a language say together, as patterns over whole names."""

    tests: re.Pattern[str]
    skips: re.Pattern[str]
    only: re.Pattern[str]
    retries: re.Pattern[str]
    limits: re.Pattern[str]
    cases: re.Pattern[str]
    skip_calls: re.Pattern[str]


def _facts(language: str) -> Facts:
    rows = [row for row in FRAMEWORKS if language in row.languages]

    def joined(*patterns: str) -> re.Pattern[str]:
        # An empty alternative would match the empty name: no pattern matches nothing.
        return re.compile("|".join(pattern for pattern in patterns if pattern) or r"(?!)")

    return Facts(
        tests=joined(*(row.tests for row in rows)),
        skips=joined(*(row.skips for row in rows)),
        only=joined(*(row.only for row in rows)),
        retries=joined(*(row.retries for row in rows)),
        limits=joined(*(row.limits for row in rows)),
        cases=joined(*(row.cases for row in rows)),
        skip_calls=joined(*(row.skip_calls for row in rows)),
    )


FACTS: Final[Mapping[str, Facts]] = {
    language: _facts(language) for language in sorted({name for row in FRAMEWORKS for name in row.languages})
}
"""The facts by language."""
