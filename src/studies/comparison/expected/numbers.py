"""Expectations that came true, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: `came_true`, and by the beginning of a statement what was measured and `needed`."""
    table = tables["expectations"].set_index("statement")

    def of(beginning: str) -> Any:
        return table[table.index.str.startswith(beginning)].iloc[0]

    at_sum = tables["performance"][lambda rows: rows["contest"] == "sum"].set_index("architecture")
    return {
        "at_sum": at_sum,
        "cells": tables["performance"]["architecture"].nunique(),
        "expected": len(table),
        "came_true": (table["verdict"] == "yes").sum(),
        "memory": of("Memory capacity"),
        "noise": of("The noise scale of the longest lag"),
        "orthogonal": of("The best cell at the delayed sum"),
        "gates": of("The best cell at selective copying"),
        "attention": of("The best cell at associative recall"),
        "chrono": of("An LSTM with chrono"),
        "tuning": of("Cells with gates gain more"),
        "longer": of("Cells with gates lose less"),
        "alike": of("At a delayed sum whose lags"),
        "learners": of("More cells learn the longest lag of the delayed sum where lags have a common divisor."),
        "control": of("More cells learn the longest lag of the delayed sum where lags have a common divisor than"),
        "counted": of("Mean scores at the first four tasks order cells as they count"),
        "forecast": of("Mean scores at the first four tasks order cells as they forecast"),
        "best_counting": of("The best cell at counting"),
        "best_forecast": of("The best cell at forecasts"),
        "memory_of_heart": of("Memory capacity before training orders cells as they forecast"),
        "stays": of("The cell with the highest mean score"),
    }
