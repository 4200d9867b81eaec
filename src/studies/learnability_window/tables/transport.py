"""Tables of first-order and exact transport."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from learnability.stats.fits import fit_power
from learnability.windows.scaling import rank_correlation
from studies.learnability_window.tables.labels import with_labels

AGREEMENT = 0.1
"""Relative error of first-order transport up to which it agrees with the exact one."""


def transport_by_lag(exact: pd.DataFrame, labels: Mapping[str, str]) -> pd.DataFrame:
    """First-order beside exact transport at each lag, medians over seeds.

    Args:
        exact: rows of `learnability.transport.exact_table` with columns architecture, optimizer and seed.
        labels: names of architectures in print.
    """
    medians = exact.groupby(["optimizer", "architecture", "lag"], sort=False).median(numeric_only=True)
    return with_labels(medians.drop(columns="seed").reset_index(), labels)


def transport_check(exact: pd.DataFrame, labels: Mapping[str, str]) -> pd.DataFrame:
    """The check of the author's public code: does the first-order envelope fall with the lag as the exact one does?

    Between f = Σ_q ⟨|γ⁰ + γ¹|⟩ and Σ_q ⟨|(M_{t,ℓ})_{qq}|⟩ on the same windows, over the lags of one network. The base
    rate is 1, where that code has a rate for each unit.

    Args:
        exact: rows of `learnability.transport.exact_table` with columns architecture, optimizer and seed.
        labels: names of architectures in print.

    Returns:
        A row for each network, of a GRU two, of which `eq26` has the terms that Eq. 26 adds, as in that code:
        Spearman's correlation of both, Pearson's of their logarithms, the slopes of these over log ℓ, the
        `slope ratio`, first-order over exact, and `orders at the last lag`, log₁₀ of exact over first-order there.
    """
    rows = []
    for names, table in exact.groupby(["optimizer", "architecture", "seed"], sort=False):
        kinds = (
            {"strict": "first_order", "eq26": "eq26"}
            if "eq26" in table and table["eq26"].notna().any()
            else {"both": "first_order"}
        )
        for kind, column in kinds.items():
            lags, pair = table["lag"].to_numpy(), [table[name].to_numpy() for name in ("exact", column)]
            slopes = [-fit_power(lags, values).parameter for values in pair]
            rows.append(
                dict(zip(("optimizer", "architecture", "seed"), names, strict=True))
                | {
                    "gru_rates": kind,
                    "lags": len(lags),
                    "Spearman": rank_correlation(*pair),
                    "Pearson of logs": np.corrcoef(*np.log(pair))[0, 1],
                    "slope, exact": slopes[0],
                    "slope, first order": slopes[1],
                    "slope ratio": slopes[1] / slopes[0],
                    "orders at the last lag": np.log10(pair[0][-1] / pair[1][-1]),
                }
            )
    return with_labels(pd.DataFrame(rows), labels)


def transport_in_words(table: pd.DataFrame) -> list[str]:
    """Sentences on the lag at which both kinds of transport part, one for each architecture and optimizer."""
    sentences = []
    for (optimizer, architecture), rows in table.groupby(["optimizer", "architecture"], sort=False):
        ends = [_agreeing(rows, f"relative_error{end}") for end in ("", "_high", "_low")]
        between = f" (95 % interval: {ends[1]} to {ends[2]})" if ends[1] != ends[2] else ""
        near = f"agree within {AGREEMENT:.0%} up to lag {ends[0]}{between}" if ends[0] else "agree at no lag"
        last = rows.iloc[-1]
        ratio = last["exact"] / last["first_order"] if last["first_order"] else np.inf
        size = f"is {ratio:.3g} times the first-order one" if np.isfinite(ratio) else "is all there is"
        far = f"at lag {last['lag']} the exact envelope {size}"
        off = f"{last['off_diagonal']:.0%} of ‖M‖²_F lies off the diagonal"
        sentences.append(f"{architecture}, {optimizer}: first-order and exact transport {near}; {far}, and {off}.")
    return sentences


def _agreeing(rows: pd.DataFrame, column: str) -> int:
    """The last lag up to which a relative error is small, 0 if it is not so at the first."""
    return int(rows["lag"].where((rows[column] <= AGREEMENT).cummin(), 0).max())
