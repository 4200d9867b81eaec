"""Settings that change a finding most, in words, from a search over its settings."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from learnability.core.variation import ROOT_SEED, most_sensitive
from learnability.report.findings import Finding, in_lines, in_words, number

QUICK = "in small runs (the quick size)"
NOT_SEARCHED, ALSO = "What matters, by judgement and not by a search:", "What also matters, by judgement:"
"""Words before settings that were named without a search, and in addition to one."""
CHANCE = "other random numbers"
VERBS = {1 / 2: "halving {}", 2: "doubling {}", 1 / 3: "dividing {} by three", 3: "tripling {}"}
"""What a search does with a setting, of a list with each of its numbers, by the factor."""
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
        Whether other random numbers change the answer or verdicts, if they do; how many of the settings do, and which
        one changes most; the setting that moves a number most, and whether other random numbers move one as far. Empty
        if none could be varied.

    Example:
        >>> import pandas as pd
        >>> columns = ["setting", "value", "varied", "turned", "largest_change", "statement"]
        >>> rows = [("x", 6, 2, 1, 0.5, "mean share"), ("y", 1, 3, 0, 22, "a_b@0"), ("root_seed", 0, 1, 0, 30, "a_b@1")]
        >>> variations = pd.DataFrame(rows, columns=columns)
        >>> sensitivity_sentences(variations[:1], "answer")  # doctest: +NORMALIZE_WHITESPACE
        'The one setting that was varied in small runs (the quick size) changes the answer: dividing `x` by three. It
        moves *mean share* most, by 50 %.'
        >>> sensitivity_sentences(variations, "verdict", "in one seed")  # doctest: +NORMALIZE_WHITESPACE
        'One of 2 settings, each varied alone in one seed, changes verdicts: dividing `x` by three changes 1. Tripling
        `y` moves `a_b` most, by 22 times its value, no more than other random numbers.'
        >>> words = {"a_b": "ratio of a to b"}
        >>> sensitivity_sentences(variations[:2], "verdict", "in one seed", 5, words)  # doctest: +NORMALIZE_WHITESPACE
        'One of 2 settings, each varied alone in one seed, changes verdicts: dividing `x` by three changes 1 of 5.
        Tripling `y` moves *ratio of a to b* (`a_b`) most, by 22 times its value.'
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
    turners = trials.loc[trials["turned"] > 0, "setting"].nunique()
    total_words = f" of {total}" if total else ""
    sentences = [
        _chance_sentence(chance["turned"], turned, total_words),
        _turn_sentence(turner, trials["setting"].nunique(), turners, turned, where, total_words),
        _move_sentence("It" if moves_most else _subject(mover), turner if moves_most else mover, chance, words or {}),
    ]
    return " ".join(filter(None, sentences))


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
        >>> with_judgement(finding, "None of 2 settings changes the answer.").sensitive_to
        'It asks less. None of 2 settings changes the answer. What also matters, by judgement: the seed.'
        >>> with_judgement(finding, "").sensitive_to
        'What matters, by judgement and not by a search: the seed.'
    """
    question, _, text = in_lines(finding.sensitive_to).rpartition("\n\n")
    judgement = f"{ALSO if searched else NOT_SEARCHED} {text}" if text else ""
    parts = (question if searched else "", searched, judgement)
    return finding._replace(sensitive_to=" ".join(filter(None, parts)))


def _question_sentences(search: pd.DataFrame, question: str, where: Mapping[str, str] | str) -> str:
    place = where if isinstance(where, str) else where.get(question, QUICK)
    return sensitivity_sentences(search[search["question"] == question], "answer", place)


def _chance_sentence(turned_by_chance: "pd.Series[float]", turned: str, total: str) -> str:
    """The sentence on what other random numbers change, by how much each of them turns; empty if nothing."""
    count = int((turned_by_chance > 0).sum())
    if not count:
        return ""
    if turned != "answer":
        return f"{CHANCE.capitalize()} change {turned_by_chance.max():.0f}{total} {turned}s."
    runs = f" in {in_words(count)} of {in_words(len(turned_by_chance))} runs" if len(turned_by_chance) > 1 else ""
    return f"{CHANCE.capitalize()} change the answer{runs}."


def _turn_sentence(turner: Mapping[Any, Any], count: int, turners: int, turned: str, where: str, total: str) -> str:
    """The sentence on how many settings change the answer or verdicts, and which of them changes most."""
    unit = "the answer" if turned == "answer" else f"{turned}s"
    if count == 1:
        subject = f"The one setting that was varied {where}"
        verb = "changes" if turners else "does not change"
    else:
        subject = f"{in_words(turners).capitalize()} of {count} settings, each varied alone {where},"
        verb = "change" if turners > 1 else "changes"
    if not turners:
        return f"{subject} {verb} {unit if turned == 'answer' else f'a {turned}'}."
    if turned == "answer":
        return f"{subject} {verb} {unit}{', such as' if turners > 1 else ':'} {_subject(turner, start=False)}."
    separator, most = ("; ", "most, ") if turners > 1 else (": ", "")
    number_turned = f"{turner['turned']:.0f}{total}"
    return f"{subject} {verb} {unit}{separator}{_subject(turner, start=False)} changes {most}{number_turned}."


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
        return f"{clause}. {CHANCE.capitalize()} move {other} no less."
    return f"{clause}, {'no more than' if np.isfinite(change) else 'as do'} {CHANCE}."


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


def _subject(row: Mapping[Any, Any], start: bool = True) -> str:
    """The change of a setting in words, at the start of a sentence or in its middle."""
    setting, _, member = row["setting"].partition(LEFT_OUT)
    if member:
        words = f"leaving `{member}` out of `{setting}`"
    else:
        otherwise = f"setting {{}} to {number(row['varied'])} instead of {number(row['value'])}"
        ratio = row["varied"] / row["value"] if row["value"] else np.nan
        words = next((verb for factor, verb in VERBS.items() if np.isclose(ratio, factor)), otherwise)
        words = words.format(f"`{setting}`")
    return words[0].upper() + words[1:] if start else words
