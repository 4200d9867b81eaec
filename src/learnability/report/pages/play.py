"""Charts that a reader plays with: sliders and menus choose which rows of a table are drawn, in the page and offline.

Altair describes a chart, Vega-Lite draws it in the reader's browser. Its controls are inputs of HTML, which keys reach.
The page holds the rows as the tables have them, and the browser takes their median, so that no number is made here.
"""

from collections.abc import Mapping, Sequence
from html import escape
from itertools import product
from json import dumps, loads
from typing import Any, NamedTuple, TypeVar

import altair as alt
import pandas as pd

from learnability.core.errors import require
from learnability.report.pages.packed import packed
from learnability.report.pages.page import markdown

AnyChart = TypeVar("AnyChart", alt.Chart, alt.LayerChart, alt.VConcatChart)
CHOSEN, OTHERS, GRID = "#0072b2", "#8889", "#8886"
"""Colours of what is chosen, of what else can be, and of lines behind both; each is seen on light and dark paper."""
OPTIONS: dict[str, Any] = {"actions": False, "renderer": "svg", "ast": True, "loader": {"target": "_self"}}
"""Options of Vega-Embed: text and shapes, an interpreter in place of `eval`, links in the same page."""
HEIGHT, ROW = 280, 20
"""Height of a chart, and of a row of one, pixels; a chart is as wide as its place in the page."""
LEGEND = (
    "Blue is what is chosen: the median over seeds, with a band from the least to the greatest. "
    "Grey is what else can be chosen."
)
"""Legend of the lines of `draw_curves`, to stand behind an instruction."""
WORDS = "words"
"""Key of a chart's `usermeta`, for the page's script: texts of each slider's places, by the name of its parameter."""
ABSENT = "not measured"
MOST_MARKS = 12
"""Values of x up to which each has a mark on the line."""


class Choice(NamedTuple):
    """A control, and the values of a column that it chooses from.

    Args:
        column: of the rows.
        parameter: of Vega-Lite, with its control.
        value: Vega expression of the value that is chosen.
        values: of the column, in the order of the control.
        words: texts of a slider's places; none of a menu.
    """

    column: str
    parameter: alt.Parameter
    value: str
    values: tuple[Any, ...]
    words: tuple[str, ...] = ()

    @property
    def test(self) -> str:
        """Vega expression, true for rows of the value that is chosen."""
        return f"datum[{dumps(self.column)}] === {self.value}"


class Play(NamedTuple):
    """A chart to play with.

    Args:
        instruction: a sentence in Markdown, what to move and what to look at.
        chart: of `draw_curves` or `draw_rows`, or another of Altair through `with_controls`.
    """

    instruction: str
    chart: alt.Chart | alt.LayerChart | alt.VConcatChart

    @property
    def specification(self) -> str:
        """The chart in the language of Vega-Lite, as JSON; the same for the same tables."""
        return str(self.chart.to_json(indent=None))


def slider(column: str, title: str, values: Sequence[float] | Sequence[str], start: float | str) -> Choice:
    """A slider over values that need not be evenly spaced.

    Args:
        title: what stands before the slider.
        values: of the column, in the order of the slider; text where a value is not finite, for JSON has no ∞.
        start: the value that is chosen first.

    Raises:
        InputError: if `start` is none of the values.

    Example:
        >>> slider("window", "K", [4, 8, 64], 8).test.partition(" === ")[0]
        'datum["window"]'
    """
    places = list(values)
    require(start in places, f"start of the slider '{column}'", f"one of {places}", start)
    name = f"place_of_{column}"
    control = alt.binding_range(min=0, max=len(places) - 1, step=1, name=f"{title} ")
    words = tuple(value if isinstance(value, str) else f"{value:g}" for value in places)
    return Choice(
        column,
        alt.param(name=name, value=places.index(start), bind=control),
        f"{dumps(places, ensure_ascii=False)}[{name}]",
        tuple(places),
        words,
    )


def menu(column: str, title: str, labels: Mapping[Any, str]) -> Choice:
    """A menu; its first value is chosen first.

    Args:
        title: what stands before the menu.
        labels: what each value of the column is called.

    Raises:
        InputError: if there is no value.
    """
    values = list(labels)
    require(len(values) > 0, f"values of the menu '{column}'", "at least one", values)
    control = alt.binding_select(options=values, labels=list(labels.values()), name=f"{title} ")
    name = f"only_{column}"
    return Choice(column, alt.param(name=name, value=values[0], bind=control), name, tuple(values))


