"""Step 13, report: call the reporters stage by stage, and take back where one fails or stops."""

from attrs import evolve

from werkrevisor_core.errors import RuleError
from werkrevisor_core.facade import Facade
from werkrevisor_core.models.publishing import Publication, Published, Stage


def publish(publication: Publication, facade: Facade) -> Published:
    """Publish a review.

    Never raises for what a reporter does. Whatever failed is mended by the next run, since a reporter does
    nothing twice.

    Args:
        publication: the review; where it is halted already, things are only taken back.
        facade: calls the reporters.
    """
    done: list[str] = []
    halted = publication.halted
    for stage in Stage:
        before = len(facade.errors)
        reported = facade.report(publication, stage)
        done += (sentence for one in reported for sentence in one.done)
        stopped = next((one.stopped for one in reported if one.stopped), halted)
        failed = tuple(_sentence(error) for error in facade.errors[before:])
        if stopped or failed:
            more = () if halted else _taken_back(publication, facade, stopped or failed[0], done)
            return Published(tuple(done), stopped, (*failed, *more))
    return Published(tuple(done))


def _taken_back(publication: Publication, facade: Facade, why: str, done: list[str]) -> tuple[str, ...]:
    """Take back what this run or an earlier one granted; return what failed in that."""
    before = len(facade.errors)
    reported = facade.report(evolve(publication, halted=why), Stage.TAKE_BACK)
    done += (sentence for one in reported for sentence in one.done)
    return tuple(_sentence(error) for error in facade.errors[before:])


def _sentence(error: RuleError) -> str:
    return f"The review is not published whole, since `{error.rule}` failed: {error.cause}"
