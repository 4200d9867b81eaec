"""Networks that are trained by the recipe of public code too, beside the printed recipe and the paper."""

from collections.abc import Mapping

import pandas as pd

from learnability.report.findings import Finding, listed, percent
from learnability.report.style import Tables
from studies.attention.answers import NEAR
from studies.attention.trained_tables import (
    MOST,
    PRINTED,
)

OF_SAB = """
    SAB takes the rate, the sizes and the start of the LSTM from its authors' code. Its readout and its alignment start
    as those of our other networks do, because training diverges with the start of the code.
    """
"""What SAB's recipe has from its code, and what not."""


def answer(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """Networks that are trained by the recipe of public code too, beside the printed recipe and the paper."""
    table = tables["recipes"].assign(model=lambda rows: rows["architecture"].map(labels))
    cell = ["task", "delay", "architecture"]
    both = table.pivot(index=cell, columns="recipe", values="measured")
    printed = table[table["recipe"] == PRINTED].set_index(cell)[["measured", "all_updates"]].add_suffix("_printed")
    learned = {str(name): int((both[name] >= MOST).sum()) for name in both}
    by_code = table[table["recipe"] != PRINTED].merge(printed.reset_index(), on=cell)
    told = [
        f"{percent(row['measured'])} for {row['model']} on {row['task']} at T = {row['delay']}, after "
        f"{row['all_updates']:,.0f} updates (as printed {percent(row['measured_printed'])} after "
        f"{row['all_updates_printed']:,.0f}, {percent(row['paper'])} in the paper)"
        for row in by_code.to_dict("records")
    ]
    near = ((by_code["measured"] - by_code["paper"]).abs() <= NEAR).sum()
    diverged = by_code[by_code["diverged"] > 0]
    names = [
        f"{row['model']} on {row['task']} ({row['diverged']} of {row['seeds']})" for row in diverged.to_dict("records")
    ]
    ended = f"Training diverged for {listed(names)}." if names else ""
    cells = pd.concat([tables[name] for name in ("copied", "denoised")])
    measured = cells[(cells["seeds"] > 0) & cells["paper"].notna()]
    still = (~measured["conclusive"].eq(True)).sum()
    start = OF_SAB if (by_code["architecture"] == "sab").any() else ""
    answer = "No network was trained by it."
    if len(by_code):
        others = sum(count for name, count in learned.items() if name != PRINTED)
        verdict = "No" if others <= learned[PRINTED] else "Yes" if others == len(by_code) else "In part"
        answer = f"{verdict}. The networks that learn rise from {learned[PRINTED]} to {others} of {len(by_code)}."
    return Finding(
        "Does the recipe of the authors' code train better than what the paper prints?",
        answer,
        f"""
            The paper's tables leave starts, updates and some rates open, and its authors' code has them. To learn is to
            recall {percent(MOST)} of the symbols. The recall of networks that were trained by both is
            {listed(told) if told else "–"}. By the code {near} of {len(by_code)} are within {100 * NEAR:.0f} percentage
            points of the paper. {start} {ended} Tables 1, 2 and 5 and their verdicts take the recipe of the code where
            there is a network of it. Of the {len(measured)} values of Tables 2 and 5 that were measured, {still} are of
            networks that have not learned and were not trained by the code: these are neither held for the paper nor
            against it.
        """,
        {},
        f"""
            the seed: {(by_code["seeds"] == 1).sum()} of these {len(by_code)} values are of one; the number of updates,
            which is part of a recipe; and what no public code says, which is listed with the recipes.
        """,
        ("", "recipes"),
    )
