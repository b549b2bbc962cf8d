"""The ground of the tests that publish; the classes are in `report_ground.py`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from each_call import fake, ground  # noqa: F401 - found by the line above
from report_ground import green, host, yellow  # noqa: F401 - likewise
