"""Networks that learned to copy over one delay, put to longer ones: Table 1 of Kerg et al. 2020 as a picture."""

from matplotlib.figure import Figure

from learnability.report.style import Style, Tables, headline
from studies.attention.figures.shares import draw_shares


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from `copy_transfer`, of `studies.attention.trained_tables.tabulate`."""
    figure = draw_shares(tables, style, "copy_transfer", "copy, trained at the first delay")
    measured = tables["copy_transfer"].dropna(subset="measured")
    longest = measured[measured["delay"] == measured["delay"].max()].set_index("architecture")["measured"]
    headline(figure, f"Symbols named at T = {measured['delay'].max()}: {style.told(longest, '{:.0%}')}")
    return figure
