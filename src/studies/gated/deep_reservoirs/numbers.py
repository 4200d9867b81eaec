"""Time scales of the layers of a deep reservoir, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables
from studies.gated.deep_reservoirs.measure import ALL, COUPLING, GRADED, SAME, SHALLOW


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: medians over seeds.

    Returns:
        `coupled`, last layer over first of equal layers, by the size of weights between layers: `felt_ratio` and
        `lag_ratio`; `others`, the same by each other setting and its value; `graded`, of layers with a leak rate each,
        the steps that an input is `felt` and the `mean_lag`, by layer; and memory `capacity` of all layers, by kind.
    """
    layers = tables["deep_layers"].groupby(["kind", "layer"])[["felt", "mean_lag", "capacity", "units"]].median()
    settings = tables["deep_settings"].groupby(["setting", "value"])[["felt_ratio", "lag_ratio"]].median()
    capacity = layers["capacity"].xs(ALL, level="layer")
    return {
        "seeds": int(tables["deep_layers"]["seed"].nunique()),
        "coupled": settings.loc[COUPLING],
        "others": settings.drop(COUPLING)["lag_ratio"],
        "graded": layers.loc[GRADED].drop(ALL),
        "units": int(layers["units"][SHALLOW, ALL]),
        "capacity": {"equal": capacity[SAME], "graded": capacity[GRADED], "shallow": capacity[SHALLOW]},
    }
