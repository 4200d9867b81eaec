"""Attention of networks that read a text by character: Fig. 7 of Kerg et al. 2020."""

from matplotlib.figure import Figure

from learnability.report.style import Style, Tables
from studies.attention.drawn.maps import draw_maps


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from `attention`, of `studies.attention.trained.measure_attention`, of the first seed."""
    rows = tables["attention"]
    return draw_maps(rows[rows["experiment"] == "characters"], style)
