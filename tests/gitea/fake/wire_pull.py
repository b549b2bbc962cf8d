"""The JSON of pull requests, reviews, line comments, comments and the timeline."""

from __future__ import annotations

import re

from .model import COMMENT, PENDING, REQUEST_REVIEW, Comment, Pull, Repo, Review, User
from .repository import Git
from .state import State
from .wire import GHOST, JSON, api_url, date, date_or_none, repo_json, team_json, user_json, web_url

COUNTED = ("comment", "review")


def pull_url(state: State, pull: Pull) -> str:
    return f"{web_url(state, pull.repo)}/pulls/{pull.index}"


def comment_url(state: State, comment: Comment) -> str:
    return f"{pull_url(state, comment.pull)}#issuecomment-{comment.id}"


def head_sha(pull: Pull) -> str:
    """Return the head that the server shows: the branch itself, or what the base repository keeps of it."""
    if pull.head_repo is not None:
        git = Git(pull.head_repo.path)
        found = git.branch(pull.head_branch) or git.ref(pull.ref)
        if found:
            return found
    return Git(pull.repo.path).ref(pull.ref)


def latest_reviews(pull: Pull, *, comments: bool) -> list[Review]:
    """Return the newest review or request of each person that was not dismissed."""
    newest: dict[int, Review] = {}
    for review in pull.reviews:
        counts = review.kind != PENDING and (comments or review.kind != COMMENT)
        if review.user is not None and counts and not review.dismissed:
            newest[review.user.id] = review
    return sorted(newest.values(), key=lambda review: review.id)


def shortstat(pull: Pull) -> JSON:
    """Return the size of the change; nothing when its fork is gone."""
    head = head_sha(pull)
    if pull.head_repo is None or not head or not pull.merge_base:
        return {}
    git = Git(pull.repo.path)
    git.copy_objects(Git(pull.head_repo.path), head)
    text = git.run("diff", "--shortstat", pull.merge_base, head)
    found = {kind: int(number) for number, kind in re.findall(r"(\d+) (file|insertion|deletion)", text)}
    return {
        "additions": found.get("insertion", 0),
        "deletions": found.get("deletion", 0),
        "changed_files": found.get("file", 0),
    }


def side(label: str, ref: str, sha: str, number: int, repo: JSON | None) -> JSON:
    return {"label": label, "ref": ref, "sha": sha, "repo_id": number, "repo": repo}


def head_side(state: State, pull: Pull, doer: User | None, sha: str) -> JSON:
    repo = pull.head_repo
    if repo is None:
        return side(pull.head_branch, pull.ref, sha, -1, None)
    ref = pull.head_branch if Git(repo.path).branch(pull.head_branch) else pull.ref
    return side(pull.head_branch, ref, sha, repo.id, repo_json(state, repo, doer))


def pull_json(state: State, pull: Pull, doer: User | None, *, listed: bool = False) -> JSON:
    """Return a pull request; a list shows the head of the base repository's ref and no size."""
    asked = [review.user for review in latest_reviews(pull, comments=not listed)]
    people = [user_json(state, None if user is not None and user.id == GHOST else user) for user in asked]
    teams = [team_json(review.team) for review in pull.reviews if review.team and review.kind == REQUEST_REVIEW]
    git = Git(pull.repo.path)
    sha = git.ref(pull.ref) if listed else head_sha(pull)
    base = side(pull.base, pull.base, git.branch(pull.base), pull.repo.id, repo_json(state, pull.repo, doer))
    reviews = len([comment for comment in pull.comments if comment.kind == "review"])
    url = pull_url(state, pull)
    return {
        "id": pull.id,
        "url": url,
        "number": pull.index,
        "user": user_json(state, pull.poster),
        "title": pull.title,
        "body": pull.body,
        "labels": [],
        "milestone": None,
        "assignee": None,
        "assignees": None if listed else [],
        "requested_reviewers": (people or None) if listed else people,
        "requested_reviewers_teams": (teams or None) if listed else teams,
        "state": "closed" if pull.closed else "open",
        "draft": pull.draft,
        "is_locked": pull.locked,
        "comments": len([comment for comment in pull.comments if comment.kind in COUNTED]),
        **({"review_comments": reviews} if reviews else {}),
        **({} if listed else shortstat(pull)),
        "html_url": url,
        "diff_url": f"{url}.diff",
        "patch_url": f"{url}.patch",
        "mergeable": pull.mergeable,
        "merged": pull.merged,
        "merged_at": date_or_none(pull.merged_at),
        "merge_commit_sha": pull.merge_commit or None,
        "merged_by": user_json(state, pull.merged_by),
        "allow_maintainer_edit": True,
        "base": base,
        "head": head_side(state, pull, doer, sha),
        "merge_base": pull.merge_base,
        "due_date": None,
        "created_at": date(pull.created),
        "updated_at": date(pull.updated),
        "closed_at": date_or_none(pull.closed_at),
        "pin_order": 0,
        "content_version": pull.content_version,
    }


