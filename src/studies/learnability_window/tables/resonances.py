"""Tables of resonances: how much of a comb at the task's lags networks are, and what loss goes with it."""

from collections.abc import Mapping

import pandas as pd

from learnability.windows.scaling import rank_correlation
from studies.learnability_window.resampling import NETWORK, correlation_interval
from studies.learnability_window.tables.labels import with_labels

COUNTED = {"carried": "at harmonics", "beside": "a quarter beside"}


def with_loss(harmonics: pd.DataFrame, curve: pd.DataFrame) -> pd.DataFrame:
    """Harmonics of each network at its stored epochs beside its validation loss.

    Args:
        harmonics: of `learnability.windows.resonances.measure_resonances`, with the columns that name a network.
        curve: learning curves, likewise.
    """
    return harmonics.merge(curve[[*NETWORK, "epoch", "validation_loss"]], on=[*NETWORK, "epoch"])


def resonances(harmonics: pd.DataFrame, curve: pd.DataFrame, labels: Mapping[str, str]) -> pd.DataFrame:
    """How many harmonics of the lags networks carry at the end, beside the loss of a comb of as many; medians of seeds.

    Args:
        harmonics, curve: as of `with_loss`.
        labels: names of architectures in print.
    """
    found = with_loss(harmonics, curve)
    last = found[found["epoch"] == found["epoch"].max()].groupby(["optimizer", "architecture"], sort=False)
    table = pd.DataFrame(
        {
            "period": last["period"].first(),
            "harmonics": last["possible"].first(),
            **{text: last[name].median() for name, text in COUNTED.items()},
            "validation loss": last["validation_loss"].median(),
            "loss of such a comb": last["comb_loss"].median(),
            "seeds": last.size(),
        }
    )
    return with_labels(table.reset_index(), labels)


def harmonics_and_loss(
    harmonics: pd.DataFrame, curve: pd.DataFrame, labels: Mapping[str, str], root_seed: int
) -> pd.DataFrame:
    """Rank correlation of the number of harmonics with the validation loss, over all networks and stored epochs.

    Args:
        harmonics, curve: as of `with_loss`.
        root_seed: names the stream that resamples networks.

    Returns:
        A row for the resonances at harmonics and one for those beside them, a control: `networks`, `epochs`, `Spearman`
        with a 95 % interval that resamples networks, and the median difference of the loss from that of a
        comb of as many harmonics, which the control has not.
    """
    found = with_loss(harmonics, curve)
    rows = []
    for name, text in COUNTED.items():
        low, high = correlation_interval(found, name, "validation_loss", root_seed)
        apart = (found["validation_loss"] - found["comb_loss"]).abs().median() if name == "carried" else float("nan")
        rows.append(
            {
                "counted": text,
                "networks": found.groupby(NETWORK).ngroups,
                "epochs": len(found),
                "Spearman": rank_correlation(found[name].to_numpy(), found["validation_loss"].to_numpy()),
                "low": low,
                "high": high,
                "from the comb": apart,
            }
        )
    return pd.DataFrame(rows)
