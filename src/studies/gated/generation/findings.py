"""Section 17: how much harder it is to continue a series than to predict its next value, and why."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from learnability.report.findings import Finding, listed, number, spread
from learnability.report.style import Tables
from studies.gated.generation.measure import EXPERIMENTS, RESERVOIR, TABLES

TITLES = {"lorenz": "Lorenz", "mackey_glass": "Mackey-Glass"}


def answer(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """From errors after one Lyapunov time, and how fast they grow."""
    times = tables["generation_times"]
    parts = {series: times[times["experiment"] == series] for series in EXPERIMENTS}
    ends = {
        series: [number(rows[f"{way}_at_lyapunov_time"].median()) for way in ("free", "forced")]
        for series, rows in parts.items()
    }
    told = "; ".join(f"{free} and {forced} of the spread for {TITLES[name]}" for name, (free, forced) in ends.items())
    ratio = pd.Series(
        [(rows["free_at_lyapunov_time"] / rows["forced_at_lyapunov_time"]).median() for rows in parts.values()]
    )
    return Finding(
        "Is it harder to continue a series than to predict its next value?",
        f"""
            {"Yes" if ratio.min() > 1 else "Not always"}. After one Lyapunov time the error is {spread(ratio)} times as
            large on the network's own outputs.
        """,
        f"The median errors on own outputs and on true values are {told}. "
        + " ".join(_series(TITLES[series], rows, labels) for series, rows in parts.items())
        + """ Chaos alone makes a small error grow with the exponent of the series. Faster growth is the network's own:
        it was never trained to come back from its own errors.""",
        {},
        """
            the horizon: at the first step both errors are the same; and for a reservoir
            `gated.exhibits.generation.reservoir.penalties`: the penalty that is best for the next value need not keep
            a reservoir stable on its own outputs; for trained networks the length of training.
        """,
        ("", "generation"),
        tuple(("", name) for name in TABLES),
    )


def _series(title: str, rows: pd.DataFrame, labels: Mapping[str, str]) -> str:
    """Next-value error, how long the series is followed, and growth over the exponent, of each network."""
    rows = rows.assign(rate=rows["growth"] / rows["exponent"])
    medians = rows.groupby("architecture")[["one_step_error", "followed_lyapunov_times", "rate", "trained"]].median()
    order = [*(name for name in medians.index if name != RESERVOIR), RESERVOIR]
    told = listed(_network(labels.get(name, f"a {name}"), medians.loc[name]) for name in order)
    return f"{title}: {told}."


def _network(label: str, row: "pd.Series[float]") -> str:
    rate = row["rate"]
    grows = f"errors grow {rate:.3g} times as fast as by chaos" if np.isfinite(rate) else "errors are large at once"
    return (
        f"{label} ({row['trained']:,.0f} trained numbers) misses the next value by {number(row['one_step_error'])} and "
        f"follows the series for {number(row['followed_lyapunov_times'])} Lyapunov times ({grows})"
    )
