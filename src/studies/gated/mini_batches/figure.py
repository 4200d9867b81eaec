"""Section 8.1: variance of the gradient, and the loss after as many sequences and as many updates, over batch size."""

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from learnability.report.panels import label_point, plain_log
from learnability.report.style import BAND, GREY, Style, Tables, conclude, heading, legend
from studies.gated.curves import look, over_seeds
from studies.gated.mini_batches.measure import EPOCHS, UPDATES


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from `batch_noise`, `batch_losses` and `batch_slopes`."""
    noise, losses, slope = tables["batch_noise"], tables["batch_losses"], tables["batch_slopes"]["slope"].median()
    figure, (variance, loss) = style.panels(2, height_mm=82)
    expected = noise.groupby("batch_size")["expected"].median()
    variance.plot(expected.index, expected, color=GREY, linewidth=3, zorder=1)
    over_seeds(variance, noise, "batch_size", "variance", **look(0, 2) | {"markevery": 1})
    spread = noise.groupby("batch_size")["variance"].median()
    at = spread.index[len(spread) // 2], spread.iloc[len(spread) // 2]
    label_point(variance, f"as B to the power {slope:.2f}", at, (-6, -6), color=look(0, 2)["color"])
    for place, comparison in enumerate((EPOCHS, UPDATES)):
        rows = losses[losses["compared"] == comparison]
        over_seeds(loss, rows, "batch_size", "loss", **look(place, 2, comparison) | {"markevery": 1})
    for ax in (variance, loss):
        _sizes(ax, noise["batch_size"].unique().tolist())
        plain_log(ax, "y")
    variance.set_ylabel("variance / squared gradient")
    loss.set_ylabel("validation loss")
    heading(variance, "gradient of a batch")
    heading(loss, "after training", ncols=2)
    conclude(figure, "Noise falls as one over the batch size; small batches gain by updates, large ones by averages")
    legend(figure, Line2D([], [], color=GREY, linewidth=3, label="variance of one sequence / B"), BAND)
    return figure


def _sizes(ax: Axes, sizes: list[int]) -> None:
    ax.set_xscale("log", base=2)
    ax.set_xticks(sizes, [f"{size}" for size in sizes])
    ax.set_xlabel("batch size B (sequences)")
