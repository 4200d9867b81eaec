"""What cells keep at twice the steps."""

from collections.abc import Mapping

import pandas as pd

from learnability.report.findings import Finding, listed
from learnability.report.style import Tables
from studies.comparison.tasks import words


def answer(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """Which cells keep most, by task and by family."""
    table = tables["longer"]
    best = table.loc[table.groupby("contest", sort=False)["longer"].idxmax()]
    told = [
        f"{labels[row['architecture']]} at {words(row['contest'])} ({row['longer']:.2f})"
        for row in best.to_dict("records")
    ]
    lost = table.groupby("contest", sort=False)["lost"].median()
    by_family = table.groupby("family", sort=False)["lost"].mean().sort_values(kind="stable")
    means = table.groupby("architecture")["longer"].mean().sort_values(kind="stable")
    highest = labels[str(means.index[-1])]
    return Finding(
        "What is left of a score at twice the steps?",
        f"{highest} scores highest at twice the steps, {means.iloc[-1]:.2f} over {len(lost)} tasks.",
        f"""
            The best at twice the steps are {listed(told)}. {_least(table, labels, str(means.index[-1]))}
            The median loss is
            {listed(f"{value:.2f} at {words(str(contest))}" for contest, value in lost.items())}. Mean losses by family
            are {listed(f"{value:.2f} ({family})" for family, value in by_family.items())}. The delayed sum asks for the
            same lags; selective copying and associative recall ask for symbols that are up to twice as old.
        """,
        {},
        "what is twice as long: for one task it may be no harder.",
        ("", ""),
    )


def _least(table: pd.DataFrame, labels: Mapping[str, str], highest: str) -> str:
    """Which cell loses least, beside the one that scores highest."""
    means = table.groupby("architecture")[["score", "lost"]].mean().sort_values("lost", kind="stable")
    least, first = str(means.index[0]), means.iloc[0]
    own = f"""The score of {labels[least]} falls least, by {first["lost"]:.2g} from {first["score"]:.2f}"""
    if least == highest:
        return f"{own}."
    last = means.loc[highest]
    return f"""{own}; {labels[highest]} loses {last["lost"]:.2f} of {last["score"]:.2f}."""
