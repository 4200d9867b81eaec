"""Which cell is best at which task."""

from collections.abc import Mapping

import pandas as pd
from scipy import stats

from learnability.report.findings import Finding, listed, percent, spread
from learnability.report.style import Tables
from studies.comparison.tasks import words

NEAR = 0.03
"""Share of the parameters that were asked for, within which sizes count as equal."""


def answer(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """The best cell of each task, and how sure that is."""
    table = tables["performance"].assign(name=lambda rows: rows["architecture"].map(labels))
    best = table[table["rank"] == 1].drop_duplicates("contest").set_index("contest")
    told, close = [], []
    for contest, first in best.iterrows():
        told.append(f"{first['name']} at {words(str(contest))} ({first['score']:.2f})")
        rows = table[(table["contest"] == contest) & (table["score_high"] >= first["score_low"])]
        if len(others := rows[rows["name"] != first["name"]]):
            close.append(f"at {words(str(contest))} {len(others)}")
    smallest = table["parameters"].max()
    off = table[table["parameters"] < (1 - NEAR) * smallest].drop_duplicates("name")
    edge = table[table["edge"]]
    orders = [stats.spearmanr(rows["half"], rows["score"]).statistic for _, rows in table.groupby("contest")]
    return Finding(
        "Which cells learn which task, at equal parameters and tuned rates?",
        _highest(tables["overall"], labels),
        f"""
            {_intervals(tables["overall"], labels)} The best of each task are {listed(told)}.
            {f"Intervals of others reach theirs: {listed(close)}." if close else ""}
            By family the best are {_families(tables)}. {_diverged(table, labels)}
            Cells have {spread(table["parameters"])} parameters; {_off(off)} A score is the mean of
            {spread(table["seeds"])} fresh seeds, at the rate that others chose, with a 95 % interval by Student's t.
        """,
        {},
        f"""
            the number of updates. The order of cells after half of them agrees with the last one by a Spearman's ρ of
            {min(orders):.2f} to {max(orders):.2f}, by task. The best rate is the smallest or the largest that was tried
            in {len(edge)} of {len(table)} races ({percent(len(edge) / len(table))}), where another might be better.
            {_most_edges(table, labels)}
        """,
        ("", ""),
    )


def _highest(overall: pd.DataFrame, labels: Mapping[str, str]) -> str:
    """The headline: the two highest mean scores, and whether their intervals overlap."""
    names, scores = overall["architecture"].map(labels), overall["score"]
    if len(overall) < 2:
        return f"The highest mean score is {scores.iloc[0]:.2f} ({names.iloc[0]})."
    overlap = overall["score_low"].iloc[0] <= overall["score_high"].iloc[1]
    return f"""The highest mean scores are {scores.iloc[0]:.2f} ({names.iloc[0]}) and {scores.iloc[1]:.2f}
        ({names.iloc[1]}); their intervals {"overlap" if overlap else "are apart"}."""


def _intervals(overall: pd.DataFrame, labels: Mapping[str, str]) -> str:
    """Intervals of the highest mean scores, and how many cells reach the first."""
    within = overall[overall["score_high"] >= overall["score_low"].iloc[0]]
    told = listed(
        f"{row['score_low']:.2f} to {row['score_high']:.2f} ({labels[row['architecture']]})"
        for row in overall.head(2).to_dict("records")
    )
    return f"""Mean scores are over {overall["tasks"].iloc[0]} tasks. Their 95 % intervals over seeds are {told};
        the intervals of {len(within) - 1} others reach the first one's."""


def _most_edges(table: pd.DataFrame, labels: Mapping[str, str]) -> str:
    """The task at which most rates lie at an edge of those tried, and whether its best cell is among them."""
    counts = table.groupby("contest", sort=False)["edge"].sum()
    rows = table[table["contest"] == counts.idxmax()]
    if not counts.max():
        return ""
    first = rows[rows["rank"] == 1].iloc[0]
    own = f"that of the best cell there, {labels[first['architecture']]} ({first['rate']:g}), is one of them"
    return f"""Most of them, {counts.max()} of {len(rows)}, are at {words(str(counts.idxmax()))}{
        f"; {own}" if first["edge"] else ""
    }."""


def _families(tables: Tables) -> str:
    """The family of the best cell of each task."""
    means = tables["performance"].groupby(["contest", "family"], sort=False)["score"].max().unstack()
    return listed(f"{best} at {words(str(contest))}" for contest, best in means.idxmax(axis=1).items())


def _off(off: pd.DataFrame) -> str:
    if off.empty:
        return f"all are within {percent(NEAR)} of the largest."
    least = off.sort_values("parameters", kind="stable").iloc[0]
    return f"""whole units leave {len(off)} of them more than {percent(NEAR)} below the largest, {least["name"]} most
        ({least["parameters"]:,})."""


def _diverged(table: pd.DataFrame, labels: Mapping[str, str]) -> str:
    lost = table[table["diverged"] > 0]
    if lost.empty:
        return "No training at a chosen rate diverged."
    told = listed(f"{row['name']} at {words(row['contest'])}" for row in lost.to_dict("records"))
    return f"Trainings at a chosen rate diverged, and count as a guess: {told}."
