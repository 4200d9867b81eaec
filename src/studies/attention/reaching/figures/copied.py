"""Symbols that networks copy, each trained at its delay: Table 5 of Kerg et al. 2020 as a picture."""

from matplotlib.figure import Figure

from learnability.report.style import Style, Tables
from studies.attention.drawn.shares import draw_shares

FARTHEST = 1000
"""Delay over which a network copies that none exceeds."""


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from `copied`, of `studies.attention.trained_tables.tabulate`."""
    message = "Trained at each delay, expRNN copies over the longest"
    return draw_shares(
        tables, style, "copied", message, {"exp_rnn": (FARTHEST, (0, 6)), "orth_rnn": (FARTHEST, (-5, -5))}
    )
