"""The scorecard as a picture: each claim a row, and what was measured of it.

Measures have many units, so the axis has none. A claim is met from -1 to 1, about the paper's value where it prints
one, nearly met up to -2 and 2, and missed beyond. Altair draws, in the reader's browser.
"""

from collections.abc import Mapping
from html import escape
from json import dumps, loads
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from learnability.report.findings import SHARE
from learnability.report.pages.packed import packed
from learnability.report.pages.page import scroller
from learnability.report.pages.play import GRID, OPTIONS

STATUSES = {"met": "#0072b2", "near": "#e69f00", "split": "#cc79a7", "missed": "#d55e00"}
"""Colours of statuses, which the colour-blind can tell apart; a condition without a number is left out."""
SHAPES = ("circle", "diamond", "square", "cross")
PLACES = {-2.5: "too small", -1.5: "nearly", 0: "met", 1.5: "nearly", 2.5: "too large"}
ANY = "any"
FILTERS = {"group": "Architectures", "architecture": "Architecture", "verdict": "Verdict", "class": "Class"}
"""Columns, and what their menus are called; `reading` has one without `ANY`."""
CLASSES = {"tuned": "tuned", "after_results": "test after results", "by_construction": "by construction"}
TOOLTIP = {
    "claim": "claim",
    "paper": "paper",
    "architecture": "architecture",
    "measured": "ours",
    "predicate": "met if",
    "status": "here",
    "verdict": "verdict on the claim",
    "class": "class",
}
"""Columns that a pointer on a point shows, and their names there."""
POSITION: dict[str, Any] = {"for": "position"}
LONGEST, WIDTH = 80, 380


def place(value: float, row: Mapping[Any, Any]) -> float:
    """Place of a value on an axis without units: within ±1 if it is met, ±2 if nearly, ±3 if missed.

    Args:
        row: `met_low`, `met_high`, `near_low` and `near_high`; any may be infinite.
    """
    met, near = ((row[f"{name}_low"], row[f"{name}_high"]) for name in ("met", "near"))
    finite_ends = [abs(end) for end in (*met, *near) if np.isfinite(end) and end != 0]
    scale = max(finite_ends, default=1.0)
    if met[0] <= value <= met[1]:
        return float(np.clip(2 * _share(value, *met, scale) - 1, -1, 1))
    side = -1 if value < met[0] else 1
    inner, outer = (met[0], near[0]) if side < 0 else (met[1], near[1])
    if near[0] <= value <= near[1]:
        return side * (1 + _share(side * value, side * inner, side * outer, scale))
    return side * (2 + _share(side * value, side * outer, np.inf, scale))


def _share(value: float, low: float, high: float, scale: float) -> float:
    """Share of an interval below a value, from 0 to 1; where an end is infinite, by `scale`."""
    if low == high or (np.isinf(low) and np.isinf(high)):
        return 0.5
    if np.isinf(high):
        return 1.0 if np.isinf(value) else (value - low) / (value - low + scale)
    return 1 - _share(-value, -high, -low, scale) if np.isinf(low) else (value - low) / (high - low)


def points(scores: pd.DataFrame, conditions: pd.DataFrame, labels: Mapping[str, str]) -> pd.DataFrame:
    """Points of the picture: a row for each condition, role and group of a reading that has a number.

    Args:
        scores: of `learnability.claims.score`, with a column `link`.
        conditions: of `learnability.claims.judge_conditions`.
        labels: names of architectures; what has none is called as it is.
    """
    claims = scores[["id", "group", "where", "claim", "paper", "verdict", "link"]]
    table = conditions.dropna(subset="median").merge(claims, on=["id", "group"], how="inner").fillna({"paper": ""})
    ends = {f"place{end}": column for end, column in (("", "median"), ("_low", "low"), ("_high", "high"))}
    rows = table.to_dict("records")
    for name, column in ends.items():
        table[name] = [place(row[column], row) for row in rows]
    classes = [
        ", ".join(words for key, words in CLASSES.items() if row[key] not in (False, "no")) or "none" for row in rows
    ]
    texts = [f"{row['where']}: {row['claim']}" for row in rows]
    table["row"] = [text if len(text) <= LONGEST else f"{text[:LONGEST]}…" for text in texts]
    table["class"] = classes
    table["measured"] = [_measured(row) for row in rows]
    table["predicate"] = [_predicate(row) for row in rows]
    table["architecture"] = table["architecture"].map(lambda name: labels.get(name, name))
    return table[[*TOOLTIP, "row", "group", "link", *ends]]


