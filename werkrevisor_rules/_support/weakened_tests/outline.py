"""Lists the declarations of languages whose tests are functions with marks or names: JVM, C#, Rust, Go."""

# ruff: noqa: ANN401 (nodes of tree-sitter, which is loaded only when a test file changed)

import re
from functools import lru_cache
from typing import Any, Final

from attrs import evolve

from werkrevisor_rules._support.weakened_tests.around import Around, Known
from werkrevisor_rules._support.weakened_tests.bounds import Bounds, NotComparable
from werkrevisor_rules._support.weakened_tests.declarations import Declaration, Listing, Mark, Role, lines_of
from werkrevisor_rules._support.weakened_tests.frameworks import FACTS
from werkrevisor_rules._support.weakened_tests.grammars import GRAMMARS
from werkrevisor_rules._support.weakened_tests.parsing import QUICKCHECK, Converter, faults_of, parse, text_of

_MARK: Final = re.compile(r"[@\[#!\s]*(?:\w+:(?!:))?([\w.:]+)")
_GO_SYSTEM: Final = re.compile(
    r".*_((?:windows|linux|darwin|freebsd|openbsd|netbsd|plan9|solaris|js|wasip1|android|ios|aix)(?:_\w+)?"
    r"|amd64|arm64|arm|386|wasm|riscv64|s390x|ppc64le?|mips\w*|loong64)_test\.go"
)
_TEST_MACRO: Final = re.compile(rb"(\w*test\w*)!\s*[({\[]\s*(?:name:\s*|fn\s+)?(\w+)")
_OUTPUT: Final = re.compile(rb"//\s*(?:unordered\s+)?output:", re.IGNORECASE)
_JUNIT3: Final = re.compile(r"(?:\w+\.)*\w*TestCase")


def _span(raw: Any) -> tuple[int, int]:
    return raw.start_byte, raw.end_byte


def _in_test_class(marks: tuple[Mark, ...], here: Around) -> bool:
    """Return whether MSTest finds a method: its class needs a mark of its own, which other frameworks do without."""
    if not any(mark.name in ("TestMethod", "DataTestMethod") for mark in marks):
        return True
    return any(mark.name == "TestClass" for mark in here.marks) or not here.scope


@lru_cache(maxsize=4096)
def mark_name(text: str) -> str:
    """Return the last part of a mark's name, e.g. `Test` of `@org.junit.Test(timeout = 1)`."""
    found = _MARK.match(text)
    return found[1] if found else ""


