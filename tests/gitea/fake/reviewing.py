"""Reviews: drafts, line comments at odd places, submitting, requests and dismissals."""

from __future__ import annotations

import re

from . import access, merging, webhooks
from .model import APPROVED, COMMENT, DECISIVE, PENDING, REQUEST_REVIEW, Comment, Pull, Review, Team, User
from .repository import Git, GitFailed
from .routing import Refused
from .state import State

HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
CONTEXT_LINES = 4


def kind_of(pull: Pull, doer: User, event: str, body: str, *, comments: bool) -> str:
    """Return the kind of review that an event makes: every word that the server does not know is a draft."""
    has_body = bool(body.strip())
    if event in DECISIVE and doer is pull.poster:
        verb = "approve" if event == APPROVED else "reject"
        raise Refused(422, f"{verb} your own pull is not allowed")
    if event == APPROVED:
        return event
    if event == COMMENT:
        if not has_body and not comments:
            raise Refused(422, f"review event {event} requires a body or a comment")
        return event
    if not has_body:
        raise Refused(422, f"review event {event} requires a body")
    return event if event in DECISIVE else PENDING


def draft_of(pull: Pull, doer: User) -> Review | None:
    return next((review for review in pull.reviews if review.kind == PENDING and review.user is doer), None)


def add_line_comment(state: State, pull: Pull, doer: User, *, path: str, line: int, body: str, commit: str) -> Comment:
    """Store one line comment in the draft of its author, which is made if there is none."""
    with state.lock:
        draft = draft_of(pull, doer) or state.add_review(pull, doer, PENDING, commit=commit)
        blamed, hunk = place(pull, draft, path, line)
        comment = state.add_comment(pull, doer, "code", body)
        comment.review, comment.review_id = draft, draft.id
        comment.path, comment.line, comment.commit, comment.hunk = path, line, blamed, hunk
        return comment


def place(pull: Pull, draft: Review, path: str, line: int) -> tuple[str, str]:
    """Return the commit and the hunk of a line; a new line past the end of its file is an error 500."""
    git = Git(pull.repo.path)
    head = git.ref(pull.ref)
    if ".." in path.split("/"):
        raise Refused(500, "")
    blamed = ""
    if line > 0:
        if not git.has_commit(draft.commit or head):
            raise Refused(500, "")
        blamed = blame(git, draft.commit or head, path, line)
    return blamed or head, hunk_of(git, pull, head, path, line)


def blame(git: Git, commit: str, path: str, line: int) -> str:
    """Return the commit that last touched a line, or an empty text for an unknown path."""
    if not path or not git.ok("cat-file", "-e", f"{commit}:{path}"):
        return ""
    try:
        return git.run("blame", "--porcelain", "-L", f"{line},{line}", commit, "--", path).split(" ", 1)[0]
    except GitFailed:
        raise Refused(500, "") from None


def hunk_of(git: Git, pull: Pull, head: str, path: str, line: int) -> str:
    """Return the hunk around a line, cut after it; an unchanged line of the new file gets its neighbours."""
    wanted, old = abs(line), line < 0
    header, before, after = "", 0, 0
    body: list[str] = []
    for text in git.run("diff", pull.merge_base, head, "--", path, check=False).split("\n") if path else []:
        if found := HUNK.match(text):
            header, body = text, []
            before, after = int(found[1]) - 1, int(found[3]) - 1
            continue
        if not header:
            continue
        before += text[:1] in (" ", "-")
        after += text[:1] in (" ", "+")
        body.append(text)
        if (before if old else after) == wanted and text[:1] in (" ", "-" if old else "+"):
            return "\n".join([header, *body[-CONTEXT_LINES:]])
    return "" if line <= 0 else context_of(git, head, path, line)


def context_of(git: Git, head: str, path: str, line: int) -> str:
    lines = git.run("show", f"{head}:{path}", check=False).split("\n") if path else []
    if line > len(lines) or lines == [""]:
        return ""
    first = max(1, line - CONTEXT_LINES + 1)
    count = line - first + 1
    return "\n".join([f"@@ -{first},{count} +{first},{count} @@", *(f" {text}" for text in lines[first - 1 : line])])


def submit(state: State, pull: Pull, doer: User, *, kind: str, body: str, commit: str) -> Review:
    """Turn the draft of a user into a review, or make one without line comments."""
    stale = is_stale(pull, kind, commit)
    draft = draft_of(pull, doer)
    own = [comment for comment in pull.comments if comment.kind == "code" and comment.review is draft]
    if kind != APPROVED and not body.strip() and not (draft and own):
        raise Refused(500, "")
    if kind in DECISIVE:
        for earlier in pull.reviews:
            earlier.official = earlier.official and earlier.user is not doer
    official = kind in DECISIVE and access.is_official(state, pull, doer)
    if kind != PENDING:
        pull.reviews = [row for row in pull.reviews if not (row.kind == REQUEST_REVIEW and row.user is doer)]
    if draft is None:
        if kind in DECISIVE:  # only without a draft: with line comments older reviews stay undismissed
            dismiss_older(pull, doer)
        draft = state.add_review(pull, doer, kind)
    draft.kind, draft.body, draft.commit = kind, body, commit
    draft.official, draft.stale, draft.updated = official, stale, state.now()
    entry = state.add_comment(pull, doer, "review", body)
    entry.review, entry.review_id = draft, draft.id
    if kind in DECISIVE:
        forget_team_requests(pull, doer)
    webhooks.reviewed(state, draft)
    if kind == APPROVED:
        merging.wake_all(state, pull.repo, commit)
    return draft


