"""Settings that change a finding most, in words, from a search over its settings."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from learnability.core.variation import ROOT_SEED, most_sensitive
from learnability.report.findings import Finding, in_lines, number

QUICK = "in small runs (the quick size)"
NOT_SEARCHED, ALSO = "By judgement, not by a search:", "By judgement, also:"
"""Words before settings that were named without a search, and in addition to one."""
CHANCE = "with other random numbers", "other random numbers"
LEFT_OUT = " without "
"""Word of `learnability.core.variation.vary` between a list and its member that is left out."""


def sensitivity_sentences(
    variations: pd.DataFrame, turned: str, where: str = QUICK, total: int = 0, words: Mapping[str, str] | None = None
) -> str:
    """Sentences on what changes an answer, what moves its numbers most, and how many settings were varied.

    A table of variations has the size of a change and not its direction, so a number moves by a share of its value.

    Args:
        variations: table of `learnability.core.variation.vary_settings`.
        turned: "verdict" if several verdicts are counted, "answer" if there is one answer.
        where: place of the variations, in words.
        total: number of verdicts; where it is 0 it is left out.
        words: of statements whose names are keys.

    Returns:
        Three sentences: the setting that changes the answer or most verdicts, and whether other random numbers do; the
        setting that moves a number most, and whether other random numbers move one as far; how many settings were
        varied, and how many of them change the answer or a verdict. Empty if none could be varied.

    Example:
        >>> import pandas as pd
        >>> columns = ["setting", "value", "varied", "turned", "largest_change", "statement"]
        >>> rows = [("x", 6, 2, 1, 0.5, "mean share"), ("y", 1, 3, 0, 22, "a_b@0"), ("root_seed", 0, 1, 0, 30, "a_b@1")]
        >>> variations = pd.DataFrame(rows, columns=columns)
        >>> sensitivity_sentences(variations[:1], "answer")  # doctest: +NORMALIZE_WHITESPACE
        'The answer changes if `x` is 2 instead of 6. This moves *mean share* most, by 50 %. 1 setting was varied in
        small runs (the quick size); 1 changes the answer.'
        >>> sensitivity_sentences(variations, "verdict", "in one seed")  # doctest: +NORMALIZE_WHITESPACE
        '1 verdict changes if `x` is 2 instead of 6. `y` at 3 instead of 1 moves `a_b` most, by 22 times its value, no
        more than other random numbers. Each of 2 settings was varied alone in one seed; 1 changes a verdict.'
        >>> words = {"a_b": "ratio of a to b"}
        >>> sensitivity_sentences(variations[:2], "verdict", "in one seed", 5, words)  # doctest: +NORMALIZE_WHITESPACE
        '1 of 5 verdicts changes if `x` is 2 instead of 6. `y` at 3 instead of 1 moves *ratio of a to b* (`a_b`) most,
        by 22 times its value. Each of 2 settings was varied alone in one seed; 1 changes a verdict.'
    """
    trials = variations[variations["turned"].notna()]
    trials = trials.assign(extent=trials["largest_change"].fillna(np.inf)).reset_index(drop=True)
    is_chance = trials["setting"] == ROOT_SEED
    chance, trials = trials[is_chance], trials[~is_chance]
    if trials.empty:
        return ""
    (turner,) = most_sensitive(trials, 1).to_dict("records")
    mover = _largest(trials)
    moves_most = turner["turned"] > 0 and turner["extent"] == mover["extent"]
    count, turners = trials["setting"].nunique(), trials.loc[trials["turned"] > 0, "setting"].nunique()
    varied = "1 setting was varied" if count == 1 else f"Each of {count} settings was varied alone"
    unit = "the answer" if turned == "answer" else f"a {turned}"
    changes = f"; {turners} change{'s' * (turners == 1)} {unit}" if turners else ""
    sentences = [
        _turn_sentence(turner, float(chance["turned"].max()) if len(chance) else 0.0, turned, total),
        _move_sentence("This" if moves_most else _subject(mover), turner if moves_most else mover, chance, words or {}),
        f"{varied} {where}{changes}.",
    ]
    return " ".join(sentences)


def with_searched(
    findings: Mapping[str, Finding],
    searched: pd.DataFrame | None,
    where: Mapping[str, str] | str = QUICK,
) -> dict[str, Finding]:
    """The findings, each with the settings that a search found to change its answer most.

    A finding that no search was made for says so.

    Args:
        findings: by question.
        searched: table of `learnability.core.variation.vary_headlines`, if there was any search.
        where: as in `sensitivity_sentences`, the same for all questions or by question.
    """
    results = dict(findings)
    for question, finding in findings.items():
        sentence = "" if searched is None else _question_sentences(searched, question, where)
        results[question] = with_judgement(finding, sentence)
    return results


def with_judgement(finding: Finding, searched: str) -> Finding:
    r"""The finding with what a search found, if there was one, before the settings that it names by judgement.

    Where `sensitive_to` has two paragraphs the first says what a search asks, if that is not the question itself. It
    stands before the sentences of the search, and is left out if there was none.

    Example:
        >>> finding = Finding("?", "!", "", {}, "It asks less.\n\nthe seed.", ("", ""))
        >>> with_judgement(finding, "No setting changes the answer.").sensitive_to
        'It asks less. No setting changes the answer. By judgement, also: the seed.'
        >>> with_judgement(finding, "").sensitive_to
        'By judgement, not by a search: the seed.'
    """
    question, _, text = in_lines(finding.sensitive_to).rpartition("\n\n")
    judgement = f"{ALSO if searched else NOT_SEARCHED} {text}" if text else ""
    parts = (question if searched else "", searched, judgement)
    return finding._replace(sensitive_to=" ".join(filter(None, parts)))


def _question_sentences(search: pd.DataFrame, question: str, where: Mapping[str, str] | str) -> str:
    place = where if isinstance(where, str) else where.get(question, QUICK)
    return sensitivity_sentences(search[search["question"] == question], "answer", place)


def _turn_sentence(turner: Mapping[Any, Any], turned_by_chance: float, turned: str, total: int) -> str:
    """The sentence on what changes the answer, or how many verdicts."""
    condition = _condition(turner) if turner["turned"] else ""
    if turned == "answer":
        if not turned_by_chance:
            return f"The answer changes {condition}." if condition else "No setting changes the answer."
        return f"The answer changes {CHANCE[0]}, {f'and {condition}' if condition else 'but with no setting'}."
    first = f"{_counted(turned_by_chance, turned, total)} {CHANCE[0]}, " if turned_by_chance else ""
    if not condition:
        return f"{first}none with a setting." if first else f"No setting changes a {turned}."
    count = turner["turned"]
    return f"{first}{f'and {count:.0f}' if first else _counted(count, turned, total)} {condition}."


def _counted(count: float, turned: str, total: int) -> str:
    of_total = f" of {total}" if total else ""
    return f"{count:.0f}{of_total} {turned}{'s' * (max(count, total) > 1)} {'change' if count > 1 else 'changes'}"


def _move_sentence(subject: str, mover: Mapping[Any, Any], chance: pd.DataFrame, words: Mapping[str, str]) -> str:
    """The sentence on the largest change of a number, and on other random numbers if they change one as much."""
    change, name = mover["largest_change"], _name(mover, words)
    if change == 0:
        return "None moves a number behind it."
    if not np.isfinite(change):
        clause = (
            f"{subject} {f'decides whether {name} is finite' if np.isnan(change) else f'makes {name} differ from 0'}"
        )
    else:
        clause = f"{subject} moves {name} most, by {_extent(change)}"
    if chance.empty or chance["extent"].max() < mover["extent"]:
        return f"{clause}."
    other = _name(_largest(chance), words)
    if other != name:
        return f"{clause}; other random numbers move {other} no less."
    return f"{clause}, {'no more than' if np.isfinite(change) else 'as do'} {CHANCE[1]}."


def _largest(trials: pd.DataFrame) -> dict[Any, Any]:
    return trials.sort_values("extent", ascending=False, kind="stable").to_dict("records")[0]


def _extent(change: float) -> str:
    """A relative change in two digits: in percent, or from 2 on in multiples."""
    value = float(f"{change if change >= 2 else 100 * change:.2g}")
    return f"{number(value)} times its value" if change >= 2 else f"{number(value)} %"


def _name(row: Mapping[Any, Any], words: Mapping[str, str]) -> str:
    """The statement that changes: words in italics, a key as code behind its words."""
    name = row["statement"].partition("@")[0]
    if not (name.isidentifier() and "_" in name):
        return f"*{name}*"
    return f"*{words[name]}* (`{name}`)" if words.get(name) else f"`{name}`"


def _condition(row: Mapping[Any, Any]) -> str:
    setting, _, member = row["setting"].partition(LEFT_OUT)
    values = f"is {number(row['varied'])} instead of {number(row['value'])}"
    return f"without `{member}` among `{setting}`" if member else f"if `{setting}` {values}"


def _subject(row: Mapping[Any, Any]) -> str:
    setting, _, member = row["setting"].partition(LEFT_OUT)
    values = f"at {number(row['varied'])} instead of {number(row['value'])}"
    return f"Leaving `{member}` out of `{setting}`" if member else f"`{setting}` {values}"
