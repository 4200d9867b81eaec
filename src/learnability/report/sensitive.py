"""Which settings change a finding most, in words, from a search over its settings."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from learnability.core.variation import most_sensitive
from learnability.report.findings import Finding, number


def told_sensitivity(variations: pd.DataFrame, turned: str, size: str = "the quick size") -> str:
    """The two settings that change most, each with what turns and how far a statement moves.

    Args:
        variations: of `learnability.core.variation.vary_settings`.
        turned: what is counted as turned, in the singular: "verdict", "answer".
        size: at which the settings were varied.

    Returns:
        A sentence, which ends in the number of settings that were varied; empty if none could be.

    Example:
        >>> import pandas as pd
        >>> columns = ["setting", "value", "varied", "turned", "largest_change", "statement"]
        >>> told_sensitivity(pd.DataFrame([("x", 6, 2, 1, 0.5, "one@0")], columns=columns), "verdict")
        '`x` (2 for 6 turns 1 verdict and moves *one* by 50 %). Of 1 setting that was varied at the quick size.'
    """
    tried = variations[variations["turned"].notna()]
    if tried.empty:
        return ""
    told = [
        f"`{row['setting']}` ({number(row['varied'])} for {number(row['value'])} turns {_count(row['turned'], turned)}"
        f" and moves *{_in_words(row['statement'])}* by {_moved(row['largest_change'])})"
        for row in most_sensitive(variations).to_dict("records")
    ]
    count = tried["setting"].nunique()
    return f"{'; '.join(told)}. Of {_settings(count)} varied at {size}."


def with_searched(
    findings: Mapping[str, Finding], searched: pd.DataFrame, size: str = "the quick size"
) -> dict[str, Finding]:
    """The findings, each with the settings that a search found to change its answer most.

    Args:
        findings: by question.
        searched: of `learnability.core.variation.vary_headlines`; questions that it lacks stay as they are.
        size: as of `told_sensitivity`.
    """
    told = dict(findings)
    for question, finding in findings.items():
        if settings := told_sensitivity(searched[searched["question"] == question], "answer", size):
            sentence = f"{' '.join(finding.sensitive_to.split())} Of its numbers: {settings}"
            told[question] = finding._replace(sensitive_to=sentence)
    return told


def _count(number: float, noun: str) -> str:
    return f"{number:.0f} {noun}{'s' * (number > 1)}" if number else f"no {noun}"


def _in_words(statement: str) -> str:
    """The name of a statement, without a seed behind it."""
    return statement.partition("@")[0].replace("_", " ")


def _settings(count: int) -> str:
    return f"{count} settings that were" if count > 1 else "1 setting that was"


def _moved(change: float) -> str:
    return f"{number(100 * change)} %" if np.isfinite(change) else "more than any share of it"
