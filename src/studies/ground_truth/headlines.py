"""The number behind headlines, from settings alone: what a search over settings computes again and again.

Networks are trained from every N at a small size, and looked at as the workflow does it; then each headline has
numbers, and an answer in a word or two.

Four headlines of the study are not asked here, but by `analysed`, of the trials as they are. `foretold` and `ordered`
rank candidates over architectures: at the size of a search there are three, over which a rank correlation has few
values and no interval, and a half of the settings has too few to choose a candidate on. Gradients of as many settings
as they need would take several minutes for each evaluation. `grown` and `larger` were asked, and do not hold at that
size: N₅₀ was not shown to grow faster than the lag, and larger networks needed fewer usable steps, too. What turns
another answer says nothing of theirs.
"""

from collections.abc import Mapping
from functools import cache
from json import dumps, loads
from typing import Any

import numpy as np
import pandas as pd

from learnability.core.streams import numpy_generator
from learnability.core.variation import Headline
from learnability.transport import choose_engine
from studies.ground_truth.contest import MOST_SEEDS, clipped, half_learned, sizes_of
from studies.ground_truth.grids import TOGETHER, lags_of_settings, size_of, task_of
from studies.ground_truth.growth import learned_share
from studies.ground_truth.tables import last_look
from studies.ground_truth.trials import Budget, prepare_trials, try_to_learn

Numbers = dict[str, float]
Settings = Mapping[str, Any]

FACTORS = (0.5, 2.0)
"""Factors by which a search multiplies each setting."""
NOT_VARIED = ("sequences",)
"""Settings that only say how finely is measured."""

HEADLINES = {
    "thresholds": Headline(
        ("orders between the least and the largest N₅₀", "share of settings learned"),
        lambda orders, _: "tenfold apart" if orders >= 1 else "not tenfold apart",
    ),
    "together": Headline(
        ("mean r/c from the smallest N", "mean r/c from fresh sequences"),
        lambda smallest, fresh: "in part" if smallest < fresh < 0.9 else "other",
    ),
}
"""Headlines by the question that they answer."""


def headline_numbers(settings: Settings, root_seed: int, seed: int) -> Numbers:
    """Return the numbers behind the headlines, of one seed.

    Args:
        settings: `task`, `network`, `architectures`, `optimizer`, `gradient_clip`; `coefficient`, `sample_sizes`,
            `updates`, `batch_size` and `sequences` as in a configuration's `ground_truth`; and `grids`, of which
            `six_lags` has the second headline.

    Returns:
        By name; NaN where nothing is learned.

    Raises:
        InputError: for settings that something refuses.
    """
    grids = settings["grids"]
    trials = pd.concat(
        [_of_grid(settings, name, grid, root_seed, seed) for name, grid in grids.items()], ignore_index=True
    )
    n50 = half_learned(trials, numpy_generator(root_seed, seed, "search"))
    apart = n50[n50["grid"] != TOGETHER]
    learnable, sizes = apart[apart["learned"] >= MOST_SEEDS], sizes_of(trials[trials["grid"] != TOGETHER])
    with np.errstate(divide="ignore"):
        inside = clipped(np.log(learnable["n50"].to_numpy()), sizes)
    of_sizes = learned_share(trials[trials["grid"] == TOGETHER]).filter(like="N = ").mean()
    fewest = f"N = {min(grids[TOGETHER].get('sample_sizes', settings['sample_sizes'])):g}"
    return {
        "orders between the least and the largest N₅₀": float(np.ptp(inside)) if len(inside) else np.nan,
        "share of settings learned": len(learnable) / len(apart),
        "mean r/c from the smallest N": float(of_sizes[fewest]),
        "mean r/c from fresh sequences": float(of_sizes["N = ∞"]),
    }


def _of_grid(settings: Settings, name: str, grid: Settings, root_seed: int, seed: int) -> pd.DataFrame:
    """Trials of all settings of a grid."""
    budget = {key: settings[key] for key in ("optimizer", "gradient_clip", "updates", "batch_size")}
    trials = []
    for lags in lags_of_settings(grid):
        task = task_of(settings["task"], grid, lags, settings["coefficient"])
        for architecture in grid.get("architectures", settings["architectures"]):
            request = {
                "prepared": {
                    "architecture": settings["architectures"][architecture],
                    "task": task,
                    "size": size_of(grid, settings["network"]["hidden_size"]),
                    "readout_bias": settings["network"]["readout_bias"],
                    "sequences": settings["sequences"],
                },
                "sample_sizes": grid.get("sample_sizes", settings["sample_sizes"]),
                "budget": budget,
            }
            table = _tried(dumps(request, sort_keys=True), root_seed, seed)
            trials.append(table.assign(grid=name, architecture=architecture, seed=seed))
    return pd.concat(trials, ignore_index=True)


@cache
def _tried(text: str, root_seed: int, seed: int) -> pd.DataFrame:
    """Trials after all updates; most settings change only some, and the others are known."""
    settings = loads(text)
    frozen, task = prepare_trials(**settings["prepared"], root_seed=root_seed, seed=seed)
    engine = choose_engine("auto", frozen.network.cell, "single")
    budget = Budget(**settings["budget"])
    trials, _ = try_to_learn(frozen, task, settings["sample_sizes"], budget, root_seed, seed, engine)
    return last_look(trials)
