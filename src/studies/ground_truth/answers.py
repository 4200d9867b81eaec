"""Common parts of the answers: the head of the page, words and cells, and the settings that turn them."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from learnability.report.findings import Finding, number
from learnability.report.sensitive import with_searched
from learnability.report.style import Tables
from studies.ground_truth import analysed
from studies.ground_truth.contest import MOST_SEEDS
from studies.questions import find_questions
from studies.told import find

INTRODUCTION = """
    From how many sequences does a recurrent network learn to use an input ℓ steps back, and can gradients predict this
    number? In the stored results nine gated networks of 32 units are trained on N sequences of 256 steps, for 6,000
    updates whatever N, with three to five seeds. The task is an earlier input or a sum of six. A lag ℓ counts as
    learned if the response on fresh sequences exceeds half of the right weight.

    *Terms.* The learned share is r/c: r is the response of the predictions to an input ℓ steps before, c the
    coefficient that the task has there. N₅₀ is the least N from which at least half of the seeds learn a lag, r/c > ½,
    interpolated between the N tried. Fresh sequences are ones of which none is shown twice.

    *Grids.* In the grid `dense` each step has an input, in `sparse` one in twenty. `larger` is `sparse` with twice the
    units and steps, `equal_parameters` with units that give each architecture as many parameters. Gates start at ½,
    *slow* ones at 0.005; ConstGate's are fixed at 0.7, 0.05 and 0.005.

    *Candidates.* Paper, published code and gradient step are sample complexities N̂ along random directions: by the
    paper's text, by its author's code and by exact gradients. Own gradient is N̂ along the gradient of the lag itself,
    in the noise of the whole gradient (total) or of the lag's part (matched). The noise scale B is the variance of the
    gradient over the squared mean gradient that crosses the lag; preconditioned, both are divided as AdamW divides
    them. Total variance is the variance alone. Candidates are taken before training; *mean* is an average over it.

    *How sure.* The settings that an answer is most sensitive to are found by varying one setting at a time, a list as a
    whole. What was fixed before the trials stands at the head of
    `src/studies/ground_truth/contest.py`.

    Words are in the [glossary](../../../docs/glossary.md). Every number is in one of the tables that are named
    below it. `snakemake --configfile config/ground_truth.yaml` makes all of this.
    """
TEXT = analysed.TEXT
"""Candidate of the paper's text: its sample complexity N̂ at initialisation."""
TRAINED_AGAIN, SAME_TRIALS = "in small runs of one seed and 100 updates", "in the analysis of the same trials"
"""Places of the searches of `workflow/rules/ground_truth/search.smk`, in words."""


def answer(
    tables: Tables,
    labels: Mapping[str, str],
    searched: Mapping[str, pd.DataFrame] | None = None,
    *,
    sentences: bool,
) -> list[Finding]:
    """All findings, in the order of the page.

    Args:
        tables: of `studies.ground_truth.tables.tabulate`.
        labels: names of architectures.
        searched: tables of searches over `HEADLINES` of the study's modules `headlines` and `analysed`. A finding with
            rows there says which settings change its answer and its numbers most.
        sentences: include answers; without them a finding has its question and figure.
    """
    findings: dict[str, Finding] = {}
    for name, question in find_questions("ground_truth").items():
        finding = find("ground_truth", name, sentences, tables, labels)
        findings[name] = finding._replace(tables=[("", table) for table in question.tables])
    where = dict.fromkeys(findings, TRAINED_AGAIN) | dict.fromkeys(analysed.HEADLINES, SAME_TRIALS)
    return list(with_searched(findings, pd.concat(searched.values()) if searched else None, where).values())


def words(candidate: str) -> str:
    """The name of a candidate as a text has it."""
    return candidate.replace("_", " ").replace(", start", " at the start")


def size_columns(shares: pd.DataFrame) -> list[str]:
    """Columns of `learned_share` that are an N, increasing."""
    names = [name for name in map(str, shares.dropna(axis=1, how="all")) if name.startswith("N = ")]
    return sorted(names, key=lambda name: float(name.removeprefix("N = ").replace("∞", "inf")))


def n50_cell(row: "pd.Series[Any]") -> str:
    """N₅₀ with its interval; a dash where the lag is not learned."""
    if row["learned"] < MOST_SEEDS:
        return "–"
    return f"{_end(row['n50'])} [{_end(row['n50_low'])}, {_end(row['n50_high'])}]"


def _end(size: float) -> str:
    return "<" if size == 0 else ">" if np.isinf(size) else number(size)
