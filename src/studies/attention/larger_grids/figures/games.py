"""Learning curves of agents in MiniGrid, beside the returns of Table 4 of Kerg et al. 2020."""

from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from learnability.report.findings import percents
from learnability.report.panels import seed_band
from learnability.report.style import BAND, GREY, Style, Tables, conclude, heading, legend, note
from studies.attention.trained_tables import MOST

PUBLISHED = Line2D([], [], color=GREY, linewidth=1, label="published")


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the table `games` and from `game_curves`, learning curves with `trained_on`, if agents were trained."""
    table, curves = tables["games"], tables.get("game_curves")
    agents = table.dropna(subset="train")
    names = agents["trained_on"].unique().tolist()
    figure, axes = style.panels(max(len(names), 1), height_mm=50, sharey=True)
    if not names:
        note(axes[0], "no agent was trained")
    curves = None if curves is None else curves.assign(thousands=curves["frames"] / 1000)
    for ax, name in zip(axes, names, strict=False):
        assert curves is not None
        of_environment = curves[curves["trained_on"] == name].dropna(subset="return")
        for architecture in style.present(of_environment):
            rows = of_environment[of_environment["architecture"] == architecture]
            seed_band(ax, rows, "thousands", "return", architecture, style)
        for row in table[table["trained_on"] == name].dropna(subset="train_paper").to_dict("records"):
            dash = style.line(row["architecture"])["linestyle"]
            ax.axhline(row["train_paper"], color=GREY, linestyle=dash, linewidth=1)
        success = agents[agents["trained_on"] == name]["train_success"]
        text = f"{(success >= MOST).sum()} of {len(success)} learned\n(success {percents(success)})"
        ax.text(0.03, 0.78, text, transform=ax.get_yaxis_transform(), va="top")
        heading(ax, name)
        ax.set(xlabel="frames, thousands", ylabel="return", ylim=(-0.03, 1.03))
    conclude(figure, "Agents have learned DoorKey alone, with attention as without")
    legend(figure, *style.handles(agents), BAND, PUBLISHED)
    return figure
