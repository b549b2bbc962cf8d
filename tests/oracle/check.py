"""Asks the classifiers about a pair of texts and holds their answer against the oracle."""

from enum import Enum
from functools import cache

from attrs import evolve
from oracle.tokens import same_program

from werkrevisor_core.facade import NamedClassifier
from werkrevisor_core.hidden import looks_plain
from werkrevisor_core.models.classes import Classification
from werkrevisor_core.models.ports import NoContents
from werkrevisor_core.registry import Registry, load_registry
from werkrevisor_core.rule import Phase
from werkrevisor_core.steps.classify import classify
from werkrevisor_core.testing.build import DictContents, modified
from werkrevisor_core.testing.run import run
from werkrevisor_core.watchdog import Progress
from werkrevisor_rules._support.mechanical import MechanicalSettings
from werkrevisor_rules.classify import imports, renamed, whitespace

SETTINGS = MechanicalSettings()
CLASSIFIERS = (imports, renamed, whitespace)


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


def ways_differ(path: str, old: bytes, new: bytes) -> tuple[Classification, Classification] | None:
    """Classify a bare diff line by line and as a whole; return both answers where they are not the same."""
    file = modified(path, old, new)
    text = file.patch.text()
    file = evolve(file, plain=b"\r" not in text and looks_plain(text))
    made = [module.werkrevisor_classifier(contents=NoContents(), settings=SETTINGS) for module in CLASSIFIERS]
    named = [NamedClassifier(module.RULE.name, 0, one) for module, one in zip(CLASSIFIERS, made, strict=True)]
    (slow,), _ = classify([file], named, Progress(), line_by_line=True)
    (fast,), _ = classify([file], named, Progress())
    return None if evolve(slow, proof=()) == evolve(fast, proof=()) else (slow, fast)
