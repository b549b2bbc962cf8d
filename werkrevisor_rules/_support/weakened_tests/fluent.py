"""Reads chains that demand something with each link: Cypress, SuperTest, `assert_cmd`."""

from typing import Final

from werkrevisor_rules._support.weakened_tests.demands import Assertion, Builder, listed
from werkrevisor_rules._support.weakened_tests.strictness import Op, matcher
from werkrevisor_rules._support.weakened_tests.syntax import Kind, Link

_LEADING: Final = frozenset({"be", "have", "deep", "to", "not"})


def fluent_demands(build: Builder, links: list[Link]) -> list[Assertion] | None:
    """Return the demands of a chain of this kind, None where it is another one."""
    if links[0].name == "cy":
        told = [i for i, link in enumerate(links) if link.name in ("should", "and") and link.args]
        return [_chainer(build, links, i) for i in told]
    # A name before it keeps apart Rust's `expect`, which unwraps, and JavaScript's, which has its subject with it.
    told = [i for i, link in enumerate(links) if i and link.name == "expect" and link.called]
    if told and links[-1].node is not None and links[-1].node.type == "call_expression" and _is_request(links):
        return [build.made(Op.EQUAL, _words(links, told[0]), listed(links[i].args or ()), name="expect") for i in told]
    start = next((i for i, link in enumerate(links) if i and link.name == "assert" and link.args == ()), None)
    if start is None or start == len(links) - 1:
        return None
    subject = _words(links, start)
    called = [link for link in links[start + 1 :] if link.called]
    return [
        build.made(
            Op.EQUAL if link.args else Op.TRUTHY, (*subject, ".", link.name), listed(link.args or ()), name=link.name
        )
        for link in called
    ]


def _is_request(links: list[Link]) -> bool:
    """Return whether a chain is a request of SuperTest: a verb of HTTP with a path stands in it."""
    return any(link.name in ("get", "post", "put", "patch", "delete", "head") and link.args for link in links[:4])


def _words(links: list[Link], end: int) -> tuple[str, ...]:
    """Return the names and arguments of the links before one."""
    return tuple(word for link in links[:end] for word in (link.name, *listed(link.args or ())))


def _chainer(build: Builder, links: list[Link], index: int) -> Assertion:
    """Return the demand of `should("have.length", 3)`; a function in its place checks by itself."""
    first, *rest = links[index].args or ()
    before = next((i for i in range(index, 0, -1) if links[i - 1].name not in ("should", "and")), index)
    subject = _words(links, before)
    if first.kind is not Kind.STRING:
        return build.made(Op.TRUTHY, (*subject, "should"), ())
    words = first.text.strip("\"'`").split(".")
    names = [word for word in words if word not in _LEADING]
    op = matcher(names[-1]) if names else None
    return build.made(
        op or Op.TRUTHY,
        subject,
        listed(rest) or tuple(names),
        name=names[-1] if names else "",
        negated="not" in words,
    )
