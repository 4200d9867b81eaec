"""Numbers behind the headline on two recipes: networks that learn by the paper's tables, and by its authors' code."""

from collections.abc import Mapping
from typing import Any

from learnability.core.variation import Headline
from studies.attention.headlines.learned import train
from studies.attention.trained_tables import MOST, PRINTED

CODE = "authors_code"

HEADLINES = {
    "recipes": Headline(
        ("networks that learn by the code", "networks that learn as printed", "recall that the code adds"),
        lambda by_code, printed, _: "more by the code" if by_code > printed else "no more",
        ("recipes",),
    )
}
"""The headline by the question that it answers."""


def numbers(settings: Mapping[str, Any], root_seed: int, seed: int) -> dict[str, float]:
    """All numbers behind the headline, of one seed.

    Args:
        settings: `recipes`, with `network`, `training`, `tasks`, and `authors_code` and `printed`, each with the
            same networks: by name its `task`, `architecture` and `optimizer`.
    """
    section = settings["recipes"]
    recall = {
        recipe: [_recall(section, network, root_seed, seed) for network in section[recipe].values()]
        for recipe in (CODE, PRINTED)
    }
    able = {recipe: float(sum(share >= MOST for share in shares)) for recipe, shares in recall.items()}
    gains = [code - paper for code, paper in zip(recall[CODE], recall[PRINTED], strict=True)]
    return {
        "networks that learn by the code": able[CODE],
        "networks that learn as printed": able[PRINTED],
        "recall that the code adds": sum(gains) / len(gains),
    }


def _recall(settings: Mapping[str, Any], network: Mapping[str, Any], root_seed: int, seed: int) -> float:
    """The best share of symbols of validation sequences over training: a training that diverges ends at no other."""
    run = {name: settings[name] for name in ("network", "training")} | {"task": settings["tasks"][network["task"]]}
    run |= {"architecture_settings": network["architecture"], "optimizer_settings": network["optimizer"]}
    return float(train(run, root_seed, seed).curve["validation_accuracy"].iloc[-1])
