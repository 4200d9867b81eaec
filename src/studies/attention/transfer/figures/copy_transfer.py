"""Networks that learned to copy over one delay, put to longer ones: Table 1 of Kerg et al. 2020 as a picture."""

from matplotlib.figure import Figure

from learnability.report.style import Style, Tables
from studies.attention.drawn.shares import draw_shares


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from `copy_transfer`, of `studies.attention.trained_tables.tabulate`."""
    message = "RelRNN and RelLSTM, trained to copy at the shortest delay, copy at the longest"
    longest = int(tables["copy_transfer"]["delay"].max())
    values = {"rel_rnn": (longest, (0, -6)), "exp_rnn": (longest, (0, 6)), "orth_rnn": (longest, (-5, 0))}
    return draw_shares(tables, style, "copy_transfer", message, values)
