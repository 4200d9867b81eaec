"""Errors of networks that continue a chaotic series, for the page."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from learnability.report.style import Tables
from studies.gated.generation.measure import FREE, RESERVOIR

EARLY = 0.25
"""Lyapunov times over which errors jump."""


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: medians, of tables indexed by series (`lorenz`, `mackey_glass`).

    Returns:
        `worse`, the error after one Lyapunov time on own outputs over the error on true values; by series and
        architecture `trained` numbers, the error of the `next` value, for how many Lyapunov times the series is
        `followed`, and the `rate` at which errors grow over the exponent of the series, of the reservoir alone in
        `reservoir`, of the others in `gated`; `worse_of`, `rate_of` and `reservoir_rate`, the same of single networks;
        `tested`, the whole Lyapunov times for which series are continued; and `jump`, how many times as large the
        typical error of a free run is `EARLY` Lyapunov times after its first step, which `by_chaos` alone it would be.
    """
    times = tables["generation_times"]
    times = times.assign(
        worse=times["free_at_lyapunov_time"] / times["forced_at_lyapunov_time"],
        rate=times["growth"] / times["exponent"],
        is_lost=times["growth"].isna(),
    )
    longest = tables["generation_growth"].groupby(["experiment", "architecture", "seed"])["step"].max()
    exponents = times.set_index(["experiment", "architecture", "seed"])["exponent"]
    rows = tables["generation_growth"].merge(exponents.reset_index())
    rows = rows[rows["mode"] == FREE]
    first, later = (
        rows[rows["step"] == at].set_index(["experiment", "architecture", "seed"])["typical"]
        for at in (1, 1 + (EARLY / rows["exponent"]).round())
    )
    columns = ["trained", "one_step_error", "followed_lyapunov_times", "rate"]
    networks = times.groupby(["experiment", "architecture"])[columns].median()
    networks = networks.rename(columns={"one_step_error": "next", "followed_lyapunov_times": "followed"})
    single = times.set_index("experiment")
    is_reservoir = single["architecture"] == RESERVOIR
    return {
        "seeds": times["seed"].nunique(),
        "worse_of": single["worse"],
        "rate_of": single.loc[~is_reservoir, "rate"],
        "reservoir_rate": single.loc[is_reservoir, "rate"],
        "tested": int((longest * exponents).min()),
        "jump": (later / first).droplevel(["architecture", "seed"]),
        "by_chaos": float(np.exp(EARLY)),
        "worse": times.groupby("experiment")["worse"].median(),
        "reservoir": networks.xs(RESERVOIR, level="architecture"),
        "gated": networks.drop(RESERVOIR, level="architecture"),
        "lost": times.loc[times["is_lost"], ["experiment", "architecture"]].agg(" ".join, axis=1).tolist(),
    }
