"""Costs that a GRU saves, and losses by network and task, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`.

    Returns:
        `learned`, by task and architecture; `ratio` by task, the median over seeds of the GRU's loss over the LSTM's,
        and `ahead`, in how many seeds it is below 1; `saved` by network, its costs over the LSTM's; and what of the
        state is not `kept` where the update gate is closed, and of the candidate not `replaced` where it is open.
    """
    losses, costs, interpolation = (tables[name] for name in ("lstm_gru_losses", "lstm_gru_costs", "gru_interpolation"))
    by_seed = losses.pivot(index=["task", "seed"], columns="architecture", values="validation_loss")
    ratios = by_seed["gru"] / by_seed["lstm"]
    costs = costs.assign(work=costs["forward"] + costs["backward"]).set_index("network")
    amounts = costs[["parameters", "work", "kept_bytes", "time"]]
    ends = interpolation.groupby("bias")[["from_state", "from_candidate"]].max().iloc[[0, -1]]
    return {
        "learned": tables["lstm_gru_shares"].groupby(["task", "architecture"])["share"].mean().unstack(),
        "ratio": ratios.groupby("task").median(),
        "ahead": (ratios < 1).groupby("task").sum(),
        "seeds": int(losses["seed"].nunique()),
        "saved": amounts / amounts.loc["lstm"],
        "engine": costs["engine"]["lstm"],
        "kept": float(ends["from_state"].iloc[0]),
        "replaced": float(ends["from_candidate"].iloc[-1]),
    }
