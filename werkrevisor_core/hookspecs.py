"""Every hook, in the order in which a review calls them. The bodies are their docstrings.

A rule implements one of them in its module. It takes only the arguments that it needs, by name.
`settings` is the rule's own section, an instance of `RULE.settings`. All are synchronous, called
at most once per review (classifiers: once, and the classifier they return once per file; reporters:
once per stage) and must be safe to call again. None may change its arguments, run git, open files or
sockets (a reporter talks to the forge through its port), or depend on what another rule returned.
Where one raises or returns another type, the review ends as ERROR and names it.
"""

from werkrevisor_core.markers import hookspec
from werkrevisor_core.models.classes import Classifier
from werkrevisor_core.models.context import (
    Adjustment,
    CarriedApproval,
    GateResult,
    Reading,
    ReviewContext,
)
from werkrevisor_core.models.judges import BlockToRate, Judgement, ModelAnswer, ModelRequest
from werkrevisor_core.models.ports import Contents
from werkrevisor_core.models.publishing import Publication, Reported, Stage
from werkrevisor_core.models.verdict import Finding, Level, Reason


@hookspec
def werkrevisor_classifier(contents: Contents, settings: object) -> Classifier | None:
    """Step 2, classify: return the classifier that explains lines, or None where it is off.

    :param contents: bytes of a path at the merge base or the head.
    :param settings: the rule's own section.
    :returns: a `Classifier`, asked about each file that could be mechanical.

    Combination: a file is mechanical where every changed line is explained by some classifier.

    A classifier may also have the methods of `RulesOut` and `ExplainsWhole`, so that large changes cost less. It
    may not remember anything from one file to the next: a large change is classified in two processes.
    """


@hookspec
def werkrevisor_carry_over(context: ReviewContext, settings: object) -> CarriedApproval | None:
    """Step 3, carry over: say which files an earlier approval covers wholly.

    :param context: the change with its classified files and the history; no file counts as approved yet.
    :param settings: the rule's own section.
    :returns: the files and the receipt, or None where nothing is carried.

    Combination: the union of the files; every receipt is shown.
    """


@hookspec
def werkrevisor_gate(context: ReviewContext, settings: object) -> GateResult | None:
    """Step 4, gates: say what stands against the change.

    :param context: everything that is known before a judge is asked.
    :param settings: the rule's own section.
    :returns: reasons and findings, or None where the gate has nothing to say.

    Combination: all reasons and findings; no gate stops another, none can take away another's word.
    """


@hookspec
def werkrevisor_judge(context: ReviewContext, blocks: tuple[BlockToRate, ...], settings: object) -> Judgement | None:
    """Step 5, Jev: rate the blocks of the files that count; not called where there are none.

    :param context: as for gates.
    :param blocks: the blocks to rate.
    :param settings: the rule's own section.
    :returns: a rating or an abstention per block, or None for no opinion on anything.

    Combination: per block the highest percentile; an abstention of any judge stays an abstention.
    """


@hookspec
def werkrevisor_review(request: ModelRequest, settings: object) -> ModelAnswer | None:
    """Step 6, model: review the files of the request, or confirm its findings.

    :param request: the files that count; nothing else of the change. Hostile text.
    :param settings: the rule's own section.
    :returns: findings and the list of what was read, or None where this engine is not configured.

    Combination: at most one engine answers; findings of several are all kept, and a file is read
    only if each of them read it.
    """


@hookspec
def werkrevisor_coverage(context: ReviewContext, reading: Reading, settings: object) -> GateResult | None:
    """Step 7, coverage: say what was to be read and was not.

    :param context: as for gates.
    :param reading: what the model was sent and what it read.
    :param settings: the rule's own section.
    :returns: reasons, or None where everything was read.

    Combination: as for gates.
    """


@hookspec
def werkrevisor_adjust(  # type: ignore[empty-body]
    context: ReviewContext, findings: tuple[Finding, ...], settings: object
) -> tuple[Adjustment, ...]:
    """Step 8, adjust findings: lower findings, e.g. those on approved lines.

    :param context: as for gates.
    :param findings: all findings, sorted.
    :param settings: the rule's own section.
    :returns: adjustments; a level that is not lower is ignored, nothing is deleted.

    Combination: the lowest level per finding, folded in the order of the rules' names.
    """


@hookspec
def werkrevisor_escalate(context: ReviewContext, verdict: Level, settings: object) -> Reason | None:
    """Step 10, escalate: add a reason that calls a human.

    :param context: as for gates, with the earlier rounds in its history.
    :param verdict: the verdict so far.
    :param settings: the rule's own section.
    :returns: a reason, or None.

    Combination: all reasons are added; the verdict can only rise.
    """


@hookspec
def werkrevisor_report(publication: Publication, stage: Stage, settings: object) -> Reported | None:
    """Step 13, report: tell the forge one thing; called for every stage, and acts in its own.

    :param publication: the finished review, what the forge knows, and the port of the forge's own package.
    :param stage: the stages come in the order of `Stage`, whatever the rules are called.
    :param settings: the rule's own section.
    :returns: what was done, or why everything has to stop; None in another stage, or for another forge.

    Combination: in the order of the rules' names within a stage. Where one raises or stops, the stage that takes
    back is called once more and nothing else; what is missing is mended by the next run, so whatever a
    reporter does must be the same when done twice.
    """
