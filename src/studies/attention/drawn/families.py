"""Networks without attention and with it, the two kinds that the study compares."""

import pandas as pd

from learnability.report.style import Style
from studies.attention.trained_tables import BUFFER_ALONE
from studies.attention.window_tables import WITH

WITH_ATTENTION = {*WITH, "mem_lstm", "sab", BUFFER_ALONE}
FAMILIES = {False: "recurrence", True: "attention"}
"""Name of each family, by whether its networks attend."""


def members(table: pd.DataFrame, attends: bool, style: Style) -> list[str]:
    """The architectures in a table that attend to past states, or those that do not, in drawing order."""
    return [name for name in style.present(table) if (name in WITH_ATTENTION) == attends]
