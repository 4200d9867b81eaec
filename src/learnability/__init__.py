"""Learnability windows in gated recurrent networks.

`measure_model` measures a recurrent torch module or a step of your own, `compare` shows several models next to each
other, `WindowMonitor` measures through a training. `measure_module` is `measure_model` for modules alone. Rooms, from
the ground up: `core` (tables on disk, random streams, errors), `stats` (stable laws), `cells` and `tasks`, `networks`,
`training`, `transport` (effective learning rates, exact products), `windows` (the matched statistic, its noise, sample
complexities and windows), `measurement` (a user's own model) and `report` (pages). A room imports those below it alone.
"the paper" is L. Livi, *Learnability Window in Gated Recurrent Neural Networks*; equation numbers are its own.
"""

from importlib import import_module
from typing import Any

MODULES = {
    "WindowMonitor": "monitor",
    "compare": "comparison",
    "measure_model": "measurement.model",
    "measure_module": "measurement.module",
}
__all__ = ["WindowMonitor", "compare", "measure_model", "measure_module"]


def __getattr__(name: str) -> Any:
    """Import a public name at its first use: torch takes seconds."""
    if name in MODULES:
        return getattr(import_module(f"learnability.{MODULES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
