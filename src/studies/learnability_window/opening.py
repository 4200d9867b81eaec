"""When gradients see a lag, and when it is learned: the epochs of a training at which either first holds."""

import numpy as np
import pandas as pd

from learnability.core.streams import numpy_generator
from learnability.windows.scaling import rank_correlation

NETWORK = ["optimizer", "architecture", "seed"]
SHARES = (0.1, 0.5)
"""Of the coefficient c at which a response r counts as learned."""
DRAWS = 1000


def first_epochs(windows: pd.DataFrame, responses: pd.DataFrame) -> pd.DataFrame:
    """The first stored epochs at which each measured lag of the task is seen and learned, of each network; ∞ for never.

    A lag is seen where the n sequences that were measured suffice, N̂(ℓ) ≤ n: N̂ = ∞ where the mean of S is not above 0
    with confidence, at all lags together.

    Args:
        windows, responses: `training_windows` and `training_responses` of `windows.through_training.measure_training`,
            with the columns that name a network.

    Returns:
        A row for each network, `noise` and lag: `seen`, and `learned_0.1`, `learned_0.5`, where r/c reaches so much.
        The noise `permuted` is that of errors of another sequence, with which there is nothing to see.
    """
    of_lag = [*NETWORK, "lag"]
    named = windows.assign(noise=windows["noise"].where(windows["control"] == "none", "permuted"))
    seen = first(named, named["log_sample_complexity"] <= np.log(named["sequences"]), [*of_lag, "noise"]).rename("seen")
    asked = responses[responses["coefficient"] != 0]
    share = asked["response"] / asked["coefficient"]
    learned = {f"learned_{least}": first(asked, share >= least, of_lag) for least in SHARES}
    return seen.reset_index().merge(pd.DataFrame(learned).reset_index(), on=of_lag)


def first(table: pd.DataFrame, holds: "pd.Series[bool]", keys: list[str]) -> "pd.Series[float]":
    """The first epoch of each group of rows at which something holds, ∞ if it never does."""
    return table["epoch"].astype(float).where(holds, np.inf).groupby([table[key] for key in keys], sort=False).min()


def seen_before_learned(windows: pd.DataFrame, responses: pd.DataFrame) -> pd.DataFrame:
    """Whether lags are seen before they are learned, over all networks and lags of the task.

    Args:
        windows, responses: as of `first_epochs`.

    Returns:
        A row for each noise and share of c: `networks`, `lags`, how many of all are learned at all, and of these seen
        `before`, at the `same` stored epoch or `after`, ∞ counting as after; Spearman's correlation of both epochs over
        all, never being last, with a 95 % interval that resamples networks. The rows of `permuted` errors say how often
        chance alone sees a lag, and sees it first, over so many epochs.
    """
    rows = []
    for noise, epochs in first_epochs(windows, responses).groupby("noise", sort=False):
        for least in SHARES:
            seen, learned = epochs["seen"], epochs[f"learned_{least}"]
            ever = np.isfinite(learned)
            low, high = _interval(epochs, "seen", f"learned_{least}")
            rows.append(
                {
                    "noise": noise,
                    "r/c": least,
                    "networks": epochs.groupby(NETWORK).ngroups,
                    "lags": len(epochs),
                    "learned": int(ever.sum()),
                    "seen before": int((seen < learned)[ever].sum()),
                    "same": int((seen == learned)[ever].sum()),
                    "after": int((seen > learned)[ever].sum()),
                    "seen, not learned": int((np.isfinite(seen) & ~ever).sum()),
                    "Spearman": rank_correlation(seen.to_numpy(), learned.to_numpy()),
                    "low": low,
                    "high": high,
                }
            )
    return pd.DataFrame(rows)


def _interval(epochs: pd.DataFrame, x: str, y: str) -> tuple[float, float]:
    """Of the rank correlation, over resamples of networks with all their lags."""
    generator = numpy_generator(0, 0, "networks", x, y)
    members = [rows[[x, y]].to_numpy() for _, rows in epochs.groupby(NETWORK, sort=False)]
    found = []
    for chosen in generator.integers(len(members), size=(DRAWS, len(members))):
        pairs = np.concatenate([members[index] for index in chosen])
        found.append(rank_correlation(pairs[:, 0], pairs[:, 1]))
    low, high = np.nanquantile(found, [0.025, 0.975]) if np.isfinite(found).any() else (np.nan, np.nan)
    return float(low), float(high)
