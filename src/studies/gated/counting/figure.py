"""Section 10: which n networks tell right, trained on and beyond, and how far each goes at every learning rate."""

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from learnability.report.style import Style, Tables, heading, headline, legend
from studies.gated.counting.measure import CELLS


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from `counting_runs` and `counting_lengths`."""
    runs, right = tables["counting_runs"], tables["counting_lengths"]
    longest = right["n"].max()
    figure, (lengths, rates) = style.panels(2, height_mm=82)
    for name in CELLS:
        by_seed = right[right["architecture"] == name].pivot(index="n", columns="seed", values="right")
        lengths.plot(by_seed.mean(axis=1), **style.line(name) | {"marker": "", "drawstyle": "steps-mid"})
        rows = runs[runs["architecture"] == name].groupby("rate")["right_up_to"].agg(["median", "min", "max"])
        line = style.line(name)
        rates.plot(rows["median"], **line)
        rates.fill_between(rows.index, rows["min"], rows["max"], color=line["color"], alpha=0.2, linewidth=0)
    _mark_longest(lengths, rates, int(runs["trained_up_to"].iloc[0]))
    lengths.set(xlabel="n", ylabel="share of seeds that are right", ylim=(-0.03, 1.03), xlim=(0, longest))
    heading(lengths, "at the best learning rate")
    rates.set(xlabel="learning rate", ylabel="right up to n", xscale="log", ylim=(0, 1.03 * longest))
    ticks = sorted(runs["rate"].unique())
    rates.set_xticks(ticks, [f"{rate:g}" for rate in ticks])
    rates.minorticks_off()
    heading(rates, "by learning rate: median and range over seeds")
    headline(figure, "How far networks count beyond the longest n of training")
    limit = Line2D([], [], color="k", linewidth=0.5, label="longest n of training")
    lines = [Line2D([], [], **style.line(name)) for name in CELLS]
    legend(figure, *lines, limit)
    return figure


def _mark_longest(lengths: Axes, rates: Axes, longest: int) -> None:
    lengths.axvline(longest, color="k", linewidth=0.5)
    rates.axhline(longest, color="k", linewidth=0.5)
