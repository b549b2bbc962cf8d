"""What a file is by its path alone: the suffixes and folders that decide where and whether it runs.

Each facet is text that two paths share or not; None where a path has none of it.
"""

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from werkrevisor_core.patterns import lazy
from werkrevisor_rules._support.mechanical import extension
from werkrevisor_rules._support.test_discovery import is_test_path

_GO_SYSTEMS: Final = (
    "aix|android|darwin|dragonfly|freebsd|illumos|ios|js|linux|netbsd|openbsd|plan9|solaris|unix|wasip1|windows"
)
_GO_MACHINES: Final = "386|amd64|arm|arm64|loong64|mips|mips64|mips64le|mipsle|ppc64|ppc64le|riscv64|s390x|wasm"
_GO: Final = lazy(rf"(?:_({_GO_SYSTEMS}))?(?:_({_GO_MACHINES}))?(_test)?\.go$")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_MEANS_SOMETHING: Final = _words("""
    android ios native web windows macos linux darwin posix unix win mac win32 win64 x86 x64 arm64 wasm jvm js node
    browser deno bun electron server client worker edge prod production dev development staging stage local debug
    release ci default override disabled sample example dist tmpl template test tests spec e2e cy stories story d min
    config setup module global bench fixture mock
""")
"""Words that, written between dots in a file's name, tell a tool when to take the file."""
_SAME: Final = MappingProxyType(
    {
        "spec": "test",
        "tests": "test",
        "production": "prod",
        "development": "dev",
        "stage": "staging",
        "story": "stories",
    }
)
_ENDINGS: Final = tuple(
    lazy(pattern)
    for pattern in (
        (
            r"^[^.].*[-_](android|ios|linux|mac|macos|darwin|win|win32|win64|windows|posix|unix|bsd|freebsd|wasm|arm64|x86)"
            r"\.(?:c|cc|cpp|cxx|h|hpp|m|mm|rs|py|swift|sh)$"
        ),
        r"_(?:unit)?(tests?)\.(?:c|cc|cpp|cxx|m|mm)$",
        (
            r"^[^.].*[-_](prod|production|dev|development|staging|stage|local|ci|debug|release|test)"
            r"\.(?:ya?ml|properties|json|toml|env|conf|ini|cfg|txt)$"
        ),
    )
)
"""Endings of a name, before its extension, that do the same."""
_SOURCE_SET: Final = lazy(r"(?:^|/)src/([a-z][A-Za-z0-9]*)/(?:java|kotlin|scala|groovy|resources|res|assets)/")
_TARGET: Final = lazy(r"(?:^|/)(src/bin|examples|benches)/(?:[^/]+|[^/]+/main)\.rs$")
_ROLES: Final = _words(
    "__main__.py conftest.py sitecustomize.py usercustomize.py module-info.java main.rs lib.rs build.rs"
)

_WORKFLOW: Final = lazy(r"\.(github|gitea|forgejo)/workflows/[^/]+\.ya?ml", re.IGNORECASE)
_OTHER_CI: Final = lazy(
    r"(\.gitlab-ci\.ya?ml|Jenkinsfile|azure-pipelines[^/]*\.ya?ml|bitbucket-pipelines\.yml|\.drone\.ya?ml"
    r"|\.travis\.yml|\.?appveyor\.yml|\.cirrus\.yml|\.woodpecker\.ya?ml|\.circleci/config\.ya?ml)"
    r"|(\.woodpecker|\.buildkite|\.builds|\.ci)/.+"
)
_HOOK: Final = lazy(r"(?:\.husky|\.?githooks|\.hooks|git-hooks)/([^/]+)|hooks/([^/.]+|[^/]+\.(?:sh|py|rb|pl|sample))")
_BY_NAME: Final = lazy(
    r"(?:.*/)?(?:(migrations?|migrate|flyway|db/changelog|alembic/versions)/(?:.+/)?([^/]+\.[a-z]+)"
    r"|(META-INF/services|cron\.(?:d|daily|hourly)|init\.d|conf\.d|profile\.d|udev/rules\.d|initializers)/([^/]+))"
)
_ROUTED: Final = r"\.(?:[cm]?[jt]sx?|vue|svelte|astro|mdx)"
_ROUTES: Final = tuple(
    lazy(pattern)
    for pattern in (
        rf"(?:.*/)?app/((?:.*/)?(?:page|route|layout|template|default|loading|error|not-found)){_ROUTED}",
        rf"(?:.*/)?pages/(.+){_ROUTED}",
        rf"(?:.*/)?app/(?:routes/)(.+){_ROUTED}",
        rf"(?:.*/)?routes/((?:.*/)?\+(?:page|layout|server|error)(?:\.server)?){_ROUTED}",
        rf"(?:.*/)?(?:src/)?(server/(?:api|routes|middleware)/.+){_ROUTED}",
        rf"((?:api|functions|netlify/functions|netlify/edge-functions)/.+){_ROUTED}",
        rf"(?:src/)?(middleware|proxy|instrumentation|hooks\.server|hooks\.client){_ROUTED}",
    )
)


