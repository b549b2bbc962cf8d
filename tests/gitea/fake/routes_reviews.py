"""Routes of reviews, line comments and review requests."""

from __future__ import annotations

from typing import Any

from . import reviewing
from .model import DECISIVE, PENDING, Comment, Pull, Team, User
from .repository import Git
from .routing import Call, Refused, Reply, Route, not_found, paged
from .wire_pull import line_comment_json, review_json


def list_reviews(call: Call) -> Reply:
    """List reviews, oldest first; drafts of others count for the page and are not in it."""
    pull = call.pull()
    page, headers = paged(call, sorted(pull.reviews, key=lambda review: review.id), link=False)
    seen = [review for review in page if review.kind != PENDING or call.sees_draft(review)]
    return Reply(200, [review_json(call.state, review) for review in seen], headers=headers)


def get_review(call: Call) -> Reply:
    return Reply(200, review_json(call.state, call.review(call.pull())))


def create_review(call: Call) -> Reply:
    """Store the line comments one by one in the caller's draft, then submit it: not in one piece."""
    pull, body, state = call.pull(), call.body, call.state
    comments: list[dict[str, Any]] = body.get("comments") or []
    event, text = str(body.get("event") or ""), str(body.get("body") or "")
    kind = reviewing.kind_of(pull, call.doer, event, text, comments=bool(comments))
    commit = str(body.get("commit_id") or "") or Git(pull.repo.path).ref(pull.ref)
    for comment in comments:
        old, new = int(comment.get("old_position") or 0), int(comment.get("new_position") or 0)
        line = -old if old > 0 else new
        path, said = str(comment.get("path", "")), str(comment.get("body", ""))
        reviewing.add_line_comment(state, pull, call.doer, path=path, line=line, body=said, commit=commit)
        if state.between_line_comments is not None:
            state.between_line_comments()
    review = reviewing.submit(state, pull, call.doer, kind=kind, body=text, commit=commit)
    return Reply(200, review_json(state, review))


def submit_review(call: Call) -> Reply:
    pull = call.pull()
    review, body = call.review(pull), call.body
    if review.kind != PENDING:
        raise Refused(422, "only a pending review can be submitted")
    own = [comment for comment in pull.comments if comment.review is review]
    event, text = str(body.get("event") or ""), str(body.get("body") or "")
    kind = reviewing.kind_of(pull, call.doer, event, text, comments=bool(own))
    if kind == PENDING:
        raise Refused(422, "review stay pending")
    head = Git(pull.repo.path).ref(pull.ref)
    review = reviewing.submit(call.state, pull, call.doer, kind=kind, body=text, commit=head)
    return Reply(200, review_json(call.state, review))


def delete_review(call: Call) -> Reply:
    """Delete a review with its line comments and the entries of its dismissal."""
    pull = call.pull()
    review = call.review(pull)
    if not call.doer.is_admin and call.doer is not review.user:
        raise Refused(403, "")
    if review.kind == "REQUEST_REVIEW":
        raise Refused(500, "")
    pull.reviews.remove(review)
    pull.comments = [comment for comment in pull.comments if comment.review_id != review.id]
    return Reply(204)


def list_line_comments(call: Call) -> Reply:
    """List the line comments of a review, all at once and in no order."""
    pull = call.pull()
    review = call.review(pull)
    own = [comment for comment in pull.comments if comment.kind == "code" and comment.review is review]
    call.state.random.shuffle(own)
    return Reply(200, [line_comment_json(call.state, comment) for comment in own])


def resolvable(call: Call) -> Comment:
    comment = call.state.comment(call.repo, call.number("id"))
    if comment is None:
        raise not_found("GetCommentByID", [])
    if comment.kind != "code":
        raise Refused(400, "comment is not a review comment")
    official = any(review.official and review.user is call.doer for review in comment.pull.reviews)
    if not (call.doer is comment.pull.poster or call.may_write() or official):
        raise Refused(403, "user should have permission to resolve comment")
    return comment


def resolve(call: Call) -> Reply:
    comment = resolvable(call)
    comment.resolver = comment.resolver or call.doer
    return Reply(204)