def draw_curves(
    rows: pd.DataFrame,
    x: alt.X,
    y: alt.Y,
    choices: Sequence[Choice],
    others: str,
    above: Sequence[alt.Chart] = (),
    dash: alt.StrokeDash | None = None,
) -> alt.LayerChart:
    """Draw the rows that are chosen: their median over seeds as a line with a band from the least to the greatest.

    Behind them are grey lines: medians of rows that differ from them in one column.

    Args:
        rows: of a table, a row for each seed; columns that nothing needs are left out of the page.
        x, y: a column each, `y` without an aggregate.
        choices: the controls, in their order in the page.
        others: the column, one of a choice, whose other values are the grey lines.
        above: further layers, with data of their own.
        dash: of a column whose values are lines side by side, none of which is chosen; without it there is one line.

    Raises:
        InputError: if `others` is the column of no choice.
    """
    columns = [choice.column for choice in choices]
    require(others in columns, "others", f"one of {columns}", others)
    of_x, of_y = (_full_axis(axis, rows) for axis in (x, y))
    dashes = {} if dash is None else {"strokeDash": dash}
    sides = [loads(channel.to_json(context={"data": rows}))["field"] for channel in dashes.values()]
    data = rows[list(dict.fromkeys([*columns, *sides, of_x["field"], of_y["field"]]))]
    base = alt.Chart().encode(x=of_x)
    back, front = base, base
    for choice in choices:
        front = front.transform_filter(choice.test)
        if choice.column != others:
            back = back.transform_filter(choice.test)
    median = of_y | {"aggregate": "median"}
    # Vega 6 keeps the old end of rows that a filter exchanges, in its aggregates `min` and `max`.
    ends = f"extent(pluck(datum.chosen, {dumps(of_y['field'])}))"
    band = front.transform_aggregate([_values_of(of_y["field"])], groupby=[of_x["field"], *sides])
    band = band.transform_calculate(least=f"{ends}[0]", greatest=f"{ends}[1]")
    has_marks = data[of_x["field"]].nunique() <= MOST_MARKS
    marks = alt.OverlayMarkDef(color=CHOSEN, size=30) if has_marks else False
    layers = [
        back.mark_line(color=OTHERS, strokeWidth=1, tooltip=True).encode(
            y=median,
            detail=alt.Detail(others, type="nominal"),
            tooltip=[alt.Tooltip(name, type="nominal") for name in (others, *sides)],
            **dashes,
        ),
        band.mark_area(color=CHOSEN, opacity=0.25).encode(
            y=of_y | {"field": "least"}, y2="greatest:Q", detail=[alt.Detail(name, type="nominal") for name in sides]
        ),
        front.mark_line(color=CHOSEN, strokeWidth=2, point=marks).encode(y=median, **dashes),
        *above,
        *_say_where_nothing_is(rows, choices),
    ]
    return with_controls(alt.LayerChart(layer=layers, data=inline(data)), choices)


def draw_rows(
    rows: pd.DataFrame,
    x: alt.X,
    names: str,
    choices: Sequence[Choice],
    colours: Mapping[str, str] | None = None,
    is_sorted: bool = False,
) -> alt.LayerChart:
    """Draw a row for each name: a point at the median over seeds, and a line from the least to the greatest.

    Args:
        rows: of a table, a row for each seed; columns that nothing needs are left out of the page.
        x: a column, without an aggregate.
        names: the column of names, which a pointer shows.
        choices: the controls, in their order in the page.
        colours: of names; all are alike without.
        is_sorted: by the mean of `x`, the greatest on top, and not in the order of the rows.
    """
    of_x = _full_axis(x, rows)
    data = rows[list(dict.fromkeys([*(choice.column for choice in choices), names, of_x["field"]]))]
    order = alt.EncodingSortField(of_x["field"], op="mean", order="descending")
    row_names = rows[names].drop_duplicates().tolist()
    base = alt.Chart().encode(
        y=alt.Y(names, type="nominal", title=None, sort=order if is_sorted else row_names, axis=alt.Axis(grid=True)),
        tooltip=[alt.Tooltip(names, type="nominal"), alt.Tooltip(of_x["field"], type="quantitative", format=".3g")],
    )
    if colours:
        scale = alt.Scale(domain=row_names, range=[colours[name] for name in row_names])
        base = base.encode(color=alt.Color(names, type="nominal", scale=scale, legend=None))
    for choice in choices:
        base = base.transform_filter(choice.test)
    median = of_x | {"aggregate": "median"}
    point = base.mark_point(filled=True, size=70, opacity=1, tooltip=True)
    layers = [
        base.mark_line(strokeWidth=2, opacity=0.5).encode(x=of_x, detail=alt.Detail(names, type="nominal")),
        base.mark_tick(thickness=2, size=8, opacity=0.7).encode(x=of_x),
        point.encode(x=median, tooltip=alt.Tooltip(names, type="nominal")),
        *_say_where_nothing_is(rows, choices),
    ]
    chart = with_controls(alt.LayerChart(layer=layers, data=inline(data)), choices)
    tall: alt.LayerChart = chart.properties(height=alt.Step(ROW))
    return tall


