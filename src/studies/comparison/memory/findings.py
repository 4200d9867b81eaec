"""Whether memory and learning go together."""

from collections.abc import Mapping

from scipy import stats

from learnability.report.findings import Finding, number
from learnability.report.style import Tables


def answer(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """Correlation of memory capacity with the score, before and after training, and the extremes."""
    table = tables["memory"].assign(
        name=lambda rows: rows["architecture"].map(labels),
        gain=lambda rows: rows["capacity_end"] - rows["capacity_start"],
    )
    before, after = (stats.spearmanr(table[f"capacity_{end}"], table["score"]).statistic for end in ("start", "end"))
    ordered, gains = table.sort_values("capacity_end"), table.sort_values("gain")
    dense = table.sort_values("by_number").iloc[-1]
    return Finding(
        "Do cells that remember more learn more?",
        f"Memory before training orders cells by score with Spearman's ρ = {before:.2f}, after it {after:.2f}.",
        f"""
            The score is that of the delayed sum. After training {ordered["name"].iloc[-1]} recalls most
            ({number(ordered["capacity_end"].iloc[-1])} steps) and {ordered["name"].iloc[0]} least
            ({number(ordered["capacity_end"].iloc[0])}). Training adds most to {gains["name"].iloc[-1]}
            ({gains["gain"].iloc[-1]:+.1f}) and least to {gains["name"].iloc[0]}
            ({gains["gain"].iloc[0]:+.1f}). By number of its state {dense["name"]} recalls most
            ({dense["by_number"]:.2f} steps). Capacity is of past inputs up to half of a sequence, recalled by a linear
            readout that is judged on other sequences.
        """,
        {},
        "the number of units, which bounds capacity and differs between cells of equal parameters.",
        ("", ""),
    )
