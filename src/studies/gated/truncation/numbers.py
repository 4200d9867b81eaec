"""What truncated gradients miss, and what they save, for the page."""

from collections.abc import Mapping
from typing import Any

import pandas as pd


def numbers(tables: Mapping[str, pd.DataFrame], labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: learned shares of long lags by window, costs of the shortest, and when losses cross."""
    shares, losses, curves, costs = (tables[f"truncation_{name}"] for name in ("shares", "losses", "curves", "costs"))
    own, shortest, whole = shares[shares["architecture"] == "lstm"], *costs["window"].iloc[[0, -1]].tolist()
    beyond = own[own["lag"] >= own["window"]].groupby("window")["share"].mean()
    window = int(shares.loc[shares["architecture"] == "lstm_slow", "window"].min())
    long = shares[shares["lag"] >= window].groupby(["window", "seed", "architecture"])["share"].mean()
    curve = curves[(curves["architecture"] == "lstm") & (curves["epoch"] > 0)]
    loss = curve.groupby(["epoch", "window"])["validation_loss"].median().unstack()
    return {
        "shortest": shortest,
        "by_window": own[own["lag"] >= shortest].groupby("window")["share"].mean(),
        "whole": whole,
        "cost": costs.iloc[0],
        "beyond": beyond,
        "window": window,
        "left": (long[window] / long[whole]).groupby("architecture").median().rename(labels),
        "updates": losses[losses["architecture"] == "lstm"].groupby("window")["updates"].first(),
        "ahead_from": loss.index[loss[whole] >= loss[shortest]].max() + 1,
        "passes": len(loss),
    }
