"""Writes the pages of docs/ that say what the code says, so that neither can lag behind the other.

    python tests/meta/generate_docs.py            write them (this is `make docs`)
    python tests/meta/generate_docs.py --check    exit 1 and name the pages that differ

It stands with the tests, since only this repository needs it: nothing of it belongs into the wheel.
"""

import ast
import inspect
import json
import sys
import textwrap
import types
from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin

import attrs

from werkrevisor_core import hookspecs
from werkrevisor_core.cli.rules import CORE_REASONS
from werkrevisor_core.config.sections import CORE_SECTIONS
from werkrevisor_core.config.structure import choices, fields_of, info_of
from werkrevisor_core.registry import HOOKS, LoadedRule, load_registry
from werkrevisor_core.render.comment import render_comment
from werkrevisor_core.rule import NoSettings
from werkrevisor_core.session import Prepared, Sources, prepare
from werkrevisor_core.testing.build import DictContents, change_set, modified
from werkrevisor_core.watchdog import Progress

ROOT = Path(__file__).resolve().parents[2]
COMMAND = "make docs"
HEADINGS = ("What it looks at", "Why", "Example", "Options", "Not covered")
"""The headings that the docstring of every rule has, in this order."""

NOTICE = f"<!-- Made by `{COMMAND}` from the code; changes here are lost. -->\n\n"
SCALARS: Mapping[object, str] = {bool: "true or false", int: "whole number", float: "number", str: "text"}
LONG = 120


COMMENT_BEGIN = f"<!-- what stands between here and the next such line is made by `{COMMAND}` -->"
COMMENT_END = "<!-- end of what is made -->"
_JAVA = "import {package}.Money;\n\nclass {name} {{\n    Money total() {{\n        return {total};\n    }}\n}}\n"
EXAMPLE = {
    ".gitea/workflows/ci.yml": ("steps:\n  - run: make test\n", "steps:\n  - run: make test || true\n"),
    "src/Basket.java": (
        _JAVA.format(package="net.shop", name="Basket", total="sum(prices)"),
        _JAVA.format(package="net.shop.money", name="Basket", total="sum(prices)"),
    ),
    "src/Order.java": (
        _JAVA.format(package="net.shop", name="Order", total="sum(prices)"),
        _JAVA.format(package="net.shop", name="Order", total="sum(prices).minus(discount)"),
    ),
}
"""The change of the comment in the README: path, before, after."""


class DocstringFault(ValueError):
    """The docstring of a rule lacks a heading; the text says which."""


def rule_parts(doc: str, name: str) -> tuple[str, dict[str, str]]:
    """Return the first line of a rule's docstring and its parts by heading.

    Raises:
        DocstringFault: the first line is no sentence, or the headings are not the fixed ones.
    """
    summary, _, rest = inspect.cleandoc(doc).partition("\n")
    if not summary.endswith("."):
        raise DocstringFault(f"{name}: the first line of the docstring must be one whole sentence: {summary!r}")
    parts: dict[str, list[str]] = {}
    current: list[str] = []
    for line in rest.split("\n"):
        heading, colon, inline = line.partition(":")
        if colon and heading in HEADINGS:
            current = parts.setdefault(heading, [])
            current += [inline.strip()] if inline.strip() else []
        else:
            current.append(line)
    if tuple(parts) != HEADINGS:
        missing = [heading for heading in HEADINGS if heading not in parts]
        raise DocstringFault(f"{name}: the docstring needs the headings {', '.join(HEADINGS)}; missing: {missing}")
    return summary, {heading: _dedented(lines) for heading, lines in parts.items()}


def _dedented(lines: list[str]) -> str:
    if lines and lines[0] and not lines[0].startswith(" "):
        # Text that begins behind its heading goes on indented.
        return f"{lines[0]}\n{textwrap.dedent(chr(10).join(lines[1:]))}".strip("\n")
    return textwrap.dedent("\n".join(lines)).strip("\n")


def rule_page(rule: LoadedRule) -> str:
    """Return the page of one rule."""
    info = rule.info
    summary, parts = rule_parts(rule.module.__doc__ or "", info.name)
    facts = [
        ("step", f"`{info.phase.value}`"),
        ("reasons", _codes(info.reason_ids)),
        ("config section", f"`[{info.section_name}]`" if info.settings is not NoSettings else "none"),
        ("can be switched off", "no" if info.essential else f'`[plugins] disable = ["{info.name}"]`'),
        ("since", info.since),
        ("module", f"`{rule.module.__name__}`"),
    ]
    out = [f"# {info.name}\n\n{summary}\n\n| | |\n|---|---|\n"]
    out += [f"| {name} | {value} |\n" for name, value in facts if value]
    for heading in HEADINGS:
        out.append(f"\n## {heading}\n\n{parts[heading]}\n")
        if heading == "Options" and info.settings is not NoSettings:
            out.append(f"\n{settings_table(info.settings)}")
    return NOTICE + "".join(out)


