"""Asks the classifiers about a pair of texts and holds their answer against the oracle."""

from enum import Enum
from functools import cache

from oracle.tokens import same_program

from werkrevisor_core.models.classes import Classification
from werkrevisor_core.registry import Registry, load_registry
from werkrevisor_core.rule import Phase
from werkrevisor_core.testing.build import DictContents, modified
from werkrevisor_core.testing.run import run


class Verdict(Enum):
    """How an answer of the classifiers compares with the oracle's."""

    WRONG = "wrong"
    FOUND = "found"
    MISSED = "missed"
    REFUSED = "rightly refused"
    UNKNOWN = "not known to the oracle"
    EQUAL = "without a change"


@cache
def classifiers() -> Registry:
    """Return the installed classifiers alone."""
    return Registry(tuple(rule for rule in load_registry().rules if rule.info.phase is Phase.CLASSIFY))


def classified(path: str, old: bytes, new: bytes, *, readable: bool) -> Classification:
    """Classify one changed file, with or without its contents at hand."""
    contents = DictContents({path: old}, {path: new}) if readable else DictContents(unavailable=frozenset({path}))
    return run(modified(path, old, new), registry=classifiers(), contents=contents).files[0].classification


def check(path: str, old: bytes, new: bytes, *, readable: bool) -> Verdict:
    """Compare the classifiers' answer with the oracle's."""
    if old == new:
        return Verdict.EQUAL
    mechanical = bool(classified(path, old, new, readable=readable).rules)
    same = same_program(path.rpartition(".")[2], old, new)
    if same is None:
        return Verdict.UNKNOWN
    if mechanical:
        return Verdict.FOUND if same else Verdict.WRONG
    return Verdict.MISSED if same else Verdict.REFUSED
