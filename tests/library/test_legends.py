"""Legends explain what the panels show, and nothing else."""

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from layout import absent_from_panels
from learnability.report.style import BAND, Style, headline, legend

STYLE = Style(
    ["rnn", "lstm"], {"rnn": "#0173b2", "lstm": "#de8f05"}, {"rnn": "RNN", "lstm": "LSTM"}, width_mm=175, font_size=7
)


def labels(figure: Figure) -> list[str]:
    return [text.get_text() for key in figure.legends for text in key.get_texts()]


@pytest.mark.parametrize("values", [[], [np.nan, np.nan]])
def test_a_line_without_points_has_no_entry(values: list[float]) -> None:
    figure, (ax,) = STYLE.panels(1)
    ax.plot([0, 1], [0, 1], **STYLE.line("rnn"))
    ax.plot(range(len(values)), values, **STYLE.line("lstm"))
    headline(figure, "One curve")
    legend(figure, *STYLE.handles())
    assert labels(figure) == ["RNN"]
    assert absent_from_panels(figure) == []


@pytest.mark.parametrize(("spread", "entries"), [(0, []), (0.1, [BAND.get_label()])])
def test_a_band_has_an_entry_where_it_has_an_area(spread: float, entries: list[str]) -> None:
    figure, (ax,) = STYLE.panels(1)
    x, y = np.arange(5), np.sin(np.arange(5))
    ax.fill_between(x, y - spread, y + spread)
    legend(figure, BAND, Line2D([], [], color="k", label="a line"))
    assert labels(figure) == [*entries, "a line"]


def test_a_colour_of_tick_labels_has_an_entry() -> None:
    figure, (ax,) = STYLE.panels(1)
    ax.plot([0, 1], [0, 1], "k")
    ax.set_yticks([0, 1], ["a", "b"])
    ax.get_yticklabels()[0].set_color(STYLE.colours["lstm"])
    legend(figure, *STYLE.handles())
    assert labels(figure) == ["LSTM"]


def test_entries_that_no_panel_shows_are_found() -> None:
    figure, (ax,) = STYLE.panels(1)
    ax.plot([0, 1], [0, 1], **STYLE.line("rnn"))
    figure.legend(handles=[*STYLE.handles(), BAND])
    assert absent_from_panels(figure) == ["LSTM", BAND.get_label()]
