"""Makes the listing of one version of a file, in whichever language it is."""

from werkrevisor_rules._support.weakened_tests.bounds import Bounds
from werkrevisor_rules._support.weakened_tests.declarations import Listing
from werkrevisor_rules._support.weakened_tests.outline import Outline
from werkrevisor_rules._support.weakened_tests.outline_calls import CallOutline
from werkrevisor_rules._support.weakened_tests.outline_python import PythonOutline
from werkrevisor_rules._support.weakened_tests.parsing import check_bounds

_CALLS = frozenset({"javascript", "typescript", "tsx"})


def listing(path: str, language: str, data: bytes, bounds: Bounds) -> Listing:
    """List the declarations of a text.

    Raises:
        NotComparable: it is beyond a bound.
        NotParsed: it is not valid in its language.
    """
    check_bounds(data, bounds)
    if language == "python":
        return PythonOutline(path, data, bounds).listing()
    if language in _CALLS:
        return CallOutline(path, language, data, bounds).listing()
    return Outline(path, language, data, bounds).listing()
