"""One review, step by step: nothing here but the order of the steps and what is handed on.

classify -> carry over approvals -> gates -> Jev -> model -> coverage -> adjust findings -> verdict
-> escalate -> decide. Collecting comes before (the git source), rendering and reporting after.
"""

from collections.abc import Sequence

from attrs import evolve, field

from werkrevisor_core.config.sections import (
    CategoriesSettings,
    EngineSettings,
    GateSettings,
    PathJudgeSettings,
    ReviewSettings,
)
from werkrevisor_core.facade import Facade
from werkrevisor_core.models.change import ChangeSet, FileChange
from werkrevisor_core.models.classes import Category, Classification, JudgedFile
from werkrevisor_core.models.context import ConfigChange, History, Reading, ReviewContext
from werkrevisor_core.models.forge import PullRequestFacts
from werkrevisor_core.models.judges import BlockRating, BlockToRate, Judgement, ModelRequest
from werkrevisor_core.models.ports import Contents, NoContents
from werkrevisor_core.models.replay import Fingerprints, Replay
from werkrevisor_core.models.result import Review
from werkrevisor_core.models.verdict import Decision, Finding, Level, Mode, Reason
from werkrevisor_core.records import frozen
from werkrevisor_core.steps import approval, jev, model
from werkrevisor_core.steps.classify import MANY_FILES, classify
from werkrevisor_core.steps.corrections import with_corrections
from werkrevisor_core.steps.kind import Categories, change_kind
from werkrevisor_core.steps.line_comments import open_comments
from werkrevisor_core.steps.verdict import (
    HumanApproval,
    adjusted,
    crash_reasons,
    decide,
    floor,
    sort_findings,
    sort_reasons,
    worst,
)


@frozen
class ReviewInput:
    """What one review starts from.

    `line_by_line` asks for the proof of each mechanical line, which takes longer.
    """

    change: ChangeSet
    engine: EngineSettings = field(factory=EngineSettings)
    categories: CategoriesSettings = field(factory=CategoriesSettings)
    path_judge: PathJudgeSettings = field(factory=PathJudgeSettings)
    contents: Contents = field(factory=NoContents, repr=False)
    history: History = field(factory=History)
    approval: HumanApproval | None = None
    config_change: ConfigChange | None = None
    config_warnings: tuple[str, ...] = ()
    config_digest: str = ""
    notes: tuple[str, ...] = ()
    forge: PullRequestFacts | None = None
    gate: GateSettings = field(factory=GateSettings)
    review: ReviewSettings = field(factory=ReviewSettings)
    replay: Replay | None = field(repr=False, default=None)
    fingerprints: Fingerprints | None = field(repr=False, default=None)
    earlier: Contents | None = field(repr=False, default=None)
    line_by_line: bool = False


def review(given: ReviewInput, facade: Facade) -> Review:
    """Review one change set.

    Never raises for what a rule does: its failure is a reason of level ERROR.
    """
    context = _classified(given, facade)
    context = _carried(context, facade)
    gates = facade.gates(context)
    judged = _judged(context, given, facade)
    context = with_corrections(context, gates, judged.ratings, given.path_judge.yellow_percentile)
    answered = _answered(context, given, facade, judged)
    coverage = facade.coverage(context, answered.reading)
    hints = [hint for one in context.approvals for hint in one.hints]
    findings = sort_findings((*gates.findings, *coverage.findings, *answered.findings, *hints))
    findings = adjusted(findings, facade.adjust(context, findings))
    reasons = (*gates.reasons, *coverage.reasons, *judged.reasons, *answered.reasons)
    return _concluded(given, context, facade, _Outcome(reasons, findings, judged.ratings, answered))


@frozen
class _Judged:
    blocks: tuple[BlockToRate, ...] = ()
    ratings: tuple[BlockRating, ...] = ()
    reasons: tuple[Reason, ...] = ()


@frozen
class _Outcome:
    reasons: tuple[Reason, ...]
    findings: tuple[Finding, ...]
    ratings: tuple[BlockRating, ...]
    answered: model.ModelResult


def _classified(given: ReviewInput, facade: Facade) -> ReviewContext:
    classifiers = facade.classifiers(given.contents)
    line_by_line = given.line_by_line or len(given.change.files) < MANY_FILES
    # Contents come through one pipe from git, which two processes must not read from.
    classes, errors = classify(
        given.change.files,
        classifiers,
        facade.progress,
        line_by_line=line_by_line,
        divisible=isinstance(given.contents, NoContents),
    )
    facade.errors.extend(errors)
    files = judge_files(given.change.files, classes, Categories.compile(given.categories))
    return ReviewContext(
        change=given.change,
        files=files,
        kind=change_kind(files),
        mode=given.engine.mode,
        contents=given.contents,
        auto_approvable=given.categories.auto_approvable,
        history=given.history,
        config_change=given.config_change,
        config_warnings=given.config_warnings,
        forge=given.forge,
        human_approvals=_standing(given).approvals,
        replay=given.replay,
        fingerprints=given.fingerprints,
        earlier=given.earlier,
        doc_hint_line_comments=given.review.doc_hint_line_comments,
    )


def _standing(given: ReviewInput) -> approval.Standing:
    return approval.Standing() if given.forge is None else approval.standing(given.forge, given.gate)


