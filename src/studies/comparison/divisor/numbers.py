"""Scores and learned lags with and without a common divisor, for the page."""

import math
from collections.abc import Mapping
from typing import Any

from scipy import stats

from learnability.report.style import Tables


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: gains over the control by cell, and the cells that learn the longest lag of each sum.

    Parts are `plain`, `control` and `divisor`, as of `studies.comparison.section.sums_of`. `sure` are cells whose
    interval with a divisor lies above the one at the control, `sure_less` the reverse, and `surely` and `surely_less`
    count them; `by_family` is the mean gain, `halfway` the one after half of the updates, where `surely_halfway` cells
    gain, and `surely_otherwise` those that gain by other choices; `between` gives the 95 % interval of a family's mean
    gain less another's; and `share` what a cell learns of the longest lag of a part.

    Raises:
        LookupError, ValueError: if tables lack the control.
    """
    table = tables["divisor"].assign(name=lambda rows: rows["architecture"].map(labels)).set_index("name")
    lags, rivals = tables["divisor_lags"], table.sort_values("gain_control", ascending=False, kind="stable")
    plain, control, divisor = lags["contest"].unique()
    parts = {"plain": plain, "control": control, "divisor": divisor}
    lags_of = {part: sorted(lags[lags["contest"] == contest]["lag"].unique()) for part, contest in parts.items()}
    of_longest = lags[lags["lag"] == lags.groupby("contest")["lag"].transform("max")]
    of_longest = of_longest.assign(name=of_longest["architecture"].map(labels))
    shares = of_longest.set_index(["contest", "name"])["share"].sort_index()
    choices = tables["choices"][lambda rows: rows["question"] == "divisor"].set_index("choice")["after"]
    gain = table.set_index("family", append=True)["gain_control"]

    def between(family: str, other: str) -> Any:
        members, gains_of_other = gain.xs(family, level="family"), gain.xs(other, level="family")
        return stats.ttest_ind(members, gains_of_other, equal_var=False).confidence_interval()

    below = table["score_high_divisor"] < table["score_low_control"]
    columns = {"plain": "", "control": "_control", "divisor": "_divisor"}
    return {
        "cells": len(table),
        "divisor": math.gcd(*map(int, lags_of["divisor"])),
        "lags": {part: [f"{lag:g}" for lag in steps] for part, steps in lags_of.items()},
        "learners": {part: table.index[table[f"longest{end}"]].tolist() for part, end in columns.items()},
        "gain": rivals["gain_control"],
        "median": {"plain": table["gain"].median(), "control": table["gain_control"].median()},
        "sure": sorted(table.index[table["score_low_divisor"] > table["score_high_control"]]),
        "surely": (table["score_low_divisor"] > table["score_high_control"]).sum(),
        "sure_less": sorted(table.index[below]),
        "surely_less": below.sum(),
        "halfway": (table["half_divisor"] - table["half_control"]).groupby(table["family"]).mean(),
        "surely_halfway": choices["after half of the updates"],
        "surely_otherwise": choices,
        "surely_without_a_seed": choices[choices.index.str.startswith("without seed")],
        "between": between,
        "by_family": table.groupby("family")["gain_control"].mean(),
        "share": lambda part, name: shares[parts[part], name],
        "order": table["score_control"].corr(table["score_divisor"], "spearman"),
        "scores": {part: table[f"score{end}"] for part, end in columns.items()},
    }
