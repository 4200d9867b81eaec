"""Learnability windows in gated recurrent networks.

`measure_model` measures a recurrent model of your own. Rooms, from the ground up: `core` (tables on disk, random
streams, errors), `stats` (stable laws), `cells` and `tasks`, `networks`, `training`, `transport` (effective learning
rates, exact products), `windows` (the matched statistic, its noise, sample complexities and windows) and `report`
(pages). A room imports those below it alone.
"the paper" is L. Livi, *Learnability Window in Gated Recurrent Neural Networks*; equation numbers are its own.
"""

from importlib import import_module
from typing import Any

__all__ = ["measure_model"]


def __getattr__(name: str) -> Any:
    """`measure_model`, imported when it is asked for: torch takes seconds."""
    if name in __all__:
        return getattr(import_module("learnability.own_model"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
