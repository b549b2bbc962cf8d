"""Which line comments still hold the merge: those that nobody has answered, and those still to be written."""

from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from typing import Final

from werkrevisor_core.models.forge import LineComment, PullRequestFacts
from werkrevisor_core.models.verdict import Finding, Level
from werkrevisor_core.reviewers import Reviewers

_KEY_BYTES: Final = 16


def finding_key(finding: Finding) -> str:
    """Return what a line comment remembers of the finding that it was written for (hexadecimal)."""
    facts = [finding.id, finding.path, finding.start, finding.end, finding.side.value, finding.message]
    return blake2b(repr(facts).encode("utf-8", "surrogatepass"), digest_size=_KEY_BYTES).hexdigest()


def is_line_comment(finding: Finding) -> bool:
    """Tell whether a finding becomes a line comment on the forge."""
    return finding.line_comment and finding.in_change and finding.start is not None


def was_lowered(finding: Finding) -> bool:
    """Tell whether only a human reviewer answers the line comment of a finding."""
    return finding.original_level is not None and finding.original_level >= Level.ORANGE > finding.level


def open_comments(facts: PullRequestFacts | None, findings: Iterable[Finding], reviewers: Reviewers) -> tuple[str, ...]:
    """Return a sentence per line comment that holds the merge; nothing for a local range.

    Args:
        facts: what the forge knows, with the line comments of all rounds.
        findings: those of this review; one without a comment yet holds, too.
        reviewers: the people whom the host lists.
    """
    if facts is None:
        return ()
    held = [
        _sentence(comment.path, comment.line) for comment in facts.line_comments if not _done(comment, facts, reviewers)
    ]
    return tuple(dict.fromkeys([*held, *_unwritten(facts, findings)]))


def _done(comment: LineComment, facts: PullRequestFacts, reviewers: Reviewers) -> bool:
    by = [login for login in (*comment.resolved_by, *comment.replied_by) if login.casefold() != facts.bot.casefold()]
    if not comment.lowered:
        return bool(by)
    own = {login.casefold() for login in (facts.poster, *facts.involved)}
    return reviewers.covers([login for login in by if login.casefold() not in own], comment.path)


def _unwritten(facts: PullRequestFacts, findings: Iterable[Finding]) -> Iterator[str]:
    here = [comment for comment in facts.line_comments if comment.head == facts.head]
    for finding in findings:
        if is_line_comment(finding) and not _is_written(finding, here):
            yield _sentence(finding.path, finding.start)


def _is_written(finding: Finding, comments: Sequence[LineComment]) -> bool:
    key = finding_key(finding)
    return any(
        comment.finding == key if comment.finding else (comment.path, comment.line) == (finding.path, finding.start)
        for comment in comments
    )


def _sentence(path: str, line: int | None) -> str:
    return f"the line comment on {path}:{line} is not answered"
