"""Learning curves on copy and denoise: Fig. 4 of Kerg et al. 2020, and of LSTM and GORU its Figs. 5 and 6."""

from matplotlib.figure import Figure

from learnability.report.panels import plain_log, seed_band
from learnability.report.style import BAND, GUESS, Style, Tables, bunches, heading, headline, legend
from studies.attention.trained_tables import MOST, by_delay, in_words, of_copying

MOST_SHOWN = 10
"""Loss, relative to that of a guess, beyond which curves are cut off: those of training that diverges."""


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from `curve`, learning curves with `experiment`, and the table `learning_speed`."""
    curves, learning = of_copying(tables["curve"]), tables["learning_speed"]
    experiments = by_delay(curves["experiment"].unique().tolist())
    panels = [
        (experiment, names)
        for experiment in experiments
        for names in bunches(style.present(curves[curves["experiment"] == experiment]))
    ]
    figure, axes = style.panels(len(panels), height_mm=40)
    baseline = learning.groupby("experiment")["baseline"].first()
    for ax, (experiment, names) in zip(axes, panels, strict=True):
        rows = curves[curves["experiment"] == experiment]
        for name in names:
            seed_band(ax, rows[rows["architecture"] == name], "epoch", "validation_loss", name, style)
        ax.axhline(baseline[experiment], color="k", linewidth=0.5, linestyle=":")
        plain_log(ax, "y")
        ax.set_ylim(top=min(MOST_SHOWN * baseline[experiment], ax.get_ylim()[1]))
        heading(ax, in_words(experiment), ncols=4)
        ax.set(xlabel="epoch", ylabel="cross-entropy, nats")
    fewest = learning[learning["updates"] == learning.groupby("experiment")["updates"].transform("min")]
    reached = fewest["architecture"].map(style.labels).groupby(fewest["experiment"]).agg(" and ".join)
    first = [f"{in_words(experiment)}: {reached[experiment]}" for experiment in experiments if experiment in reached]
    headline(figure, f"First to name {MOST:.0%} of the symbols: {'; '.join(first) or 'none'}")
    legend(figure, BAND, GUESS)
    return figure
