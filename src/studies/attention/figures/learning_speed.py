"""Learning curves on copy and denoise: Fig. 4 of Kerg et al. 2020, and of LSTM and GORU its Figs. 5 and 6."""

from matplotlib.figure import Figure

from learnability.report.panels import plain_log, seed_band
from learnability.report.style import BAND, Style, Tables, bunches, heading, headline, legend
from studies.attention.trained_tables import MOST, in_words, of_copying


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from `curve`, learning curves with `experiment`, and the table `learning_speed`."""
    curves, learning = of_copying(tables["curve"]), tables["learning_speed"]
    panels = [
        (experiment, names)
        for experiment in curves["experiment"].unique().tolist()
        for names in bunches(style.present(curves[curves["experiment"] == experiment]))
    ]
    figure, axes = style.panels(len(panels), height_mm=40)
    for ax, (experiment, names) in zip(axes, panels, strict=True):
        rows = curves[curves["experiment"] == experiment]
        for name in names:
            seed_band(ax, rows[rows["architecture"] == name], "epoch", "validation_loss", name, style)
        plain_log(ax, "y")
        heading(ax, in_words(experiment), ncols=4)
        ax.set(xlabel="epoch", ylabel="cross-entropy, nats")
    reached = learning.dropna(subset="updates").sort_values("updates", kind="stable").drop_duplicates("experiment")
    told = "; ".join(
        f"{in_words(row['experiment'])}: {style.labels[row['architecture']]}, {row['updates']:,.0f} updates"
        for row in reached.to_dict("records")
    )
    headline(figure, f"First to name {MOST:.0%} of the symbols: {told or 'none'}")
    legend(figure, BAND)
    return figure
