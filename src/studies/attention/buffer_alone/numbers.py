"""RelRNN without a relevant set, beside the one that has it, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables
from studies.attention.trained_tables import BUFFER_ALONE, BY


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: recall with the buffer `alone`, and with a relevant set, as printed and by the code."""
    learned = tables["learning_speed"].pivot_table("accuracy", "experiment", "architecture")
    both = learned.reindex(columns=["rel_rnn", BUFFER_ALONE]).dropna()
    by_code = learned["rel_rnn"].reindex([f"{name}_{BY}_authors_code" for name in both.index])
    return {
        "both": both["rel_rnn"],
        "alone": both[BUFFER_ALONE],
        "by_code": by_code,
        "alone_by_code": learned.filter(like=f"_{BY}_", axis=0)[BUFFER_ALONE].count(),
    }
