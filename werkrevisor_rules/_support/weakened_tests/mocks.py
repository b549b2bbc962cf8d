"""Reads what is demanded of a mock: Mockito, MockK, Moq, NSubstitute."""

import re
from typing import Final

from werkrevisor_rules._support.weakened_tests.demands import Assertion, Builder, listed, words_of
from werkrevisor_rules._support.weakened_tests.strictness import Op
from werkrevisor_rules._support.weakened_tests.syntax import Kind, Link, Node, named

VERIFY: Final = frozenset(
    {"verify", "coVerify", "Verify", "Received", "verifyOrder", "verifySequence", "DidNotReceive"}
)
"""Calls that demand something of a mock."""

_TIMES: Final = re.compile(r"(?:\w+ \. )*(?:times|never|atLeast|atMost|only|Times|timeout|calls|atLeastOnce)\b")
_AT_LEAST: Final = re.compile(r"(?:\w+\.)*(?:atLeast|AtLeast|Times\.AtLeast|atMost)|atLeast=")
_NO_CALL: Final = re.compile(r"[aA]tLeast(?:\(|=)0\)?$")
_ONCE: Final = frozenset({"times(1)", "Times.Once", "Times.Once()", "exactly=1", "1", "Times.Exactly(1)"})


def mock_demand(build: Builder, links: list[Link]) -> Assertion | None:
    """Return the demand on a mock that a chain makes, or None where it makes none."""
    if links[0].name == "then" and len(links) > 2 and links[1].name == "should":  # Mockito's BDD style
        verify = Link("verify", (*(links[0].args or ()), *(links[1].args or ())), node=links[0].node)
        links = [verify, *links[2:]]
    index = next((i for i, link in enumerate(links) if link.name in VERIFY and link.called), None)
    if index is None:
        return None
    link = links[index]
    args = link.args or ()
    times = _times(link.name, args)
    weak = _AT_LEAST.match(times) is not None
    inside = tuple(word for arg in args if arg.kind is Kind.LAMBDA for word in arg.words)
    subject = inside or (words_of(args[0]) if args else ())
    called = links[index + 1 :]
    expected = tuple(word for later in called for word in listed(later.args or ()))
    names = tuple(word for later in called for word in (".", later.name))
    return build.made(
        Op.CALLED if weak else Op.CALLED_WITH,
        (*subject, *names),
        expected,
        message=() if weak or not times or times in _ONCE else (times,),
        void="it holds for no call at all" if _NO_CALL.search(times) else "",
        name=link.name,
    )


def _times(name: str, args: tuple[Node, ...]) -> str:
    """Return how often the call is demanded, in the framework's own words without blanks."""
    texts = [named(arg)[1].text for arg in args]
    found = next((text for text in texts if _TIMES.match(text)), "")
    keyed = [f"{named(arg)[0]}={named(arg)[1].text}" for arg in args if named(arg)[0]]
    found = found or next(iter(keyed), "")
    if name == "Received":
        found = texts[0] if texts else "1"
    return found.replace(" ", "").rsplit("Mockito.", 1)[-1]
