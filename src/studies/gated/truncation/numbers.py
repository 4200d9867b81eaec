"""Lags that truncated gradients miss, and costs that they save, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: learned shares of lags from the shortest window on, and of lags beyond each window."""
    shares, losses, curves, costs = (tables[f"truncation_{name}"] for name in ("shares", "losses", "curves", "costs"))
    shortest, whole = costs["window"].min(), costs["window"].max()
    lstm = shares[shares["architecture"] == "lstm"]
    between = int(shares.loc[shares["architecture"] == "lstm_slow", "window"].min())
    beyond = shares[shares["lag"] >= between].groupby(["window", "seed", "architecture"])["share"].mean()
    curve = curves[(curves["architecture"] == "lstm") & (curves["epoch"] > 0)]
    loss = curve.groupby(["epoch", "window"])["validation_loss"].median().unstack()
    return {
        "seeds": shares["seed"].nunique(),
        "shortest": shortest,
        "whole": whole,
        "between": between,
        "learned": lstm[lstm["lag"] >= shortest].groupby("window")["share"].mean(),
        "crossed": lstm[lstm["lag"] >= lstm["window"]].groupby("window")["share"].mean(),
        "left": (beyond[between] / beyond[whole]).groupby("architecture").median(),
        "beyond": beyond.groupby(["window", "architecture"]).mean().unstack("window"),
        "costs": costs.set_index("window"),
        "updates": losses[losses["architecture"] == "lstm"].groupby("window")["updates"].first(),
        "behind": loss.index[loss[whole] >= loss[shortest]].max(),
        "passes": len(loss),
    }
