"""A study of one's own, in tests/workflow/toy, is nothing but new files."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from learnability.core.store import read_table

from .conftest import Project

TOY = Path(__file__).parent / "toy"


def test_a_study_is_nothing_but_new_files(
    new_project: Callable[[dict[str, Any]], Project], full: dict[str, Any]
) -> None:
    project = new_project(full)
    added = [
        path.relative_to(TOY) for path in sorted(TOY.rglob("*")) if path.is_file() and "__pycache__" not in path.parts
    ]
    for path in added:
        assert not (project.folder / path).exists()
        (project.folder / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(TOY / path, project.folder / path)
    result = project.snakemake("--configfile", "config/recall.yaml")
    assert result.returncode == 0, result.stdout + result.stderr
    results = project.folder / "results/recall/small"
    scorecard = read_table(results / "scorecard.csv")
    assert scorecard["verdict"].tolist() == ["reproduced"], scorecard["measured"].tolist()
    assert (results / "figures/accuracy.png").stat().st_size > 1000
    log = (project.folder / "logs/recall/small/train_network/plain/adamw/seed0.log").read_text()
    assert "Engine: autograd (auto: the native engine lacks the cell Vanilla)." in log
    curve = read_table(results / "models/plain/adamw/seed0/learning_curve.csv")
    assert curve["validation_loss"].iloc[-1] < 0.1 * curve["validation_loss"].iloc[0]
    assert curve["r_squared"].iloc[-1] > 0.9
