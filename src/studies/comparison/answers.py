"""All answers of the page, and its introduction."""

from collections.abc import Mapping
from importlib import import_module

import pandas as pd

from learnability.report.findings import Finding
from learnability.report.sensitive import with_searched
from learnability.report.style import Tables
from studies.questions import find_questions

INTRODUCTION = """
    Recurrent cells of the literature at equal parameters: each is the largest of its kind within a number of
    parameters, starts as its authors start it, and is trained by the same optimiser, clipping, batches and updates. At
    each task a learning rate is chosen for each cell by the same search; then fresh seeds are trained at it, and these
    alone are compared. A score is 0 for a guess and 1 for the best that can be had. What was expected is written in
    `src/studies/comparison/expectations.py`, before the races were run. Sizes are small: an order of cells at thousands
    of parameters need not be that at millions. `snakemake --configfile config/comparison.yaml` makes all of this.
    """


def answer(
    tables: Tables, labels: Mapping[str, str], searched: Mapping[str, pd.DataFrame] | None = None
) -> list[Finding]:
    """All findings, in the order of the page.

    Args:
        tables: of `studies.comparison.tables.tabulate`.
        labels: names of architectures.
        searched: none is made for this study; findings say so.
    """
    findings: dict[str, Finding] = {}
    for name, question in find_questions("comparison").items():
        finding = import_module(f"studies.comparison.{name}.findings").answer(tables, labels)
        figure = ("", question.figure) if question.figure else finding.figure
        findings[name] = finding._replace(figure=figure, tables=[("", table) for table in question.tables])
    return list(with_searched(findings, pd.concat(searched.values()) if searched else None).values())
