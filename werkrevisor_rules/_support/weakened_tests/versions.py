"""One side of a change: what its tests demand, through helpers, marks and constants of the same change."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from attrs import define, evolve, field

from werkrevisor_rules._support.weakened_tests.bodies import Body, read_body
from werkrevisor_rules._support.weakened_tests.declarations import Declaration, Listing, Role
from werkrevisor_rules._support.weakened_tests.demands import Assertion
from werkrevisor_rules._support.weakened_tests.marks import Setting
from werkrevisor_rules._support.weakened_tests.strictness import Op
from werkrevisor_rules._support.weakened_tests.syntax import Kind as Syntax
from werkrevisor_rules._support.weakened_tests.syntax import Link, Node, named
from werkrevisor_rules._support.weakened_tests.tables import rows_of
from werkrevisor_rules._support.weakening import Kind

_ASSERTS: Final = re.compile(r"_?(?:assert|verify|expect|check|should|ensure|require|must)", re.IGNORECASE)
_CALLS: Final = frozenset({"javascript", "typescript", "tsx"})
_SELVES: Final = frozenset({"self", "this", "cls", "Self", "s", "suite"})
_WORD: Final = re.compile(r"\w+")
_EXPECTED: Final = re.compile(
    r"expected\s*=\s*([\w.]+?)(?:\.class|::class)?\s*[,)]|ExpectedException\w*\s*\(\s*typeof\s*\(\s*([\w.]+)|expectedExceptions\s*=\s*\{?\s*([\w.]+)"
)
_PANIC: Final = re.compile(r"should_panic\s*(?:\(\s*expected\s*=\s*(.+)\)|=\s*(.+)\])?")


@define(eq=False)
class Constants(Mapping[str, Node]):
    """The literal collections of one file by the name of their constant, read when they are asked for."""

    found: dict[str, Declaration]

    def __getitem__(self, name: str) -> Node:
        """Return the collection."""
        value = constant_value(self.found[name])
        if value is None:
            raise KeyError(name)
        return value

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names of all constants."""
        return iter(self.found)

    def __len__(self) -> int:
        """Return how many constants there are."""
        return len(self.found)


@define(eq=False)
class Version:
    """One side of the change: the functions and constants of all its files, to look names up in."""

    listings: Sequence[Listing]
    _bodies: dict[int, Body] = field(factory=dict, init=False)
    _effective: dict[tuple[int, int], list[Assertion]] = field(factory=dict, init=False)
    _constants: dict[str, "Constants"] = field(factory=dict, init=False)
    _functions: dict[str, list[Declaration]] | None = field(default=None, init=False)

    def functions(self, name: str) -> list[Declaration]:
        """Return the functions of a name."""
        if self._functions is None:
            self._functions = {}
            for listing in self.listings:
                for found in listing.declarations:
                    if found.role is Role.FUNCTION:
                        self._functions.setdefault(found.name, []).append(found)
        return self._functions.get(name, [])

    def constants(self, path: str) -> Mapping[str, Node]:
        """Return the values of the constants of a file by name, literal collections only."""
        if not self._constants:
            for listing in self.listings:
                found = [one for one in listing.declarations if one.role is Role.CONSTANT and one.name]
                self._constants.setdefault(listing.path, Constants({})).found.update({one.name: one for one in found})
        return self._constants.get(path, {})

    def body(self, found: Declaration) -> Body:
        """Return the body of a declaration, read once."""
        if id(found) not in self._bodies:
            is_call = found.role is Role.TEST and found.language in _CALLS
            read = read_body(found.expand(), found.language, self.constants(found.path), is_call=is_call)
            self._bodies[id(found)] = read
        return self._bodies[id(found)]

    def skips_around(self, test: Declaration) -> list[Setting]:
        """Return the skips in helpers of the change that a test calls, and in fixtures of the change that it names."""
        names = {links[-1].name for links in self.body(test).calls if len(links) == 1 or links[0].name in _SELVES}
        fixtures = (
            set(_WORD.findall(test.raw.split("(", 1)[-1].split(")", 1)[0])) if test.language == "python" else set()
        )
        helpers = [one for name in sorted(names | fixtures) for one in self.functions(name)[:1]]
        return [
            Setting(Kind.SKIP_ADDED, f"{helper.name} {condition}".strip(), test.line, condition=condition)
            for helper in helpers
            if helper.language == test.language and (helper.name in names or _is_fixture(helper))
            for _, condition, _ in self.body(helper).skips
        ]

    def effective(self, found: Declaration, depth: int = 2) -> list[Assertion]:
        """Return a test's own assertions, those of marks, and those of helpers of the change that it calls."""
        key = (id(found), depth)
        if key not in self._effective:
            self._effective[key] = self._read_effective(found, depth)
        return self._effective[key]

    def _read_effective(self, found: Declaration, depth: int) -> list[Assertion]:
        body = self.body(found)
        out = [*demands_of_marks(found), *body.assertions]
        if depth == 0:
            return out
        for links in body.calls:
            name = links[-1].name.rstrip("!")
            if len(links) > 1 and links[0].name not in _SELVES and not _ASSERTS.match(name):
                continue
            for helper in self.functions(name)[:3]:
                if helper.language[:4] != found.language[:4] or helper is found:
                    continue
                inner = self.effective(helper, depth - 1)
                if inner:
                    out = [one for one in out if not (one.op is Op.CUSTOM and one.name == name)]
                    out += [_substituted(one, helper, links) for one in inner]
                    break
        return out


