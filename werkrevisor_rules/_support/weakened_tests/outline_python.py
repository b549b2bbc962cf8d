"""Lists the declarations of Python files with Python's own parser."""

import ast
import re
import warnings
from collections.abc import Callable, Iterable
from typing import Final

from attrs import evolve

from werkrevisor_rules._support.weakened_tests.around import Around
from werkrevisor_rules._support.weakened_tests.bounds import Bounds, NotComparable, NotParsed
from werkrevisor_rules._support.weakened_tests.declarations import (
    NO_TEST_CLASS,
    Declaration,
    Listing,
    Mark,
    Role,
    indents_of,
)
from werkrevisor_rules._support.weakened_tests.python_syntax import converted
from werkrevisor_rules._support.weakened_tests.syntax import Node

_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)
_FIXTURE: Final = re.compile(r"(?:\w+\.)*(?:fixture|hookimpl|property|staticmethod|contextmanager)\b")


class PythonOutline:
    """The listing of one text."""

    def __init__(self, path: str, data: bytes, bounds: Bounds) -> None:
        # To Python a carriage return ends a line by itself.
        self.data = data.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        self.path, self.bounds = path, bounds
        self.text = self.data.decode("utf-8", "replace")
        self.lines = self.text.split("\n")
        self.found: list[Declaration] = []
        self.deleted: set[tuple[str, ...]] = set()
        self.tests = 0

    def listing(self) -> Listing:
        """Parse and list.

        Raises:
            NotParsed: the text is no valid Python of this version.
            NotComparable: a bound is reached.
        """
        try:
            self._list(self._parsed())
        except RecursionError:
            raise NotComparable(f"it nests deeper than {self.bounds.depth} levels") from None
        return Listing(self.path, "python", self._shadowed(), text=self.text)

    def _list(self, tree: ast.Module) -> None:
        stack: list[tuple[list[ast.stmt], Around, int]] = [(tree.body, Around(), 0)]
        while stack:
            statements, here, depth = stack.pop()
            if depth > self.bounds.depth:
                raise NotComparable(f"it nests deeper than {self.bounds.depth} levels")
            stack.extend(reversed(self._statements(statements, here, depth)))

    def _parsed(self) -> ast.Module:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                return ast.parse(self.data)
            except (SyntaxError, ValueError) as error:
                raise NotParsed(f"it is no Python that this version reads: {str(error)[:80]}") from None
            except (RecursionError, MemoryError):
                raise NotComparable(f"it nests deeper than {self.bounds.depth} levels") from None

    def _statements(
        self, statements: list[ast.stmt], here: Around, depth: int
    ) -> list[tuple[list[ast.stmt], Around, int]]:
        below: list[tuple[list[ast.stmt], Around, int]] = []
        for statement in statements:
            if isinstance(statement, _FUNCTIONS):
                self._function(statement, here)
            elif isinstance(statement, ast.ClassDef):
                below.append((statement.body, self._class(statement, here), depth + 1))
            elif isinstance(statement, ast.Assign | ast.AnnAssign | ast.AugAssign):
                here = self._assigned(statement, here)
            elif isinstance(statement, ast.If):
                # A condition at the top decides whether its tests exist; `else` is another condition.
                mark = Mark("if", ast.unparse(statement.test), statement.lineno)
                below.append((statement.body, evolve(here, marks=(*here.marks, mark)), depth + 1))
                below.append((statement.orelse, evolve(here, marks=(*here.marks, mark)), depth + 1))
            elif isinstance(statement, ast.Delete):
                self.deleted |= {
                    (*here.scope, target.id) for target in statement.targets if isinstance(target, ast.Name)
                }
            elif isinstance(statement, ast.Try):
                below += [(part, here, depth + 1) for part in (statement.body, statement.orelse, statement.finalbody)]
            elif isinstance(statement, ast.With):
                below.append((statement.body, here, depth + 1))
            elif isinstance(statement, ast.Expr) and not isinstance(statement.value, ast.Constant):
                self._add(Role.STATEMENT, ast.unparse(statement.value)[:60], statement, here)
        return below

    def _raw(self, node: ast.stmt, first: int) -> str:
        return " ".join(" ".join(self.lines[first - 1 : node.end_lineno]).split())

    def _marks(self, decorators: Iterable[ast.expr]) -> tuple[Mark, ...]:
        return tuple(_mark(decorator) for decorator in decorators)

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef, here: Around) -> None:
        marks = self._marks(node.decorator_list)
        is_test = node.name.startswith("test") and not any(_FIXTURE.match(mark.text) for mark in marks)
        self._add(Role.TEST if is_test else Role.FUNCTION, node.name, node, here, marks)
        self.tests += is_test
        if self.tests > self.bounds.tests:
            raise NotComparable(f"it has more than {self.bounds.tests} tests")

    def _class(self, node: ast.ClassDef, here: Around) -> Around:
        bases = tuple(ast.unparse(base) for base in node.bases)
        hidden = here.hidden
        real = [base for base in bases if base not in ("object", "Generic", "ABC", "Protocol", "Enum")]
        test_case = any(base.endswith(("TestCase", "TestBase", "Tests", "Test", "Mixin")) for base in real)
        if not real and not node.name.startswith("Test"):
            hidden = hidden or NO_TEST_CLASS
        makes = any(isinstance(item, _FUNCTIONS) and item.name == "__init__" for item in node.body)
        if makes and not test_case:
            hidden = hidden or "a class with a constructor is not collected"
        if any(_is_false(item, "__test__") for item in node.body):
            hidden = hidden or "__test__ = False keeps the class from being collected"
        self._add(Role.STATEMENT, f"class {node.name}", node, here, self._marks(node.decorator_list), last=node.lineno)
        marks = (*here.marks, *self._marks(node.decorator_list))
        for item in node.body:
            marks += _pytestmarks(item)
        return Around((*here.scope, node.name), marks, hidden, bases)

    def _assigned(self, node: ast.Assign | ast.AnnAssign | ast.AugAssign, here: Around) -> Around:
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target
        name = target.id if isinstance(target, ast.Name) else ast.unparse(target)
        self._add(Role.CONSTANT, name, node, here)
        if isinstance(node.value, ast.Constant):
            self.deleted.add((*here.scope, name))  # a function of that name above is none any more
        if not here.scope:
            here = evolve(here, marks=(*here.marks, *_pytestmarks(node)))
            if _is_false(node, "__test__"):
                here = evolve(here, hidden="__test__ = False keeps the module from being collected")
        return here

    def _add(  # noqa: PLR0913, PLR0917 (what a declaration is made of)
        self, role: Role, name: str, node: ast.stmt, here: Around, marks: tuple[Mark, ...] = (), last: int | None = None
    ) -> None:
        first = min([node.lineno, *(item.lineno for item in getattr(node, "decorator_list", ()))])
        raw = self._raw(node, first) if last is None else " ".join(self.lines[first - 1 : last])
        end = last or node.end_lineno or node.lineno
        lines = self.lines[first - 1 : node.end_lineno]
        self.found.append(
            Declaration(
                role,
                name,
                self.path,
                "python",
                first,
                end,
                raw,
                _Again("\n".join(lines), first),
                here.scope,
                marks,
                here.marks,
                here.hidden,
                here.bases,
                indents_of(lines) if last is None else "",
            )
        )

    def _shadowed(self) -> tuple[Declaration, ...]:
        """Mark tests that a later function of the same scope and name replaces; add marks set at module level."""
        last = {found.full_name: index for index, found in enumerate(self.found) if found.role is Role.TEST}
        late = tuple(
            mark for found in self.found if found.name == "pytestmark" and not found.scope for mark in _all(found)
        )
        out = []
        for index, found in enumerate(self.found):
            shown = found
            if found.role is Role.TEST:
                same_branch = not any(mark.name == "if" for mark in found.inherited)
                if last[found.full_name] != index and same_branch:
                    other = self.found[last[found.full_name]]
                    shown = evolve(found, hidden=f"a second {found.name} in line {other.line} replaces it")
                if (*found.scope, found.name) in self.deleted:
                    shown = evolve(shown, hidden=shown.hidden or "its name is deleted again")
                if late and not any(mark in shown.inherited for mark in late):
                    names = {(mark.name, mark.text) for mark in shown.inherited}
                    added = tuple(mark for mark in late if (mark.name, mark.text) not in names)
                    shown = evolve(shown, inherited=(*shown.inherited, *added))
            out.append(shown)
        return tuple(out)


