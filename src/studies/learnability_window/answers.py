"""Common parts of the answers: the head of the page, and the settings that turn them."""

from collections.abc import Collection, Mapping

import pandas as pd

from learnability.report.findings import Finding
from learnability.report.sensitive import with_searched
from learnability.report.style import Tables
from studies.learnability_window.evidence import Evidence
from studies.questions import find_questions
from studies.told import find

INTRODUCTION = """
    L. Livi's paper says how far back gated recurrent networks can learn: as far as a gradient stands out of its noise.
    We train its networks on its task and compare what gradients detect with what is learned. The task is a weighted sum
    of earlier inputs, at lags from 32 to 512 steps. In the stored results networks have 64 units, 500 epochs and 6,000
    sequences of 1,024 steps; the three main ones have five seeds.

    *Networks.* *The three gates* are ConstGate (one fixed gate, 0.7), SharedGate (one learned gate for all units) and
    DiagGate (one for each unit). Ordinary gates start at ½, *slow* gates at 0.005. All are trained by AdamW where a
    page names no optimiser; by SGD there are three seeds, and fewer where a page says so. The LSTM and the GRU have two
    seeds, starts at 0.05 and layer normalisation one. Counts of all networks include the ones trained by SGD, with or
    without momentum.

    *Readings.* The method is read in three ways: `paper` is the paper's text, `published_code` its author's code,
    `gradient_step` ours, with exact gradients and one draw for each sequence.

    *How this page counts.* A number is a median over seeds, but learned shares and training losses are means. A range
    runs over the networks that its sentence names, or over their seeds where it says so.

    *How sure.* The settings that an answer is most sensitive to are found by halving and doubling one setting at a
    time. A list such as `task.lags` is varied as a whole. The
    search asks a simpler question than the headline; this question is stated first. All changes are in the table
    `headline_sensitivity`.

    Words are in the [glossary](../../../docs/glossary.md), verdicts on the paper's claims in the
    [scorecard](paper/scorecard.md).
    """


def answer(
    tables: Tables,
    labels: Mapping[str, str],
    searched: Mapping[str, pd.DataFrame] | None = None,
    *,
    groups: Mapping[str, Mapping[str, str]],
    sentences: bool,
    figures: Collection[str] | None = None,
) -> list[Finding]:
    """Findings of all questions for which there are tables and networks, in the order of the page.

    Args:
        tables: by name, behind the reading if a table is of one: `learned`, `paper/floor`.
        labels: names of architectures in tables, in their order.
        searched: tables of searches over `studies.learnability_window.headlines.HEADLINES`. A finding with rows there
            says which settings change its answer and its numbers most.
        groups: role → architecture of each group of architectures.
        figures: names of files that are drawn, if not all are; a question whose figure is not among them is not asked.
        sentences: include answers; without them a finding has its question and figure.
    """
    by_reading = {(reading, name): table for key, table in tables.items() for reading, _, name in [key.rpartition("/")]}
    evidence, findings = Evidence(by_reading, groups, labels), {}
    for name, question in find_questions("learnability_window").items():
        if question.tables and set(question.tables) <= set(by_reading):
            finding = find("learnability_window", name, sentences, evidence)
            if figures is None or f"{finding.figure[1]}.png" in figures:
                findings[name] = finding._replace(tables=list(question.tables))
    table = pd.concat(searched.values()) if searched else None
    return list(with_searched(findings, table).values())