def is_stale(pull: Pull, kind: str, commit: str) -> bool:
    """Tell whether a decision names another content than the head that the base repository knows."""
    if kind not in DECISIVE:
        return False
    if pull.closed:
        raise Refused(422, "can't submit review for a closed or merged PR")
    git = Git(pull.repo.path)
    head = git.ref(pull.ref)
    if head == commit:
        return False
    if not git.has_commit(commit):
        raise Refused(500, "")
    return git.content_changed(head, commit, git.merge_base(git.branch(pull.base), head))


def dismiss_older(pull: Pull, doer: User) -> None:
    for earlier in pull.reviews:
        if earlier.user is doer and earlier.kind in DECISIVE:
            earlier.dismissed = True


def forget_team_requests(pull: Pull, doer: User) -> None:
    pull.reviews = [row for row in pull.reviews if row.team is None or doer not in row.team.members]


def newest_decision(pull: Pull, user: User) -> Review | None:
    wanted = (*DECISIVE, REQUEST_REVIEW)
    return next((row for row in reversed(pull.reviews) if row.user is user and row.kind in wanted), None)


def check_request(state: State, pull: Pull, doer: User, reviewer: User, *, adding: bool) -> None:
    """Refuse a request that makes no sense or that the caller may not make."""
    allowed = access.may_request_reviews(state, pull, doer)
    newest = newest_decision(pull, reviewer)
    why = ""
    if reviewer.is_org:
        why = "Organization can't be added as reviewer"
    elif adding and access.mode(state, pull.repo, reviewer) == 0:
        why = "Reviewer can't read"
    elif adding and reviewer is pull.poster:
        why = "poster of pr can't be reviewer"
    elif adding and not allowed:
        why = "Doer can't choose reviewer"
    elif not adding and not allowed and not (newest and newest.kind == REQUEST_REVIEW and reviewer is doer):
        why = "Doer can't remove reviewer"
    if why:
        raise Refused(422, f"{why} [user_id: {doer.id}, repo_id: {pull.repo.id}]")


def request(state: State, pull: Pull, doer: User, reviewer: User) -> Review | None:
    """Request a review; an official reviewer loses `official` on everything earlier."""
    newest = newest_decision(pull, reviewer)
    if newest is not None and newest.kind == REQUEST_REVIEW:
        return None
    if newest is not None and pull.closed:
        raise Refused(403, "cannot request a re-review on a closed or merged PR")
    official = access.is_official(state, pull, reviewer)
    if official:
        for earlier in pull.reviews:
            earlier.official = earlier.official and earlier.user is not reviewer
    row = state.add_review(pull, reviewer, REQUEST_REVIEW)
    row.official = official
    entry = state.add_comment(pull, doer, "review_request")
    entry.assignee, entry.review_id = reviewer, row.id
    webhooks.review_requested(state, pull, doer, reviewer, added=True)
    return row


def withdraw(state: State, pull: Pull, doer: User, reviewer: User) -> None:
    """Take a request back; the newest decision of an official reviewer counts again."""
    newest = newest_decision(pull, reviewer)
    if newest is None or newest.kind != REQUEST_REVIEW:
        return
    pull.reviews.remove(newest)
    earlier = newest_decision(pull, reviewer)
    if earlier is not None and access.is_official(state, pull, reviewer):
        earlier.official = True
    entry = state.add_comment(pull, doer, "review_request")
    entry.assignee, entry.removed = reviewer, True
    webhooks.review_requested(state, pull, doer, reviewer, added=False)


def request_team(state: State, pull: Pull, doer: User, team: Team) -> Review | None:
    if any(row.team is team for row in pull.reviews):
        return None
    row = state.add_review(pull, None, REQUEST_REVIEW, team=team)
    row.official = False  # set and cleared again in one go by the real server
    entry = state.add_comment(pull, doer, "review_request")
    entry.team, entry.review_id = team, row.id
    return row


def withdraw_team(state: State, pull: Pull, doer: User, team: Team) -> None:
    row = next((row for row in pull.reviews if row.team is team), None)
    if row is not None:
        pull.reviews.remove(row)
        entry = state.add_comment(pull, doer, "review_request")
        entry.team, entry.removed = team, True


def dismiss(state: State, review: Review, doer: User, message: str, *, priors: bool) -> None:
    """Dismiss a review by hand; the entry in the timeline has exactly this text."""
    pull = review.pull
    review.dismissed = True
    if priors:
        for earlier in pull.reviews:
            earlier.dismissed = earlier.dismissed or (earlier.user is review.user and earlier.kind in DECISIVE)
    entry = state.add_comment(pull, doer, "dismiss_review", message)
    entry.review_id = review.id
    merging.wake(state, pull)
