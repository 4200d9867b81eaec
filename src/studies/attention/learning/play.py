"""Learning curves by each recipe, of the task and the network that a reader chooses."""

from collections.abc import Mapping

import altair as alt
import numpy as np
import pandas as pd

from learnability.report.findings import percent
from learnability.report.pages.play import CHOSEN, LEGEND, OTHERS, Choice, Play, draw_curves, inline, menu
from studies.attention.trained_tables import BY, LONGER, MOST, PRINTED, TABLES, longest, of_copying, with_updates

BY_CODE, AS_PRINTED = "recipe of public code", "recipe as printed"
POINTS = 100
"""Points of a curve, at most, evenly spaced in the logarithm of updates; the end of a training is always one."""
TOP = 1.1
"""End of the axis, so that there is room for a word above a line at 1."""


def play(tables: Mapping[str, pd.DataFrame], labels: Mapping[str, str], colours: Mapping[str, str]) -> Play:
    """Play of learning curves, and `learning_speed`, `copied` and `denoised`; of several trainings the longest."""
    speed = _with_names(longest(of_copying(tables["learning_speed"], "", LONGER, BY)), labels)
    curves = with_updates(of_copying(tables["learning_curve"], "", LONGER, BY), speed)
    curves = _thin(_with_names(curves[curves["epoch"] > 0], labels))
    # the page holds numbers of tables alone, so that the axis is in epochs, and its labels in updates
    unit = (curves["updates"] / curves["epoch"]).min()
    rows = curves.assign(epochs=curves["updates"] / unit, recall=curves["validation_accuracy"])
    tasks = speed.sort_values(["task", "at_delay"], kind="stable")["place"].unique()
    of_first = speed[speed["place"] == tasks[0]].groupby("network")["accuracy"]
    gains = (of_first.max() - of_first.min()).reindex(speed["network"].unique()).sort_values(ascending=False)
    choices = [
        menu("place", "Task", {name: name for name in tasks}),
        menu("network", "Network", {name: name for name in gains.index}),
    ]
    powers = [10**power / unit for power in range(12) if unit <= 10**power <= curves["updates"].max()]
    label = alt.Axis(labelExpr=f"format(datum.value * {unit:g}, ',')", values=powers)
    x = alt.X("epochs:Q", title="updates", scale=alt.Scale(type="log", nice=False), axis=label)
    share = alt.Axis(values=[0, 0.2, 0.4, 0.6, 0.8, 1])
    y = alt.Y("recall:Q", title="share of symbols recalled", scale=alt.Scale(domain=[0, TOP], nice=False), axis=share)
    dash = alt.StrokeDash(
        "recipe:N",
        scale=alt.Scale(domain=[BY_CODE, AS_PRINTED], range=[[1, 0], [3, 3]]),
        legend=alt.Legend(orient="top", title=None, symbolStrokeColor=CHOSEN),
    )
    above = [*_levels(_paper(tables, labels), choices), *_outcomes(speed, choices, unit)]
    return Play(
        f"Choose a task and a network, and see after how many updates the network learns by each recipe. {LEGEND} A "
        f"circle stands where recall first reaches {percent(MOST)}, with the number of updates until then; a triangle "
        "where a training ends that never reaches it, with its recall.",
        draw_curves(rows, x, y, choices, "network", above, dash),
    )


def _with_names(table: pd.DataFrame, labels: Mapping[str, str]) -> pd.DataFrame:
    return table.assign(
        place=[f"{task}, T = {delay}" for task, delay in zip(table["task"], table["at_delay"], strict=True)],
        network=[labels.get(name, name) for name in table["architecture"]],
        recipe=np.where(table["recipe"] == PRINTED, AS_PRINTED, BY_CODE),
    )


def _thin(curves: pd.DataFrame) -> pd.DataFrame:
    """The same epochs of all seeds of a network."""
    run = ["experiment", "architecture"]
    last = curves.groupby([*run, "seed"])["epoch"].max()
    epochs = np.unique(np.geomspace(1, last.max(), POINTS).astype(int))
    ends = last.reset_index().drop(columns="seed").drop_duplicates().assign(ends=True)
    is_end = curves.merge(ends, "left", [*run, "epoch"])["ends"].eq(True).to_numpy()
    return curves[curves["epoch"].isin(epochs) | is_end]


def _paper(tables: Mapping[str, pd.DataFrame], labels: Mapping[str, str]) -> pd.DataFrame:
    """Levels to compare with: the paper's share of each network, and chance."""
    parts = [tables[name].assign(task=task) for name, (task, is_transfer) in TABLES.items() if not is_transfer]
    shares = pd.concat(parts).rename(columns={"delay": "at_delay"}).dropna(subset="recipe")
    rows = _with_names(shares, labels).rename(columns={"paper": "published", "chance": "chance level"})
    return rows.melt(["place", "network"], ["published", "chance level"], "name", "level").dropna()


def _levels(rows: pd.DataFrame, choices: list[Choice]) -> list[alt.Chart]:
    base = alt.Chart(inline(rows)).encode(y="level:Q")
    for choice in choices:
        base = base.transform_filter(choice.test)
    words = base.mark_text(align="left", dy=-6, fontSize=11).encode(x=alt.value(4), text="name:N")
    return [base.mark_rule(color=OTHERS, strokeDash=[8, 4]), words]


def _outcomes(speed: pd.DataFrame, choices: list[Choice], unit: float) -> list[alt.Chart]:
    """A circle where a network has learned, or a triangle where its training ended, each with its number."""
    rows = speed[["place", "network", "recipe", "updates", "all_updates", "accuracy"]]
    base = alt.Chart(inline(rows))
    for choice in choices:
        base = base.transform_filter(choice.test)
    base = base.transform_calculate(
        learned="isValid(datum.updates)",
        epochs=f"(datum.learned ? datum.updates : datum.all_updates) / {unit:g}",
        recall=f"datum.learned ? {MOST} : datum.accuracy",
        number="datum.learned ? format(datum.updates, ',') : format(100 * datum.accuracy, '.0f') + '\\u00a0%'",
    ).encode(x="epochs:Q", y="recall:Q")
    shape = alt.Shape(
        "learned:N", scale=alt.Scale(domain=[True, False], range=["circle", "triangle-right"]), legend=None
    )
    is_printed = f"datum.recipe === '{AS_PRINTED}'"
    points = base.mark_point(size=70, color=CHOSEN, fill=CHOSEN, opacity=1, strokeWidth=2).encode(
        shape=shape, fillOpacity=alt.condition(is_printed, alt.value(0), alt.value(1))
    )
    # two circles may be at one place, so their numbers stand above and below; none lies outside the chart
    numbers = base.mark_text(
        fontSize=12,
        align=alt.ExprRef("datum.epochs < 2 ? 'left' : 'right'"),
        dx=alt.ExprRef("datum.epochs < 2 ? 8 : -8"),
        dy=alt.ExprRef(f"datum.learned && {is_printed} ? 13 : -9"),
    ).encode(text="number:N")
    return [points, numbers]
