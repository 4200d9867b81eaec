"""What cells keep at twice the steps."""

from collections.abc import Mapping

from learnability.report.findings import Finding, listed
from learnability.report.style import Tables
from studies.comparison.drawn import words


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
    return Finding(
        "What is left of a score at twice the steps?",
        f"{labels[str(means.index[-1])]} keeps most, a mean score of {means.iloc[-1]:.2f} at twice the steps.",
        f"""
            The best at twice the steps are {listed(told)}. The median loss is
            {listed(f"{value:.2f} at {words(str(contest))}" for contest, value in lost.items())}. Mean losses by family
            are {listed(f"{value:.2f} ({family})" for family, value in by_family.items())}. The delayed sum asks for the
            same lags; selective copying and associative recall ask for symbols that are up to twice as old.
        """,
        {},
        "the task: what is twice as long for one may be no harder.",
        ("", ""),
    )
