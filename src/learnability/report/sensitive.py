"""Which settings change a finding most, in words, from a search over its settings."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from learnability.core.variation import ROOT_SEED, most_sensitive
from learnability.report.findings import Finding, listed, number

QUICK = "at the quick size"
NOT_SEARCHED, ALSO = "By judgement, not by a search:", "By judgement, also:"
"""Before settings that were named without a search, and beside one."""


def told_sensitivity(variations: pd.DataFrame, turned: str, where: str = QUICK) -> str:
    """The two settings that change most, each with how far a statement moves and what turns.

    Args:
        variations: of `learnability.core.variation.vary_settings`.
        turned: what is counted as turned: "verdict", of which there are several, or "answer", the one.
        where: the settings were varied.

    Returns:
        A sentence: how many settings were varied, how many of them move anything, and the two that move most; empty if
        none could be varied. Two more sentences follow where they apply: how many settings cannot be varied alone, and
        how far other random numbers move a statement. A setting that moves it no further may do so by chance.

    Example:
        >>> import pandas as pd
        >>> columns = ["setting", "value", "varied", "turned", "largest_change", "statement"]
        >>> found = pd.DataFrame([("x", 6, 2, 1, 0.5, "one@0")], columns=columns)
        >>> told_sensitivity(found, "answer")  # doctest: +NORMALIZE_WHITESPACE
        'A search over 1 setting at the quick size, of which 1 moves a number: `x` (2 in place of 6 moves *one* by 50 %;
        the answer turns).'
    """
    tried = variations[variations["turned"].notna()]
    refused = len(set(variations["setting"]) - set(tried["setting"]))
    drawn, tried = (tried[(tried["setting"] == ROOT_SEED) == by_chance] for by_chance in (True, False))
    if tried.empty:
        return ""
    count = tried["setting"].nunique()
    searched = f"A search over {count} setting{'s' * (count > 1)} {where}, of which"
    moving = tried[(tried["turned"] > 0) | (tried["largest_change"] > 0)]
    rest = f"{_refused(refused)}{_by_chance(drawn, turned)}"
    if moving.empty:
        return f"{searched} none moves a number.{rest}"
    told = listed(_told(row, turned) for row in most_sensitive(moving).to_dict("records"))
    number_moving = moving["setting"].nunique()
    return f"{searched} {number_moving} move{'s' * (number_moving == 1)} a number: {told}.{rest}"


def with_searched(
    findings: Mapping[str, Finding], searched: pd.DataFrame | None, where: Mapping[str, str] | str = QUICK
) -> dict[str, Finding]:
    """The findings, each with the settings that a search found to change its answer most.

    A finding that no search was made for says so.

    Args:
        findings: by question.
        searched: of `learnability.core.variation.vary_headlines`, if there was any search.
        where: as of `told_sensitivity`, the same for all questions or by question.
    """
    told = dict(findings)
    for question, finding in findings.items():
        own = "" if searched is None else _of_question(searched, question, where)
        told[question] = with_judgement(finding, own)
    return told


def with_judgement(finding: Finding, searched: str) -> Finding:
    """The finding with what a search found, if there was one, before the settings that it names by judgement."""
    text = " ".join(finding.sensitive_to.split())
    named = f"{ALSO if searched else NOT_SEARCHED} {text}" if text else ""
    return finding._replace(sensitive_to=f"{searched} {named}".strip())


def _of_question(searched: pd.DataFrame, question: str, where: Mapping[str, str] | str) -> str:
    own = where if isinstance(where, str) else where.get(question, QUICK)
    return told_sensitivity(searched[searched["question"] == question], "answer", own)


def _told(row: Mapping[Any, Any], turned: str) -> str:
    moved = f"moves *{_in_words(row['statement'])}* {_moved(row['largest_change'])}"
    values = f"{number(row['varied'])} in place of {number(row['value'])}"
    return f"`{row['setting']}` ({values} {moved}; {_turned(row['turned'], turned)})"


def _refused(count: int) -> str:
    """The sentence on settings that have no other valid value while the rest stays."""
    return f" {count} more cannot be varied alone." if count else ""


def _by_chance(drawn: pd.DataFrame, turned: str) -> str:
    """The sentence on other random numbers; empty if none were tried."""
    if drawn.empty:
        return ""
    row = most_sensitive(drawn, 1).to_dict("records")[0]
    if row["largest_change"] == 0:
        return " Other random numbers move nothing."
    moved = f"*{_in_words(row['statement'])}* {_moved(row['largest_change'])}"
    return f" Other random numbers move {moved}; {_turned(row['turned'], turned)}."


def _turned(count: float, noun: str) -> str:
    if noun == "answer":
        return f"the answer {'turns' if count else 'stays'}"
    return f"{f'{count:.0f}' if count else 'no'} {noun}{'s turn' if count > 1 else ' turns'}"


def _in_words(statement: str) -> str:
    """The name of a statement, without a seed behind it."""
    return statement.partition("@")[0].replace("_", " ")


def _moved(change: float) -> str:
    return f"by {number(100 * change)} %" if np.isfinite(change) else "from or to nothing"
