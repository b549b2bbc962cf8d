"""Brings Python's own syntax tree to `syntax`."""

import ast
import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from attrs import define

from werkrevisor_rules._support.weakened_tests.syntax import Kind, Node

_WORD: Final = re.compile(
    r"[A-Za-z_0-9.]*[A-Za-z_0-9]*(?:\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*')|\d[\d_.]*(?:[eE][-+]?\d+)?\w*|\w+|\*\*|//|[<>=!]=|->|[^\w\s]"
)

_KINDS: Final[dict[type[ast.AST], Kind]] = {
    ast.Call: Kind.CALL,
    ast.Attribute: Kind.MEMBER,
    ast.Lambda: Kind.LAMBDA,
    ast.If: Kind.IF,
    ast.IfExp: Kind.IF,
    ast.Match: Kind.IF,
    ast.For: Kind.LOOP,
    ast.AsyncFor: Kind.LOOP,
    ast.While: Kind.LOOP,
    ast.Try: Kind.TRY,
    ast.ExceptHandler: Kind.CATCH,
    ast.With: Kind.WITH,
    ast.AsyncWith: Kind.WITH,
    ast.Return: Kind.RETURN,
    ast.Raise: Kind.THROW,
    ast.FunctionDef: Kind.FUNCTION,
    ast.AsyncFunctionDef: Kind.FUNCTION,
    ast.ClassDef: Kind.CLASS,
    ast.Name: Kind.NAME,
    ast.Tuple: Kind.COLLECTION,
    ast.List: Kind.COLLECTION,
    ast.Dict: Kind.COLLECTION,
    ast.Set: Kind.COLLECTION,
    ast.Compare: Kind.BINARY,
    ast.BoolOp: Kind.BINARY,
    ast.BinOp: Kind.BINARY,
    ast.UnaryOp: Kind.UNARY,
    ast.Await: Kind.AWAIT,
    ast.Assign: Kind.ASSIGN,
    ast.AnnAssign: Kind.ASSIGN,
    ast.Assert: Kind.ASSERT,
}
_OPS: Final[dict[type[ast.AST], str]] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.In: "in",
    ast.NotIn: "not in",
    ast.And: "and",
    ast.Or: "or",
    ast.Not: "not",
    ast.USub: "-",
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.Mod: "%",
    ast.BitOr: "|",
}


@define(eq=False)
class PythonNode(Node):
    """A node whose words are made from Python's own tree when they are asked for."""

    source: ast.AST | None = None
    known: tuple[str, ...] | None = None

    @property
    def words(self) -> Sequence[str]:
        """The canonical tokens of this node."""
        if self.known is None:
            self.known = tuple(_WORD.findall(self._unparsed().replace(",)", ")")))
        return self.known

    def _unparsed(self) -> str:
        try:
            return "" if self.source is None else ast.unparse(self.source)
        except RecursionError:  # its place stands for it: two such nodes never look the same
            return f"too_deep_in_line_{self.line}_to_{self.end_line}"


def _body(statements: list[ast.stmt], line: int) -> ast.AST:
    module = ast.Module(body=statements, type_ignores=[])
    module.lineno, module.end_lineno = line, line  # type: ignore[attr-defined]
    return module


def _children(  # noqa: C901, PLR0912 (one branch per shape of node)
    node: ast.AST,
) -> Iterator[tuple[str, ast.AST]]:
    """Yield (role, child) in the order of the text; lists of statements become one block."""
    if isinstance(node, ast.Module):
        yield from (("", statement) for statement in node.body)
        return
    if isinstance(node, ast.Compare):
        yield "left", node.left
        yield "right", node.comparators[0]
        for further in node.comparators[1:]:
            yield "", further
        return
    if isinstance(node, ast.BinOp):
        yield "left", node.left
        yield "right", node.right
        return
    if isinstance(node, ast.Assign):
        yield "name", node.targets[0]
        yield "value", node.value
        return
    roles = {"test": "condition", "orelse": "alternative", "iter": "subject", "target": "name", "handlers": ""}
    for name, value in ast.iter_fields(node):
        if name == "decorator_list":
            continue
        role = roles.get(name, name)
        if isinstance(value, ast.AST):
            yield role, value
        elif isinstance(value, list) and value:
            if isinstance(value[0], ast.stmt):
                yield role, _body(value, value[0].lineno)
            else:
                for item in value:
                    if isinstance(item, ast.AST):
                        yield "", item


def _name(node: ast.AST) -> str:
    for attribute in ("attr", "id", "name", "arg"):
        value = getattr(node, attribute, None)
        if isinstance(value, str):
            return value
    return ""


def _node(source: ast.AST, line: int) -> PythonNode:
    kind = _KINDS.get(type(source), Kind.OTHER)
    at = getattr(source, "lineno", line)
    end = getattr(source, "end_lineno", at) or at
    type_ = type(source).__name__
    op: Any = getattr(source, "op", None) or next(iter(getattr(source, "ops", ())), None)
    if isinstance(source, ast.Constant):
        value = source.value
        kind = Kind.STRING if isinstance(value, str | bytes) else Kind.CONSTANT
        if isinstance(value, int | float) and not isinstance(value, bool):
            kind = Kind.NUMBER
    elif type_ == "TryStar":
        kind = Kind.TRY
    elif isinstance(source, ast.JoinedStr):
        kind = Kind.STRING
    elif isinstance(source, ast.Module):
        kind = Kind.BLOCK
    return PythonNode(kind, type_, at, end, name=_name(source), op=_OPS.get(type(op), ""), source=source)


def converted(top: ast.AST) -> Node:
    """Return the `syntax` node of a Python node and all below it."""
    root = _node(top, 1)
    stack: list[PythonNode] = [root]
    while stack:
        node = stack.pop()
        source = node.source
        assert source is not None  # noqa: S101 (every node made here has one)
        if isinstance(source, ast.Call):
            args = PythonNode(Kind.ARGS, "args", node.line, node.end_line, known=())
            node.fields["args"] = args
            callee = _node(source.func, node.line)
            node.fields["callee"] = callee
            node.parts = [callee, args]
            stack.append(callee)
            for given in (*source.args, *source.keywords):
                part = _node(given, node.line)
                args.parts.append(part)
                stack.append(part)
            continue
        for role, child in _children(source):
            if isinstance(child, ast.expr_context | ast.operator | ast.cmpop | ast.boolop | ast.unaryop):
                continue
            part = _node(child, node.line)
            node.parts.append(part)
            if role:
                node.fields.setdefault(role, part)
            stack.append(part)
        if isinstance(source, ast.keyword) and source.arg:
            node.fields["keyword"] = PythonNode(
                Kind.NAME, "name", node.line, node.line, name=source.arg, known=(source.arg,)
            )
        if isinstance(source, ast.Attribute):
            node.fields["object"] = node.parts[0]
    return root
