"""Findings of all questions, and the head of the page."""

from collections.abc import Mapping

import pandas as pd

from learnability.report.findings import Finding
from learnability.report.sensitive import with_searched
from learnability.report.style import Tables
from studies.questions import find_questions
from studies.told import find

INTRODUCTION = """
    A network with attention carries a gradient through time in two ways: step by step, and along links of attention.
    The paper bounds the gradient that arrives. This page checks its theory by exact computation, and its experiments
    with eleven kinds of networks. In the stored results these have 32 to 128 units, mostly one to three seeds, and
    delays of 100 or 300 steps. Networks that have not learned count for neither side, a rule set after the results.

    On copy and denoise a network has learned if it recalls 90 % of the symbols. A network whose state overflows counts
    for neither side, either. The scorecard says what the counts would be without this rule.

    V is the matrix by which one state enters the next, and λ one of its eigenvalues. T is the length of a sequence;
    where networks learn a task, T is its delay.

    To *copy* is to repeat ten symbols after T blanks. To *denoise* is to repeat them when they stand among T steps of
    noise. At a *delayed sum* the target is a weighted sum of earlier inputs.

    In MemRNN and MemLSTM each state attends to all past states. In RelRNN and RelLSTM it attends to a short-term buffer
    and a relevant set. The buffer has the last ν states, the set the ρ past states with the largest attention so far.
    SAB is an LSTM that attends to the few past states of largest weight. orth-RNN and expRNN have an orthogonal V, and
    GORU has gates and an orthogonal V. h-detach is an LSTM whose gradient through the hidden state is cut at random
    steps.

    *How sure.* The settings that an answer is most sensitive to are found by varying one setting at a time, a list as a
    whole. Words are in the [glossary](../../../docs/glossary.md). `snakemake --configfile
    config/attention/full.yaml` makes the page.
    """
SEARCHED_AT = "in small runs of one seed"
"""The size of `workflow/rules/attention/search.smk`."""


def answer(
    tables: Tables,
    labels: Mapping[str, str],
    searches: Mapping[str, pd.DataFrame] | None = None,
    *,
    sentences: bool,
) -> list[Finding]:
    """All findings, in the order of the page; a question whose tables were not made is not asked.

    Args:
        tables: by name, as questions name them.
        labels: names of architectures.
        searches: tables of searches over `studies.attention.headlines.HEADLINES`. A finding with rows there says which
            settings change its numbers most, too.
        sentences: include answers; without them a finding has its question and figure.
    """
    findings: dict[str, Finding] = {}
    for name, question in find_questions("attention").items():
        if set(question.tables) <= tables.keys():
            finding = find("attention", name, sentences, tables, labels)
            findings[name] = finding._replace(tables=[("", table) for table in question.tables])
    return list(with_searched(findings, pd.concat(searches.values()) if searches else None, SEARCHED_AT).values())
