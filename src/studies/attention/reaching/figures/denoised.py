"""Symbols that networks name among noise, each trained at its delay: Table 2 of Kerg et al. 2020 as a picture."""

from matplotlib.figure import Figure

from learnability.report.style import Style, Tables
from studies.attention.drawn.shares import draw_shares


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from `denoised`, of `studies.attention.trained_tables.tabulate`."""
    message = "Only networks with attention denoise beyond the shortest delay, and not all of them"
    return draw_shares(tables, style, "denoised", message)