def unresolve(call: Call) -> Reply:
    resolvable(call).resolver = None
    return Reply(204)


def dismissal(call: Call, *, dismissing: bool) -> Reply:
    if not call.is_admin():
        raise Refused(403, "Must be repo admin")
    pull = call.pull()
    review = call.review(pull)
    if review.kind not in DECISIVE:
        raise Refused(403, "not need to dismiss this review because it's type is not Approve or change request")
    if pull.closed:
        raise Refused(403, "can't dismiss a review associated to a closed or merged PR")
    if dismissing:
        message = str(call.body.get("message") or "")
        reviewing.dismiss(call.state, review, call.doer, message, priors=bool(call.body.get("priors")))
    else:
        review.dismissed = False
    return Reply(200, review_json(call.state, review))


def dismiss(call: Call) -> Reply:
    return dismissal(call, dismissing=True)


def undismiss(call: Call) -> Reply:
    return dismissal(call, dismissing=False)


def named(call: Call) -> tuple[list[User], list[Team]]:
    """Return the users and teams of a body; one unknown name stops it all."""
    users, teams = [], []
    for name in call.body.get("reviewers") or []:
        by_mail = [user for user in call.state.users if user.email == name]
        user = by_mail[0] if by_mail else call.state.user(str(name))
        if user is None:
            raise not_found(f"User '{name}' not exist")
        users.append(user)
    if call.repo.owner.is_org:
        for name in call.body.get("team_reviewers") or []:
            own = [team for team in call.state.teams if team.org is call.repo.owner and team.name == name]
            if not own:
                raise not_found(f"Team '{name}' not exist")
            teams.append(own[0])
    return users, teams


def request_reviews(call: Call) -> Reply:
    """Request reviews one after the other; the first error leaves the earlier ones."""
    pull: Pull = call.pull()
    users, teams = named(call)
    made = []
    for user in users:
        reviewing.check_request(call.state, pull, call.doer, user, adding=True)
        made.append(reviewing.request(call.state, pull, call.doer, user))
    made += [reviewing.request_team(call.state, pull, call.doer, team) for team in teams]
    return Reply(201, [review_json(call.state, review) for review in made if review is not None])


def withdraw_requests(call: Call) -> Reply:
    pull = call.pull()
    users, teams = named(call)
    for user in users:
        reviewing.check_request(call.state, pull, call.doer, user, adding=False)
        reviewing.withdraw(call.state, pull, call.doer, user)
    for team in teams:
        reviewing.withdraw_team(call.state, pull, call.doer, team)
    return Reply(204)


PULLS = "/repos/{owner}/{repo}/pulls"
REVIEWS = f"{PULLS}/{{index}}/reviews"
REQUESTS = f"{PULLS}/{{index}}/requested_reviewers"
TOKEN = ("pulls", "token")

ROUTES = (
    Route("POST", f"{PULLS}/comments/{{id}}/resolve", resolve, "repository", (*TOKEN, "open")),
    Route("POST", f"{PULLS}/comments/{{id}}/unresolve", unresolve, "repository", (*TOKEN, "open")),
    Route("GET", REVIEWS, list_reviews, "repository", ("pulls",)),
    Route("POST", REVIEWS, create_review, "repository", TOKEN),
    Route("GET", f"{REVIEWS}/{{id}}", get_review, "repository", ("pulls",)),
    Route("POST", f"{REVIEWS}/{{id}}", submit_review, "repository", TOKEN),
    Route("DELETE", f"{REVIEWS}/{{id}}", delete_review, "repository", TOKEN),
    Route("GET", f"{REVIEWS}/{{id}}/comments", list_line_comments, "repository", ("pulls",)),
    Route("POST", f"{REVIEWS}/{{id}}/dismissals", dismiss, "repository", TOKEN),
    Route("POST", f"{REVIEWS}/{{id}}/undismissals", undismiss, "repository", TOKEN),
    Route("POST", REQUESTS, request_reviews, "repository", TOKEN),
    Route("DELETE", REQUESTS, withdraw_requests, "repository", TOKEN),
)
