"""Networks that learn to copy and to denoise, and their updates, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables
from studies.attention.paper import UPDATES_OF_CODE
from studies.attention.trained_tables import BY, LONGER, MOST, PRINTED, RISE, best_founded, of_copying

NETWORK = ["task", "at_delay", "architecture"]


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: networks that have `learned` when training ends, and others; updates and recalls.

    `denoised` counts networks that learned to denoise, by recipe; `first` names networks that learn in the fewest
    updates at some delay of a task, and `first_at` at which.
    """
    speed = tables["learning_speed"]
    table = of_copying(best_founded(speed), "", BY).assign(model=lambda rows: rows["architecture"].map(labels))
    has_learned = table["accuracy"] >= MOST
    learners, without = table[has_learned], table[~has_learned]
    first = learners.loc[learners.groupby(["task", "at_delay"])["updates"].idxmin()]
    by_code = table[table["recipe"] != PRINTED].set_index(NETWORK)
    as_printed = of_copying(speed, "", LONGER).groupby(NETWORK)["accuracy"].max()
    twice = by_code.join(as_printed.rename("printed"), how="inner")
    denoised = learners[learners["task"] == "denoise"]
    is_orthogonal = learners["architecture"].isin(["orth_rnn", "exp_rnn"])
    by_model = table.set_index(["task", "at_delay", "model"]).sort_index()
    return {
        "table": table,
        "learned": learners,
        "first": {task: sorted(set(rows["model"])) for task, rows in first.groupby("task")},
        "first_at": first.set_index(["task", "at_delay"])["model"],
        "recipes_of_orthogonal": learners.loc[is_orthogonal & (learners["task"] == "copy"), "recipe"].unique().tolist(),
        "denoised": len(denoised),
        "denoised_by_code": (denoised["recipe"] != PRINTED).sum(),
        "denoised_as_printed": sorted(set(denoised.loc[denoised["recipe"] == PRINTED, "model"])),
        "updates": by_model["updates"],
        "seeds": by_model["seeds"],
        "single": (table["seeds"] == 1).sum(),
        "by_code": len(by_code),
        "of_code": UPDATES_OF_CODE,
        "twice": len(twice),
        "by_code_alone": ((twice["accuracy"] >= MOST) & (twice["printed"] < MOST)).sum(),
        "nearest": without.sort_values("accuracy", kind="stable").iloc[-1],
        "rising": (without["late_gain"] >= RISE).sum(),
        "without": without,
        "printed_updates": table.loc[table["recipe"] == PRINTED, "all_updates"].max(),
    }
