"""Time scales of the layers of deep reservoirs, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables
from studies.gated.deep_reservoirs.measure import ALL, COUPLING, GRADED, SAME, SHALLOW


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: how much longer the last layer recalls than the first, by `coupled`, and capacities."""
    medians = tables["deep_layers"].groupby(["kind", "layer"])[["felt", "mean_lag", "capacity", "units"]].median()
    settings = tables["deep_settings"].groupby(["setting", "value"])[["felt_ratio", "lag_ratio"]].median()
    capacity = medians["capacity"].xs(ALL, level="layer")
    return {
        "coupled": settings.loc[COUPLING, "lag_ratio"],
        "felt": settings.loc[COUPLING, "felt_ratio"],
        "others": settings.drop(COUPLING)["lag_ratio"],
        "graded": medians.loc[GRADED].drop(ALL),
        "same": capacity[SAME],
        "with_leaks": capacity[GRADED],
        "shallow": capacity[SHALLOW],
        "units": medians["units"].xs(ALL, level="layer")[SHALLOW],
    }
