"""Tables of resonances: harmonics of the task's lags that networks carry, and their loss."""

from collections.abc import Mapping

import pandas as pd

from learnability.windows.scaling import rank_correlation
from studies.learnability_window.resampling import NETWORK, correlation_interval
from studies.learnability_window.tables.labels import with_labels

SEVERAL = 5
"""Harmonics from which on a network carries a comb of some size."""


def with_loss(harmonics: pd.DataFrame, curve: pd.DataFrame) -> pd.DataFrame:
    """Harmonics of each network at its stored epochs beside its validation loss.

    Args:
        harmonics: of `learnability.windows.resonances.measure_resonances`, with the columns that name a network.
        curve: learning curves, with the columns that name a network.
    """
    return harmonics.merge(curve[[*NETWORK, "epoch", "validation_loss"]], on=[*NETWORK, "epoch"])


def resonances(
    harmonics: pd.DataFrame, wrong_periods: pd.DataFrame, curve: pd.DataFrame, labels: Mapping[str, str]
) -> pd.DataFrame:
    """Numbers of harmonics of the lags that networks carry at the end, and of wrong periods; the loss of such a comb.

    Args:
        harmonics, curve: as of `with_loss`.
        wrong_periods: of `learnability.windows.resonances.measure_resonances`, with the columns that name a network.
        labels: names of architectures in print.

    Returns:
        Medians over seeds at the last stored epoch, and `below the comb`, how many seeds have a loss below that of the
        comb of their harmonics alone.
    """
    runs = ["optimizer", "architecture"]
    epochs = with_loss(harmonics, curve)
    last = epochs[epochs["epoch"] == epochs["epoch"].max()]
    by_run = last.groupby(runs, sort=False)
    wrong = wrong_periods[wrong_periods["epoch"] == epochs["epoch"].max()]
    controls = {
        f"at harmonics of {period}": rows.groupby(runs, sort=False)["carried"].median()
        for period, rows in wrong.groupby("period")
    }
    below = (last["validation_loss"] < last["comb_loss"]).groupby([last[name] for name in runs], sort=False)
    table = pd.DataFrame(
        {
            "period": by_run["period"].first(),
            "harmonics": by_run["possible"].first(),
            "at harmonics": by_run["carried"].median(),
            "half-way between": by_run["between"].median(),
            "anywhere": by_run["kept"].median(),
            **controls,
            "validation loss": by_run["validation_loss"].median(),
            "loss of such a comb": by_run["comb_loss"].median(),
            "with those between": by_run["comb_and_between_loss"].median(),
            "below the comb": below.sum(),
            "seeds": by_run.size(),
        }
    )
    return with_labels(table.reset_index(), labels)


def harmonics_and_loss(
    harmonics: pd.DataFrame,
    wrong_periods: pd.DataFrame,
    curve: pd.DataFrame,
    labels: Mapping[str, str],
    root_seed: int,
) -> pd.DataFrame:
    """Rank correlation of the number of resonances with the validation loss, over all networks and stored epochs.

    Args:
        harmonics, curve: as of `with_loss`.
        wrong_periods: of `learnability.windows.resonances.measure_resonances`, with the columns that name a network.
        labels: not used.
        root_seed: names the stream that resamples networks.

    Returns:
        A row for the resonances at harmonics of the lags' divisor, for those half-way between, for those that last,
        wherever they lie, and for those at harmonics of each wrong period: `networks`, `epochs`, `Spearman` with a 95 %
        interval that resamples networks.
    """
    epochs = with_loss(harmonics, curve)
    period = epochs["period"].iloc[0]
    counts = {
        f"harmonics of {period}": epochs["carried"],
        "half-way between": epochs["between"],
        "anywhere": epochs["kept"],
    }
    for wrong_period, table in wrong_periods.groupby("period"):
        of_other = epochs[[*NETWORK, "epoch"]].merge(table, on=[*NETWORK, "epoch"], how="left", validate="one_to_one")
        counts[f"harmonics of {wrong_period}"] = of_other["carried"]
    rows = []
    for text, numbers in counts.items():
        table = epochs.assign(**{text: numbers.to_numpy()})
        low, high = correlation_interval(table, text, "validation_loss", root_seed)
        rows.append(
            {
                "counted": text,
                "networks": table.groupby(NETWORK).ngroups,
                "epochs": len(table),
                "Spearman": rank_correlation(table[text].to_numpy(float), table["validation_loss"].to_numpy()),
                "low": low,
                "high": high,
            }
        )
    return pd.DataFrame(rows)


def distance_from_comb(harmonics: pd.DataFrame, curve: pd.DataFrame, labels: Mapping[str, str]) -> pd.DataFrame:
    """Distance of validation losses from the loss of a comb of as many harmonics, by how many these are.

    Args:
        harmonics, curve: as of `with_loss`.
        labels: not used.

    Returns:
        A row for all stored epochs, for those without a harmonic, with few, with `SEVERAL` or more, and for the last
        epoch: `networks` and `epochs`; the median of the loss less the comb's, and its magnitude; the same two for the
        comb with the resonances half-way between; and how many losses are `below` that of the comb.
    """
    epochs = with_loss(harmonics, curve)
    count, last = epochs["carried"], epochs["epoch"] == epochs["epoch"].max()
    selections = {
        "all stored epochs": count >= 0,
        "no harmonic": count == 0,
        f"1 to {SEVERAL - 1} harmonics": count.between(1, SEVERAL - 1),
        f"{SEVERAL} harmonics or more": count >= SEVERAL,
        "last epoch": last,
    }
    rows = []
    for text, where in selections.items():
        table = epochs[where]
        from_comb = table["validation_loss"] - table["comb_loss"]
        from_both = table["validation_loss"] - table["comb_and_between_loss"]
        rows.append(
            {
                "of": text,
                "networks": table.groupby(NETWORK).ngroups,
                "epochs": len(table),
                "from the comb": from_comb.median(),
                "magnitude": from_comb.abs().median(),
                "from the comb with those between": from_both.median(),
                "its magnitude": from_both.abs().median(),
                "below the comb": int((from_comb < 0).sum()),
            }
        )
    return pd.DataFrame(rows)
