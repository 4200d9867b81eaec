"""Numbers behind headlines on gradients of denoise: after training, and over the sizes of what screening keeps."""

from collections.abc import Mapping, Sequence
from functools import cache
from json import dumps, loads
from typing import Any

import numpy as np
import pandas as pd

from learnability.core.variation import Headline
from studies.attention.before_training import by_quarters
from studies.attention.headlines.learned import train
from studies.attention.screening import measure_screening
from studies.attention.sizes.tables import leverage
from studies.attention.trained import measure_arriving
from studies.attention.trained_tables import SIZES

Numbers = dict[str, float]
Settings = Mapping[str, Any]

APART = 1.0
"""Orders of magnitude from which gradients differ."""

HEADLINES = {
    "arriving_trained": Headline(
        ("orders between trained networks", "orders that arrive in the network that keeps most"),
        lambda at: "far apart" if at["orders between trained networks"] >= APART else "close",
        ("denoise",),
    ),
    "sizes": Headline(
        (
            "orders by which ν moves gradients before training, at least",
            "orders by which ρ moves gradients before training, at most",
            "orders by which either moves them after training",
        ),
        lambda at: _of_sizes(*at.values()),
        ("screening",),
    ),
}
"""Headlines by the question that they answer."""


def _of_sizes(buffer: float, relevant: float, after: float) -> str:
    before = "the buffer" if buffer > relevant else "not the buffer"
    return f"{before} before training, {'neither' if after < APART else 'one'} after"


def numbers(settings: Settings, root_seed: int, seed: int) -> Numbers:
    """All numbers behind the headlines, of one seed.

    Args:
        settings: `denoise`, with `task` and the numbers of its sequences, `network`, `training`, `optimizer`,
            `architectures`, and the `sequences` on which gradients are measured. And `screening`, with `sizes` and
            `other` of `studies.attention.screening.measure_screening`; `norms`, with `architectures`, `units`, `delay`
            and `sequences`; and what networks are trained by at each size, as `denoise` has it.
    """
    return {
        **_orders_of_trained(settings["denoise"], root_seed, seed),
        **_before(dumps(settings["screening"]), root_seed, seed),
        **_after(settings["screening"], root_seed, seed),
    }


def _orders_of_trained(settings: Settings, root_seed: int, seed: int) -> Numbers:
    farthest = [
        _farthest(settings, architecture, root_seed, seed) for architecture in settings["architectures"].values()
    ]
    norms = np.array(farthest)[np.isfinite(farthest)]
    return {
        "orders between trained networks": float(np.ptp(norms)),
        "orders that arrive in the network that keeps most": float(norms.max()),
    }


def _farthest(settings: Settings, architecture: Settings, root_seed: int, seed: int) -> float:
    """log₁₀ of ‖∂L/∂h_t‖ in the farthest quarter of the way back over that at the last step, after training."""
    run = {name: settings[name] for name in ("task", "network", "training")}
    run |= {"architecture_settings": architecture, "optimizer_settings": settings["optimizer"]}
    model = train(run, root_seed, seed)
    norms = measure_arriving(model.network, model.parameters, model.task.generate("backward", settings["sequences"]))
    return _of_quarters(norms)


def _of_quarters(norms: pd.DataFrame) -> float:
    *_, farthest, _ = by_quarters(norms.assign(architecture="network")).iloc[0]
    return float(farthest)


@cache
def _before(text: str, root_seed: int, seed: int) -> Numbers:
    settings = loads(text)
    norms = settings["norms"]
    size = {name: norms[name] for name in ("units", "delay", "sequences")}
    rows = []
    for name, architecture in norms["architectures"].items():
        table = measure_screening(
            architecture, settings["sizes"], settings["other"], **size, root_seed=root_seed, seeds=[seed]
        )
        for (size_name, value), group in table.groupby(["varied", "size"]):
            rows.append((name, "nothing", size_name, value, _of_quarters(group)))
    leverages = _leverages(rows)
    return {
        "orders by which ν moves gradients before training, at least": float(leverages["short_term"].min()),
        "orders by which ρ moves gradients before training, at most": float(leverages["relevant"].max()),
    }


def _leverages(rows: Sequence[tuple[Any, ...]]) -> pd.DataFrame:
    return leverage(pd.DataFrame(rows, columns=["architecture", "trained_on", "varied", "size", "farthest"]))


def _after(settings: Settings, root_seed: int, seed: int) -> Numbers:
    """Orders by which ρ or ν moves the gradient of networks that are trained at each size, the most of any."""
    rows = []
    for name, architecture in settings["architectures"].items():
        for size_name in SIZES:
            for size in settings["sizes"]:
                variant = architecture | dict.fromkeys(SIZES, settings["other"]) | {size_name: size}
                rows.append((name, "denoise", size_name, size, _farthest(settings, variant, root_seed, seed)))
    return {"orders by which either moves them after training": float(_leverages(rows)[list(SIZES)].to_numpy().max())}
