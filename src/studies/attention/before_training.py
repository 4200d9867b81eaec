"""Tables of what `studies.attention.backward` measures."""

from typing import Any

import numpy as np
import pandas as pd
from scipy.optimize import nnls

OF_COSTS = ["kept", "peak", "seconds"]


def tabulate(norms: pd.DataFrame, costs: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Tables of both.

    Args:
        norms, costs: of all architectures, of which each row has the name.

    Returns:
        `gradient_norms`: what arrives by quarters of the way back; `backward_costs`, in MiB; and `backward_growth`:
        over T, the slope of log cost over log T between the two longest, and the share of the part that goes as T² at
        the longest, in a fit of relative errors by 1, T and T², none below 0.
    """
    growth = [
        {"architecture": name, **{f"{part}_{cost}": value for cost in OF_COSTS for part, value in _growth(rows, cost)}}
        for name, rows in costs.groupby("architecture", sort=False)
    ]
    readable = costs.assign(**{name: costs[name] / 2**20 for name in ("kept", "peak")})
    return {
        "gradient_norms": by_quarters(norms),
        "backward_costs": readable.rename(columns={"kept": "kept_mib", "peak": "peak_mib"}),
        "backward_growth": pd.DataFrame(growth),
    }


def by_quarters(norms: pd.DataFrame) -> pd.DataFrame:
    """log₁₀ of the norm: at the last step; less that, the median over the steps of each quarter; and at the first.

    Args:
        norms: `back` and `log_norm` of each architecture.
    """
    return pd.DataFrame([_at(name, rows) for name, rows in norms.groupby("architecture", sort=False)])


def _at(architecture: Any, rows: pd.DataFrame) -> dict[str, Any]:
    by_step = rows.groupby("back")["log_norm"].median()
    relative = by_step - by_step[0]
    quarters = {
        f"back_{part.min()}_{part.max()}": relative[part].median() for part in np.array_split(by_step.index[1:-1], 4)
    }
    return {"architecture": architecture, "last_step": by_step[0], **quarters, "first": relative.iloc[-1]}


def _growth(rows: pd.DataFrame, cost: str) -> list[tuple[str, float]]:
    steps, values = rows["steps"].to_numpy(float), rows[cost].to_numpy(float)
    if values.min() <= 0:  # what takes less memory than there was before has no peak of its own
        return [("exponent", np.nan), ("square", np.nan)]
    slope = np.diff(np.log(values[-2:]))[0] / np.diff(np.log(steps[-2:]))[0]
    powers = np.stack([steps**0, steps, steps**2], 1)
    parts, _ = nnls(powers / values[:, None], np.ones(len(values)))
    return [("exponent", float(slope)), ("square", float(parts[2] * steps[-1] ** 2 / (powers[-1] @ parts)))]
