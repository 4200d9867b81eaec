"""What answers about pixels and characters share."""

from collections.abc import Mapping
from itertools import combinations

import numpy as np
import pandas as pd

from studies.attention.dense_tables import EMBEDDED, OF_PAPER

NO_NETWORK = "No network was trained on these data here."


def order_of_the_paper(table: pd.DataFrame, ours: str, theirs: str) -> str:
    """In how many pairs of networks the better one is the paper's better one; of equals neither is."""
    both = table.dropna(subset=[ours, theirs])
    pairs = [
        (one[ours] - other[ours]) * (one[theirs] - other[theirs])
        for one, other in combinations(both.to_dict("records"), 2)
        if one[theirs] != other[theirs]
    ]
    return f"The order of the paper holds for {sum(pair > 0 for pair in pairs)} of {len(pairs)} pairs of networks."


def about_data(table: pd.DataFrame, name: str) -> str:
    """Whether numbers can be compared with the paper's."""
    (data, steps), *_ = table[["data", "steps"]].itertuples(index=False)
    if data == EMBEDDED[name]:
        return (
            f"The data are '{data}', which come with the library, in sequences of {steps:.0f} steps, and not "
            f"{OF_PAPER[name]}: only the order of networks can be compared with the paper. "
            f"`attention.experiments.{name}.task.source` takes the path or URL of other data."
        )
    return f"The data are '{data}', in sequences of {steps:.0f} steps; the paper has {OF_PAPER[name]}."


def trained_rows(table: pd.DataFrame, labels: Mapping[str, str]) -> pd.DataFrame:
    """Rows of networks that were trained, with the `model` in words."""
    return table[np.isfinite(table["accuracy"].astype(float))].assign(
        model=lambda rows: rows["architecture"].map(labels)
    )