def _codes(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def settings_table(cls: type) -> str:
    """Return the keys of a settings class as a table, and one more table per class inside it."""
    out = ["| Key | Type | Default | Set by | Meaning |\n|---|---|---|---|---|\n"]
    inner: dict[str, type] = {}
    for name, field in fields_of(cls).items():
        info = info_of(field)
        who = "host" if info.host_only else "host, repository"
        default = "required" if field.default is attrs.NOTHING else _default(field.default)
        out.append(f"| `{name}` | {type_text(field.type)} | {default} | {who} | {_cell(info.doc)} |\n")
        for found in _classes(field.type):
            inner[name] = found
    for name, found in inner.items():
        out.append(f"\nEach table of `{name}` has:\n\n{settings_table(found)}")
    return "".join(out)


def _classes(wanted: Any) -> Iterable[type]:
    if isinstance(wanted, type) and attrs.has(wanted):
        yield wanted
    for arg in get_args(wanted):
        yield from _classes(arg)


def type_text(wanted: Any) -> str:
    """Return a type as a reader of TOML knows it."""
    origin, args = get_origin(wanted), get_args(wanted)
    if origin in (tuple, frozenset):
        return f"list of {type_text(args[0])}"
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return f"table of {type_text(args[1])}"
    if origin is Literal:
        return _codes(args)
    if origin in (Union, types.UnionType):
        return " or ".join(type_text(arg) for arg in args if arg is not type(None))
    if isinstance(wanted, type) and issubclass(wanted, Enum):
        return _codes(choices(wanted))
    return SCALARS.get(wanted, "table")


def _default(value: object) -> str:
    if isinstance(value, attrs.Factory):
        value = value.factory()
    text = toml_text(value)
    if not text:
        return "none"
    if len(text) > LONG and isinstance(value, (tuple, frozenset, Mapping)):
        return f"{len(value)} entries, see `werkrevisor config show`"
    return f"`{_cell(text)}`"


def toml_text(value: object) -> str:
    """Return a default in TOML's spelling, empty for none."""
    if value is None or isinstance(value, bool):
        return "" if value is None else str(value).lower()
    if isinstance(value, Enum):
        value = value.value if isinstance(value.value, str) else value.name.lower()
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, tuple | frozenset):
        value = value if isinstance(value, tuple) else sorted(value)
        return f"[{', '.join(toml_text(item) for item in value)}]"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key} = {toml_text(item)}" for key, item in value.items()) + "}"
    return str(value)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def rules_index(rules: Iterable[LoadedRule]) -> str:
    """Return the list of all rules by step, and the map from reason ids to rules."""
    by_step: dict[str, list[LoadedRule]] = {}
    for rule in rules:
        by_step.setdefault(rule.info.phase.value, []).append(rule)
    out = ["# Rules\n\nEvery rule, by the step of a review in which it runs.\n"]
    for step in HOOKS:
        found = by_step.get(step.value, [])
        if found:
            out.append(f"\n## {step.value}\n\n| Rule | Says |\n|---|---|\n")
            out += [
                f"| [{r.info.name}]({r.info.name}.md) | {_cell(rule_parts(r.module.__doc__ or '', r.info.name)[0])} |\n"
                for r in found
            ]
    out.append("\n## From a reason to its rule\n\n| Reason | Rule |\n|---|---|\n")
    reasons = {reason: r.info.name for group in by_step.values() for r in group for reason in r.info.reason_ids}
    out += [f"| `{reason}` | [{name}]({name}.md) |\n" for reason, name in sorted(reasons.items())]
    out.append(
        "\nThe core gives these itself; no rule can switch them off:\n\n| Reason | Says | Module |\n|---|---|---|\n"
    )
    out += [f"| `{reason}` | {_cell(says)} | `{module}` |\n" for reason, module, says in CORE_REASONS]
    return NOTICE + "".join(out)


def config_page(rules: Iterable[LoadedRule]) -> str:
    """Return the page of all sections, the core's first."""
    sections: dict[str, tuple[type, list[str]]] = {name: (cls, []) for name, cls in CORE_SECTIONS.items()}
    for rule in sorted(rules, key=lambda rule: rule.info.section_name):
        if rule.info.settings is not NoSettings:
            _, users = sections.setdefault(rule.info.section_name, (rule.info.settings, []))
            users.append(rule.info.name)
    out = [textwrap.dedent(CONFIG_HEAD)]
    for name, (cls, users) in sections.items():
        links = ", ".join(f"[{user}](rules/{user}.md)" for user in users)
        about = f"Read by {links}." if users else inspect.cleandoc(cls.__doc__ or "").partition("\n\n")[0]
        out.append(f"\n## `[{name}]`\n\n{about}\n\n{settings_table(cls)}")
    return NOTICE + "".join(out)


