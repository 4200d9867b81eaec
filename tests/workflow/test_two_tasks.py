"""Two tasks are compared at equal epochs: one with a common divisor of its lags, one without."""

from collections.abc import Callable
from math import gcd
from pathlib import Path
from typing import Any

import pytest
import yaml

from learnability.core.store import read_table
from learnability.core.yaml_files import load_yaml

from .conftest import ROOT, Project, merged


def preset(name: str) -> dict[str, Any]:
    return load_yaml((ROOT / "config" / f"{name}.yaml").read_text())


def test_the_quick_variant_is_quick_but_for_its_lags_and_runs() -> None:
    quick, variant = preset("quick"), preset("coprime_lags_quick")
    for part in ("task", "through_training"):
        assert variant[part].pop("lags") != quick[part].pop("lags")
    assert variant.pop("preset") != quick.pop("preset")
    assert variant.pop("compared_with") == "learnability_window/quick" and quick.pop("fewer_seeds")
    assert variant.pop("runs") == {"adamw": ["const_gate", "shared_gate"], "sgd": [], "sgd_momentum": []}
    assert variant == quick


@pytest.mark.parametrize("name", ["coprime_lags", "coprime_lags_quick"])
def test_lags_of_a_variant_have_no_common_divisor_and_are_near_those_that_have_one(name: str) -> None:
    lags = preset(name)["task"]["lags"]
    lags_with_divisor = preset("config" if name == "coprime_lags" else "quick")["task"]["lags"]
    assert gcd(*lags) == 1 < gcd(*lags_with_divisor)
    assert all(abs(lag - lag_with_divisor) <= 3 for lag, lag_with_divisor in zip(lags, lags_with_divisor, strict=True))


def test_lags_without_a_common_divisor_are_compared_with_those_that_have_one(
    finished: Project, miniature: dict[str, Any]
) -> None:
    """The finished run has lags 4 and 8; the variant has the same networks at 3 and 8, at the same epochs."""
    changes = {
        "preset": "coprime",
        "compared_with": "learnability_window/miniature",
        "runs": {"adamw": ["const_gate", "diag_gate"], "sgd": [], "sgd_momentum": []},
        "task": {"lags": [3, 8]},
        "through_training": {"lags": [2, 3, 8, 12]},
    }
    config = finished.folder / "config" / "coprime.yaml"
    config.write_text(yaml.safe_dump(merged(miniature, changes)))
    result = finished.snakemake("common_divisor", "--configfile", str(config))
    assert result.returncode == 0, result.stdout + result.stderr
    folder = finished.folder / "results" / "learnability_window" / "coprime"
    table = read_table(folder / "tables" / "common_divisor.csv")
    assert table["epoch"].unique().tolist() == [0, 1, 2, 3]
    assert table.groupby(["architecture", "epoch"])["divisor"].agg(list).tolist() == [[4, 1]] * 8
    assert (folder / "figures" / "common_divisor.png").stat().st_size > 2000


def test_a_run_that_is_not_there_is_named(
    new_project: Callable[[dict[str, Any]], Project], miniature: dict[str, Any]
) -> None:
    result = new_project(miniature | {"compared_with": "learnability_window/none"}).snakemake("--dry-run")
    assert result.returncode and "'compared_with' must be a finished run" in result.stderr + result.stdout
    assert Path("results/learnability_window/none").as_posix() in result.stderr + result.stdout
