"""Section 16: whether layers of a deep reservoir have time scales of their own."""

from collections.abc import Mapping

from learnability.report.findings import Finding, listed, number
from learnability.report.style import Tables
from studies.gated.exhibits.deep_reservoirs import ALL, GRADED, SAME, SHALLOW, TABLES


def answer(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """From how long an input is felt in each layer, and what each recalls."""
    medians = tables["deep_layers"].groupby(["kind", "layer"])[["felt", "mean_lag", "capacity", "units"]].median()
    same, graded = (medians.loc[kind].drop(ALL) for kind in (SAME, GRADED))
    felt, slow = (listed(number(value) for value in rows["felt"]) for rows in (same, graded))
    lags, slow_lags = (listed(number(value) for value in rows["mean_lag"]) for rows in (same, graded))
    capacity = medians["capacity"].xs(ALL, level="layer")
    units = medians["units"].xs(ALL, level="layer")[SHALLOW]
    return Finding(
        "Does each layer of a deep reservoir have a time scale of its own?",
        f"""
            Of layers that differ in nothing but their weights one input is felt for {felt} steps, from the first to the
            last; where each has a leak rate of its own, for {slow}.
        """,
        f"""
            What a readout recalls of each layer lies {lags} steps back on average, and {slow_lags} with leak
            rates. Together {number(units)} units recall {number(capacity[SAME])} steps in equal layers and
            {number(capacity[GRADED])} with leak rates; as many in one layer {number(capacity[SHALLOW])}.
        """,
        {},
        """
            `gated.exhibits.deep_reservoirs.graded_leaks`: layers differ in how long they feel an input as they
            differ in their leak rates.
        """,
        ("", "deep_reservoirs"),
        tuple(("", name) for name in TABLES),
    )
