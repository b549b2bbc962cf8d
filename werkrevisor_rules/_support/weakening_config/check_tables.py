"""Facts about programs: which are checks, on what subject, and by which words projects name their own."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from werkrevisor_core.patterns import lazy


def _table(**topics: str) -> Mapping[str, str]:
    return MappingProxyType({name: topic for topic, names in topics.items() for name in names.split()})


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


PROGRAMS: Final = _table(
    test="""pytest py.test unittest nose2 nosetests green tox nox jest vitest mocha ava karma playwright cypress jasmine
    tap uvu rspec minitest phpunit pest ctest gotestsum ginkgo bats testcafe nightwatch behave cucumber-js robot wtr
    web-test-runner stryker mutmut trial testem busted lit""",
    types="mypy pyright basedpyright pyre pytype tsc vue-tsc svelte-check flow ty tsd dmypy zuban",
    lint="""ruff flake8 pylint pyflakes pycodestyle pydocstyle eslint tslint stylelint oxlint biome xo standard
    golangci-lint staticcheck revive errcheck golint rubocop shellcheck hadolint actionlint yamllint markdownlint
    markdownlint-cli2 codespell ktlint detekt checkstyle pmd spotbugs lint-imports vulture interrogate knip depcheck
    publint attw commitlint typos lychee pre-commit prek clang-tidy cppcheck ansible-lint tflint sqlfluff jshint jscs
    remark vale xenon radon deptry djlint rstcheck doc8 check-manifest pyroma twine""",
    security="""bandit safety pip-audit govulncheck gosec trivy semgrep snyk gitleaks osv-scanner trufflehog zizmor
    checkov tfsec grype""",
    coverage="nyc c8 diff-cover",
    build="vite webpack rollup esbuild tsup cmake ninja msbuild xcodebuild mkdocs sphinx-build antora",
)
"""Programs that are checks whatever their arguments, by topic."""
FORMATTERS: Final = _words(
    "black isort prettier gofmt gofumpt goimports rustfmt yapf autopep8 clang-format docformatter"
    " swiftformat oxfmt dprint taplo"
)
"""Programs that are checks only with an option that makes them fail."""
RUNNERS: Final = frozenset({"npm", "yarn", "pnpm", "bun", "lerna", "turbo", "nx", "deno", "composer", "lage"})
TARGETS: Final = _words("make gmake just task invoke inv rake mage doit bazel earthly hatch poe")
VERBS: Final = {
    "go": _table(test="test", lint="vet", build="build"),
    "cargo": _table(
        test="test nextest miri tarpaulin llvm-cov t hack careful", lint="clippy fmt semver-checks machete udeps",
        build="build check b c doc rustc", security="audit deny vet",
    ),
    "dotnet": _table(test="test vstest", lint="format", build="build publish msbuild"),
    "mvn": _table(
        test="test verify install integration-test failsafe:verify failsafe:integration-test surefire:test deploy",
        lint="checkstyle:check pmd:check spotbugs:check spotless:check enforcer:enforce", build="compile package",
    ),
    "gradle": _table(
        test="test check build connectedCheck integrationTest jvmTest allTests",
        lint="detekt ktlintCheck spotlessCheck checkstyleMain lint apiCheck", build="assemble classes compileJava",
    ),
    "swift": _table(test="test", build="build"),
    "zig": _table(test="test", build="build"),
    "mix": _table(test="test", lint="credo format dialyzer", build="compile"),
    "docker": _table(build="build"),
    "terraform": _table(lint="validate fmt"),
    "buf": _table(lint="lint breaking"),
    "coverage": _table(coverage="report"),
    "uv": _table(lint="lock"),
    "poetry": _table(lint="check"),
    "php": _table(test="artisan"),
    "helm": _table(lint="lint"),
}  # fmt: skip
"""Programs whose first argument says whether they are a check."""
NAMES: Final = tuple(
    (topic, lazy(rf"(?:^|[^a-z])(?:{words})(?:[^a-z]|$)"))
    for topic, words in (
        (
            "security",
            (
                "audit|scan|security|vuln|vulncheck|govulncheck|codeql|trivy|gitleaks|snyk|semgrep"
                "|bandit|scorecard|dependency-review"
            ),
        ),
        ("types", "types?|typecheck|typing|tsc|mypy|pyright"),
        (
            "lint",
            (
                "lint|linter|lints|golangci|eslint|ruff|flake|pylint|clippy|stylelint|shellcheck"
                "|hadolint|actionlint"
                "|super-linter|megalinter|reviewdog|codespell|typos|pre-commit|style|fmt|format|prettier"
                "|black|detekt|ktlint"
                "|checkstyle|spotless|vet|sonar[a-z]*"
            ),
        ),
        ("coverage", "cover|coverage|cov"),
        (
            "test",
            (
                "tests?|testing|unit|integration|e2e|spec|specs|cypress|playwright|jest|vitest|pytest"
                "|tox|nox|bench|smoke|fuzz|miri|mutation|conformance"
            ),
        ),
        ("all", "ci|check|checks|checker|verify|validate|qa|all|precommit|prepush|presubmit"),
        ("build", "build|compile"),
    )
)
NO_CHECK: Final = lazy(
    r"(?:^|[^a-z])(?:upload|publish|report|reporter|comment|deploy|release|setup|cache"
    r"|checkout|download|install|label"
    r"|labeler|notify|slack|clean|push|login|start|serve|watch|dev|fix|write|codecov"
    r"|coveralls|artifacts?|wait|create"
    r"|token|assign|stale|bump|update|init|autobuild|version|docs?-deploy|preview|badge"
    r"|results?)(?:[^a-z]|$)"
)
WRAPPERS: Final = _words(
    """sudo time env command exec nice nohup xvfb-run npx bunx uvx winpty cross-env dotenv stdbuf unbuffer arch doas
    retry dotenvx chronic catchsegv setarch"""
)
ENVIRONMENTS: Final = _words("poetry uv pipenv pdm rye pixi pipx bundle coverage npm yarn pnpm bun")
"""Programs that run another one with `run` or `exec`."""
ASSIGNMENT: Final = lazy(r"[A-Za-z_][A-Za-z0-9_]*=.*", re.DOTALL)
VALUED: Final = frozenset(
    {
        "--with",
        "--with-editable",
        "--with-requirements",
        "--project",
        "--env-file",
        "--extra",
        "--group",
        "--python",
        "-p",
        "--package",
        "--directory",
        "-C",
        "-E",
        "-n",
    }
)
PYTHON: Final = lazy(r"(?:python|pypy|py)[0-9.]*(?:\.exe)?")
SHELLS: Final = _words("sh bash zsh dash source .")
SCRIPT: Final = lazy(
    r"(?:\./|\.\\)?[\w./\\-]+\.(?:sh|bash|py|js|mjs|cjs|ts|rb|pl|ps1|cmd|bat)|\.{1,2}/[\w./-]+|[\w-]+/[\w./-]+"
)
ALIASES: Final = MappingProxyType({"gradlew": "gradle", "gradlew.bat": "gradle", "mvnw": "mvn", "py.test": "pytest"})
"""Other names of programs."""
NEVER: Final = _words(
    "cat echo printf test [ [[ cd rm mkdir cp mv grep export find xargs curl wget git sed awk pip pip3 tar ls"
)
"""Programs that are no checks whatever their arguments."""
NO_SCRIPTS: Final = _words(
    "install ci i add publish exec dlx x up upgrade why link pack version config set init create"
)
"""Commands of package managers that are no scripts."""
INPUTS: Final = lazy(r"fail|soft|exit|new-issues|new_issues|allow|continue|min|severity|skip|strict")
"""Inputs of actions that say how much they refuse."""
FAILING: Final = lazy(r"-{1,2}(?:check|c$|d$|l$|diff|list-different|dry-run|Werror|lint)")
"""Options with which a formatter fails instead of writing."""
NO_RUN: Final = _words("--write --watch --watchAll --version -version -V serve -w --help -help -h")
"""Arguments with which a program checks nothing, or never ends."""
ONLY_WITH: Final[Mapping[str, str]] = MappingProxyType(
    {"playwright": "test", "cypress": "run", "pre-commit": "run", "prek": "run", "twine": "check", "vite": "build"}
)
"""Programs that are checks with one verb only."""
