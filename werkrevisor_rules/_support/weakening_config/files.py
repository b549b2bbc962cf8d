"""Which files decide whether tests run, by their paths; nothing else of the package is loaded for this."""

import re
from typing import Final

from werkrevisor_core.patterns import lazy

_JS: Final = r"[cm]?[jt]s"
_ROWS: Final = tuple(
    (name, lazy(pattern, re.IGNORECASE))
    for name, pattern in (
        ("workflow", r"\.(?:github|gitea|forgejo)/workflows/[^/]+\.ya?ml"),
        ("action", r"(?:.*/)?action\.ya?ml"),
        ("gitlab", r"(?:.*/)?(?:[^/]*\.)?gitlab-ci\.ya?ml|(?:\.gitlab/ci|\.?ci|\.?gitlab-ci)/.*\.ya?ml"),
        (
            "pipeline",
            (
                r"\.circleci/.*\.ya?ml|\.woodpecker(?:/.*)?\.ya?ml|\.drone\.ya?ml|\.travis\.ya?ml"
                r"|\.?appveyor\.ya?ml"
                r"|(?:.*/)?azure-pipelines[^/]*\.ya?ml|\.azure-pipelines/.*\.ya?ml"
                r"|bitbucket-pipelines\.ya?ml|\.cirrus\.ya?ml"
                r"|\.buildkite/.*\.ya?ml|\.builds?(?:/.*)?\.ya?ml|\.semaphore/.*\.ya?ml"
                r"|(?:.*/)?taskfile\.ya?ml"
            ),
        ),
        ("hooks", r"\.pre-commit-config\.ya?ml"),
        ("make", r"(?:.*/)?(?:gnu)?makefile|(?:.*/)?makefile\.[^/]+|.*\.mk|(?:.*/)?\.?justfile"),
        ("package", r"(?:.*/)?(?:package\.json|deno\.jsonc?)"),
        ("nox", r"(?:.*/)?noxfile\.py"),
        ("pyproject", r"(?:.*/)?pyproject\.toml"),
        ("python-toml", r"(?:.*/)?(?:\.?ruff|\.?pytest|tox|\.?coveragerc)\.toml"),
        (
            "python-ini",
            (
                r"(?:.*/)?(?:setup\.cfg|tox\.ini|\.?pytest\.ini|\.?mypy\.ini|\.coveragerc|\.flake8"
                r"|\.?pylintrc)"
            ),
        ),
        (
            "json",
            (
                r"(?:.*/)?(?:jest\.config\.json|\.mocharc\.jsonc?|\.nycrc(?:\.json)?|\.c8rc(?:\.json)?"
                r"|tsconfig[^/]*\.json"
                r"|\.eslintrc(?:\.json)?|\.oxlintrc\.json|\.stylelintrc(?:\.json)?|biome\.jsonc?"
                r"|pyrightconfig\.json"
                r"|cypress\.json|stryker(?:-config|\.conf|\.config)\.json|\.golangci\.json)"
            ),
        ),
        (
            "yaml",
            (
                r"(?:.*/)?(?:\.?codecov|\.golangci|\.eslintrc|\.mocharc|\.nycrc|\.stylelintrc"
                r"|detekt(?:-config)?)\.ya?ml"
            ),
        ),
        (
            "objects",
            (
                rf"(?:.*/)?(?:(?:jest|vitest|vite|playwright|cypress|eslint|karma|nyc|stylelint"
                rf"|stryker)\.(?:config|conf|workspace)(?:\.[\w-]+)*\.{_JS}"
                rf"|(?:jest|vitest|playwright)\.[\w.-]*config\.{_JS}|\.(?:eslintrc|mocharc|nycrc)\.{_JS})"
            ),
        ),
        (
            "cargo",
            (
                r"(?:.*/)?(?:cargo|\.?clippy|\.config/nextest)\.toml|(?:.*/)?\.cargo/config(?:\.toml)?"
                r"|(?:.*/)?\.golangci\.toml"
            ),
        ),
        ("ignore", r"(?:.*/)?\.(?:eslint|prettier|stylelint|jshint|semgrep|trivy|gitleaks)ignore"),
        ("maven", r"(?:.*/)?pom\.xml"),
        ("msbuild", r".*\.(?:cs|fs|vb)proj|.*\.(?:props|targets|runsettings)"),
        ("gradle", r".*\.gradle(?:\.kts)?"),
        ("properties", r"(?:.*/)?(?:sonar-project|gradle)\.properties|(?:.*/)?\.editorconfig"),
        ("arguments", r"(?:.*/)?\.mvn/maven\.config"),
        ("shell", r".*\.(?:sh|bash)|(?:.*/)?(?:ci|scripts?|bin|\.ci|build|tools|hack|dev)/[^/.]+"),
    )
)
"""Names of the readers with the paths that they read; the first that matches reads a file."""


_SOURCES: Final = (
    ".java", ".kt", ".go", ".rs", ".c", ".h", ".cc", ".cpp", ".hpp", ".cs", ".jsx", ".tsx", ".md", ".css",
)  # fmt: skip
"""Endings of files that no row matches, unless they are named like a makefile."""
_SCRIPTS: Final = (".js", ".ts", ".mjs", ".cjs", ".mts", ".cts")
_SCRIPT_HINT: Final = lazy(r"conf|workspace|rc\.|makefile", re.IGNORECASE)
"""What is in the path of every script that a row matches."""


def reader_of(path: str) -> str | None:
    """Return the name of the reader of a path, None where the file decides nothing here."""
    if path.endswith(_SOURCES) and "akefile" not in path.lower():
        return None
    if path.endswith(".py") and "akefile" not in path.lower():
        return "nox" if path.lower().rsplit("/", 1)[-1] == "noxfile.py" else None
    if path.endswith(_SCRIPTS) and not _SCRIPT_HINT.search(path):
        return None
    return next((name for name, pattern in _ROWS if pattern.fullmatch(path)), None)


def tool_of(path: str) -> str:
    """Return the tool that a configuration file of one tool is for."""
    name = path.rsplit("/", 1)[-1].lower().lstrip(".")
    for word, tool in (("tsconfig", "tsc"), ("golangci", "golangci"), ("nextest", "cargo"), ("config", "cargo")):
        if name.startswith(word):
            return tool
    first = re.split(r"[.-]|rc\b", name, maxsplit=1)[0]
    return {"vite": "vitest", "coverage": "coverage", "pyrightconfig": "pyright", "clippy": "cargo"}.get(first, first)
