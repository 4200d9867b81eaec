"""Numbers behind headlines on pixels and characters: the best and the worst of a few networks, and their leads."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from learnability.core.variation import Headline
from studies.attention.dense import measure_classes
from studies.attention.headlines.learned import train

Numbers = dict[str, float]
Settings = Mapping[str, Any]

BEST = {"pixels": "rnn", "characters": "exp_rnn"}
"""The network that answers best of each task, at the study's own size."""
WORST = "sab"
"""The one that answers worst."""


def _of_task(name: str) -> Headline:
    return Headline(
        (f"lead of the best network, {name}", f"distance of SAB from the next, {name}"),
        lambda lead, distance: f"{'best' if lead > 0 else 'not best'}, SAB {'worst' if distance > 0 else 'not worst'}",
        (name,),
    )


HEADLINES = {name: _of_task(name) for name in BEST}
"""Headlines by the question that they answer."""


def numbers(settings: Settings, root_seed: int, seed: int) -> Numbers:
    """All numbers behind the headlines, of one seed: differences of accuracy on pixels, of bits on characters.

    Args:
        settings: `pixels` and `characters`, each with `task` and the numbers of its sequences, `network`, `training`,
            `test_sequences`, and `networks`, each with its own `architecture` and `optimizer`.
    """
    leads: Numbers = {}
    for name, best in BEST.items():
        right = pd.Series(
            {
                network: _right(settings[name], network_settings, root_seed, seed)
                for network, network_settings in settings[name]["networks"].items()
            }
        )
        leads[f"lead of the best network, {name}"] = right[best] - right.drop(best).max()
        leads[f"distance of SAB from the next, {name}"] = right.drop(WORST).min() - right[WORST]
    return leads


def _right(settings: Settings, network_settings: Settings, root_seed: int, seed: int) -> float:
    """Accuracy of a network on pixels; on characters minus the bits of an answer."""
    run = {name: settings[name] for name in ("task", "network", "training")}
    run |= {
        "architecture_settings": network_settings["architecture"],
        "optimizer_settings": network_settings["optimizer"],
    }
    model = train(run, root_seed, seed)
    row = measure_classes(
        model.network,
        model.parameters,
        model.task,
        training_sequences=settings["task"]["training_sequences"],
        test_sequences=settings["test_sequences"],
        truncation=settings["training"].get("truncation", 0),
    ).iloc[0]
    return float(row["accuracy"] if settings["task"]["name"] == "pixels" else -row["bits"])
