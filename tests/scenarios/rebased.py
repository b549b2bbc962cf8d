"""An approved pull request that is rebased, and what a review of its new head did: the ground of several modules."""

from werkrevisor_core.models.verdict import Decision
from werkrevisor_core.testing.scripted import ScriptedJev, ScriptedModel

BASE = "class Shop {\n" + "".join(f"    int line{number} = {number};\n" for number in range(40)) + "}\n"
APPROVED = BASE.replace("line5 = 5", "line5 = 55").replace("line30 = 30", "line30 = 33")
OTHER = "class Other {\n    int a = 1;\n    int b = 2;\n}\n"
CONFLICT = BASE.replace("line5 = 5", "line5 = 50")
RESOLVED = CONFLICT.replace("line5 = 50", "line5 = 505").replace("line30 = 30", "line30 = 33")


def judged(pull, jev=0.1, findings=(), **facts):
    model, judge = ScriptedModel(findings), ScriptedJev(default=jev)
    review = pull.review([model, judge], **facts)
    return review, model, judge


def assert_carried(pull, **facts):
    review, model, jev = judged(pull, **facts)
    assert model.requests == []
    assert jev.calls == []
    assert review.decision is Decision.PASS
    assert all(file.approved for file in review.files)
    return review


def assert_all_reviewed(pull, **facts):
    review, model, _ = judged(pull, **facts)
    counting = [file.path for file in review.files if not file.mechanical]
    assert [file.path for file in model.requests[0].files] + list(model.requests[0].unsendable) == counting
    assert not any(file.approved for file in review.files)
    assert review.decision is not Decision.PASS
    return review


def assert_not_carried(pull, **facts):
    review, model, _ = judged(pull, **facts)
    assert model.requests
    assert review.decision is not Decision.PASS
    return review


def move_main(pull, files=None):
    pull.commit(files or {"docs/new.md": "New.\n"}, "main")


def started(pull, before, after):
    """Make a pull request that changes these files, and have its head reviewed and approved by bob."""
    pull.commit(before, "main")
    pull.git("checkout", "-q", "topic")
    pull.git("merge", "-q", "main")
    pull.commit(after)
    judged(pull)
    pull.approve()
