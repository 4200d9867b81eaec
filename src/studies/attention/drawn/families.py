"""Networks without attention and with it, the two kinds that the study compares."""

from collections.abc import Sequence

import pandas as pd

from learnability.report.style import Style
from studies.attention.trained_tables import BUFFER_ALONE
from studies.attention.window_tables import WITH

WITH_ATTENTION = {*WITH, "mem_lstm", "sab", BUFFER_ALONE}
GATED, FULL = {"lstm", "h_detach", "goru"}, {"mem_rnn", "mem_lstm"}
"""Architectures with gates and without attention; and those that attend to all past states."""
FAMILIES = {False: "recurrence", True: "attention"}
"""Name of each family, by whether its networks attend."""


def members(table: pd.DataFrame, attends: bool, style: Style) -> list[str]:
    """The architectures in a table that attend to past states, or those that do not, in drawing order."""
    return [name for name in style.present(table) if (name in WITH_ATTENTION) == attends]


def by_kind(names: Sequence[str]) -> dict[str, list[str]]:
    """Names by kind of architecture, without kinds that have none.

    >>> by_kind(["rnn", "lstm", "sab", "rel_rnn"])
    {'no gates, no attention': ['rnn'], 'gates, no attention': ['lstm'], 'attention to few states': ['sab', 'rel_rnn']}
    """
    kinds = {
        "no gates, no attention": [name for name in names if name not in GATED | WITH_ATTENTION],
        "gates, no attention": [name for name in names if name in GATED],
        "attention to all states": [name for name in names if name in FULL],
        "attention to few states": [name for name in names if name in WITH_ATTENTION - FULL],
    }
    return {kind: members for kind, members in kinds.items() if members}