def _measured(row: Mapping[Any, Any]) -> str:
    scale, words = (100 if str(row["words"]).endswith(SHARE) else 1), row["words"]
    median, low, high = (f"{scale * row[name]:.3g}" for name in ("median", "low", "high"))
    return ": ".join([*([words] if isinstance(words, str) and words else []), f"{median} [{low}, {high}]"])


def _predicate(row: Mapping[Any, Any]) -> str:
    low, high = row["met_low"], row["met_high"]
    if low == high:
        return f"= {low:.3g}"
    return f"≥ {low:.3g}" if np.isinf(high) else f"≤ {high:.3g}" if np.isinf(low) else f"from {low:.3g} to {high:.3g}"


def verdict_chart(rows: pd.DataFrame, reading: str) -> alt.LayerChart:
    """The picture.

    Args:
        rows: of `points`, with a column `reading`.
        reading: that is shown first; empty where there are none.
    """
    readings = rows["reading"].unique().tolist()
    menu = alt.binding_select(options=readings, name="Reading ") if reading else alt.Undefined
    parameters = [
        alt.param(name="only_reading", value=reading, bind=menu),
        *(
            alt.param(
                name=f"only_{name}",
                value="main" if name == "group" and "main" in set(rows[name]) else ANY,
                bind=alt.binding_select(options=[ANY, *sorted(rows[name].unique())], name=f"{title} "),
            )
            for name, title in FILTERS.items()
        ),
    ]
    y = alt.Y("row:N", sort=rows["row"].unique().tolist(), title=None, axis=alt.Axis(labelLimit=430, grid=True))
    labels = " : ".join(f"datum.value === {at} ? '{words}'" for at, words in PLACES.items())
    axis = alt.Axis(values=list(PLACES), labelExpr=f"{labels} : ''", grid=False, ticks=False, orient="top")
    x = alt.X("place:Q", title=None, scale=alt.Scale(domain=[-3, 3], nice=False), axis=axis)
    scales = [alt.Scale(domain=list(STATUSES), range=list(values)) for values in (STATUSES.values(), SHAPES)]
    legend = alt.Legend(orient="top", title=None)
    colour, shape = alt.Color("status:N", scale=scales[0], legend=legend), alt.Shape("status:N", scale=scales[1])
    base = alt.Chart(alt.InlineData(values=loads(rows.to_json(orient="records")))).encode(
        y=y,
        yOffset=alt.YOffset("architecture:N"),
        tooltip=[alt.Tooltip(f"{name}:N", title=title) for name, title in TOOLTIP.items()],
    )
    base = base.transform_filter("datum.reading === only_reading")
    for name in FILTERS:
        base = base.transform_filter(f"only_{name} === '{ANY}' || datum['{name}'] === only_{name}")
    bands = [
        alt.Chart(alt.Data(values=[{}]))
        .mark_rect(color=STATUSES["met"], opacity=opacity, tooltip=None)
        .encode(x=alt.XDatum(low), x2=alt.X2Datum(high))
        for low, high, opacity in ((-2, 2, 0.06), (-1, 1, 0.1))
    ]
    ranges = base.mark_rule(opacity=0.5).encode(x=alt.X("place_low:Q"), x2="place_high:Q", color=colour)
    marks = base.mark_point(filled=True, size=55, opacity=1).encode(x=x, color=colour, shape=shape, href="link:N")
    return (
        alt.layer(*bands, ranges, marks)
        .add_params(*parameters)
        .properties(width=WIDTH, height=alt.Step(24, **POSITION))
        .configure(background="transparent", font="system-ui, sans-serif")
        .configure_axis(gridColor=GRID, domainColor=GRID)
    )


def as_html(chart: alt.LayerChart, label: str) -> str:
    """The picture as HTML, for a page that has `vega()`."""
    options = escape(dumps(OPTIONS | {"bind": "#menus"}))
    chart_box = f'<div id="verdicts" class="chart" data-options="{options}"></div>'
    return (
        f'<div id="menus" class="menus"></div>\n{scroller(label)}{chart_box}</div>\n'
        f"{packed('verdicts', chart.to_json(indent=None))}"
    )
