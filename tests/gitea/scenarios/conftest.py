"""The ground of the scenarios on the forge; the classes are in `scenario_ground.py`."""

import sys
from pathlib import Path

for folder in ("report", "scenarios"):
    sys.path.insert(0, str(Path(__file__).parent.parent / folder))

from scenario_ground import approved, started  # noqa: F401 - found by the lines above
