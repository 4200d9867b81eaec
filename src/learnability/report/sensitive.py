"""Settings that change a finding most, in words, from a search over its settings."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from learnability.core.variation import ROOT_SEED, most_sensitive
from learnability.report.findings import Finding, listed, number

QUICK = "in small runs (the quick size)"
NOT_SEARCHED, ALSO = "By judgement, not by a search:", "By judgement, also:"
"""Words before settings that were named without a search, and in addition to one."""


def sensitivity_sentences(variations: pd.DataFrame, turned: str, where: str = QUICK) -> str:
    """Sentences on the two settings that change most: how far a number moves, and whether a verdict changes.

    Args:
        variations: table of `learnability.core.variation.vary_settings`.
        turned: "verdict" if several verdicts are counted, "answer" if there is one answer.
        where: place of the variations, in words.

    Returns:
        Sentences: how many settings were varied, how many of them change a number, and the two that change one most;
        empty if none could be varied. Two more follow where they apply: how many settings cannot be varied alone, and
        how far other random numbers change a number. A setting that changes a number no further may do so by chance.

    Example:
        >>> import pandas as pd
        >>> columns = ["setting", "value", "varied", "turned", "largest_change", "statement"]
        >>> variations = pd.DataFrame([("x", 6, 2, 1, 0.5, "one@0")], columns=columns)
        >>> sensitivity_sentences(variations, "answer")  # doctest: +NORMALIZE_WHITESPACE
        'Of 1 setting, varied one at a time in small runs (the quick size), 1 changes a number behind the answer. With
        `x` at 2 instead of 6, *one* changes by 50 % of its value, and the answer changes.'
    """
    trials = variations[variations["turned"].notna()]
    fixed_count = len(set(variations["setting"]) - set(trials["setting"]))
    chance_trials, trials = (trials[(trials["setting"] == ROOT_SEED) == by_chance] for by_chance in (True, False))
    if trials.empty:
        return ""
    count = trials["setting"].nunique()
    movers = trials[(trials["turned"] > 0) | (trials["largest_change"] != 0)]
    mover_count = movers["setting"].nunique()
    verbs = f"change{'s' * (mover_count < 2)}"
    behind = f"{mover_count or 'none'} {verbs} a number behind the {turned}{'s' * (turned != 'answer')}."
    parts = [
        f"Of {count} setting{'s' * (count > 1)}, varied one at a time {where}, {behind}",
        *(_sentence(row, turned) for row in most_sensitive(movers).to_dict("records")),
        _fixed_sentence(fixed_count),
        _chance_sentence(chance_trials, turned),
    ]
    return " ".join(filter(None, parts))


def turning_sentence(variations: pd.DataFrame, where: str = QUICK) -> str:
    """The sentence on what changes an answer, and no word on numbers that move while it stays the same.

    Args:
        variations, where: as of `sensitivity_sentences`.

    Example:
        >>> import pandas as pd
        >>> columns = ["setting", "value", "varied", "turned", "largest_change", "statement"]
        >>> rows = [("x", 6, 2, 1, 0.5, "one@0"), ("y", 6, 2, 0, 0.5, "one@0"), ("root_seed", 1, 2, 0, 0.1, "one@0")]
        >>> variations = pd.DataFrame(rows, columns=columns)
        >>> turning_sentence(variations)
        'In small runs (the quick size) the answer changes with `x`, but with no other of 2 settings.'
        >>> turning_sentence(variations[1:])
        'In small runs (the quick size) the answer changes with none of 1 setting, nor with other random numbers.'
    """
    trials = variations[variations["turned"].notna()]
    turned = trials[trials["turned"] > 0]
    settings = [name for name in dict.fromkeys(turned["setting"]) if name != ROOT_SEED]
    count = trials.loc[trials["setting"] != ROOT_SEED, "setting"].nunique()
    of_all = f"of {count} setting{'s' * (count != 1)}"
    is_turned_by_chance = ROOT_SEED in set(turned["setting"])
    chance = "other random numbers"
    if settings:
        names = listed([f"`{name}`" for name in settings] + [chance] * is_turned_by_chance)
        change = f"with {names}, but with no other {of_all}"
    elif is_turned_by_chance:
        change = f"with {chance}, and with none {of_all}"
    else:
        tried = f", nor with {chance}" * (ROOT_SEED in set(trials["setting"]))
        change = f"with none {of_all}{tried}"
    return f"{where[0].upper()}{where[1:]} the answer changes {change}." if len(trials) else ""


def with_searched(
    findings: Mapping[str, Finding],
    searched: pd.DataFrame | None,
    where: Mapping[str, str] | str = QUICK,
    *,
    is_brief: bool = False,
) -> dict[str, Finding]:
    """The findings, each with the settings that a search found to change its answer most.

    A finding that no search was made for says so.

    Args:
        findings: by question.
        searched: table of `learnability.core.variation.vary_headlines`, if there was any search.
        where: as in `sensitivity_sentences`, the same for all questions or by question.
        is_brief: say which settings change an answer alone, as `turning_sentence` does.
    """
    results = dict(findings)
    for question, finding in findings.items():
        sentence = "" if searched is None else _question_sentences(searched, question, where, is_brief)
        results[question] = with_judgement(finding, sentence)
    return results


def with_judgement(finding: Finding, searched: str) -> Finding:
    """The finding with what a search found, if there was one, before the settings that it names by judgement."""
    text = " ".join(finding.sensitive_to.split())
    judgement = f"{ALSO if searched else NOT_SEARCHED} {text}" if text else ""
    return finding._replace(sensitive_to=f"{searched} {judgement}".strip())


def _question_sentences(search: pd.DataFrame, question: str, where: Mapping[str, str] | str, is_brief: bool) -> str:
    place = where if isinstance(where, str) else where.get(question, QUICK)
    variations = search[search["question"] == question]
    return turning_sentence(variations, place) if is_brief else sensitivity_sentences(variations, "answer", place)


def _sentence(row: Mapping[Any, Any], turned: str) -> str:
    values = f"at {number(row['varied'])} instead of {number(row['value'])}"
    return f"With `{row['setting']}` {values}, {_change_words(row, turned)}"


def _fixed_sentence(count: int) -> str:
    """The sentence on settings that have no other valid value while the rest stays."""
    return f"{count} more setting{'s' * (count > 1)} cannot be varied alone." if count else ""


def _chance_sentence(chance_trials: pd.DataFrame, turned: str) -> str:
    """The sentence on other random numbers; empty if none were tried."""
    if chance_trials.empty:
        return ""
    row = most_sensitive(chance_trials, 1).to_dict("records")[0]
    if row["largest_change"] == 0:
        return "Other random numbers change nothing."
    return f"With other random numbers, {_change_words(row, turned)}"


def _change_words(row: Mapping[Any, Any], turned: str) -> str:
    """The change of a row's number, and of the verdicts or the answer that depend on it, in words."""
    change, count = row["largest_change"], row["turned"]
    if np.isnan(change):
        extent = "is a finite number in one of the two cases alone"
    else:
        extent = f"changes by {number(100 * change)} % of its value" if np.isfinite(change) else "is no longer 0"
    if turned == "answer":
        verdicts = "the answer changes" if count else "the answer stays the same"
    else:
        verdicts = f"{count:.0f} {turned}{'s change' if count > 1 else ' changes'}" if count else f"no {turned} changes"
    return f"*{row['statement'].partition('@')[0].replace('_', ' ')}* {extent}, and {verdicts}."