def _all(found: Declaration) -> tuple[Mark, ...]:
    node = found.expand()
    source = getattr(node, "source", None)
    return _pytestmarks(source) if isinstance(source, ast.stmt) else ()


class _Again:
    """A node that is parsed once more when it is first asked for.

    A tree of Python's own parser that is kept costs the garbage collector more than parsing the few
    changed tests again.
    """

    __slots__ = ("_first", "_node", "_source")

    def __init__(self, source: str, first: int) -> None:
        self._source, self._first = source, first
        self._node: Node | None = None

    def __call__(self) -> Node:
        """Return the node."""
        if self._node is None:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                indented = self._source[:1] in (" ", "\t")
                tree = ast.parse("if 1:\n" + self._source if indented else self._source)
            top = tree.body[0]
            found = top.body[0] if indented and isinstance(top, ast.If) else top
            ast.increment_lineno(found, self._first - (2 if indented else 1))
            self._node = converted(found)
        return self._node


class _Lazily:
    """A node that is converted when it is first asked for."""

    __slots__ = ("_node", "_source")

    def __init__(self, source: ast.AST) -> None:
        self._source = source
        self._node: Node | None = None

    def __call__(self) -> Node:
        """Return the node."""
        if self._node is None:
            self._node = converted(self._source)
        return self._node


def _lazily(node: ast.AST) -> Callable[[], Node]:
    return _Lazily(node)


def _mark(decorator: ast.expr) -> Mark:
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    name = ast.unparse(called).rsplit(".", 1)[-1]
    return Mark(name, ast.unparse(decorator), decorator.lineno, _lazily(decorator))


def _pytestmarks(node: ast.stmt) -> tuple[Mark, ...]:
    if not isinstance(node, ast.Assign) or ast.unparse(node.targets[0]) != "pytestmark":
        return ()
    value = node.value
    listed = value.elts if isinstance(value, ast.List | ast.Tuple) else [value]
    return tuple(_mark(item) for item in listed)


def _is_false(node: ast.stmt, name: str) -> bool:
    if not isinstance(node, ast.Assign) or ast.unparse(node.targets[0]) != name:
        return False
    return isinstance(node.value, ast.Constant) and node.value.value is False
