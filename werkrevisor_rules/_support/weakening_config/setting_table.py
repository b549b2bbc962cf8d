"""What the settings of each tool do; a tool is a few rows here and a file name in `files`."""

from types import MappingProxyType
from typing import Final

from werkrevisor_core.patterns import lazy
from werkrevisor_rules._support.weakening import Kind
from werkrevisor_rules._support.weakening_config.settings import Effect, Row

_FLOOR, _NARROW, _SOFT = Kind.FLOOR_LOWERED, Kind.NARROWED, Kind.NON_FAILING
_RETRY, _TIMEOUT = Kind.RETRY_ADDED, Kind.TIMEOUT_RAISED


def _rows(tools: str, *rows: tuple[Effect, Kind, str]) -> tuple[Row, ...]:
    return tuple(Row(frozenset(tools.split("|")), lazy(keys), effect, kind) for effect, kind, keys in rows)


TABLE: Final = (
    *_rows(
        "coverage",
        (Effect.FLOOR, _FLOOR, r"report\.fail_under"),
        (Effect.STRICT_OFF, _FLOOR, r"run\.branch"),
        (Effect.LEFT_OUT, _FLOOR, r"(?:run|report)\.(?:omit|exclude_lines|exclude_also|partial_branches|partial_also)"),
        (Effect.COVERED, _FLOOR, r"(?:run|report)\.(?:source|source_pkgs|source_dirs|include)"),
        (Effect.LAX, _FLOOR, r"report\.ignore_errors"),
    ),
    *_rows(
        "pytest",
        (Effect.COVERED, _NARROW, r"testpaths|python_files|python_classes|python_functions"),
        (Effect.ARGUMENTS, _NARROW, r"addopts|PYTEST_ADDOPTS"),
        (Effect.LEFT_OUT, _NARROW, r"norecursedirs|collect_ignore(?:_glob)?"),
        (Effect.STRICT_OFF, _FLOOR, r"xfail_strict|strict|strict_\w+"),
        (Effect.CHOSEN, _FLOOR, r"filterwarnings\.error"),
        (Effect.TIMEOUT, _TIMEOUT, r"timeout"),
        (Effect.RETRY, _RETRY, r"reruns|flaky_\w+|retries"),
    ),
    *_rows("env", (Effect.LEFT_OUT, _NARROW, r"SKIP|\w*SKIP\w*TESTS?\w*"), (Effect.CHOSEN, _FLOOR, r"\w*FLAGS")),
    *_rows("matrix", (Effect.COVERED, _NARROW, r".*")),
    *_rows("ignore", (Effect.LEFT_OUT, _FLOOR, r"entries")),
    *_rows("mvn", (Effect.ARGUMENTS, _NARROW, r"arguments")),
    *_rows(
        "mypy",
        (
            Effect.STRICT_OFF,
            _FLOOR,
            (
                r"(?:overrides\..*\.)?(?:strict|strict_\w+|disallow_\w+|warn_\w+|check_untyped_defs"
                r"|no_implicit_\w+"
                r"|extra_checks|local_partial_types)"
            ),
        ),
        (Effect.LAX, _FLOOR, r"(?:overrides\..*\.)?(?:ignore_errors|allow_\w+|implicit_\w+)|ignore_missing_imports"),
        (Effect.SEVERITY, _FLOOR, r"follow_imports"),
        (Effect.LEFT_OUT, _FLOOR, r"(?:overrides\..*\.)?disable_error_code|exclude"),
        (Effect.CHOSEN, _FLOOR, r"enable_error_code"),
        (Effect.COVERED, _NARROW, r"files|packages|modules"),
    ),
    *_rows(
        "ruff|flake8|pylint|bandit|interrogate",
        (Effect.CHOSEN, _FLOOR, r"(?:extend[-_])?select|enable|fail-on"),
        (
            Effect.LEFT_OUT,
            _FLOOR,
            (
                r"(?:extend[-_])?ignore|(?:extend[-_])?exclude(?:_dirs)?|(?:extend-)?per-file-ignores.*"
                r"|disable|ignore-paths|ignore-patterns|skips"
            ),
        ),
        (Effect.CEILING, _FLOOR, r".*max[-_](?!line|doc-length)[\w-]+|mccabe\.max-complexity"),
        (Effect.FLOOR, _FLOOR, r"fail[-_]under"),
    ),
    *_rows(
        "pyright",
        (Effect.SEVERITY, _FLOOR, r"typeCheckingMode|report\w+"),
        (Effect.STRICT_OFF, _FLOOR, r"strict\w+"),
        (Effect.LEFT_OUT, _FLOOR, r"ignore|exclude"),
        (Effect.COVERED, _NARROW, r"include"),
        (Effect.CHOSEN, _FLOOR, r"strict"),
    ),
    *_rows("tox", (Effect.CHOSEN, _NARROW, r"env_?list")),
    *_rows(
        "jest|vitest|karma",
        (Effect.FLOOR, _FLOOR, r"(?:.*\.)?(?:coverageThreshold|thresholds?|check)\..*"),
        (
            Effect.COVERED,
            _NARROW,
            (
                r"(?:.*\.)?(?:testMatch|testRegex|roots)|(?:(?:.*\.)?(?:test"
                r"|projects?)\.(?:.*\.)?)?include"
            ),
        ),
        (
            Effect.LEFT_OUT,
            _NARROW,
            (
                r"(?:.*\.)?(?:testPathIgnorePatterns|modulePathIgnorePatterns)|(?:(?:.*\.)?(?:test"
                r"|projects?)\.(?:.*\.)?)?exclude"
            ),
        ),
        (Effect.LEFT_OUT, _FLOOR, r"(?:.*\.)?coveragePathIgnorePatterns|(?:.*\.)?coverage\.exclude"),
        (Effect.COVERED, _FLOOR, r"(?:.*\.)?collectCoverageFrom|(?:.*\.)?coverage\.include"),
        (Effect.TIMEOUT, _TIMEOUT, r"(?:.*\.)?(?:testTimeout|hookTimeout)"),
        (Effect.RETRY, _RETRY, r"(?:.*\.)?(?:retry|retries)"),
        (Effect.LAX, _SOFT, r"(?:.*\.)?(?:passWithNoTests|allowOnly|dangerouslyIgnoreUnhandledErrors)"),
        (
            Effect.STRICT_OFF,
            _FLOOR,
            (
                r"(?:.*\.)?(?:errorOnDeprecated|typecheck\.enabled|expect\.requireAssertions"
                r"|injectGlobals)"
            ),
        ),
    ),
    *_rows(
        "playwright|cypress",
        (Effect.RETRY, _RETRY, r"(?:.*\.)?retries(?:\.\w+)?"),
        (Effect.TIMEOUT, _TIMEOUT, r"(?:.*\.)?(?:timeout|\w+Timeout)"),
        (Effect.STRICT_OFF, _FLOOR, r"(?:.*\.)?forbidOnly"),
        (Effect.LEFT_OUT, _NARROW, r"(?:.*\.)?(?:testIgnore|grepInvert|grep|excludeSpecPattern)"),
        (Effect.COVERED, _NARROW, r"(?:.*\.)?(?:testMatch|specPattern)"),
        (Effect.CEILING, Kind.TOLERANCE_RAISED, r"(?:.*\.)?(?:maxDiffPixels|maxDiffPixelRatio|threshold)"),
        (Effect.LAX, _SOFT, r"(?:.*\.)?ignoreSnapshots"),
    ),
    *_rows(
        "mocha",
        (Effect.COVERED, _NARROW, r"spec|extension"),
        (Effect.LEFT_OUT, _NARROW, r"ignore|exclude|grep|fgrep|invert"),
        (Effect.RETRY, _RETRY, r"retries"),
        (Effect.TIMEOUT, _TIMEOUT, r"timeout"),
        (Effect.STRICT_OFF, _FLOOR, r"forbid-?[oO]nly|forbid-?[pP]ending|check-leaks"),
    ),
    *_rows(
        "nyc|c8|stryker",
        (Effect.STRICT_OFF, _FLOOR, r"check-?[cC]overage|per-?[fF]ile|all|100"),
        (Effect.FLOOR, _FLOOR, r"branches|lines|functions|statements|(?:.*\.)?thresholds\.break"),
        (Effect.LEFT_OUT, _FLOOR, r"exclude"),
        (Effect.COVERED, _FLOOR, r"include|mutate"),
    ),
    *_rows(
        "eslint|biome|stylelint|oxlint",
        (
            Effect.SEVERITY,
            _FLOOR,
            (
                r"(?:.*\.)?rules\.(?:[^.]+|(?:a11y|complexity|correctness|nursery|performance|security"
                r"|style"
                r"|suspicious)\.[^.]+(?:\.level)?)"
            ),
        ),
        (Effect.LEFT_OUT, _FLOOR, r"(?:.*\.)?(?:ignorePatterns|ignores|ignoreFiles|files\.ignore)"),
        (Effect.CHOSEN, _FLOOR, r"extends"),
        (Effect.STRICT, _FLOOR, r"(?:linter|formatter)\.enabled"),
    ),
    *_rows(
        "tsc",
        (
            Effect.STRICT_OFF,
            _FLOOR,
            (
                r"compilerOptions\.(?:strict\w*|alwaysStrict|exactOptionalPropertyTypes"
                r"|useUnknownInCatchVariables|checkJs"
                r"|forceConsistentCasingInFileNames|noEmitOnError|no(?:Implicit|Unused|Fallthrough"
                r"|Unchecked|Property)\w+)"
            ),
        ),
        (Effect.LAX, _FLOOR, r"compilerOptions\.(?:allowUnreachableCode|allowUnusedLabels|noCheck|suppress\w+)"),
        (Effect.LEFT_OUT, _NARROW, r"exclude"),
        (Effect.COVERED, _NARROW, r"include|files"),
    ),
    *_rows(
        "codecov",
        (Effect.FLOOR, _FLOOR, r"coverage\.status\..*\.target|coverage\.status\..*\.base"),
        (Effect.CEILING, _FLOOR, r"coverage\.status\..*\.threshold"),
        (Effect.LAX, _SOFT, r"coverage\.status\..*\.informational"),
        (
            Effect.STRICT,
            _SOFT,
            r"coverage\.status(?:\.\w+){1,2}|codecov\.require_ci_to_pass|coverage\.status\..*\.enabled",
        ),
        (Effect.LEFT_OUT, _FLOOR, r"ignore|coverage\.ignore"),
        (Effect.SEVERITY, _SOFT, r".*\.if_ci_failed"),
    ),
    *_rows(
        "golangci",
        (Effect.CHOSEN, _FLOOR, r"linters\.enable"),
        (
            Effect.LEFT_OUT,
            _FLOOR,
            (
                r"linters\.disable|(?:issues|linters\.exclusions)\.exclude.*"
                r"|linters\.exclusions\.(?:paths|presets)"
                r"|run\.(?:skip|exclude)-(?:dirs|files)"
            ),
        ),
        (Effect.SEVERITY, _FLOOR, r"linters\.default"),
        (Effect.STRICT_OFF, _FLOOR, r"linters\.enable-all"),
        (Effect.LAX, _FLOOR, r"linters\.disable-all|issues\.new.*"),
        (Effect.STRICT, _NARROW, r"run\.tests"),
        (Effect.FLOOR, _SOFT, r"run\.issues-exit-code"),
        (Effect.CEILING, _FLOOR, r"linters[-.]settings\..*(?:complexity|threshold|lines|statements)"),
    ),
    *_rows(
        "cargo",
        (
            Effect.STRICT,
            Kind.UNDISCOVERED,
            (
                r"(?:package\.)?auto(?:tests|benches|examples|bins)|(?:lib|bin|test|bench"
                r"|example)(?:\..*)?\.(?:test|doctest|harness)"
            ),
        ),
        (Effect.LEFT_OUT, _NARROW, r"test\..*\.required-features|workspace\.exclude"),
        (Effect.SEVERITY, _FLOOR, r"(?:workspace\.)?lints\..*"),
        (Effect.COVERED, _NARROW, r"workspace\.(?:members|default-members)"),
        (Effect.CHOSEN, _FLOOR, r".*rustflags"),
        (Effect.CEILING, _FLOOR, r"[\w-]+-threshold|too-\w+-\w+"),
        (Effect.RETRY, _RETRY, r"profile\..*\.retries"),
        (Effect.LEFT_OUT, _NARROW, r"profile\..*\.default-filter"),
    ),
    *_rows(
        "maven",
        (Effect.LAX, _SOFT, r".*(?:testFailureIgnore|maven\.test\.failure\.ignore|failNever)"),
        (
            Effect.LAX,
            _NARROW,
            (
                r"(?:profile .*: |properties\.)(?:skipTests|skipITs|skipUTs|maven\.test\.skip(?:\.exec)?"
                r"|(?:surefire|failsafe"
                r"|checkstyle|pmd|spotbugs|jacoco|enforcer|spotless|pitest|cpd|animal\.sniffer|revapi"
                r"|japicmp)\.skip)"
                r"|(?:profile .*: )?plugin\..*\.(?:skip|skipTests|skipITs|skipExec|skipUTs)"
            ),
        ),
        (
            Effect.STRICT,
            _SOFT,
            (
                r"(?:profile .*: )?plugin\..*\.(?:failOnViolation|failsOnError|failsOnViolation"
                r"|failOnWarning|haltOnFailure|failOnError|failIfNoTests)"
            ),
        ),
        (
            Effect.LEFT_OUT,
            _NARROW,
            (
                r"(?:profile .*: )?plugin\..*\.(?:excludes|excludedGroups|excludeTags"
                r"|excludedEnvironments|groups|exclude)"
            ),
        ),
        (Effect.COVERED, _NARROW, r"(?:profile .*: )?plugin\..*\.(?:includes|include)"),
        (Effect.RETRY, _RETRY, r".*(?:rerunFailingTestsCount)"),
        (
            Effect.FLOOR,
            _FLOOR,
            (
                r"(?:profile .*: )?plugin\..*\.(?:minimum|mutationThreshold|coverageThreshold"
                r"|lineCoverage|branchCoverage|testStrengthThreshold)"
                r"|properties\..*(?:jacoco|coverage|mutation).*"
            ),
        ),
        (Effect.CEILING, _FLOOR, r"(?:profile .*: )?plugin\..*\.(?:maximum|maxAllowedViolations)"),
        (Effect.TIMEOUT, _TIMEOUT, r"(?:profile .*: )?plugin\..*\.forkedProcessTimeoutInSeconds"),
        (Effect.CHOSEN, _FLOOR, r"(?:profile .*: )?plugin\..*\.(?:compilerArgs|goals|rules)"),
        (Effect.PRESENT, Kind.CI_STEP_DROPPED, r"(?:profile .*: )?plugin\.[\w-]+"),
    ),
    *_rows(
        "msbuild",
        (
            Effect.STRICT_OFF,
            _FLOOR,
            (
                r"(?:MSBuild|CodeAnalysis)?TreatWarningsAsErrors|EnforceCodeStyleInBuild"
                r"|EnableNETAnalyzers|RunAnalyzers\w*"
            ),
        ),
        (Effect.STRICT, Kind.UNDISCOVERED, r"IsTestProject"),
        (Effect.SEVERITY, _FLOOR, r"Nullable"),
        (Effect.LEFT_OUT, _FLOOR, r"NoWarn|WarningsNotAsErrors|Exclude|ExcludeByFile|ExcludeByAttribute"),
        (Effect.CHOSEN, _FLOOR, r"WarningsAsErrors"),
        (Effect.FLOOR, _FLOOR, r"WarningLevel|Threshold"),
        (Effect.LEFT_OUT, _NARROW, r"Compile\.Remove|TestCaseFilter"),
        (Effect.PRESENT, Kind.UNDISCOVERED, r"adapter"),
    ),
    *_rows(
        "gradle",
        (Effect.LAX, _SOFT, r"(?:.*\.)?(?:(?:is)?[iI]gnoreFailures|ignoreTestFailures)"),
        (Effect.LAX, _NARROW, r"(?:.*\.)?(?:skipTests|skip\w*Tests)"),
        (
            Effect.LEFT_OUT,
            _NARROW,
            (
                r"(?:.*\.)?(?:excludeTags|excludeTestsMatching|excludeGroups|excludeCategories|exclude"
                r"|excludes|excludeEngines)"
            ),
        ),
        (Effect.COVERED, _NARROW, r"(?:.*\.)?(?:includeTags|includeTestsMatching|includeCategories)"),
        (Effect.STRICT, _NARROW, r"(?:.*\.)?(?:enabled|isEnabled)"),
        (Effect.LAX, _NARROW, r"(?:.*\.)?onlyIf"),
        (
            Effect.FLOOR,
            _FLOOR,
            (
                r"(?:.*\.)?(?:minimum|minBound|lineCoverage\w*|mutationThreshold|coverageThreshold"
                r"|minValue)"
            ),
        ),
        (
            Effect.CEILING,
            _FLOOR,
            (
                r"(?:.*\.)?(?:maximum|maxWarnings|maxErrors|maxIssues|maximumErrorCount"
                r"|maximumWarningCount)"
            ),
        ),
        (Effect.RETRY, _RETRY, r"(?:.*\.)?(?:maxRetries|maxFailures)"),
        (
            Effect.STRICT_OFF,
            _FLOOR,
            (
                r"(?:.*\.)?(?:allWarningsAsErrors|warningsAsErrors|abortOnError|failOnWarning"
                r"|failOnViolation|checkAllWarnings|explicitApi)"
            ),
        ),
        (
            Effect.PRESENT,
            Kind.CI_STEP_DROPPED,
            (
                r"(?:.*\.)?(?:plugin\..*|-Werror|useJUnitPlatform or useJUnit"
                r"|jacocoTestCoverageVerification)"
            ),
        ),
    ),
    *_rows(
        "sonar",
        (Effect.LEFT_OUT, _FLOOR, r"sonar\.(?:\w+\.)*exclusions"),
        (Effect.STRICT_OFF, _SOFT, r"sonar\.qualitygate\.wait"),
    ),
    *_rows("editorconfig", (Effect.SEVERITY, _FLOOR, r".*\.severity")),
    *_rows(
        "detekt",
        (Effect.CEILING, _FLOOR, r".*(?:maxIssues|threshold|allowed\w*)"),
        (Effect.STRICT_OFF, _FLOOR, r".*\.active|warningsAsErrors"),
        (Effect.LEFT_OUT, _FLOOR, r".*\.excludes"),
    ),
)
"""The rows in the order in which they are asked; the first that fits a tool and key holds."""


def find_row(tool: str, key: str) -> Row | None:
    """Return what is known of a setting, None where nothing is."""
    return next((row for row in _BY_TOOL.get(tool, ()) if row.keys.fullmatch(key)), None)


_BY_TOOL: Final = MappingProxyType(
    {tool: tuple(row for row in TABLE if tool in row.tools) for tool in {tool for row in TABLE for tool in row.tools}}
)
