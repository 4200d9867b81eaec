"""Figures that the paper has not render from fixed tables as its own do."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from figure_tables import ARCHITECTURES, LAGS, draw_of
from layout import assert_complete
from learnability.report.style import Style

FIGURES = [
    "learning_curves",
    "gate_statistics",
    "responses",
    "transport",
    "null_control",
    "echo_control",
    "sample_complexity_factors",
    "threshold",
    "off_task",
    "sensitivity",
    "through_training",
    "detection_order",
    "detected_before_learned",
    "starts",
    "time_constants",
]
OF_ONE_ARCHITECTURE = {"through_training"}


@pytest.mark.parametrize("name", FIGURES)
def test_a_further_figure_renders(name: str, tables: dict[str, pd.DataFrame], style: Style, tmp_path: Path) -> None:
    style_of_figure = replace(style, architectures=ARCHITECTURES[-1:] if name in OF_ONE_ARCHITECTURE else ARCHITECTURES)
    draw = draw_of(name)
    assert_complete(draw(style_of_figure.chosen(tables), style_of_figure), tmp_path)


@pytest.mark.parametrize(("members", "panels"), [(ARCHITECTURES, 4), (ARCHITECTURES[:2], 3)])
def test_a_panel_of_eq_26_is_there_for_whom_it_has_rates(members, panels, tables, style: Style) -> None:
    figure = draw_of("transport")(tables, replace(style, architectures=members))
    assert len(figure.axes) == panels
    assert all(ax.lines for ax in figure.axes)


def test_a_kind_of_transport_without_any_window_has_no_panel(tables, style: Style) -> None:
    """Alone it can catch a panel that is a flat line of zeros."""
    windows = tables["windows"].copy()
    windows.loc[windows["transport"] == "first_order", "horizon"] = 0
    figure = draw_of("transport")(tables | {"windows": windows}, replace(style, architectures=ARCHITECTURES[:2]))
    titles = " ".join(ax.get_title(loc="left") for ax in figure.axes)
    assert len(figure.axes) == 2 and "first order" not in titles and "exact" in titles


def test_the_overview_has_a_panel_of_each_reading_and_a_row_of_each_architecture(
    tables: dict[str, pd.DataFrame], style: Style
) -> None:
    readings = {"paper": 1.0, "gradient_step": 2.0}
    window = pd.concat(
        tables["window"].assign(reading=name, horizon=factor * tables["window"]["horizon"])
        for name, factor in readings.items()
    )
    figure = draw_of("overview")({"window": window}, style)
    paper, gradient_step = (np.concatenate([line.get_xydata() for line in ax.lines]) for ax in figure.axes)
    assert paper[:, 0].max() > 0
    np.testing.assert_allclose(gradient_step, paper * [2, 1])
    assert set(paper[:, 1].round().tolist()) == set(range(len(ARCHITECTURES)))
    assert [text.get_text() for text in figure.axes[0].get_yticklabels()] == list(style.labels.values())


def test_a_sample_complexity_out_of_sight_is_marked_on_the_edge(tables: dict[str, pd.DataFrame], style: Style) -> None:
    sizes = tables["sample_complexities"]
    far = sizes["lag"] == LAGS[-1]
    larger = sizes.assign(log_sample_complexity=sizes["log_sample_complexity"].mask(far, 20 * np.log(10)))
    draw = draw_of("off_task")
    for ax in draw(tables | {"sample_complexities": larger}, style).axes:
        (marks,) = (line for line in ax.lines if line.get_marker() == "^")
        assert LAGS[-1] in marks.get_xdata()
        assert set(marks.get_ydata()) == {ax.get_ylim()[1]}
