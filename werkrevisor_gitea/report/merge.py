"""Merges the judged head, or has the forge do it.

What it looks at:
    The decision, what holds the merge, and the pull request as it is before and after.

Why:
    With `pinned` the forge compares the judged head with the one that it merges. A schedule is pinned to
    nothing, so it is cancelled on every new head (`take_back`).

Example:
    A GREEN head whose CI has succeeded is merged. Where the branch rule still misses an approval, the
    forge says so, and the next run tries again.

Options:
    `[gate] merge` and `[gate] merge_style`.

Not covered:
    A base branch that is exchanged after the last look: where it is protected the forge refuses, elsewhere it is
    reported afterwards.
"""

import re
import time
from typing import TYPE_CHECKING, Final

from werkrevisor_core.markers import hookimpl
from werkrevisor_core.models.publishing import Publication, Reported, Stage
from werkrevisor_core.rule import Phase, RuleInfo
from werkrevisor_gitea.publishing import Publishing, gitea, may_merge

if TYPE_CHECKING:
    from werkrevisor_gitea.errors import Refused

RULE = RuleInfo(name="merge", phase=Phase.REPORT, since="0.1.0")

_TRIES: Final = 6
_WAIT_SECONDS: Final = 0.3
_LONGEST: Final = 100
_LOUD: Final = re.compile(r"[^\w .,;:()+/='-]|_(?=_)")
"""What mentions, refers or switches a CI off, and everything else that is not plain text."""
_TRACKER: Final = re.compile(r"\b([A-Za-z]{1,10})-(?=[0-9])")
_SKIP: Final = re.compile(r"(?i)\bskip-checks\b|\bskip-ci\b")
_CLOSES: Final = re.compile(r"(?i)\b(close[sd]?|fix(?:e[sd])?|resolve[sd]?|reopen(?:s|ed)?)[ :]+(?=[0-9])")


def merge_title(title: str, number: int) -> str:
    """Return the title of the merge commit: what the author wrote, without anything that acts."""
    quiet = _LOUD.sub(" ", title)
    for pattern, new in ((_TRACKER, r"\1 "), (_SKIP, "skip"), (_CLOSES, r"\1 no. ")):
        quiet = pattern.sub(new, quiet)
    words = " ".join(quiet.split())[:_LONGEST].strip()
    return f"Merge pull request {number}: {words}" if words else f"Merge pull request {number}"


def _message(publication: Publication, port: Publishing) -> str:
    return f"Judged {publication.review.verdict.name} at {port.head}."


def evaluate(publication: Publication, port: Publishing) -> Reported | None:
    """Merge or schedule where the host wants that and nothing has moved."""
    schedules = port.gate.merge == "schedule"
    if port.gate.merge == "never" or not may_merge(publication, port) or (schedules and port.is_scheduled):
        return None
    if moved := port.moved(reviews=True):
        return Reported(stopped=moved)
    return _after(port, _merge(publication, port, schedules=schedules))


def _merge(publication: Publication, port: Publishing, *, schedules: bool) -> str:
    """Ask for the merge; return the sentence on what came of it, beginning with `stopped: ` where the head moved."""
    from werkrevisor_gitea.errors import Refused, Unreachable  # noqa: PLC0415 (it brings the HTTP client)
    from werkrevisor_gitea.pulls import Merged, is_busy  # noqa: PLC0415

    title, message = merge_title(publication.facts.title, port.number), _message(publication, port)
    for attempt in range(1, _TRIES + 1):
        try:
            made = port.merge(port.gate.merge_style, title, message, schedule=schedules)
        except Refused as error:
            if not is_busy(error) or attempt == _TRIES:
                return _refusal(error, port)
            time.sleep(_WAIT_SECONDS * attempt)
        except Unreachable as error:
            if error.maybe_done and port.client.pulls.get(port.number).merged:
                return "The head is merged."
            raise
        else:
            return "The head is merged." if made is Merged.MERGED else "The merge is scheduled."
    raise AssertionError("the loop returns or raises")  # pragma: no cover


def _refusal(error: "Refused", port: Publishing) -> str:
    from werkrevisor_gitea.pulls import is_busy  # noqa: PLC0415

    says = error.says or "no reason given"
    if is_busy(error) and not port.client.pulls.get(port.number).mergeable:
        says = "there is a conflict with the base branch, or it still looks for one"
    if error.status == 409 and (moved := port.moved()):
        return f"stopped: {moved}"
    return f"The forge does not merge yet: {says.removesuffix('.')}."


def _after(port: Publishing, sentence: str) -> Reported:
    """Read the pull request again: what the forge let through in the meantime is said."""
    if sentence.startswith("stopped: "):
        return Reported(stopped=sentence.removeprefix("stopped: "))
    pull = port.client.pulls.get(port.number)
    if pull.merged:
        # A pinned merge was compared by the forge; what the branch is by now does not matter.
        as_judged = port.gate.merge == "pinned" or pull.head.sha == port.head
        if as_judged and pull.base.ref == port.facts.base_branch:
            return Reported(("The head is merged.",))
        where = f"{pull.head.sha[:12]} was merged into {pull.base.ref}"
        return Reported(stopped=f"{where}, and {port.head[:12]} for {port.facts.base_branch} was judged")
    moved = port.moved_in(pull)
    return Reported((sentence,), stopped=moved)


@hookimpl
def werkrevisor_report(publication: Publication, stage: Stage) -> Reported | None:
    """Merge at the very end."""
    port = gitea(publication)
    return evaluate(publication, port) if port is not None and stage is Stage.MERGE else None
