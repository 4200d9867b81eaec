"""Validation accuracy on permuted pixels over training: Fig. 8 of Kerg et al. 2020."""

from matplotlib.figure import Figure

from learnability.report.style import Style, Tables
from studies.attention.drawn.curves import draw_curves


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from `curve`, learning curves with `experiment`, and the table `pixels`."""
    return draw_curves(
        tables,
        style,
        "pixels",
        ("validation_accuracy", "accuracy"),
        ("accuracy", "lowest", "highest"),
        "majority",
        "RNN, orth-RNN and expRNN learn permuted pixels fastest, and end the most accurate",
    )
