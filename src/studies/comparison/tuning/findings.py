"""What the search for a rate is worth."""

from collections.abc import Mapping

from scipy import stats

from learnability.report.findings import Finding, listed
from learnability.report.style import Tables


def answer(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """Which cells gain most by tuning, and how an order of cells at one rate for all differs from the tuned one."""
    table, rates = tables["tuning"], tables["rates"]
    most = table["tried"].max()
    missing = table[table["tried"] == 1].groupby("architecture")["missing"].mean().sort_values(kind="stable")
    by_family = table[table["tried"] == 1].groupby("family", sort=False)["missing"].mean().sort_values(kind="stable")
    best = rates.groupby(["contest", "architecture"])["score"].max().groupby("architecture").mean()
    orders = {}
    for rate, rows in rates.groupby("rate"):
        at_rate = rows.groupby("architecture")["score"].mean().reindex(best.index)
        orders[float(str(rate))] = float(stats.spearmanr(at_rate, best).statistic)
    common = max(orders, key=lambda rate: orders[rate])
    chosen = rates[rates["chosen"]].groupby("family", sort=False)["rate"].median()
    return Finding(
        "What does tuning hide?",
        f"""
            Without tuning, at a rate drawn at random, {labels[str(missing.index[-1])]} loses most:
            {missing.iloc[-1]:.2f} of its score.
        """,
        f"""
            The loss is of the mean score on validation sequences. Next is {labels[str(missing.index[-2])]}
            ({missing.iloc[-2]:.2f}); the least loss is that of {labels[str(missing.index[0])]}
            ({missing.iloc[0]:.2f}). By family the loss at one rate drawn at
            random of {most} is {listed(f"{loss:.2f} ({family})" for family, loss in by_family.items())}. With one rate
            for all cells, order and tuned order agree at best with Spearman's ρ = {orders[common]:.2f} (at {common:g}),
            at worst {min(orders.values()):.2f} (at {min(orders, key=lambda rate: orders[rate]):g}). Chosen rates differ
            by family: medians {listed(f"{rate:g} ({family})" for family, rate in chosen.items())}.
        """,
        {},
        "the grid of rates: a wider one makes a random draw worse.",
        ("", ""),
    )
