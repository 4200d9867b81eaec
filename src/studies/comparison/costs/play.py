"""Score against cost, of the task and the cost that a reader chooses, with the cells that none beats for less."""

from collections.abc import Mapping

import altair as alt
import pandas as pd

from learnability.report.pages.play import OTHERS, Choice, Play, inline, menu, with_controls
from studies.comparison.costs.fronts import front
from studies.comparison.tasks import MEAN, words

COSTS = {
    "multiply_adds": "multiply-adds of a gradient, a step",
    "kept_bytes": "bytes kept for the backward pass, a step",
    "state": "numbers in the state",
}


def play(tables: Mapping[str, pd.DataFrame], labels: Mapping[str, str], colours: Mapping[str, str]) -> Play:
    """Play of `costs` and `performance`; costs are means over tasks."""
    costs = tables["costs"]
    of_tasks = tables["performance"][["contest", "architecture", "score"]]
    scores = pd.concat([costs[["architecture", "score"]].assign(contest=MEAN), of_tasks], ignore_index=True)
    parts = []
    for cost in COSTS:
        rows = scores.merge(costs[["architecture", "family", cost]]).rename(columns={cost: "spent"})
        for _, group in rows.groupby("contest", sort=False):
            parts.append(group.assign(cost=cost, front=front(group, "spent").map({True: "yes", False: "no"})))
    rows = pd.concat(parts, ignore_index=True).assign(
        cell=lambda table: table["architecture"].map(lambda name: labels.get(name, name))
    )
    tasks = {name: words(name) for name in rows["contest"].unique()}
    choices = [menu("contest", "Task", tasks), menu("cost", "Cost", COSTS)]
    return Play(
        "Choose a task and a cost. A point is a cell, its colour a family, and a pointer shows its name. "
        "Cells on the grey line are beaten by none that costs as little; costs are means over tasks.",
        _chart(rows, choices, colours),
    )


def _chart(rows: pd.DataFrame, choices: list[Choice], colours: Mapping[str, str]) -> alt.LayerChart:
    columns = ["contest", "cost", "spent", "score", "cell", "family", "front"]
    families = rows.drop_duplicates("family").set_index("family")["architecture"]
    scale = alt.Scale(domain=families.index.tolist(), range=[colours.get(name, OTHERS) for name in families])
    low, high = min(0.0, rows["score"].min()), rows["score"].max()
    base = alt.Chart().encode(
        x=alt.X("spent:Q", title="cost", scale=alt.Scale(type="log")),
        y=alt.Y("score:Q", title="score", scale=alt.Scale(domain=[low, high])),
    )
    for choice in choices:
        base = base.transform_filter(choice.test)
    best = base.transform_filter("datum.front === 'yes'")
    names = best.mark_text(align="left", dx=6, dy=6, fontSize=11).encode(text="cell:N")
    points = base.mark_point(filled=True, size=80, opacity=1).encode(
        color=alt.Color("family:N", scale=scale, legend=alt.Legend(orient="top", title=None)),
        tooltip=[alt.Tooltip(name) for name in ("cell:N", "family:N", "score:Q", "spent:Q")],
    )
    line = best.mark_line(color=OTHERS, interpolate="step-after")
    return with_controls(alt.LayerChart(layer=[line, points, names], data=inline(rows[columns])), choices)
