"""The only caller of hooks: one typed method per hook, one rule at a time, in the order of names.

A rule that raises or returns what its hook does not allow becomes a `RuleError` in `errors`; the
other rules still run. Nothing here knows what a result means.
"""

import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, TypeVar

from attrs import define, evolve, field

from werkrevisor_core.errors import RuleError, WerkrevisorError
from werkrevisor_core.models.classes import Classifier
from werkrevisor_core.models.context import Adjustment, CarriedApproval, GateResult, Reading, ReviewContext
from werkrevisor_core.models.judges import BlockRating, BlockToRate, Judgement, ModelAnswer, ModelRequest
from werkrevisor_core.models.ports import Contents
from werkrevisor_core.models.publishing import Publication, Reported, Stage
from werkrevisor_core.models.verdict import Finding, Level, Reason
from werkrevisor_core.records import frozen
from werkrevisor_core.registry import LoadedRule
from werkrevisor_core.watchdog import Progress

T = TypeVar("T")
_LONGEST_CAUSE: Final = 300


@frozen
class NamedClassifier:
    """A classifier, the rule that made it and its number for the watchdog."""

    name: str
    index: int
    classifier: Classifier


@frozen
class _Implementation:
    """One rule's function for one hook, with the names of the arguments that it takes."""

    rule: LoadedRule
    function: Callable[..., object]
    takes: frozenset[str]
    index: int


@define
class Facade:
    """Calls the hooks of the active rules.

    Args:
        rules: the rules that are on.
        settings: section name -> structured settings.
        progress: where the running rule is noted.
    """

    rules: tuple[LoadedRule, ...]
    settings: Mapping[str, object]
    progress: Progress = field(factory=Progress)
    errors: list[RuleError] = field(factory=list, init=False)
    _hooks: dict[str, list[_Implementation]] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        """Find the implementations once, so that every rule has its number before a fork."""
        for rule in sorted(self.rules, key=lambda rule: rule.info.name):
            for hook in _hooks_of(rule):
                function = getattr(rule.module, hook)
                takes = frozenset(inspect.signature(function).parameters)
                index = self.progress.index_of(rule.info.name)
                self._hooks.setdefault(hook, []).append(_Implementation(rule, function, takes, index))

    def has(self, hook: str) -> bool:
        """Tell whether any active rule implements a hook."""
        return bool(self._hooks.get(hook))

    def classifiers(self, contents: Contents) -> tuple[NamedClassifier, ...]:
        """Step 2: the classifiers of all rules."""
        out = []
        for rule, result in self._each("werkrevisor_classifier", object, contents=contents):
            if not callable(getattr(result, "explain", None)):
                self._fail(rule, "werkrevisor_classifier", f"returned {type(result).__name__}, which is no Classifier")
                continue
            out.append(NamedClassifier(rule.info.name, self.progress.index_of(rule.info.name), result))  # type: ignore[arg-type]
        return tuple(out)

    def carry_over(self, context: ReviewContext) -> tuple[CarriedApproval, ...]:
        """Step 3: what earlier approvals cover."""
        return tuple(result for _, result in self._each("werkrevisor_carry_over", CarriedApproval, context=context))

    def gates(self, context: ReviewContext) -> GateResult:
        """Step 4: the reasons and findings of all gates."""
        return self._gate_results("werkrevisor_gate", context=context)

    def judge(self, context: ReviewContext, blocks: tuple[BlockToRate, ...]) -> Judgement | None:
        """Step 5: per block the highest percentile; an abstention stays one. None where nobody judges."""
        answers = [result for _, result in self._each("werkrevisor_judge", Judgement, context=context, blocks=blocks)]
        if not answers:
            return None
        if len(answers) == 1:
            return answers[0]
        return Judgement(
            ", ".join(answer.model_id for answer in answers),
            ", ".join(answer.calibration for answer in answers),
            tuple(_worst_rating(block, answers) for block in blocks),
        )

    def review(self, request: ModelRequest) -> tuple[ModelAnswer, ...]:
        """Step 6: the answers of all engines that are configured."""
        return tuple(result for _, result in self._each("werkrevisor_review", ModelAnswer, request=request))

    def coverage(self, context: ReviewContext, reading: Reading) -> GateResult:
        """Step 7: what was to be read and was not."""
        return self._gate_results("werkrevisor_coverage", context=context, reading=reading)

    def adjust(self, context: ReviewContext, findings: tuple[Finding, ...]) -> tuple[Adjustment, ...]:
        """Step 8: the adjustments of all rules, in the order of their names."""
        out: list[Adjustment] = []
        for rule, result in self._each("werkrevisor_adjust", tuple, context=context, findings=findings):
            if all(isinstance(item, Adjustment) and 0 <= item.index < len(findings) for item in result):
                out += result
            else:
                self._fail(rule, "werkrevisor_adjust", "returned an adjustment of a finding that does not exist")
        return tuple(out)

    def escalate(self, context: ReviewContext, verdict: Level) -> tuple[Reason, ...]:
        """Step 10: the reasons that call a human."""
        out = []
        for rule, result in self._each("werkrevisor_escalate", Reason, context=context, verdict=verdict):
            if self._fits(rule, "werkrevisor_escalate", GateResult((result,))):
                out.append(evolve(result, rule=rule.info.name))
        return tuple(out)

    def report(self, publication: Publication, stage: Stage) -> tuple[Reported, ...]:
        """Step 13: what the reporters did in one stage, up to the first that raised or stopped."""
        out: list[Reported] = []
        for implementation in self._hooks.get("werkrevisor_report", ()):
            before = len(self.errors)
            given = {"settings": self._settings_of(implementation.rule), "publication": publication, "stage": stage}
            # Not under the watchdog's limit: a slow server has time-outs of its own.
            result = self._call(implementation, "werkrevisor_report", given, index=0)
            if isinstance(result, Reported):
                out.append(result)
            elif result is not None:
                self._fail(implementation.rule, "werkrevisor_report", f"returned {type(result).__name__}")
            if len(self.errors) > before or (out and out[-1].stopped):
                break
        return tuple(out)

    def _gate_results(self, hook: str, **arguments: object) -> GateResult:
        reasons: list[Reason] = []
        findings: list[Finding] = []
        for rule, result in self._each(hook, GateResult, **arguments):
            if self._fits(rule, hook, result):
                reasons += (evolve(reason, rule=rule.info.name) for reason in result.reasons)
                findings += result.findings
        return GateResult(tuple(reasons), tuple(findings))

    def _fits(self, rule: LoadedRule, hook: str, result: GateResult) -> bool:
        """Check what is inside a result; a wrong one counts as a failure of its rule."""
        fault = _fault_in(result, frozenset(rule.info.reason_ids))
        if fault:
            self._fail(rule, hook, fault)
        return not fault

    def _each(self, hook: str, kind: type[T], **arguments: object) -> Iterable[tuple[LoadedRule, T]]:
        """Call one hook of every rule; yield the results that are not None and of the right type."""
        for implementation in self._hooks.get(hook, ()):
            rule = implementation.rule
            given = {"settings": self._settings_of(rule), **arguments}
            result = self._call(implementation, hook, given)
            if result is None:
                continue
            if isinstance(result, kind):
                yield rule, result
            else:
                self._fail(rule, hook, f"returned {type(result).__name__} instead of {kind.__name__}")

    def _settings_of(self, rule: LoadedRule) -> object:
        settings = self.settings.get(rule.info.section_name)
        return settings if settings is not None else rule.info.settings()

    def _call(
        self, implementation: _Implementation, hook: str, given: Mapping[str, Any], index: int | None = None
    ) -> object:
        self.progress.enter(implementation.index if index is None else index)
        try:
            return implementation.function(**{name: given[name] for name in implementation.takes})
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # a native panic or a SystemExit is a crash of the rule, too
            self._fail(implementation.rule, hook, describe(error))
            return None
        finally:
            self.progress.enter(0)

    def _fail(self, rule: LoadedRule, hook: str, cause: str) -> None:
        self.errors.append(RuleError(rule.info.name, hook, cause))