class _Rows(alt.InlineData):
    """Rows that no chart changes: they are checked with the whole chart alone, and charts made of others share them."""

    _class_is_valid_at_instantiation = False

    def __deepcopy__(self, *_: object) -> "_Rows":
        return self


def inline(rows: pd.DataFrame) -> alt.InlineData:
    """The rows as data of a chart, each number with all its digits."""
    whole = rows.astype(object).where(rows.notna(), None)
    return _Rows(values=[dict(zip(map(str, rows), row, strict=True)) for row in whole.itertuples(index=False)])


def with_controls(chart: AnyChart, choices: Sequence[Choice]) -> AnyChart:
    """The chart with its controls above it, as wide as its place in the page, in colours for light and dark paper.

    Example:
        >>> size = slider("size", "N", [1, 10], 10)
        >>> rows = alt.InlineData(values=[{"size": 1, "share": 0.2}, {"size": 10, "share": 0.5}])
        >>> bar = alt.Chart(rows).transform_filter(size.test).mark_bar().encode(x="share:Q")
        >>> with_controls(bar, [size]).to_dict()["usermeta"]
        {'words': {'place_of_size': ['1', '10']}}
    """
    words = {choice.parameter.name: list(choice.words) for choice in choices if choice.words}
    size: dict[str, Any] = {"width": "container", "height": HEIGHT}
    if isinstance(chart, alt.VConcatChart):
        size = {}  # its parts have sizes
    result: AnyChart = (
        chart.add_params(*(choice.parameter for choice in choices))
        .properties(usermeta={WORDS: words}, **size)
        .configure(background="transparent", font="system-ui, sans-serif")
        .configure_axis(gridColor=GRID, domainColor=GRID, tickColor=GRID)
    )
    return result


def as_html(play: Play, name: str, label: str, tables: Mapping[str, str]) -> str:
    """Instruction, controls and chart as HTML, for a page that has `packed.vega()`.

    Args:
        name: of the element that holds the chart.
        label: what the chart is called where it is not seen.
        tables: titles of the tables that have its numbers, by their places in the page.
    """
    links = ", ".join(f'<a href="#{table}">{escape(title)}</a>' for table, title in tables.items())
    numbers = f"in the tables of this page{f': {links}' if links else ''}"
    options = OPTIONS | {"bind": f"#{name}-menus"}
    return (
        f'<div class="play" role="group" aria-label="{escape(label)}">\n{markdown(play.instruction)}'
        f"<noscript><p>The chart needs JavaScript. Its numbers are {numbers}.</p></noscript>\n"
        f'<div id="{name}-menus" class="menus"></div>\n'
        f'<div id="{name}" class="chart" data-options="{escape(dumps(options))}"></div>\n</div>\n'
        f"{packed(name, play.specification)}\n"
    )


def _full_axis(axis: alt.X | alt.Y, rows: pd.DataFrame) -> dict[str, Any]:
    """The axis as a dictionary, with a scale that holds all its values: no choice moves it."""
    channel: dict[str, Any] = loads(axis.to_json(context={"data": rows}))
    channel.setdefault("title", channel["field"])
    scale = {"nice": True} | channel.get("scale", {})
    if channel["type"] == "quantitative":
        values = rows[channel["field"]]
        low, high = float(values.min()), float(values.max())
        channel["scale"] = {"domain": [low if scale.get("type") == "log" else min(low, 0.0), high]} | scale
    return channel


def _values_of(column: str) -> alt.AggregatedFieldDef:
    """The rows of a group as they are, as `chosen`."""
    aggregate: dict[str, Any] = {"op": "values", "field": column, "as": "chosen"}
    return alt.AggregatedFieldDef(**aggregate)


def _say_where_nothing_is(rows: pd.DataFrame, choices: Sequence[Choice]) -> list[alt.Chart]:
    """A text for choices of which the table has no row; no layer, if there are none."""
    columns = [choice.column for choice in choices]
    present = set(rows[columns].itertuples(index=False, name=None))
    absent = [
        combination for combination in product(*(choice.values for choice in choices)) if combination not in present
    ]
    if not absent:
        return []
    text = alt.Chart(alt.InlineData(values=[dict(zip(columns, combination, strict=True)) for combination in absent]))
    for choice in choices:
        text = text.transform_filter(choice.test)
    return [text.mark_text(text=ABSENT, x=alt.ExprRef("width / 2"), y=HEIGHT / 2, fontSize=14)]
