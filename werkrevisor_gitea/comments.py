"""Plain comments of a pull request, and its timeline."""

from collections.abc import Collection
from functools import partial
from typing import Final

from werkrevisor_gitea.api import Api, gather
from werkrevisor_gitea.errors import BadAnswer
from werkrevisor_gitea.wire import IssueComment, TimelineEntry

_EMPTY_PAGES: Final = 3
"""Empty pages in a row that end a timeline where nothing more is known to follow."""
_AT_ONCE: Final = 4
_MOST_PAGES: Final = 400


class Comments:
    """Requests about the plain comments of a pull request."""

    def __init__(self, api: Api) -> None:
        self._api = api

    def list(self, number: int) -> tuple[IssueComment, ...]:
        """List all plain comments by id; the forge does not page them, whatever is asked."""
        found = self._api.get(tuple[IssueComment, ...], self._api.below("issues", number, "comments"))
        return tuple(sorted(found, key=lambda each: each.id))

    def create(self, number: int, body: str) -> IssueComment:
        """Write a comment. It is sent once; after an error with `maybe_done` look whether it is there."""
        return self._api.post(IssueComment, self._api.below("issues", number, "comments"), {"body": body})

    def edit(self, comment: int, body: str) -> IssueComment:
        """Set the text of a comment (of a line comment too)."""
        return self._api.patch(IssueComment, self._api.below("issues", "comments", comment), {"body": body})

    def delete(self, comment: int) -> None:
        """Delete a comment (a line comment too)."""
        self._api.delete(self._api.below("issues", "comments", comment))


class Timeline:
    """Requests about the timeline of a pull request."""

    def __init__(self, api: Api) -> None:
        self._api = api

    def list(self, number: int, *, hidden: int = 0, expected: Collection[int] = ()) -> tuple[TimelineEntry, ...]:
        """Read the timeline, oldest first, without line comments.

        The forge gives no count and no end: it takes line comments and references from unreadable repositories
        out after paging, so a page may be empty while more follow. Anybody can make such references, in any
        number. What is certain is therefore said by the caller: reading goes on until every expected entry was
        seen (a plain comment has the same id here, and a comment that was written a moment ago proves all
        before it), and beyond that until more pages in a row are empty than the hidden entries can fill.

        Args:
            number: of the pull request.
            hidden: how many line comments there are in all (`comments_count` of all reviews).
            expected: ids of entries that must be there.

        Returns:
            The entries.

        Raises:
            BadAnswer: an expected entry is not in it, or it has more than 400 pages.
        """
        path = self._api.below("issues", number, "timeline")
        enough = _EMPTY_PAGES + -(-hidden // self._api.page_size())
        found: dict[int, TimelineEntry] = {}
        empty, page, missing = 0, 1, set(expected)
        while page <= _MOST_PAGES:
            # One page first: most timelines have no second. The empty ones after it are asked for together.
            numbers = range(page, page + (1 if page == 1 else _AT_ONCE))
            read = gather([partial(self._api.unlisted_page, TimelineEntry, path, {}, at) for at in numbers])
            for entries in read:
                present = [entry for entry in entries if entry is not None]
                found |= {entry.id: entry for entry in present}
                empty = 0 if present else empty + 1
            missing -= found.keys()
            if empty >= enough and not missing:
                return tuple(found.values())
            page += len(numbers)
        raise BadAnswer(
            f"the timeline of pull request {number} cannot be read whole: "
            + (f"{len(missing)} comments that are there do not turn up in it" if missing else "it has no end")
        )
