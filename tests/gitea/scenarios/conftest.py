"""The ground of the scenarios on the forge; the classes are in `scenario_ground.py`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "report"))
sys.path.insert(0, str(Path(__file__).parent))

from scenario_ground import approved, started, started_on_the_fake  # noqa: F401 - found by the lines above
