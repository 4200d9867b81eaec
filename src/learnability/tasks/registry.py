"""Tasks by name, each imported when it is used."""

from typing import Any

from learnability.core.registry import Registry

TASKS: Registry[Any] = Registry(
    {
        "delayed_sum": "learnability.tasks.delayed_sum:DelayedSum",
        "copy": "learnability.tasks.copying:Copy",
        "denoise": "learnability.tasks.copying:Denoise",
        "recall": "learnability.tasks.retrieval:Recall",
        "count": "learnability.tasks.counting:Count",
        "pixels": "learnability.tasks.pixels:Pixels",
        "characters": "learnability.tasks.characters:Characters",
        "forecast": "learnability.tasks.forecast:Forecast",
        "lorenz": "learnability.tasks.series:Lorenz",
        "mackey_glass": "learnability.tasks.series:MackeyGlass",
        "narma": "learnability.tasks.series:Narma",
    }
)
"""A line more adds one. Any other goes by `package.module:Name`."""
