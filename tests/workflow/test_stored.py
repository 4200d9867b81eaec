"""What is stored of a study, made again by the workflow's own rules."""

from pathlib import Path

from stored import make


def test_a_stored_scorecard_and_findings_are_what_the_rules_make_of_stored_tables(tmp_path: Path) -> None:
    """Alone it can catch a stored file whose values are right and whose columns or words are an earlier version's."""
    names = ["findings.json", "scorecard.csv", "scorecard.conditions.csv"]
    assert list(make("gated", names, tmp_path)) == []
    assert sorted(path.name for path in tmp_path.glob("results/gated/full/*") if path.name in names) == sorted(names)
