"""Section 12: half-lives over the leak rate."""

from matplotlib.figure import Figure

from learnability.report.style import Style, Tables, headline


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from `leak_steps`."""
    figure, (ax,) = style.panels(1)
    ax.plot("leak", "steps", data=tables["leak_steps"], marker="o")
    ax.set(xlabel="leak rate", ylabel="half-life (steps)")
    headline(figure, "A unit that leaks less remembers longer")
    return figure
