"""All answers of the page, and its introduction."""

from collections.abc import Mapping

import pandas as pd

from learnability.report.findings import Finding
from learnability.report.sensitive import with_judgement
from learnability.report.style import Tables
from studies.comparison.choices import describe_choices
from studies.questions import find_questions
from studies.told import find

CHOICES = "choices"
"""The table of `studies.comparison.choices`, which all questions name."""
INTRODUCTION = """
    Which recurrent cell learns what? In the stored results 30 cells of the literature are compared on six tasks. All
    have the same optimiser and clipping, at most 2,000 parameters and 600 updates of 32 sequences. A learning rate is
    tuned for each cell and task; then five fresh seeds are trained at it, and these alone are compared. A score is 0 at
    chance level and 1 at best. A *slow* cell starts with gates at 0.05.

    Sizes are small: an order of cells at thousands of parameters need not hold at millions. A score of 1 is the best
    that can be had. A *race* is one cell at one task: its rate is the best of six by two seeds, and five fresh seeds
    are trained at it. Other cells than slow ones start with gates at ½ or as their authors start them; slow gates of
    the first study start at 0.005. The *chrono* LSTM starts with forget gates that keep up to 32 steps. Cells are of
    five families: plain recurrences, orthogonal matrices (one of which, GORU, has gates as well), gates, linear
    recurrences and attention. All cells are in the [glossary](../../../docs/glossary.md).

    At the *delayed sum* a network predicts at each of 48 steps a weighted sum of inputs 2, 5, 11 and 23 steps before.
    One question has two more sums, with other lags. At *selective copying* it repeats 3 symbols, of an alphabet of 4,
    that stood anywhere in 22 steps. At *associative recall* it sees 3 pairs of a key and a value in 24 noisy steps, and
    is then asked for the value of one key. At *permuted digits* it names a digit of 8 × 8 pixels, which it reads one by
    one in a random order. At *counting* it says how many marks, 0 to 9, it has seen in 48 steps since a reset. The
    *heartbeat* is an electrocardiogram of one patient, to be forecast at each of 60 steps a fifth of a second ahead.
    Nobody knows how much of it can be forecast, so a score of 1 may be out of reach.

    `snakemake --configfile config/comparison.yaml` makes all of this.
    """


def answer(
    tables: Tables,
    labels: Mapping[str, str],
    searches: Mapping[str, pd.DataFrame] | None = None,
    *,
    sentences: bool,
) -> list[Finding]:
    """All findings, in the order of the page.

    Args:
        tables: of `studies.comparison.tables.tabulate`.
        labels: names of architectures.
        searches: none is made for this study; other choices of the analysis are in the table `choices`.
        sentences: include answers; without them a finding has its question and figure.
    """
    findings, choices = [], tables["choices"]
    for name, question in find_questions("comparison").items():
        finding = find("comparison", name, sentences, tables, labels)
        finding = with_judgement(finding, describe_choices(choices[choices["question"] == name]))
        entries = [("", table) for table in (*question.tables, CHOICES)]
        findings.append(finding._replace(tables=list(dict.fromkeys(entries))))
    return findings
