"""One small syntax tree for all languages: what the comparison of tests has to know and no more.

Parsers of very different shape (tree-sitter's grammars, Python's own) are brought to these nodes, so
that every check is written once. Nothing here recurses: a hostile file may nest as deep as it likes.
"""

from collections.abc import Iterator, Sequence
from enum import Enum, auto

from attrs import define, field


class Kind(Enum):
    """What a node is for the comparison."""

    CALL = auto()
    MEMBER = auto()
    ARGS = auto()
    LAMBDA = auto()
    IF = auto()
    LOOP = auto()
    TRY = auto()
    CATCH = auto()
    FINALLY = auto()
    WITH = auto()
    RETURN = auto()
    THROW = auto()
    FUNCTION = auto()
    CLASS = auto()
    BLOCK = auto()
    STRING = auto()
    NUMBER = auto()
    NAME = auto()
    CONSTANT = auto()
    COLLECTION = auto()
    BINARY = auto()
    UNARY = auto()
    AWAIT = auto()
    ASSIGN = auto()
    ASSERT = auto()
    OTHER = auto()


@define(eq=False)
class Node:
    """A node: its kind, place, children, and the children that have a role.

    `words` are its tokens in canonical form: without comments, white space, semicolons and trailing
    commas, strings with one kind of quote. `op` is the operator of a binary or unary node, `name` what
    a call, member or function is called.
    """

    kind: Kind
    type: str
    line: int
    end_line: int
    parts: list["Node"] = field(factory=list, repr=False)
    fields: dict[str, "Node"] = field(factory=dict, repr=False)
    name: str = ""
    op: str = ""
    tokens: Sequence[str] = field(default=(), repr=False)
    start: int = 0
    end: int = 0

    @property
    def words(self) -> Sequence[str]:
        """The canonical tokens of this node."""
        return self.tokens[self.start : self.end]

    @property
    def text(self) -> str:
        """The canonical tokens, joined by blanks."""
        return " ".join(self.words)

    def get(self, role: str) -> "Node | None":
        """Return the child with a role, or None."""
        return self.fields.get(role)

    def walk(self) -> Iterator["Node"]:
        """Yield this node and all below it in the order of the text."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.parts))


@define(eq=False)  # not frozen: made by the thousand, and nothing changes them
class Link:
    """One link of a chain such as `expect(x).not.toEqual(y)`: a name, and the arguments of its call."""

    name: str
    args: tuple[Node, ...] | None = None
    types: str = ""
    node: Node | None = None

    @property
    def called(self) -> bool:
        """Whether the name is called."""
        return self.args is not None


_TRANSPARENT = frozenset(
    {
        "parenthesized_expression",
        "non_null_expression",
        "as_expression",
        "satisfies_expression",
        "try_expression_rust",
        "expression_statement",
        "reference_expression",
    }
)


def bare(node: Node) -> Node:
    """Return the node inside parentheses, awaits and the like."""
    while (node.type in _TRANSPARENT or node.kind is Kind.AWAIT) and len(node.parts) == 1:
        node = node.parts[0]
    return node


def chain(node: Node) -> list[Link]:
    """Return the links of a chain from its root to its end, e.g. `a.b(c).d` as a, b(c), d."""
    links: list[Link] = []
    at: Node | None = node
    while at is not None:
        args, types, call = None, "", at
        if at.kind is Kind.CALL:
            args = arguments(at)
            types = at.fields["types"].text if "types" in at.fields else ""
            callee = at.get("callee")
            if callee is None:
                links.append(Link(at.name, args, types, at))
                at = at.get("object")
                continue
            inner = bare(callee)
            if inner.kind is Kind.CALL and "args" not in at.fields:  # Kotlin's lambda behind the parentheses
                links.append(Link("{}", args, types, at))
                at = inner
                continue
            if inner.kind is Kind.CALL:  # `it.each(rows)(title, body)`
                links.append(Link("()", args, types, at))
                at = inner
                continue
            at = inner
        if at.kind is Kind.MEMBER:
            links.append(Link(at.name, args, types or (at.fields["types"].text if "types" in at.fields else ""), call))
            at = at.get("object")
            at = None if at is None else bare(at)
            continue
        name, _, angled = (at.name or at.text).partition("<")
        links.append(Link(name or "<", args, types or angled.rstrip("> "), call))
        at = None
    links.reverse()
    return _merged(links) if any(link.name == "{}" for link in links) else links


def _merged(links: list[Link]) -> list[Link]:
    out: list[Link] = []
    for link in links:
        if link.name == "{}" and out and out[-1].called:
            before = out.pop()
            out.append(Link(before.name, (*(before.args or ()), *(link.args or ())), before.types, link.node))
        else:
            out.append(link)
    return out


def arguments(call: Node) -> tuple[Node, ...]:
    """Return the arguments of a call; a lambda behind the parentheses is the last of them."""
    args = call.get("args")
    found = [] if args is None else [_value(argument) for argument in args.parts]
    last = call.get("lambda")
    if last is not None:
        found.append(last.parts[-1] if last.type == "annotated_lambda" and last.parts else last)
    return tuple(found)


def _value(argument: Node) -> Node:
    if argument.type in ("value_argument", "argument") and "keyword" not in argument.fields and argument.parts:
        return argument.parts[-1]
    return argument


def named(argument: Node) -> tuple[str, Node]:
    """Return the keyword of an argument (empty where it has none) and its value."""
    key = argument.get("keyword")
    value = argument.get("value")
    if key is not None and value is not None:
        return key.text, value
    return "", argument
