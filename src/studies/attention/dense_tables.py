"""Tables of pixels and characters, beside Table 3 of the paper."""

from collections.abc import Mapping
from itertools import combinations

import numpy as np
import pandas as pd

from studies.attention.paper import printed_of_dense_tasks

LIBRARY_DATA = {"pixels": "digits", "characters": "topics"}
"""Data that come with the library, by experiment: far smaller than the paper's."""
BASELINES = ["baseline_bits", "majority", "chance", "data", "steps"]


def tabulate(measurements: Mapping[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
    """Tables of what `studies.attention.trained` measures.

    Args:
        measurements: `answers`, with `experiment`, `architecture` and `seed`.

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
    return {name: _beside_the_paper(name, measurements["answers"], of_paper) for name, of_paper in columns.items()}


def _beside_the_paper(name: str, answers: pd.DataFrame, paper: pd.DataFrame) -> pd.DataFrame:
    rows = answers[answers["experiment"] == name].reindex(columns=["architecture", "bits", "accuracy", *BASELINES])
    of_models = rows.groupby("architecture", sort=False)
    medians = of_models[["bits", "accuracy"]].median()
    medians["lowest"], medians["highest"] = of_models["accuracy"].min(), of_models["accuracy"].max()
    medians["lowest_bits"], medians["highest_bits"] = of_models["bits"].min(), of_models["bits"].max()
    medians["seeds"] = of_models.size()
    medians = medians.join(of_models[BASELINES].first()).reset_index()
    table = paper.merge(medians, "outer", "architecture").fillna({"seeds": 0}).astype({"seeds": int})
    order = [*dict.fromkeys([*paper["architecture"], *medians["architecture"]])]
    return table.sort_values("architecture", key=lambda names: names.map(order.index), ignore_index=True)


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
    """Number of pairs of networks whose better one is the paper's better one, and of all pairs; equals do not count.

    Example:
        >>> pairs_alike(pd.DataFrame({"a": [1.0, 2, 3], "b": [1.0, 3, 2]}), "a", "b")
        (2, 3)
    """
    rows = table.dropna(subset=[ours, theirs])
    pairs = [
        (first[ours] - second[ours]) * (first[theirs] - second[theirs])
        for first, second in combinations(rows.to_dict("records"), 2)
        if first[theirs] != second[theirs]
    ]
    return sum(pair > 0 for pair in pairs), len(pairs)
