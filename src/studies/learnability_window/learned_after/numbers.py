"""Whether lags are detected before they are learned, for the page."""

from typing import Any

from studies.learnability_window.evidence import Evidence


def numbers(evidence: Evidence) -> dict[str, Any]:
    """Numbers of `page.md.j2`: rows for the largest N, of lags learned to a `tenth` and to a `half`, and a control."""
    table = evidence.table("", "detected_before_learned")
    rows = {(row["noise"], row["N"], row["r/c"]): row for row in table.to_dict("records")}
    most = table["N"].max()
    total = table[table["noise"] == "total"]
    half = rows["total", most, 0.5]
    return {
        "most": most,
        "tenth": rows["total", most, 0.1],
        "half": half,
        "ever": half["detected, not learned"] + half["detected before"] + half["same"],
        "permuted": rows["permuted", most, 0.1],
        "ends": evidence.table("gradient_step", "complexity_and_share").set_index("lag")["Spearman"],
        "hardest": total.assign(late=total["after"] / total["learned"]).sort_values("late").iloc[-1],
    }
