"""What a network attends to that has the short-term buffer alone: Figs. 10 and 11 of Kerg et al. 2020."""

from matplotlib.figure import Figure

from learnability.report.style import Style, Tables
from studies.attention.figures.maps import draw_maps
from studies.attention.trained_tables import BUFFER_ALONE, unless_changed


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from `attention`, of `studies.attention.trained.measure_attention`, of the first seed."""
    rows = unless_changed(tables["attention"])
    return draw_maps(rows[rows["architecture"] == BUFFER_ALONE], style)
