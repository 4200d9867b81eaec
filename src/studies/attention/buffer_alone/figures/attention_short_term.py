"""Attention of a network that has the short-term buffer alone: Figs. 10 and 11 of Kerg et al. 2020."""

from matplotlib.figure import Figure

from learnability.report.findings import percent
from learnability.report.style import Style, Tables
from studies.attention.drawn.maps import draw_maps
from studies.attention.trained_tables import BUFFER_ALONE, best_founded


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from `attention`, of `studies.attention.trained.measure_attention`, of the first seed, and `learning_speed`.

    Under each title is what such networks recall at the end, the median over seeds, and what those with a relevant set.
    """
    rows = best_founded(tables["attention"])
    recalls = tables["learning_speed"].pivot_table("accuracy", "experiment", "architecture")
    pairs = recalls.reindex(columns=[BUFFER_ALONE, "rel_rnn"]).dropna()
    words = {
        str(name): f"recalls {percent(alone)}; with a relevant set {percent(whole)}"
        for name, (alone, whole) in pairs.iterrows()
    }
    return draw_maps(rows[rows["architecture"] == BUFFER_ALONE], style, words)
