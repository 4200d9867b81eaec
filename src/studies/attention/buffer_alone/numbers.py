"""RelRNN without a relevant set, beside the one that has it, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables
from studies.attention.trained_tables import BUFFER_ALONE, BY


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: recall with the buffer `alone`, and with a relevant set, as printed and by the code."""
    speed = tables["learning_speed"]
    accuracies = speed.pivot_table("accuracy", "experiment", "architecture")
    pairs = accuracies.reindex(columns=["rel_rnn", BUFFER_ALONE]).dropna()
    is_pair = speed["experiment"].isin(pairs.index) & speed["architecture"].isin(pairs.columns)
    by_code = accuracies["rel_rnn"].reindex([f"{name}_{BY}_authors_code" for name in pairs.index])
    settings = tables["hyperparameters"].query("task in ['copy', 'denoise']").set_index("architecture")
    sizes = settings["short_term"] + settings["relevant"]
    return {
        "buffer": sizes[BUFFER_ALONE].max(),
        "kept": sizes["rel_rnn"].min(),
        "both": pairs["rel_rnn"],
        "alone": pairs[BUFFER_ALONE],
        "seeds": speed.loc[is_pair, "seeds"],
        "updates": speed.loc[is_pair, "all_updates"],
        "by_code": by_code,
        "alone_by_code": accuracies.filter(like=f"_{BY}_", axis=0)[BUFFER_ALONE].count(),
    }
