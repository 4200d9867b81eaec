"""The contest, by its rule and by other tests, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables
from studies.ground_truth.answers import TEXT, words
from studies.ground_truth.contest import ALL, BASELINES, MOST_SEEDS, judged, winner
from studies.ground_truth.tables import last_look

GRIDS = ("dense", "sparse")
"""Grids of the contest."""


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: errors of candidates in log₁₀ N₅₀, on the `held_out` half and left out.

    `in_contest` counts the settings of each half, and `settings` all of the grids of the contest.
    """
    table, left_out, choices = tables["contest"], tables["left_out"], tables["contest_by_choice"]
    by_half = {str(half): rows.set_index("candidate") for half, rows in table.groupby("half")}
    held_out = by_half["held_out"]
    at_start = held_out[held_out.index.str.endswith(", start")]
    judged_name, best = judged(table), at_start["error"].idxmin()
    names = [best, judged_name, TEXT, *BASELINES]
    ratio = tables["random_halves"]["error"] / tables["random_halves"]["error_of_lag"]
    by_seeds = tables["contest_by_seeds"]
    of_noise = by_seeds[by_seeds["judged"] == "noise_scale, start"]
    last = last_look(tables["half_learned"])
    of_grids = last[last["grid"].isin(GRIDS)]
    eligible = of_grids[of_grids["reachable"] >= MOST_SEEDS]
    return {
        "in_contest": eligible["half"].value_counts(),
        "settings": len(of_grids),
        "chosen": judged_name,
        "best": best,
        "won": bool(winner(table)),
        "held_out": held_out,
        "other": by_half["development"],
        "alone": left_out[left_out["architecture"] == ALL].set_index("candidate"),
        "infinite": by_half[ALL]["infinite"],
        "slope": by_half["development"]["slope"],
        "by_seeds": by_seeds["judged"].value_counts(),
        "noise_by_seeds": (of_noise["error"] < of_noise["error_of_lag"]),
        "others": choices[choices["choice"] != "as fixed"],
        "ratio": ratio,
        "rows": {
            f"left out, by {words(str(name))}": errors.set_index("architecture")["error"]
            .map("{:.2f}".format)
            .rename(labels)
            for name, errors in left_out[left_out["architecture"] != ALL].groupby("candidate", sort=False)
            if name in names
        },
    }
