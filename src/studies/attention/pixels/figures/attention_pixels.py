"""Attention of networks that see an image pixel by pixel: Fig. 9 of Kerg et al. 2020."""

from matplotlib.figure import Figure

from learnability.report.style import Style, Tables
from studies.attention.drawn.maps import draw_maps


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from `attention`, of `studies.attention.trained.measure_attention`, of the first seed."""
    rows = tables["attention"]
    return draw_maps(rows[rows["experiment"] == "pixels"], style)