class Outline:
    """The listing of one text, built by descending into its containers only."""

    def __init__(self, path: str, language: str, data: bytes, bounds: Bounds, known: Known) -> None:
        self.path, self.language, self.data, self.bounds, self.known = path, language, data, bounds, known
        self.grammar = GRAMMARS[language]
        self.facts = FACTS[language]
        self.converter = Converter(self.grammar, data)
        self.found: list[Declaration] = []

        self.tests = 0

    def listing(self) -> Listing:
        """Parse and list.

        Raises:
            NotComparable: a bound is reached.
        """
        root = parse(self.language, self.data, self.bounds)
        around = Around()
        if self.language == "go" and (system := _GO_SYSTEM.fullmatch(self.path)):
            around = Around(marks=(Mark("build", f"file suffix {system[1]}", 1),))
        # (node, around, depth); a list of pending marks lives per container.
        stack: list[tuple[Any, Around, int]] = [(root, around, 0)]
        while stack:
            node, here, depth = stack.pop()
            if depth > self.bounds.depth:
                raise NotComparable(f"it nests deeper than {self.bounds.depth} levels")
            stack.extend(reversed(self._container(node, here, depth)))
        text = self.data.decode("utf-8", "replace")
        # What a macro of Rust takes is parsed as if it were a call's, and need not be valid as such.
        faults = faults_of(root, "arguments" if self.language == "rust" else "")
        return Listing(self.path, self.language, tuple(self.found), faults, text)

    def _container(  # noqa: C901 (one branch per kind of declaration)
        self, node: Any, here: Around, depth: int
    ) -> list[tuple[Any, Around, int]]:
        below: list[tuple[Any, Around, int]] = []
        pending: list[Any] = []
        grammar = self.grammar
        for child in node.children:
            type_ = child.type
            if type_ in grammar.comments:
                here = self._comment(child, here)
            elif type_ == "attribute_item":
                pending.append(child)
            elif type_ in ("inner_attribute_item", "file_annotation"):
                here = evolve(here, marks=(*here.marks, self._mark(child)))
            elif type_ in grammar.functions:
                self._function(child, here, pending)
                pending = []
            elif type_ in grammar.constants:
                self._constant(child, here)
                pending = []
            elif type_ in grammar.scopes:
                below.append((child, self._scope(child, here, pending), depth + 1))
                pending = []
            elif type_ in grammar.conditions:
                below.append((child, self._condition(child, here), depth + 1))
            elif type_ in grammar.containers or type_ == "ERROR":
                below.append((child, here, depth + 1))
            elif self.language == "rust" and type_ in ("expression_statement", "macro_invocation"):
                self._macro(child, here, pending)
                pending = []
            elif child.is_named:
                pending = []
        return below

    def _macro(self, raw: Any, here: Around, pending: list[Any]) -> None:
        """List a macro that makes a test: `test! { name: ..., }`."""
        found = _TEST_MACRO.match(self.data, raw.start_byte, raw.end_byte)
        if found:
            name = found[2].decode("utf-8", "replace")
            self._add(
                Role.TEST,
                name,
                raw,
                here,
                (Mark("test", "test macro", raw.start_point[0] + 1),),
                here.hidden,
                pending[0] if pending else raw,
            )

    def _comment(self, raw: Any, here: Around) -> Around:
        text = text_of(raw, self.data)

        if self.language == "go" and text.startswith(("//go:build", "// +build")) and not self.found:
            return evolve(here, marks=(*here.marks, Mark("build", text, raw.start_point[0] + 1)))
        return here

    def _mark(self, raw: Any) -> Mark:
        text = text_of(raw, self.data)
        name = mark_name(text)
        name = name if self.language == "rust" else name.rsplit(".", 1)[-1]
        return Mark(name, text, raw.start_point[0] + 1, self.converter.lazily(raw))

    def _marks(self, raw: Any, pending: list[Any]) -> tuple[tuple[Mark, ...], frozenset[str]]:
        """Return the marks of a declaration and its plain modifiers."""
        marks = [self._mark(item) for item in pending]
        plain: set[str] = set()
        for child in raw.children:
            if child.type == "attribute_list":
                marks += [self._mark(item) for item in child.children if item.type == "attribute"]
            elif child.type == "modifiers":
                marks += [self._mark(item) for item in child.children if item.type in self.grammar.marks]
                plain |= {text_of(item, self.data) for item in child.children if item.type not in self.grammar.marks}
            elif child.type in ("modifier", "visibility_modifier"):
                plain.add(text_of(child, self.data))
        return tuple(marks), frozenset(plain)

    def _name(self, raw: Any) -> str:
        name = raw.child_by_field_name("name")
        if name is None:
            name = next((child for child in raw.children if child.type in ("identifier", "type_identifier")), None)
        return "" if name is None else text_of(name, self.data)

    def _bases(self, raw: Any) -> tuple[str, ...]:
        types = ("superclass", "super_interfaces", "base_list", "delegation_specifiers", "extends_interfaces")
        texts = [text_of(child, self.data) for child in raw.children if child.type in types]
        return tuple(word for text in texts for word in re.findall(r"[A-Za-z_][\w.]*", text) if word != "extends")

    def _scope(self, raw: Any, here: Around, pending: list[Any]) -> Around:
        marks, plain = self._marks(raw, pending)
        if raw.type == "impl_item":
            return here
        name, hidden = self._name(raw), here.hidden
        scope = here.scope
        if raw.type not in ("namespace_declaration", "file_scoped_namespace_declaration"):
            scope = (*scope, name) if name else scope
        if self.language in ("java", "kotlin") and here.scope and raw.type == "class_declaration":
            names = {mark.name for mark in marks}
            inner = "static" not in plain if self.language == "java" else True
            if inner and "Nested" not in names and not hidden:
                hidden = "an inner class without @Nested is not run"
        if "abstract" in plain:
            marks = (*marks, Mark("abstract", f"{name} is abstract", raw.start_point[0] + 1))
        if self.language == "csharp" and raw.type == "class_declaration" and "public" not in plain:
            marks = (*marks, Mark("not public", "the class is not public", raw.start_point[0] + 1))
        return Around(scope, (*here.marks, *marks), hidden, self._bases(raw))

    def _condition(self, raw: Any, here: Around) -> Around:
        condition = raw.child_by_field_name("condition")
        text = "else" if condition is None else text_of(condition, self.data)
        return evolve(here, marks=(*here.marks, Mark("#if", text, raw.start_point[0] + 1)))

    def _constant(self, raw: Any, here: Around) -> None:
        declared = raw
        if raw.type in ("field_declaration", "var_declaration", "const_declaration"):
            declared = next(
                (
                    c
                    for c in raw.children
                    if c.type
                    in ("variable_declarator", "variable_declaration", "var_spec", "const_spec", "var_spec_list")
                ),
                raw,
            )
            declared = next((c for c in declared.children if c.type in ("variable_declarator", "var_spec")), declared)
        name = self._name(declared)
        if declared.type == "property_declaration":
            name = next((text_of(c, self.data) for c in raw.children if c.type == "variable_declaration"), name)
        self._add(Role.CONSTANT, name.split(":")[0].strip(), raw, here, (), "", raw)

    def _function(self, raw: Any, here: Around, pending: list[Any]) -> None:
        first = pending[0] if pending else raw
        key = self.known.key(self.data[first.start_byte : raw.end_byte], here)
        same = self.known.get(key)
        if same is None:
            self._new_function(raw, here, pending, first)
            self.known.keep(key, self.found[-1])
        else:
            line = first.start_point[0] + 1
            self.found.append(same.at(line, self.converter.lazily(raw), here.marks))
        self.tests += self.found[-1].role is Role.TEST
        if self.tests > self.bounds.tests:
            raise NotComparable(f"it has more than {self.bounds.tests} tests")

    def _new_function(self, raw: Any, here: Around, pending: list[Any], first: Any) -> None:
        marks, plain = self._marks(raw, pending)
        name = self._name(raw)
        if not self._is_test(raw, name, marks, here):
            self._add(Role.FUNCTION, name, raw, here, marks, "", first)
            return
        hidden = here.hidden
        if self.language in ("java", "kotlin") and "private" in plain:
            hidden = hidden or "a private method is not run"
        if self.language == "java" and "static" in plain:
            hidden = hidden or "a static method is not run"
        if self.language == "csharp" and not _in_test_class(marks, here):
            hidden = hidden or "a class without [TestClass] is not run"
        if self.language == "go" and name.startswith("Example") and not _OUTPUT.search(self.data, *_span(raw)):
            hidden = hidden or "an example without `// Output:` is not run"
        self._add(Role.TEST, name, raw, here, marks, hidden, first)

    def _is_test(self, raw: Any, name: str, marks: tuple[Mark, ...], here: Around) -> bool:
        if self.language == "go":
            return self.path.endswith("_test.go") and self._is_go_test(raw, name)
        if any(self.facts.tests.fullmatch(mark.name) for mark in marks):
            return True
        if self.language == "rust":
            return here.scope[-1:] == (QUICKCHECK,)
        if self.language == "csharp":
            return False
        junit3 = any(_JUNIT3.fullmatch(base) for base in here.bases)
        if junit3 and name.startswith("test"):
            return True
        # TestNG takes all public methods of a class with the mark that give nothing back.
        class_wide = any(mark.name == "Test" for mark in here.marks) and not marks
        return class_wide and re.search(r"\bpublic\b.*\bvoid\b", text_of(raw, self.data)[:200]) is not None

    def _is_go_test(self, raw: Any, name: str) -> bool:
        if not self.facts.tests.fullmatch(name):
            return False
        parameters = raw.child_by_field_name("parameters")
        text = "" if parameters is None else text_of(parameters, self.data)
        if raw.type == "method_declaration" or name.startswith("Example"):
            return text == "()"
        return bool(re.search(r"\b(?:testing\.)?[TF]\b", text))

    def _add(  # noqa: PLR0913, PLR0917 (what a declaration is made of)
        self, role: Role, name: str, raw: Any, here: Around, marks: tuple[Mark, ...], hidden: str, first: Any
    ) -> None:
        source = self.data[first.start_byte : raw.end_byte].decode("utf-8", "replace")
        self.found.append(
            Declaration(
                role,
                name,
                self.path,
                self.language,
                first.start_point[0] + 1,
                raw.end_point[0] + 1,
                " ".join(source.split()),
                self.converter.lazily(raw),
                here.scope,
                marks,
                here.marks,
                hidden,
                here.bases,
                lines_of(source),
            )
        )
