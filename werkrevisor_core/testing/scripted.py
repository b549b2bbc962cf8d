"""Scripted doubles of Jev and the model: they answer what a test says and remember what they were asked.

model = ScriptedModel(findings=(...))
review = run(modified("A.java", ...), judges=[model])
assert "B.java" not in model.prompt()
"""

from collections.abc import Callable, Mapping
from types import ModuleType

from attrs import define, evolve, field

from werkrevisor_core.markers import hookimpl
from werkrevisor_core.models.judges import (
    BlockRating,
    BlockToRate,
    Judgement,
    ModelAnswer,
    ModelRequest,
    Purpose,
    Usage,
)
from werkrevisor_core.models.verdict import Finding
from werkrevisor_core.registry import LoadedRule
from werkrevisor_core.rule import Phase, RuleInfo


def rule(name: str, phase: Phase, *, reasons: tuple[str, ...] = (), **hooks: Callable[..., object]) -> LoadedRule:
    """Build a rule from functions, e.g. `rule("odd", Phase.GATES, werkrevisor_gate=lambda context: None)`."""
    module = ModuleType(name)
    for hook, function in hooks.items():
        setattr(module, hook, hookimpl(function))
    return LoadedRule(RuleInfo(name, phase, "0", reasons), module, "test", "0", True, "default")


@define
class ScriptedModel:
    """A model that reads everything that it is sent, except `skips`, and finds `findings`.

    `confirms` says whether its second reading confirms what it is asked about. `requests` are the
    requests that it got, oldest first.
    """

    findings: tuple[Finding, ...] = ()
    confirms: bool = True
    skips: frozenset[str] = frozenset()
    partly: frozenset[str] = frozenset()
    answer: ModelAnswer | None = None
    requests: list[ModelRequest] = field(factory=list)

    def as_rule(self) -> LoadedRule:
        """Return the model as a rule that can be registered."""

        def werkrevisor_review(request: ModelRequest) -> ModelAnswer:
            return self._answer(request)

        return rule("scripted_model", Phase.ENGINES, werkrevisor_review=werkrevisor_review)

    def _answer(self, request: ModelRequest) -> ModelAnswer:
        self.requests.append(request)
        if self.answer is not None:
            return self.answer
        sent = frozenset(file.path for file in request.files)
        found = self.findings
        if request.purpose is Purpose.CONFIRM:
            found = request.findings if self.confirms else ()
        return ModelAnswer("scripted", sent - self.skips, self.partly, found, usage=Usage(10, 1, 0.0, 0.0, 1))

    def prompt(self) -> str:
        """Return all text that the model was ever sent."""
        return "\n".join(
            text or ""
            for request in self.requests
            for file in request.files
            for text in (file.path, file.old_path, file.diff, file.content)
        )


@define
class ScriptedJev:
    """A Jev that rates every block of a path with `percentiles[path]`, else with `default`; None abstains."""

    percentiles: Mapping[str, float | None] = field(factory=dict)
    default: float | None = 0.1
    calls: list[tuple[BlockToRate, ...]] = field(factory=list)

    def as_rule(self) -> LoadedRule:
        """Return Jev as a rule that can be registered."""

        def werkrevisor_judge(blocks: tuple[BlockToRate, ...]) -> Judgement:
            return self._rate(blocks)

        return rule("scripted_jev", Phase.JEV, werkrevisor_judge=werkrevisor_judge)

    def _rate(self, blocks: tuple[BlockToRate, ...]) -> Judgement:
        self.calls.append(blocks)
        ratings = [BlockRating(b.path, b.index, self.percentiles.get(b.path, self.default)) for b in blocks]
        return Judgement(
            "scripted",
            "none",
            tuple(evolve(r, abstained="it cannot tell") if r.percentile is None else r for r in ratings),
        )