def review_json(state: State, review: Review) -> JSON:
    pull = review.pull
    own = [comment for comment in pull.comments if comment.review is review]
    summary = next((comment for comment in own if comment.kind == "review"), None)
    return {
        "id": review.id,
        "user": user_json(state, review.user),
        "team": team_json(review.team),
        "state": review.kind,
        "body": review.body,
        "commit_id": review.commit,
        "stale": review.stale,
        "official": review.official,
        "dismissed": review.dismissed,
        "comments_count": len([comment for comment in own if comment.kind == "code"]),
        "submitted_at": date(review.created),
        "updated_at": date(review.updated),
        "html_url": comment_url(state, summary) if summary else "",
        "pull_request_url": pull_url(state, pull),
    }


def line_comment_json(state: State, comment: Comment) -> JSON:
    return {
        "id": comment.id,
        "body": comment.body,
        "user": user_json(state, comment.user),
        "resolver": user_json(state, comment.resolver),
        "pull_request_review_id": comment.review_id,
        "created_at": date(comment.created),
        "updated_at": date(comment.updated),
        "path": comment.path,
        "commit_id": comment.commit,
        "original_commit_id": "",
        "diff_hunk": comment.hunk,
        "position": max(comment.line, 0),
        "original_position": max(-comment.line, 0),
        "html_url": comment_url(state, comment),
        "pull_request_url": pull_url(state, comment.pull),
    }


def comment_json(state: State, comment: Comment) -> JSON:
    return {
        "id": comment.id,
        "html_url": comment_url(state, comment),
        "pull_request_url": pull_url(state, comment.pull),
        "issue_url": "",
        "user": user_json(state, comment.user),
        "original_author": "",
        "original_author_id": 0,
        "body": comment.body,
        "assets": [],
        "created_at": date(comment.created),
        "updated_at": date(comment.updated),
    }


def timeline_json(state: State, comment: Comment) -> JSON:
    return {
        "id": comment.id,
        "type": comment.kind,
        "html_url": comment_url(state, comment),
        "pull_request_url": pull_url(state, comment.pull),
        "issue_url": "",
        "user": user_json(state, comment.user),
        "body": comment.body,
        "created_at": date(comment.created),
        "updated_at": date(comment.updated),
        "old_project_id": 0,
        "project_id": 0,
        "old_milestone": None,
        "milestone": None,
        "tracked_time": None,
        "old_title": comment.old_title,
        "new_title": comment.new_title,
        "old_ref": comment.old_ref,
        "new_ref": comment.new_ref,
        "ref_issue": None,
        "ref_comment": None,
        "ref_action": "none",
        "ref_commit_sha": comment.commit if comment.kind != "code" else "",
        "review_id": comment.review_id,
        "label": None,
        "assignee": user_json(state, comment.assignee),
        "assignee_team": team_json(comment.team),
        "removed_assignee": comment.removed,
        "resolve_doer": user_json(state, comment.resolver),
        "dependent_issue": None,
    }


def issue_json(state: State, pull: Pull) -> JSON:
    """Return a pull request in the form of an issue, as comment webhooks carry it."""
    repo: Repo = pull.repo
    return {
        "id": pull.id,
        "url": f"{api_url(state, repo)}/issues/{pull.index}",
        "html_url": pull_url(state, pull),
        "number": pull.index,
        "user": user_json(state, pull.poster),
        "original_author": "",
        "original_author_id": 0,
        "title": pull.title,
        "body": pull.body,
        "ref": "",
        "assets": [],
        "labels": [],
        "milestone": None,
        "assignee": None,
        "assignees": None,
        "state": "closed" if pull.closed else "open",
        "is_locked": pull.locked,
        "comments": len([comment for comment in pull.comments if comment.kind in COUNTED]),
        "created_at": date(pull.created),
        "updated_at": date(pull.updated),
        "closed_at": date_or_none(pull.closed_at),
        "due_date": None,
        "time_estimate": 0,
        "pull_request": {
            "merged": pull.merged,
            "merged_at": date_or_none(pull.merged_at),
            "draft": pull.draft,
            "html_url": pull_url(state, pull),
        },
        "repository": {"id": repo.id, "name": repo.name, "owner": repo.owner.name, "full_name": repo.full_name},
        "pin_order": 0,
        "content_version": pull.content_version,
    }
