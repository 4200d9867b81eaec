"""Memory and time over T."""

from collections.abc import Mapping

from learnability.report.findings import Finding, listed, number, percent
from learnability.report.style import Tables

SQUARE = 0.5
"""Share of the part with T² from which a cost is said to go with the square."""


def answer(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """Memory and time over T."""
    growth, table = (
        tables[name].set_index("architecture").rename(labels) for name in ("backward_growth", "backward_costs")
    )
    longest = table[table["steps"] == table["steps"].max()]
    kept = growth["exponent_kept"].sort_values()
    squares = growth[growth["square_kept"] > SQUARE].index
    others = kept.drop(squares)
    rest = f"; it grows at most as T^{others.max():.2f} for the others" if len(others) else ""
    told = [
        f"{name} {growth.loc[name, 'exponent_kept']:.2f} ({percent(growth.loc[name, 'square_kept'])})"
        for name in kept.index
    ]
    seconds = {
        "those with T²": growth.loc[squares, "exponent_seconds"],
        "the others": growth["exponent_seconds"].drop(squares),
    }
    told_of_time = [f"{each.min():.2f} to {each.max():.2f} for {name}" for name, each in seconds.items() if len(each)]
    gaps = (growth["exponent_peak"] - growth["exponent_kept"]).abs()
    return Finding(
        "What does attention cost as sequences grow?",
        f"""
            Most memory goes with T² for {listed(squares) or "none"}{rest}.
        """,
        f"""
            The local power of T of the memory that the backward pass needs (and in brackets the share of the part with
            T² at T = {longest["steps"].iloc[0]}) is {listed(told)}. At that length {longest["kept_mib"].idxmax()}
            needs {number(longest["kept_mib"].max())} MiB and {longest["kept_mib"].idxmin()}
            {number(longest["kept_mib"].min())} MiB. The power of processor time, a noisy measurement, is
            {listed(told_of_time)}.
        """,
        {},
        f"""
            what counts as memory: the peak of resident memory grows with a power that differs from these by up to
            {gaps.max():.2f}. Recomputing states in the backward pass would trade memory for time.
        """,
        ("", "backward_costs"),
    )
