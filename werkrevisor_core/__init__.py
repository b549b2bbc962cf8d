"""The core of werkrevisor: hooks, models, the diff reader, config, the engine and the command line.

The core knows no rule and no forge. Rules reach it through entry points (`registry`), a forge
through the ports of `models.ports`.
"""

__version__ = "0.1.0"