def _suffixes(path: str) -> str | None:
    """Return what the name says about platform, build and tests, in a fixed order."""
    name = path.rsplit("/", 1)[-1]
    if name.endswith(".go"):
        return _go_suffixes(name)
    middle = name.lower().lstrip(".").split(".")[1:-1]
    words = {_SAME.get(word, word) for word in middle if word in _MEANS_SOMETHING}
    ends = (ending.search(name) for ending in _ENDINGS)
    words |= {_SAME.get(found.group(1), found.group(1)) for found in ends if found}
    if name in _ROLES:
        words.add(name)
    return " ".join(sorted(words)) or None


def _go_suffixes(name: str) -> str | None:
    if name.startswith(("_", ".")):
        return "left out by go"
    # What precedes the suffix must not be empty: `linux.go` is built everywhere.
    found = _GO.search(name, 1)
    parts = found.groups() if found else ()
    return " ".join(part.removeprefix("_") for part in parts if part) or None


def _build_folder(path: str) -> str | None:
    for pattern in (_SOURCE_SET, _TARGET):
        if found := pattern.search(path):
            return found.group(1)
    return None


def _automation(path: str) -> str | None:
    """Return which automation runs a file because it lies where it lies."""
    if found := _WORKFLOW.fullmatch(path):
        return f"workflow of {found.group(1).lower()}"
    if found := _OTHER_CI.fullmatch(path):
        return f"CI of {found.group(1) or found.group(2)}"
    if found := _HOOK.fullmatch(path):
        return f"hook {found.group(1) or found.group(2)}"
    if found := _BY_NAME.fullmatch(path):
        return " ".join(part for part in found.groups() if part)
    return None


def _route(path: str) -> str | None:
    """Return the route that a web framework makes of a path."""
    for pattern in _ROUTES:
        if found := pattern.fullmatch(path):
            return found.group(1)
    return None


FACETS: Final[Mapping[str, Callable[[str], str | None]]] = MappingProxyType(
    {
        "extension": lambda path: extension(path) or None,
        "test discovery": is_test_path,
        "suffix": _suffixes,
        "source set": _build_folder,
        "run by its place": _automation,
        "route": _route,
    }
)
"""The facets by name, each a function of the path."""


def _without_test(suffix: str | None) -> str | None:
    return " ".join(word for word in (suffix or "").split() if word != "test") or None


def changed_facets(old: str, new: str) -> tuple[str, ...]:
    """Return in a few words each facet in which two paths differ, in the order of `FACETS`."""
    found = []
    alike = is_test_path(old) == is_test_path(new) is not None
    for name, facet in FACETS.items():
        was, now = facet(old), facet(new)
        if name == "suffix" and alike and _without_test(was) == _without_test(now):
            continue  # the same framework finds the file under both names
        if was != now:
            found.append(f"{name}: {was or 'none'} -> {now or 'none'}")
    return tuple(found)