def judge_files(
    files: Sequence[FileChange], classes: Sequence[Classification], categories: Categories
) -> tuple[JudgedFile, ...]:
    """Put together what is known of each file."""
    return tuple(
        JudgedFile(
            file,
            classification,
            categories.of(file.path),
            old_category=categories.of(file.old_path) if file.old_path != file.path else None,
        )
        for file, classification in zip(files, classes, strict=True)
    )


def _carried(context: ReviewContext, facade: Facade) -> ReviewContext:
    approvals = facade.carry_over(context)
    covered = frozenset(path for approval in approvals for path in approval.files)
    if not approvals:
        return context
    files = tuple(evolve(file, approved=True) if file.path in covered else file for file in context.files)
    return evolve(context, files=files, kind=change_kind(files), approvals=approvals)


def _judged(context: ReviewContext, given: ReviewInput, facade: Facade) -> _Judged:
    if not context.mode.asks_jev or not facade.has("werkrevisor_judge"):
        return _Judged()
    blocks = jev.blocks_to_rate(context)
    if not blocks:
        return _Judged()
    judgement = facade.judge(context, blocks) or Judgement("", "", ())
    ratings = jev.complete(blocks, judgement)
    return _Judged(blocks, ratings, jev.risk_reasons(ratings, blocks, given.path_judge.yellow_percentile))


def _answered(context: ReviewContext, given: ReviewInput, facade: Facade, judged: _Judged) -> model.ModelResult:
    if not context.mode.asks_model or not context.counting():
        return model.ModelResult()
    request = model.build_request(context)
    crashes = len(facade.errors)
    result = model.combine(request, facade.review(request), context.auto_approvable)
    if len(facade.errors) > crashes and not result.reading.asked:
        return model.ModelResult(Reading(sent=result.reading.sent))  # the crash is the reason, not a missing engine
    return _confirmed(request, result, facade, given, judged)


def _confirmed(
    request: ModelRequest, result: model.ModelResult, facade: Facade, given: ReviewInput, judged: _Judged
) -> model.ModelResult:
    red = given.path_judge.red_percentile
    risky = jev.very_risky_findings(result.findings, judged.ratings, judged.blocks, red)
    doubtful = model.to_confirm(result.findings, risky)
    if not doubtful:
        return result
    answers = facade.review(model.confirm_request(request, doubtful))
    confirmed = tuple(finding for answer in answers for finding in answer.findings)
    usage = sum((answer.usage for answer in answers), result.usage)
    proved = tuple(finding for finding in risky if model.is_confirmed(finding, confirmed))
    return evolve(
        result,
        findings=model.after_confirmation(result.findings, doubtful, confirmed),
        reasons=(*result.reasons, *jev.confirmed_risk(proved)),
        usage=usage,
    )


def _concluded(given: ReviewInput, context: ReviewContext, facade: Facade, outcome: _Outcome) -> Review:
    reasons = (*outcome.reasons, *crash_reasons(facade.errors))
    verdict = worst(reasons, outcome.findings)
    crashes = len(facade.errors)
    reasons = (*reasons, *floor(context, outcome.answered.reading, verdict), *facade.escalate(context, verdict))
    reasons = sort_reasons((*reasons, *crash_reasons(facade.errors[crashes:])))
    verdict = worst(reasons, outcome.findings)
    people = approval.People.of(context, given.gate, context.human_approvals)
    decision = decide(reasons, outcome.findings, context.change.head, _approval(given, reasons, outcome, people))
    withheld = approval.withheld(given.forge, given.gate)
    return Review(
        change=context.change,
        files=context.files,
        kind=context.kind,
        mode=context.mode,
        verdict=verdict,
        decision=decision,
        reasons=reasons,
        findings=outcome.findings,
        holds=(
            *withheld,
            *(_clause(reason) for reason in reasons if reason.level is Level.GREEN),
            *open_comments(given.forge, outcome.findings, people.reviewers),
        ),
        receipts=tuple(approval.receipt for approval in context.approvals),
        ratings=outcome.ratings,
        notes=(*given.notes, *_standing(given).refused, *(given.forge.ignored if given.forge else ())),
        usage=outcome.answered.usage,
        config_digest=given.config_digest,
        decided_by=approval.decided_by(reasons, people, decision, context.change.head),
        withheld=withheld,
    )


def _clause(reason: Reason) -> str:
    return reason.message.removesuffix(".")


def _approval(
    given: ReviewInput, reasons: Sequence[Reason], outcome: _Outcome, people: approval.People
) -> HumanApproval | None:
    if given.forge is None:
        return given.approval
    return approval.deciding(reasons, outcome.findings, people, given.forge.head)


def failed(change: ChangeSet, reasons: Sequence[Reason], mode: Mode = Mode.RULES, notes: Sequence[str] = ()) -> Review:
    """Return the review that could not be done: every file stands unjudged, and the verdict is that of the reasons."""
    why = "it was not judged: the review could not be done"
    files = tuple(JudgedFile(file, Classification((), why), Category.MAIN) for file in change.files)
    verdict = max(Level.ERROR, worst(reasons, ()))
    return Review(
        change, files, change_kind(files), mode, verdict, Decision.BLOCK, sort_reasons(reasons), notes=tuple(notes)
    )
