"""Paging that is right for each list of the forge: none is cut, none is read for ever."""

import pytest

from werkrevisor_gitea.api import gather
from werkrevisor_gitea.errors import BadAnswer


def status(number):
    return {"id": number, "status": "success", "context": f"ci/{number}"}


def review(number, state="COMMENT"):
    return {"id": number, "state": state, "commit_id": "c" * 40}


class Listing:
    """A server's list; `most` is what the server allows per page, `hide` what it counts and does not show."""

    def __init__(self, rows, *, most=50, hide=lambda row: False, counted=True):
        self.rows, self.most, self.hide, self.counted = rows, most, hide, counted
        self.before_page = {}
        self.pages = []

    def __call__(self, reply):
        def answer(request):
            if request.url.path.endswith("/settings/api"):
                return reply(200, {"max_response_items": self.most, "default_paging_num": 30})
            page, limit = int(request.url.params["page"]), min(int(request.url.params["limit"]), self.most)
            self.before_page.pop(page, lambda: None)()
            self.pages.append(page)
            rows = [row for row in self.rows[(page - 1) * limit : page * limit] if not self.hide(row)]
            return reply(200, rows, **({"x_total_count": len(self.rows)} if self.counted else {}))

        return answer


class TestCountedLists:
    @pytest.mark.parametrize("count", [0, 1, 49, 50, 51, 130])
    @pytest.mark.parametrize("most", [50, 7, 1])
    def test_every_row_is_read(self, world, reply, count, most):
        listing = Listing([status(number) for number in range(count, 0, -1)], most=most)
        world.answers = [listing(reply)]
        assert [row.id for row in world.client().statuses.list("c" * 40)] == list(range(count, 0, -1))
        assert sorted(listing.pages) == list(range(1, max(1, -(-count // most)) + 1))

    def test_pages_that_hide_reviews_do_not_end_the_list(self, world, reply):
        rows = [review(number, "PENDING" if 50 < number <= 100 else "COMMENT") for number in range(1, 121)]
        world.answers = [Listing(rows, hide=lambda row: row["state"] == "PENDING")(reply)]
        found = world.client().reviews.list(7)
        assert [row.id for row in found] == [*range(1, 51), *range(101, 121)]

    def test_one_page_of_reviews_is_read_once(self, world, reply):
        listing = Listing([review(number) for number in range(1, 51)])
        world.answers = [listing(reply)]
        assert len(world.client().reviews.list(7)) == 50
        assert listing.pages == [1]

    def test_a_row_that_comes_in_meanwhile_is_counted_once(self, world, reply):
        listing = Listing([status(number) for number in range(60, 0, -1)])
        listing.before_page[2] = lambda: listing.rows.insert(0, status(61))
        world.answers = [listing(reply)]
        ids = [row.id for row in world.client().statuses.list("c" * 40)]
        assert len(ids) == len(set(ids))
        assert set(ids) >= set(range(1, 61))

    def test_a_row_that_goes_away_meanwhile_hides_no_other(self, world, reply):
        # Row 1 goes between the pages, so row 51 moves to the first page, which has been read.
        listing = Listing([review(number) for number in range(1, 61)])
        listing.before_page[2] = lambda: listing.rows.pop(0)
        world.answers = [listing(reply)]
        assert [row.id for row in world.client().reviews.list(7)] == list(range(2, 61))

    def test_one_that_goes_while_another_comes_hides_none(self, world, reply):
        # The count stays the same: only a second reading tells that review 51 slipped to the first page.
        listing = Listing([review(number) for number in range(1, 61)])

        def exchange():
            listing.rows.pop(0)
            listing.rows.append(review(61))

        listing.before_page[2] = exchange
        world.answers = [listing(reply)]
        assert [row.id for row in world.client().reviews.list(7)] == list(range(2, 62))

    def test_a_list_that_never_holds_still_is_an_error(self, world, reply):
        listing = Listing([review(number) for number in range(1, 61)])

        def shrink():
            listing.rows.pop(0)
            listing.before_page[2] = shrink

        listing.before_page[2] = shrink
        world.answers = [listing(reply)]
        with pytest.raises(BadAnswer, match="changes while it is read"):
            world.client().reviews.list(7)

    def test_rows_that_lack_are_an_error(self, world, reply):
        rows = [status(number) for number in range(60)]
        world.answers = [Listing(rows, hide=lambda row: row["id"] == 5)(reply)]
        with pytest.raises(BadAnswer, match="changes while it is read"):
            world.client().statuses.list("c" * 40)

    @pytest.mark.parametrize("count", [None, "", "many", "-1", "1e3", "9" * 5000])
    def test_a_list_without_a_count_is_an_error(self, world, reply, count):
        def answer(request):
            if request.url.path.endswith("/settings/api"):
                return reply(200, {})
            return reply(200, [], **({} if count is None else {"x_total_count": count}))

        world.answers = [answer]
        with pytest.raises(BadAnswer, match="X-Total-Count"):
            world.client().statuses.list("c" * 40)

    def test_a_list_without_an_end_is_an_error_at_once(self, world, reply):
        world.answers = [
            lambda request: reply(200, {} if request.url.path.endswith("/api") else [], x_total_count=10_001)
        ]
        with pytest.raises(BadAnswer, match="10,001 entries"):
            world.client().statuses.list("c" * 40)
        assert len(world.asked) == 2

    @pytest.mark.parametrize("most", [0, -5])
    def test_a_server_that_allows_no_entries_is_an_error(self, world, reply, most):
        world.answers = [reply(200, {"max_response_items": most})]
        with pytest.raises(BadAnswer, match="no list of it can be read"):
            world.client().statuses.list("c" * 40)


class TestTimeline:
    def timeline(self, world, reply, pages):
        asked = []

        def answer(request):
            if request.url.path.endswith("/settings/api"):
                return reply(200, {"max_response_items": 50})
            page = int(request.url.params["page"])
            asked.append(page)
            return reply(200, pages[page - 1] if page <= len(pages) else None, x_total_count=0)

        world.answers = [answer]
        return asked

    def entry(self, number, kind="comment"):
        return {"id": number, "type": kind}

    def test_null_pages_and_null_entries_do_not_end_it(self, world, reply):
        self.timeline(world, reply, [[self.entry(1), None], None, None, [self.entry(9)]])
        assert [entry.id for entry in world.client().timeline.list(7)] == [1, 9]

    def test_line_comments_that_fill_many_pages_do_not_end_it(self, world, reply):
        self.timeline(world, reply, [[self.entry(1)], *[None] * 20, [self.entry(9)]])
        assert [entry.id for entry in world.client().timeline.list(7, hidden=1000)] == [1, 9]

    def test_it_is_read_until_every_comment_that_is_there_was_seen(self, world, reply):
        pages = [[self.entry(1)], *[None] * 60, [self.entry(8, "change_target_branch"), self.entry(9)]]
        self.timeline(world, reply, pages)
        found = world.client().timeline.list(7, expected=[1, 9])
        assert [(entry.id, entry.type) for entry in found] == [
            (1, "comment"),
            (8, "change_target_branch"),
            (9, "comment"),
        ]

    def test_a_comment_that_never_turns_up_is_an_error(self, world, reply):
        asked = self.timeline(world, reply, [[self.entry(1)]])
        with pytest.raises(BadAnswer, match="1 comments that are there do not turn up"):
            world.client().timeline.list(7, expected=[1, 9])
        assert max(asked) <= 402

    def test_one_without_an_end_is_an_error(self, world, reply):
        def answer(request):
            if request.url.path.endswith("/settings/api"):
                return reply(200, {})
            return reply(200, [self.entry(int(request.url.params["page"]))])

        world.answers = [answer]
        with pytest.raises(BadAnswer, match="it has no end"):
            world.client().timeline.list(7)

    def test_a_short_one_takes_few_requests(self, world, reply):
        asked = self.timeline(world, reply, [[self.entry(1)]])
        world.client().timeline.list(7)
        assert sorted(asked) == [1, 2, 3, 4, 5]


def test_comments_are_read_in_one_request(world, reply):
    world.answers = [reply(200, [{"id": 2, "body": "b"}, {"id": 1, "body": "a"}])]
    assert [comment.id for comment in world.client().comments.list(7)] == [1, 2]
    assert [str(asked.url) for asked in world.asked] == ["https://forge.test/api/v1/repos/acme/shop/issues/7/comments"]


class TestGather:
    def test_results_come_in_order(self):
        assert gather([lambda n=n: n * n for n in range(20)]) == tuple(n * n for n in range(20))

    def test_none_and_one_need_no_thread(self):
        assert gather([]) == ()
        assert gather([lambda: 1]) == (1,)

    def test_the_first_fault_in_order_is_raised_after_all_have_ended(self):
        done = []

        def fault(name):
            raise BadAnswer(name)

        with pytest.raises(BadAnswer, match="first"):
            gather([lambda: fault("first"), lambda: fault("second"), lambda: done.append(1)])
        assert done == [1]

    def test_it_may_be_nested(self):
        assert gather([lambda: sum(gather([lambda n=n: n for n in range(9)])) for _ in range(9)]) == (36,) * 9
