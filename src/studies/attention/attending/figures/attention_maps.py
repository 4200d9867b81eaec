"""Attention of a network with full attention, on copy and on denoise: Fig. 1 of Kerg et al. 2020."""

from matplotlib.figure import Figure

from learnability.report.style import Style, Tables
from studies.attention.drawn.maps import draw_maps
from studies.attention.trained_tables import BUFFER_ALONE, BY, at_first_delay, best_founded

ELSEWHERE = ("mem_lstm", "rel_lstm", "sab", BUFFER_ALONE)
"""Left out here: the paper shows full attention, screening stands beside it, and whatever is added."""


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from `attention`, of `studies.attention.trained.measure_attention`, of the first seed and delay."""
    rows = at_first_delay(best_founded(tables["attention"]), "", BY)
    return draw_maps(rows[~rows["architecture"].isin(ELSEWHERE)], style, columns=2)
