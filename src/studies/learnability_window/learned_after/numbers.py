"""Lags that are detected before they are learned, for the page."""

from typing import Any

from studies.learnability_window.evidence import Evidence


def numbers(evidence: Evidence) -> dict[str, Any]:
    """Numbers of `page.md.j2`: counts of lags learned to a `twentieth`, a `tenth`, and `half` of c.

    They are with all `measured` sequences, as is `permuted`, the control. `hardest` is the row with the most lags that
    are detected after they are learned; `at_the_end` the rank correlation of N̂ with the learned share, by lag.
    """
    table = evidence.table("", "detected_before_learned")
    measured, total = table["N"].max(), table[table["noise"] == "total"]
    rows = table[table["N"] == measured].set_index(["noise", "r/c"])
    half = rows.loc[("total", 0.5)]
    return {
        "measured": measured,
        "twentieth": rows.loc[("total", 0.05)],
        "tenth": rows.loc[("total", 0.1)],
        "half": half,
        "permuted": rows.loc[("permuted", 0.1)],
        "ever": half[["detected, not learned", "detected before", "same"]].sum(),
        "hardest": total.iloc[int((total["after"] / total["learned"]).to_numpy().argmax())],
        "at_the_end": evidence.table("gradient_step", "complexity_and_share").set_index("lag")["Spearman"],
    }
