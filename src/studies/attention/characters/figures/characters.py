"""Learning curves of networks that name the next character of a text."""

from matplotlib.figure import Figure

from learnability.report.style import Style, Tables
from studies.attention.drawn.curves import draw_curves


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from `curve`, learning curves with `experiment`, and the table `characters`."""
    return draw_curves(
        tables,
        style,
        "characters",
        ("validation_bits", "bits of a character"),
        ("bits", "lowest_bits", "highest_bits"),
        "baseline_bits",
        "RNN, orth-RNN and expRNN end at the fewest bits a character, SAB at the most",
    )
