"""Errors on a network's own outputs and on true values, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables
from studies.gated.generation.measure import RESERVOIR


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: medians by series and model: next-value error, times followed, growth over chaos."""
    times = tables["generation_times"].assign(
        model=lambda rows: rows["architecture"].map({**labels, RESERVOIR: RESERVOIR}),
        rate=lambda rows: rows["growth"] / rows["exponent"],
        ratio=lambda rows: rows["free_at_lyapunov_time"] / rows["forced_at_lyapunov_time"],
    )
    columns = ["one_step_error", "followed_lyapunov_times", "rate", "trained"]
    return {
        "of": times.groupby(["experiment", "model"])[columns].median(),
        "ratio": times.groupby("experiment")["ratio"].median(),
    }
