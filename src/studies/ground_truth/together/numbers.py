"""Six lags that one task requires, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables
from studies.ground_truth.answers import size_columns


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: r/c by lag and architecture, from the `fewest` sequences and from `fresh` ones.

    `enough` has the means from more than the fewest.
    """
    table = tables["learned_share"]
    shares = table[table["grid"] == "six_lags"].assign(name=lambda rows: rows["architecture"].map(labels))
    sizes = size_columns(shares)
    return {
        "sizes": sizes,
        "enough": shares[sizes[1:]].mean(),
        "fewest": shares.pivot(index="lag", columns="name", values=sizes[0]),
        "fresh": shares.pivot(index="lag", columns="name", values=sizes[-1]),
        "rows": {
            f"{size}, lag {lag}": of_lag.set_index("name")[size].map("{:.2f}".format)
            for size in sizes
            for lag, of_lag in shares.groupby("lag", sort=False)
        },
    }