def _is_fixture(helper: Declaration) -> bool:
    return any(mark.name == "fixture" for mark in helper.marks)


def constant_value(found: Declaration) -> Node | None:
    """Return the literal collection that a constant holds, or None."""
    for node in found.expand().walk():
        if node.kind in (Syntax.COLLECTION, Syntax.CALL) and rows_of(node) is not None:
            return node
        if node.kind is Syntax.LAMBDA:
            return None
    return None


def demands_of_marks(found: Declaration) -> list[Assertion]:
    """Return the exceptions that marks demand, e.g. `@Test(expected = X.class)`."""
    out = []
    for mark in found.marks:
        types, message = "", ""
        if at := _EXPECTED.search(mark.text):
            named_type = next(part for part in at.groups() if part)
            types = named_type.removesuffix(".class").rsplit(".", 1)[-1]
        elif (at := _PANIC.search(mark.text)) and mark.name == "should_panic":
            types = "panic"
            text = next((part for part in at.groups() if part), "")
            message = text.strip()
        if types:
            out.append(
                Assertion(
                    Op.RAISES,
                    (),
                    (),
                    mark.line,
                    mark.line,
                    mark.text,
                    types=types,
                    message=(message,) if message else (),
                    name=mark.name,
                )
            )
    return out


def _parameters(helper: Declaration) -> list[str]:
    node = helper.expand()
    given = node.get("parameters") or next(
        (part for part in node.walk() if "parameter" in part.type or part.type == "arguments"), None
    )
    if given is None:
        return []
    out = []
    for part in given.parts:
        names = [at.name or at.text for at in part.walk() if at.kind is Syntax.NAME or at.type == "arg"]
        if names:
            # The last name of `String who`, the first of `who: String` and of `who T` in Go.
            out.append(names[-1] if helper.language in ("java", "csharp") else names[0])
    return [name for name in out if name not in ("self", "this")]


def _substituted(made: Assertion, helper: Declaration, links: Sequence[Link]) -> Assertion:
    """Put the arguments of a call in the places of the helper's parameters."""
    values = [tuple(named(arg)[1].words) for arg in links[-1].args or ()]
    names = _parameters(helper)
    place = dict(zip(names, values, strict=False))

    def put(words: tuple[str, ...]) -> tuple[str, ...]:
        out: list[str] = []
        for word in words:
            out += place[word] if word in place and (not out or out[-1] not in (".", "?.")) else (word,)
        return tuple(out)

    node = links[-1].node
    line = made.line if node is None else node.line
    return evolve(made, subject=put(made.subject), expected=put(made.expected), line=line, end_line=line)
