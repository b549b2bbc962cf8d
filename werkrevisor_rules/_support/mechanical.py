"""The section `[mechanical]`: one class for the classifiers and the gate that share it."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, Literal

from werkrevisor_core.globs import Globs, fold, glob_fault
from werkrevisor_core.patterns import lazy
from werkrevisor_core.records import frozen
from werkrevisor_core.rule import Merge, setting

_NAME: Final = lazy(r"[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)+")
"""A glob that is one name with a dot inside; like any glob it means files and folders of that name."""

GRAMMARS: Final = ("@ecmascript", "@go", "@java", "@kotlin", "@rust")
"""The import grammars that are built in; an entry of `imports` names one of them or is a regex."""

_SIGNIFICANT: Final = (
    # Python and what reads like it
    "*.py", "*.pyi", "*.pyw", "*.pyx", "*.pxd", "*.bzl", "*.bazel", "*.star", "BUILD", "WORKSPACE", "Tiltfile",
    "SConstruct", "SConscript", "*.gd", "*.nim", "*.nims", "*.mojo", "*.robot",
    # markup and data
    "*.yml", "*.yaml", "*.md", "*.markdown", "*.mdx", "*.rst", "*.adoc", "*.txt", "*.toml", "*.ini", "*.cfg",
    "*.conf", "*.properties", "*.csv", "*.tsv", "*.diff", "*.patch", "*.feature", "*.html", "*.htm", "*.xml", "*.vue",
    "*.svelte",
    # build
    "Makefile", "makefile", "GNUmakefile", "*.mk", "*.mak", "*.make", "*.am",
    "Dockerfile", "Containerfile", "*.ninja", "CMakeLists.txt", "*.cmake",
    # layout in templates and style sheets
    "*.haml", "*.slim", "*.pug", "*.jade", "*.sass", "*.styl", "*.hamlet", "*.erb", "*.ejs",
    # functional languages with a layout rule
    "*.hs", "*.lhs", "*.elm", "*.purs", "*.idr", "*.agda", "*.fs", "*.fsi", "*.fsx", "*.fsscript", "*.ml", "*.mli",
    "*.scala", "*.sc",
    # scripts
    "*.coffee", "*.litcoffee", "*.ls", "*.sh", "*.bash", "*.zsh", "*.fish", "*.ps1", "*.bat", "*.cmd", "*.php",
    "*.rb", "*.pl", "*.f", "*.for", "*.cob", "*.cbl",
)  # fmt: skip

_IMPORTS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "java": ("@java",),
        "kt": ("@kotlin",),
        "kts": ("@kotlin",),
        "ts": ("@ecmascript",),
        "tsx": ("@ecmascript",),
        "js": ("@ecmascript",),
        "jsx": ("@ecmascript",),
        "mjs": ("@ecmascript",),
        "go": ("@go",),
        "rs": ("@rust",),
    }
)


def compile_regex(pattern: str) -> Any:  # noqa: ANN401 (google-re2 has no types)
    """Compile a regex of a config with google-re2, which never takes more than linear time.

    Raises:
        ValueError: it is no valid regex.
    """
    import re2  # noqa: PLC0415 (costs milliseconds, and the defaults have no regex)

    options = re2.Options()
    options.log_errors = False
    options.never_capture = True
    try:
        return re2.compile(pattern, options)
    except (re2.error, UnicodeError) as error:
        raise ValueError(pattern) from error


def _check_imports(imports: Mapping[str, tuple[str, ...]]) -> str | None:
    for extension, entries in imports.items():
        if sum(entry.startswith("@") for entry in entries) > 1:
            return f".{extension} names more than one import grammar; a language has one"
        if extension.startswith(".") or not extension:
            return f".{extension} is no extension; write it without a dot"
        for entry in entries:
            fault = _entry_fault(entry)
            if fault:
                return f".{extension} {fault}"
    return None


def _entry_fault(entry: str) -> str | None:
    if entry.startswith("@"):
        known = ", ".join(GRAMMARS)
        return None if entry in GRAMMARS else f"names an unknown import grammar {entry!r}; the known ones are {known}"
    try:
        compile_regex(entry)
    except ValueError:
        return f"has an invalid regex {entry!r}"
    return None


@frozen
class MechanicalSettings:
    """What counts as a mechanical change."""

    enabled: bool = setting(
        default=True,
        doc="Whether files with only mechanical changes (imports, white space, renames) skip the judges.",
    )
    whitespace_significant: tuple[str, ...] = setting(
        _SIGNIFICANT,
        "Globs of file names (or bare extensions) in which white space has a meaning, so that a change of it is never "
        "mechanical; file types whose lexical rules are not known here count as listed.",
        check=glob_fault,
    )
    imports: Mapping[str, tuple[str, ...]] = setting(
        _IMPORTS,
        "Extension -> what an import line is: a built-in grammar (`@java`, `@kotlin`, `@ecmascript`, `@go`, `@rust`) "
        "or regexes for whole lines; an empty list switches an extension off. A later layer replaces the list of an "
        "extension.",
        merge=Merge.ENTRIES,
        check=_check_imports,
    )
    rebinding_imports: Literal["human", "review", "allow"] = setting(
        "human",
        "What happens where an import line binds a used name to another module: `human` asks a human, `review` makes "
        "the file not mechanical, `allow` does nothing.",
    )


def extension(path: str) -> str:
    """Return the extension of a path in lower case without its dot, empty where it has none."""
    name = path[path.rfind("/") + 1 :]
    dot = name.rfind(".")
    return name[dot + 1 :].lower() if dot > 0 else ""


class SignificantNames:
    """Tells fast whether white space has a meaning in a file, by the globs of the settings."""

    def __init__(self, patterns: tuple[str, ...]) -> None:
        """Sort the globs: those for a name or an extension cost one look-up, the others an automaton."""
        self._names: set[str] = set()
        self._folded_names: set[str] = set()
        self._extensions: set[str] = set()
        others = []
        for pattern in patterns:
            plain = pattern.removeprefix("*.")
            if _NAME.fullmatch(pattern):
                self._folded_names.add(pattern.lower())
            elif not plain.replace("_", "").replace("-", "").replace("+", "").isalnum():
                others.append(pattern)
            elif plain == pattern:
                self._names.add(pattern)
                self._extensions.add(pattern.lower())
            else:
                self._extensions.add(plain.lower())
        self._globs = Globs(tuple(others), folded=True) if others else None

    def match(self, path: str, known_extension: str) -> bool:
        """Tell whether a path with this extension is of the listed kinds."""
        if known_extension in self._extensions or path[path.rfind("/") + 1 :] in self._names:
            return True
        if not self._folded_names.isdisjoint(fold(path).split("/")):
            return True
        return self._globs is not None and self._globs.match(path) is not None
