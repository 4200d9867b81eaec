"""Networks that copy over one delay at longer ones, beside what the paper prints."""

from collections.abc import Mapping

import pandas as pd

from learnability.report.findings import Finding, listed, percent
from learnability.report.style import Tables
from studies.attention.answers import NEAR
from studies.attention.paper import OF_ALL_STEPS
from studies.attention.trained_tables import MOST


def answer(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """Networks that copy over one delay at longer ones, beside what the paper prints."""
    table = (
        tables["copy_transfer"].dropna(subset="measured").assign(model=lambda rows: rows["architecture"].map(labels))
    )
    first, last = table["delay"].min(), table["delay"].max()
    at = {delay: table[table["delay"] == delay].set_index("model") for delay in (first, last)}
    learned = at[first].index[at[first]["measured"] >= MOST]
    kept = at[last]["measured"].reindex(learned).dropna().sort_values(ascending=False, kind="stable")
    gaps = (at[last]["measured"] - at[last]["paper"]).reindex(learned).dropna()
    shares = listed(f"{percent(share)} for {name}" for name, share in kept.items()) if len(kept) else "–"
    chance = table["chance"].iloc[0]
    beyond = {delay: rows["measured"] - chance for delay, rows in at.items()}
    told = beyond[first][beyond[first] >= chance]
    carried = (beyond[last].reindex(told.index) / told).dropna().clip(0, 1).sort_values(ascending=False, kind="stable")
    ends = table.loc[table.groupby("model", sort=False)["delay"].idxmax()]
    nearer = [
        f"{percent(row['measured'])} for {row['model']} at T = {row['delay']:,}"
        for row in ends[(ends["delay"] < last) & ends["model"].isin(told.index)].to_dict("records")
    ]
    widest = ""
    if len(gaps):
        name = gaps.abs().idxmax()
        widest = f"Of these {name} differs most from the paper, by {gaps[name]:+.2f}."
    everywhere = "".join(
        _at_all_steps(rows.sort_values("delay"))
        for architecture, rows in table.groupby("architecture", sort=False)
        if architecture in OF_ALL_STEPS["copy_transfer"]
    )
    still = kept.index[kept >= MOST]
    does, it = (
        (f"Of those measured only {listed(still)} does", "it recalls")
        if len(still) == 1
        else (f"{listed(still)} do", "they recall")
        if len(still)
        else ("", "")
    )
    return Finding(
        "Do networks that copy over one delay copy over longer ones?",
        f"{does}: trained on delays of {first} steps, {it} the symbols over {last:,}."
        if len(still)
        else f"None of {len(kept)} networks that copy over {first} steps does so over {last:,}.",
        f"""
            To copy is to recall {percent(MOST)} of the symbols. At T = {last:,} the recall is {shares}; the chance
            level is {percent(chance)}. {widest} Of networks with twice the chance level at T = {first}, the share of
            the recall above chance that is kept is
            {listed(f"{percent(share)} for {name}" for name, share in carried.items()) if len(carried) else "–"}.
            {f"Networks that were tried at shorter delays recall {listed(nearer)}." if nearer else ""} {everywhere}
        """,
        {},
        """
            the steps that are counted (here the last ten, as in the authors' code), and how long networks are trained
            (here by the recipe of the authors' code where there is a network of it, else the longest that was tried).
        """,
        ("", "copy_transfer"),
    )


def _at_all_steps(rows: pd.DataFrame) -> str:
    """What a network names by the other count of right answers, beside what the paper prints; rows are by delay."""
    rows = rows[rows["delay"] > rows["delay"].min()].dropna(subset=["paper", "all_steps"])
    if rows.empty:
        return ""
    told = [
        f"{percent(row['all_steps'])} at T = {row['delay']:,} ({percent(row['measured'])}; {percent(row['paper'])})"
        for row in rows.to_dict("records")
    ]
    near = ((rows["all_steps"] - rows["paper"]).abs() <= NEAR).sum()
    return f"""
        The code of {rows["model"].iloc[0]} counts all steps, blanks included; the paper does not say how it counts.
        The accuracy of {rows["model"].iloc[0]} at all steps (and in brackets at the last ten, and in the paper) is
        {listed(told)}: {near} of {len(rows)} are within {100 * NEAR:.0f} percentage points of the paper. Blanks alone
        would be right at {percent(rows["all_chance"].min())} of the steps or more.
    """
