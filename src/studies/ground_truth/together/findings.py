"""Six lags that one task requires."""

from collections.abc import Mapping

from learnability.report.findings import Finding
from learnability.report.style import Tables
from studies.ground_truth.answers import size_columns


def answer(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """What was learned of the six lags of the paper's task."""
    table = tables["learned_share"]
    own = table[table["grid"] == "six_lags"]
    sizes = size_columns(own)
    rows = {
        f"{size}, lag {lag}": of_lag.set_index("architecture")[size].map("{:.2f}".format).rename(labels)
        for size in sizes
        for lag, of_lag in own.groupby("lag", sort=False)
    }
    first, last = sizes[0], sizes[-1]
    return Finding(
        "Are six lags learned if a task requires them at once?",
        f"They are learned in part: the mean r/c rises from {own[first].mean():.2f} to {own[last].mean():.2f} with the "
        "sequences.",
        f"""
            From {first} to {last}. Numbers are medians over seeds of r/c. The task is the paper's at a smaller scale,
            in which far lags can be learned as echoes of near ones.
        """,
        rows,
        "`grids.six_lags`: lags that are multiples of the first.",
        ("", "phases_six_lags"),
    )
