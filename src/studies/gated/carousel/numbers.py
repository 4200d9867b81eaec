"""Gradients through the memory of an LSTM, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables
from studies.gated.carousel.measure import END


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: medians over seeds by lag; `carried` are norms of seeds over the longest, by `when`.

    `start` are LSTMs with the largest bias of forget gates, `shut` with none.
    """
    paths = tables["carousel_paths"]
    lstm = paths[paths["architecture"] == "lstm"]
    bias, lag = lstm["bias"].max(), lstm["lag"].max()
    ends = paths[(paths["lag"] == lag) & (paths["bias"].isna() | (paths["bias"] == bias))]
    return {
        "bias": bias,
        "lag": lag,
        "start": lstm[lstm["bias"] == bias].groupby("lag").median(numeric_only=True),
        "shut": lstm[lstm["bias"] == 0].groupby("lag").median(numeric_only=True),
        "trained": lstm[lstm["when"] == END].groupby("lag").median(numeric_only=True),
        "carried": {
            when: rows.pivot(index="seed", columns="architecture", values="exact")
            for when, rows in ends.groupby("when")
        },
    }
