"""What is stored of a study, made again by the workflow's own rules."""

from pathlib import Path

import pandas as pd

from learnability.core.store import read_table
from stored import make


def test_a_stored_scorecard_and_findings_are_what_the_rules_make_of_stored_tables(tmp_path: Path) -> None:
    """Alone it can catch a stored file whose values are right and whose columns or words are an earlier version's."""
    names = ["findings.json", "scorecard.csv", "scorecard.conditions.csv"]
    for file, reference in make("gated", names, tmp_path):  # sums of another processor may differ in the last digits
        pd.testing.assert_frame_equal(read_table(file), read_table(reference), rtol=1e-7)
    assert sorted(path.name for path in tmp_path.glob("results/gated/full/*") if path.name in names) == sorted(names)
