"""Learning curves of agents that balance a pole whose velocities they do not see, beside published ones."""

from matplotlib.figure import Figure

from learnability.report.panels import label_point, seed_band
from learnability.report.style import BAND, GREY, Style, Tables, conclude, legend
from studies.attention.games.cart_pole import PUBLISHED, join_curves


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the table `cart_pole` and, if agents were trained, from `game_curves` with `trained_on`."""
    table = tables["cart_pole"]
    curves = join_curves(tables.get("game_curves")).rename(columns={"run": "seed"}).dropna(subset="length")
    curves = curves.assign(thousands=curves["frames"] / 1000)
    figure, (ax,) = style.panels(1, height_mm=80)
    lengths = curves[curves["architecture"] == PUBLISHED].groupby("thousands")["length"]
    ax.fill_between(lengths.min().index, lengths.min(), lengths.max(), color=GREY, alpha=0.3, linewidth=0)
    ax.plot(lengths.median().index, lengths.median(), color=GREY, label="published, an LSTM")
    for architecture in style.present(curves):
        rows = curves[curves["architecture"] == architecture]
        seed_band(ax, rows, "thousands", "length", architecture, style)
    ends = table.dropna(subset="length").set_index("architecture")
    for name, (frames, length) in ends[["frames", "length"]].iterrows():
        aside, colour = ((4, -4), "0.4") if name == PUBLISHED else ((4, 4), style.colours[str(name)])
        label_point(ax, f"{length:.0f}", (frames / 1000, length), aside, color=colour)
    ax.set(xlabel="frames, thousands", ylabel="steps of an episode", ylim=(0, 210))
    ax.legend(loc="lower right")
    conclude(figure, "Our agents learn sooner than published ones, and balance the pole about as long")
    legend(figure, BAND)
    return figure