def describe(error: BaseException) -> str:
    """Return the type and text of an exception on one line of bounded length, without a traceback.

    Our own exceptions are sentences for users, so their type is left out.
    """
    text = " ".join(str(error).split())
    if isinstance(error, WerkrevisorError):
        return text
    if len(text) > _LONGEST_CAUSE:
        text = text[:_LONGEST_CAUSE] + "..."
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _hooks_of(rule: LoadedRule) -> list[str]:
    return sorted(
        name
        for name, value in vars(rule.module).items()
        if name.startswith("werkrevisor_") and getattr(value, "werkrevisor_impl", None) is not None
    )


def _fault_in(result: GateResult, declared: frozenset[str]) -> str:
    reasons: tuple[object, ...] = result.reasons
    findings: tuple[object, ...] = result.findings
    for reason in reasons:
        if not isinstance(reason, Reason) or not isinstance(reason.level, Level):
            return "returned a reason that is none"
        if reason.id not in declared:
            return f"gave the reason {reason.id!r}, which it does not declare"
    for finding in findings:
        if not isinstance(finding, Finding) or not isinstance(finding.level, Level):
            return "returned a finding that is none"
    return ""


def _worst_rating(block: BlockToRate, answers: list[Judgement]) -> BlockRating:
    ratings = [r for answer in answers for r in answer.ratings if (r.path, r.index) == (block.path, block.index)]
    abstained = next((r for r in ratings if r.percentile is None), None)
    if abstained is not None:
        return abstained
    if len(ratings) < len(answers):
        return BlockRating(block.path, block.index, None, abstained="no answer for this block")
    return max(ratings, key=lambda rating: rating.percentile or 0.0)
