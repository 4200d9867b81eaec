"""What the scorecard is made of: statements of the notes, and the numbers that exhibits have for them."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from learnability.claims import Evidence, Found, Measures
from learnability.report.findings import Finding

INTRODUCTION = """
    The lecture notes *Gated Recurrent Models* (D. Bacciu, University of Pisa) have no numbers of their own. Each of
    their statements is an exhibit that is computed: what holds, how far, and where it does not.
"""


def of_sections(finding: Finding, sections: str) -> Finding:
    """The finding with the sections of the notes behind its question."""
    return finding._replace(question=f"{' '.join(finding.question.split())} (Sec. {sections})")


def claims(notes: Mapping[str, Any], labels: Mapping[str, str]) -> list[dict[str, Any]]:
    """Those of the file."""
    return list(notes["claims"])


def tables(measured: Mapping[str, pd.DataFrame], readings: Sequence[Mapping[str, Any]]) -> dict[str, pd.DataFrame]:
    """Statements of all exhibits; the study has no readings."""
    return dict(measured)


def stated(evidence: Evidence, at: str) -> Found:
    """The value of a statement, of each seed."""
    rows = evidence.table("statements")
    values = rows.loc[rows["statement"] == at, "value"]
    return Found(values.tolist(), "" if len(values) else "not measured")


MEASURES = Measures({"stated": stated}, ["notes"], [])
