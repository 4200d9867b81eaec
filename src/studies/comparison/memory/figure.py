"""Memory capacity before training against the score at the delayed sum and at associative recall."""

from matplotlib.figure import Figure

from learnability.report.panels import label_point
from learnability.report.style import Style, Tables, conclude, heading
from studies.comparison.drawn import legend_of_families, write_rho
from studies.comparison.tasks import words

RECALL = "recall"
"""The task that the delayed sum is compared with, if cells were raced at it."""
ROOM = 0.35
"""Room for a name on a side, as a share of the largest capacity."""


def draw(tables: Tables, style: Style) -> Figure:
    """A panel for each task, a dot for each cell; cells that remember most and least are named.

    Capacities are from `memory`, scores from `performance` and Spearman's ρ of the two from `foretold`.
    """
    memory, scores = tables["memory"], tables["performance"].set_index(["contest", "architecture"])["score"]
    correlations = tables["foretold"][lambda rows: rows["number"] == "capacity"].set_index("contest")
    contests = [*correlations["source"].unique(), *({RECALL} & {*correlations.index})]
    figure, axes = style.panels(len(contests), height_mm=75, sharex=True, sharey=True)
    for ax, contest in zip(axes, contests, strict=True):
        table = memory.assign(score=memory["architecture"].map(scores[contest]))
        ax.scatter(table["capacity_start"], table["score"], c=table["architecture"].map(style.colours), s=10)
        ranking = table.sort_values("capacity_start", kind="stable")
        for row, aside in ((ranking.iloc[0], -5), (ranking.iloc[-1], 5)):
            label, place = style.labels[row["architecture"]], (row["capacity_start"], row["score"])
            label_point(ax, label, place, (aside, 0), va="center")
        write_rho(ax, correlations["correlation"][contest])
        ax.set(xlabel="memory capacity before training, steps", ylabel="score")
        most = table["capacity_start"].max()
        ax.set_xlim(-ROOM * most, (1 + ROOM) * most)
        ax.set_xticks([tick for tick in ax.get_xticks() if 0 <= tick <= most])
        ax.margins(y=0.1)
        heading(ax, words(contest).removeprefix("the "))
    conclude(figure, "Cells that remember more score higher at the delayed sum, and rather lower at recall")
    legend_of_families(figure, memory, style)
    return figure
