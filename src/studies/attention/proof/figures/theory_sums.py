"""Two steps at which the proof of Theorem 1 goes wrong: bounds that do not meet, and a sum that may not be cut."""

from typing import Any

from matplotlib import colormaps
from matplotlib.figure import Figure

from learnability.report.panels import plain_log
from learnability.report.style import DASHES, MARKERS, Style, Tables, heading, headline


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the tables `gaps` and `truncations` of `studies.attention.theory.sums`."""
    gaps, truncations = tables["theory_gaps"], tables["theory_truncations"]
    degrees = sorted(gaps["degree"].unique())[1:5]
    eigenvalues = truncations["eigenvalue"].unique()
    figure, axes = style.panels(1 + len(eigenvalues), height_mm=60)
    for place, degree in enumerate(degrees):
        rows = gaps[gaps["degree"] == degree]
        look: dict[str, Any] = {"marker": MARKERS[place], "markersize": 2.5, "color": colormaps["viridis"](0.3 * place)}
        axes[0].plot(rows["lag"], rows["rest"], linestyle=DASHES[place], label=f"s = {degree}", **look)
    axes[0].set_ylabel("T χ(s) less Lemma 12")
    heading(axes[0], "Lemma 12: between two constants, it says", ncols=4)
    for ax, (eigenvalue, table) in zip(axes[1:], truncations.groupby("eigenvalue"), strict=True):
        for place, degree in enumerate(sorted(table["degree"].unique())):
            rows = table[table["degree"] == degree]
            look = {"marker": MARKERS[place], "markersize": 2.5, "color": colormaps["viridis"](0.4 * place)}
            ax.plot(rows["lag"], rows["truncated"], linestyle=DASHES[place], label=f"d = {degree}", **look)
        ax.set_ylabel("T times the sum to degree d")
        heading(ax, f"λ = {eigenvalue:g}: the sum over s cut at d", ncols=3)
    for ax in axes:
        plain_log(ax, "x")
        plain_log(ax, "y")
        ax.set_xlabel("lag k (steps)")
    headline(figure, "Where the proof of Theorem 1 fails: a sum that may not be cut")
    return figure
