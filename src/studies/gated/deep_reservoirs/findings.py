"""Section 16: whether layers of a deep reservoir have time scales of their own."""

from collections.abc import Mapping

from learnability.report.findings import Finding, listed, number
from learnability.report.style import Tables
from studies.gated.deep_reservoirs.measure import ALL, COUPLING, GRADED, SAME, SHALLOW, TABLES

SLOWER = 1.1
"""From which a last layer counts as slower than the first, as in the claims."""


def answer(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """From how long an input is felt in each layer, what each recalls, and the grid of settings."""
    medians = tables["deep_layers"].groupby(["kind", "layer"])[["felt", "mean_lag", "capacity", "units"]].median()
    graded = medians.loc[GRADED].drop(ALL)
    capacity = medians["capacity"].xs(ALL, level="layer")
    units = medians["units"].xs(ALL, level="layer")[SHALLOW]
    settings = tables["deep_settings"].groupby(["setting", "value"])[["felt_ratio", "lag_ratio", "capacity"]].median()
    coupled = settings.loc[COUPLING]
    low, high = coupled["lag_ratio"].min(), coupled["lag_ratio"].max()
    verdict = "Yes" if low >= SLOWER else "No" if high < SLOWER else "Only if layers are weakly coupled"
    extremes = [float(str(at)) for at in (coupled["lag_ratio"].idxmax(), coupled["lag_ratio"].idxmin())]
    others = [
        f"`{name}` from {number(rows['lag_ratio'].min())} to {number(rows['lag_ratio'].max())}"
        for name, rows in settings.groupby(level="setting", sort=False)
        if name != COUPLING
    ]
    return Finding(
        "Does each layer of a deep reservoir have a time scale of its own?",
        f"""
            {verdict}: the last layer recalls lags up to {number(high)} times as long as the first.
        """,
        f"""
            This ratio of mean lags is of equal layers, {number(high)} at `{COUPLING}` {number(extremes[0])} and
            {number(low)} at {number(extremes[1])}. An input is felt
            {number(coupled["felt_ratio"].min())} to {number(coupled["felt_ratio"].max())} times as long in the last
            layer, over the same values. {_moved(others)}
            Where each layer has a leak rate, the layers feel an input for
            {listed(number(value) for value in graded["felt"])} steps and recall lags of
            {listed(number(value) for value in graded["mean_lag"])} steps. All {number(units)} units recall
            {number(capacity[SAME])} steps in equal layers, {number(capacity[GRADED])} with leak rates and
            {number(capacity[SHALLOW])} in one layer.
        """,
        {},
        f"""
            `gated.exhibits.deep_reservoirs.{COUPLING}`, the size of the weights between layers: the table
            `deep_settings` has the ratios over a grid of it and of four other settings.
        """,
        ("", "deep_reservoirs"),
        tuple(("", name) for name in TABLES),
    )


def _moved(others: list[str]) -> str:
    return f"Other settings of equal layers move the ratio of mean lags: {listed(others)}." if others else ""
