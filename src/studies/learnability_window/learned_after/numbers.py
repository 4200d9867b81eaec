"""Lags that are detected before they are learned, for the page."""

from typing import Any

from studies.learnability_window.evidence import Evidence


def numbers(evidence: Evidence) -> dict[str, Any]:
    """Numbers of `page.md.j2`: counts of lags learned to a `tenth` and to `half` of c.

    Detection is with all `measured` sequences, as in `permuted`, the control. `twentieths`, `tenths` and `halves` are
    by N. `hardest` is the row with the largest share of lags that are detected after they are learned; `at_the_end` has
    the rank correlation of N̂ with the learned share, by lag; `by_sgd` counts networks. `all_half` counts lags half
    learned in all networks. `closed`, gates that start at 0.05 or below, has how many seeds learn each lag to half, and
    how many there are. `by_optimizer` is of the three gates from ordinary starts, over all lags and rates.
    """
    table, by_run = (evidence.table("", name) for name in ("detected_before_learned", "through_training"))
    half_learned = evidence.all_adamw("", "through_training").pivot(columns="lag", values=["half learned", "seeds"])
    of_gates = by_run[by_run["architecture"].isin(evidence.three)]
    by_optimizer = of_gates.groupby(of_gates["optimizer"].str.split("_0").str[0])[["half learned", "seeds"]].sum()
    sequences, total = table["N"].max(), table[table["noise"] == "total"]
    rows = table[table["N"] == sequences].set_index(["noise", "r/c"])
    half = rows.loc[("total", 0.5)]
    by_size = total.set_index(["r/c", "N"])
    return {
        "measured": sequences,
        "twentieths": by_size.loc[0.05],
        "tenths": by_size.loc[0.1],
        "halves": by_size.loc[0.5],
        "tenth": rows.loc[("total", 0.1)],
        "half": half,
        "permuted": rows.loc[("permuted", 0.1)],
        "ever": half[["detected, not learned", "detected before", "same"]].sum(),
        "hardest": total.iloc[int((total["after"] / total["learned"]).to_numpy().argmax())],
        "all_half": by_run["half learned"].sum(),
        "closed": half_learned.drop([*evidence.three, "LSTM", "GRU"]),
        "by_optimizer": by_optimizer.assign(share=by_optimizer["half learned"] / by_optimizer["seeds"]),
        "by_sgd": evidence.count_by_sgd("through_training"),
        "at_the_end": evidence.table("gradient_step", "complexity_and_share").set_index("lag"),
    }