CONFIG_HEAD = """\
    # Configuration

    TOML in up to four layers; a later one wins key by key:

    1. the defaults below,
    2. the host's file (`--config FILE`), of which `config/` has complete examples,
    3. `.werkrevisor.toml` of the base branch (for a local range: of the merge base) of the reviewed
       repository, never of the change under review,
    4. options of the command line.

    Types are exact: `"12"` is no number and `true` is no 1. All faults of all layers are reported at once,
    and any of them makes the review ERROR. In the repository's layer a name that is not known is ignored
    and makes the review YELLOW. "Set by" says who may set a key.

    `werkrevisor config show` prints every value with the layer it came from, `werkrevisor config check`
    looks for faults, `werkrevisor config schema` prints a JSON Schema for editors.
"""


def hooks_page() -> str:
    """Return the page of all hooks, in the order of a review."""
    steps = {hook: phase.value for phase, hooks in HOOKS.items() for hook in hooks}
    out = [f"# Hooks\n\n{inspect.cleandoc(hookspecs.__doc__ or '')}\n"]
    out.append("\nThe folder says where in a pack the module of a rule with this hook stands.\n")
    out += [_hook(name, hook, steps) for name, hook in hooks()]
    return NOTICE + "".join(out)


def hooks() -> list[tuple[str, Callable[..., object]]]:
    """Return every hook by name, in the order of the source."""
    found = vars(hookspecs).items()
    return [(name, hook) for name, hook in found if name.startswith("werkrevisor_") and inspect.isfunction(hook)]


def _hook(name: str, hook: Callable[..., object], steps: Mapping[str, str]) -> str:
    summary, *blocks = inspect.cleandoc(hook.__doc__ or "").split("\n\n")
    out = [f"\n## {name}\n\nFolder `{steps[name]}/`. {_joined(summary)}\n\n```python\n{_signature(hook)}\n```\n"]
    for block in blocks:
        fields = [_field(_joined(field)) for field in block.split("\n:")]
        out.append("\n" + "\n".join(fields) + "\n")
    return "".join(out)


def _field(text: str) -> str:
    """Turn `:param name: words` and `:returns: words` into list items; other text stays."""
    label, colon, words = text.removeprefix(":").partition(": ")
    if colon and label.startswith("param "):
        return f"- `{label.removeprefix('param ')}`: {words}"
    return f"- {label}: {words}" if colon and label == "returns" else text


def _joined(text: str) -> str:
    return " ".join(text.split())


def _signature(hook: Callable[..., object]) -> str:
    function = ast.parse(inspect.getsource(hook)).body[0]
    assert isinstance(function, ast.FunctionDef)
    arguments = "".join(f"    {ast.unparse(argument)},\n" for argument in function.args.args)
    returned = ast.unparse(function.returns) if function.returns else "None"
    return f"def {function.name}(\n{arguments}) -> {returned}: ..."


def readme(text: str) -> str:
    """Return the README with the comment that the engine writes on a made-up change of today."""
    head, begin, rest = text.partition(COMMENT_BEGIN)
    _, end, tail = rest.partition(COMMENT_END)
    # The folded part holds versions and digests that change with every key of the config.
    shown, _, _ = example_comment().partition("<details>")
    quoted = "".join(f"> {line}".rstrip() + "\n" for line in shown.rstrip().splitlines())
    return f"{head}{begin}\n\n{quoted}\n{end}{tail}"


def example_comment() -> str:
    """Review a small made-up change with the installed rules and the default config."""
    files = tuple(modified(path, old, new) for path, (old, new) in EXAMPLE.items())
    contents = DictContents(
        {path: old for path, (old, _) in EXAMPLE.items()}, {path: new for path, (_, new) in EXAMPLE.items()}
    )
    ready = prepare(load_registry(), Sources(change_set(*files), contents), Progress())
    assert isinstance(ready, Prepared)
    return render_comment(ready.run())


def pages() -> dict[str, str]:
    """Return every generated page by its path in the repository."""
    rules = [rule for rule in load_registry().rules if rule.pack == "werkrevisor"]
    made = {f"docs/rules/{rule.info.name}.md": rule_page(rule) for rule in rules}
    made["docs/rules/README.md"] = rules_index(rules)
    made["docs/config.md"] = config_page(rules)
    made["docs/hooks.md"] = hooks_page()
    made["README.md"] = readme((ROOT / "README.md").read_text(encoding="utf-8"))
    return made


def stale(made: Mapping[str, str]) -> list[str]:
    """Return the paths that are missing, differ, or have no rule any more."""
    found = {f"docs/rules/{path.name}" for path in (ROOT / "docs/rules").glob("*.md")}
    differing = [path for path, text in made.items() if not _same(ROOT / path, text)]
    return sorted({*differing, *(found - made.keys())})


def _same(path: Path, text: str) -> bool:
    return path.is_file() and path.read_text(encoding="utf-8") == text


def main() -> int:
    """Write or check the pages."""
    made = pages()
    wrong = stale(made)
    if "--check" in sys.argv[1:]:
        for path in wrong:
            sys.stderr.write(f"{path} is not what the code says; run: {COMMAND}\n")
        return 1 if wrong else 0
    for path in wrong:
        if path in made:
            (ROOT / path).parent.mkdir(parents=True, exist_ok=True)
            (ROOT / path).write_text(made[path], encoding="utf-8")
        else:
            (ROOT / path).unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main())
