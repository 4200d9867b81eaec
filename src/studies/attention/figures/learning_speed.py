"""Learning curves on copy and denoise: Fig. 4 of Kerg et al. 2020, and of LSTM and GORU its Figs. 5 and 6."""

from dataclasses import replace

from matplotlib.figure import Figure

from learnability.report.panels import plain_log, seed_band
from learnability.report.style import BAND, GUESS, Style, Tables, heading, headline, legend
from studies.attention.figures.families import FAMILIES, members
from studies.attention.trained_tables import by_delay, in_words, of_copying

MOST_SHOWN = 10
"""Loss, relative to that of a guess, beyond which curves are cut off: those of training that diverges."""
SHOWN = 4
"""Experiments that are drawn: those of most networks."""


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from `curve`, learning curves with `experiment`, and the table `learning_speed`.

    A column is an experiment; networks without attention are in the upper row, those with it in the lower one.
    """
    curves, baseline = of_copying(tables["curve"]), tables["learning_speed"].groupby("experiment")["baseline"].first()
    networks = curves.groupby("experiment", sort=False)["architecture"].nunique()
    experiments = by_delay(networks.nlargest(SHOWN).index.tolist())
    curves = curves[curves["experiment"].isin(experiments)]
    families = {attends: words for attends, words in FAMILIES.items() if members(curves, attends, style)}
    places = [(attends, experiment) for attends in families for experiment in experiments]
    figure, axes = style.panels(len(places), len(experiments), height_mm=54, sharex=True, sharey="col")
    for ax, (attends, experiment) in zip(axes, places, strict=True):
        rows = curves[curves["experiment"] == experiment]
        for name in members(rows, attends, style):
            seed_band(ax, rows[rows["architecture"] == name], "epoch", "validation_loss", name, style)
        ax.axhline(baseline[experiment], color="k", linewidth=0.5, linestyle=":")
        plain_log(ax, "y")
        ax.set_ylim(top=min(MOST_SHOWN * baseline[experiment], ax.get_ylim()[1]))
        heading(ax, f"{in_words(experiment)}, {families[attends]}")
        ax.set(xlabel="epoch", ylabel="cross-entropy, nats")
    headline(figure, "How fast networks learn to copy and to denoise, without and with attention")
    legend(figure, *replace(style, architectures=style.present(curves)).handles(), BAND, GUESS)
    return figure
