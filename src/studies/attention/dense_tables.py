"""Tables of pixels and characters, beside Table 3 of the paper."""

from collections.abc import Mapping
from itertools import combinations

import numpy as np
import pandas as pd

from studies.attention.paper import printed_of_dense_tasks

EMBEDDED = {"pixels": "digits", "characters": "topics"}
"""Data that come with the library, by experiment: far smaller than the paper's."""
DENSE = tuple(EMBEDDED)
BASELINES = ["baseline_bits", "majority", "chance", "data", "steps"]


def tabulate(measured: Mapping[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
    """Tables of what `studies.attention.trained` measures.

    Args:
        measured: `answers`, with `experiment`, `architecture` and `seed`.

    Returns:
        `pixels` and `characters`: `bits` of an answer and `accuracy` on test sequences, medians over seeds, with the
        `lowest` and `highest` accuracy of a seed, and bits, NaN where nothing was trained; the paper's; and what who
        sees no input has, see `studies.attention.dense.measure_classes`.
    """
    paper = printed_of_dense_tasks()
    columns = {
        "pixels": paper[["architecture", "pixels"]].rename(columns={"pixels": "paper_accuracy"}),
        "characters": paper[["architecture", "bits", "accuracy"]].rename(
            columns={"bits": "paper_bits", "accuracy": "paper_accuracy"}
        ),
    }
    return {name: _beside_the_paper(name, measured["answers"], of_paper) for name, of_paper in columns.items()}


def _beside_the_paper(name: str, answers: pd.DataFrame, paper: pd.DataFrame) -> pd.DataFrame:
    own = answers[answers["experiment"] == name].reindex(columns=["architecture", "bits", "accuracy", *BASELINES])
    of_models = own.groupby("architecture", sort=False)
    found = of_models[["bits", "accuracy"]].median()
    found["lowest"], found["highest"] = of_models["accuracy"].min(), of_models["accuracy"].max()
    found["lowest_bits"], found["highest_bits"] = of_models["bits"].min(), of_models["bits"].max()
    found["seeds"] = of_models.size()
    found = found.join(of_models[BASELINES].first()).reset_index()
    table = paper.merge(found, "outer", "architecture").fillna({"seeds": 0}).astype({"seeds": int})
    order = [*dict.fromkeys([*paper["architecture"], *found["architecture"]])]
    return table.sort_values("architecture", key=lambda each: each.map(order.index), ignore_index=True)


def curve_of(tables: Mapping[str, pd.DataFrame], experiment: str) -> pd.DataFrame:
    """Learning curves of an experiment, with `validation_bits` of an answer."""
    curves = tables["curve"][tables["curve"]["experiment"] == experiment]
    return curves.assign(validation_bits=curves["validation_loss"] / np.log(2))


def trained_rows(table: pd.DataFrame, labels: Mapping[str, str]) -> pd.DataFrame:
    """Rows of networks that were trained, with the `model` in words."""
    return table[np.isfinite(table["accuracy"].astype(float))].assign(
        model=lambda rows: rows["architecture"].map(labels)
    )


def pairs_alike(table: pd.DataFrame, ours: str, theirs: str) -> tuple[int, int]:
    """In how many pairs of networks the better one is the paper's better one, of how many; of equals neither is.

    Example:
        >>> pairs_alike(pd.DataFrame({"a": [1.0, 2, 3], "b": [1.0, 3, 2]}), "a", "b")
        (2, 3)
    """
    both = table.dropna(subset=[ours, theirs])
    pairs = [
        (one[ours] - other[ours]) * (one[theirs] - other[theirs])
        for one, other in combinations(both.to_dict("records"), 2)
        if one[theirs] != other[theirs]
    ]
    return sum(pair > 0 for pair in pairs), len(pairs)
