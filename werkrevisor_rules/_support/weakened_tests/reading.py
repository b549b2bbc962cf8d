"""Makes the listing of one version of a file, in whichever language it is."""

from werkrevisor_rules._support.weakened_tests.around import Known
from werkrevisor_rules._support.weakened_tests.bounds import Bounds
from werkrevisor_rules._support.weakened_tests.declarations import Listing
from werkrevisor_rules._support.weakened_tests.outline import Outline
from werkrevisor_rules._support.weakened_tests.outline_calls import CallOutline
from werkrevisor_rules._support.weakened_tests.outline_python import PythonOutline
from werkrevisor_rules._support.weakened_tests.parsing import check_bounds

_CALLS = frozenset({"javascript", "typescript", "tsx"})


def listing(path: str, language: str, data: bytes, bounds: Bounds, known: Known | None = None) -> Listing:
    """List the declarations of a text.

    Args:
        path: its path.
        language: its language.
        data: the text.
        bounds: how much of it is looked at.
        known: what is known of another version of the file at the same path; it learns of this one.

    Raises:
        NotComparable: it is beyond a bound.
        NotParsed: it is not valid in its language.
    """
    check_bounds(data, bounds)
    if language == "python":
        return PythonOutline(path, data, bounds).listing()
    if language in _CALLS:
        return CallOutline(path, language, data, bounds, known or Known()).listing()
    return Outline(path, language, data, bounds, known or Known()).listing()
