"""Step 13: stages in order; where a reporter fails or stops, what was granted is taken back and nothing follows."""

from werkrevisor_core.facade import Facade
from werkrevisor_core.models.publishing import Publication, Published, Reported, Stage
from werkrevisor_core.rule import Phase
from werkrevisor_core.steps.report import publish
from werkrevisor_core.testing.scripted import rule


def published(acts, halted=""):
    """Publish with one reporter that does in each stage what `acts` says; return what came of it and the calls."""
    calls = []

    def report(publication, stage):
        calls.append((stage, publication.halted))
        act = acts.get(stage)
        return act() if callable(act) else act

    facade = Facade((rule("reporter", Phase.REPORT, werkrevisor_report=report),), {})
    return publish(Publication(None, None, None, halted), facade), calls


def broken():
    raise RuntimeError("no")


def test_all_stages_in_order():
    acts = {Stage.SAY: Reported(("said",)), Stage.MERGE: Reported(("merged",))}
    result, calls = published(acts)
    assert result == Published(("said", "merged"))
    assert result.whole
    names = ("take_back", "record", "discuss", "say", "ask", "approve", "allow", "merge")
    assert calls == [(Stage(name), "") for name in names]


def test_a_reporter_that_stops_is_the_last_but_for_taking_back():
    result, calls = published({Stage.RECORD: Reported(("noted",), "it moved")})
    assert result == Published(("noted",), "it moved")
    assert not result.whole
    assert calls == [(Stage.TAKE_BACK, ""), (Stage.RECORD, ""), (Stage.TAKE_BACK, "it moved")]


def test_a_reporter_that_raises_is_the_last_but_for_taking_back():
    result, calls = published({Stage.RECORD: broken})
    sentence = "The review is not published whole, since `reporter` failed: RuntimeError: no"
    assert result == Published((), "", (sentence,))
    assert calls == [(Stage.TAKE_BACK, ""), (Stage.RECORD, ""), (Stage.TAKE_BACK, sentence)]


def test_what_fails_in_taking_back_is_said_too():
    results = iter([None, broken])

    def take_back():
        act = next(results)
        return act() if act else None

    result, _ = published({Stage.TAKE_BACK: take_back, Stage.RECORD: Reported(stopped="it moved")})
    assert (result.stopped, len(result.failed)) == ("it moved", 1)


def test_a_halted_publication_only_takes_back():
    result, calls = published({Stage.TAKE_BACK: Reported(("taken",)), Stage.RECORD: Reported(("noted",))}, "it moved")
    assert result == Published(("taken",), "it moved")
    assert calls == [(Stage.TAKE_BACK, "it moved")]
