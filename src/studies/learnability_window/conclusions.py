"""Conclusions of the paper from its learnability windows, under every combination of options."""

from collections.abc import Callable

import pandas as pd

NOT_OPTIONS = (
    *("architecture", "optimizer", "seed", "reading", "role", "direction"),
    *("sample_size", "sequences", "extrapolated", "horizon", "contiguous_horizon"),
)
"""Columns of crossed readings that name no option."""

CONCLUSIONS: dict[str, Callable[[pd.DataFrame], pd.Series]] = {
    "DiagGate's window at the largest N is longer than SharedGate's and ConstGate's": lambda at: (
        at["last", "diag_gate"] > at[[("last", "shared_gate"), ("last", "const_gate")]].max(axis=1)
    ),
    "DiagGate's window is closed at the smallest N and opens": lambda at: (
        (at["first", "diag_gate"] == 0) & (at["last", "diag_gate"] > 0)
    ),
    "DiagGate's window grows": lambda at: at["last", "diag_gate"] > at["first", "diag_gate"],
    "SharedGate's window is open and the same at all N": lambda at: (
        (at["last", "shared_gate"] == at["first", "shared_gate"]) & (at["last", "shared_gate"] > 0)
    ),
    "ConstGate's window is open and the same at all N": lambda at: (
        (at["last", "const_gate"] == at["first", "const_gate"]) & (at["last", "const_gate"] > 0)
    ),
    "SharedGate's window at the largest N is longer than ConstGate's": lambda at: (
        at["last", "shared_gate"] > at["last", "const_gate"]
    ),
}
"""Conclusions of the paper from Figure 2, of windows at the smallest and the largest N by architecture."""


def conclusions(readings: pd.DataFrame) -> pd.DataFrame:
    """Share of all combinations of options in which each of the paper's conclusions holds.

    Args:
        readings: rows of `windows.sensitivity.Sensitivity.vary` with a column `role`, which of the paper's
            three roles the architecture takes.

    Returns:
        A row for each conclusion: `readings`, how many combinations, `holds`, the share of them, and that share among
        the combinations with each value of each option.
    """
    options = [name for name in readings if name not in NOT_OPTIONS]
    by_size = readings[readings["role"] != "none"].sort_values("sample_size")
    windows = by_size.groupby([*options, "role"])["horizon"].agg(first="first", last="last").reset_index()
    ends = windows.pivot_table(["first", "last"], options, "role")
    rows = []
    for conclusion, holds in CONCLUSIONS.items():
        verdicts = holds(ends)
        row = {"conclusion": conclusion, "readings": len(verdicts), "holds": verdicts.mean()}
        for option in options:
            row |= {f"{option}: {value}": share for value, share in verdicts.groupby(level=option).mean().items()}
        rows.append(row)
    return pd.DataFrame(rows)
