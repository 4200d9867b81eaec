"""Judge the claims of the first paper again with one choice changed at a time, and count what is reproduced.

    PYTHONPATH=src python benchmarks/verdicts.py

Verdicts are made of the stored tables, of the architectures that the paper is about and by its formula, unless a row
says otherwise. A row for each choice counts the claims that are reproduced, reproduced in part, not reproduced, and
testable at all. Prints a Markdown table.
"""

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from learnability import claims
from learnability.core.store import read_table, read_tables
from learnability.core.yaml_files import load_yaml
from learnability.report.scorecard import MAIN, OURS, UNTESTED
from learnability.report.typeset import as_markdown
from learnability.windows.readings import whole_readings
from studies.learnability_window import judged

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "results" / "reference" / "learnability_window"
KINDS = ("fits", "envelope", "spectrum", "conditioning", "transport", "noise", "sample_complexity", "window")
OF_TRAINING = ("training_windows", "training_responses")
TOLERANCE, TOLERANCES = 1.1, (1.05, 1.2, 1.3)
"""Factor within which a printed value, or an order, is met, and others."""
SHARES = (0.5, 0.6, 1.0)
"""Shares of the seeds that may have to agree, in place of `claims.AGREEMENT`."""

Claims = Sequence[Mapping[str, Any]]
Tables = Mapping[str, pd.DataFrame]


def read_stored() -> dict[str, pd.DataFrame]:
    """Stored tables that claims are judged by, by kind."""
    tables = {kind: read_table(FOLDER / "measured" / f"{kind}.csv.gz") for kind in (*KINDS, *OF_TRAINING)}
    return tables | {"curve": read_tables(sorted(FOLDER.glob("models/*/*/*/learning_curve.csv")))}


def read_config() -> dict[str, Any]:
    """The configuration of the paper's scale."""
    return load_yaml((ROOT / "config" / "config.yaml").read_text("utf-8"))


def read_paper() -> list[dict[str, Any]]:
    """Claims of the paper and ours."""
    return judged.claims(claims.read_claims(str(ROOT / "config" / "paper_claims.yaml")), {})


def judge(claims_to_judge: Claims, tables: Tables, reading: str, groups: Mapping[str, Any]) -> pd.DataFrame:
    """Conditions of the claims, as `learnability.claims.judge_conditions` has them, by one reading."""
    options = whole_readings(read_config()["readings"])[reading]
    statistic = options["statistic"] | {"numerical_floor": options["noise"]["numerical_floor"]}
    return claims.judge_conditions(
        claims_to_judge, judged.tables(tables, {reading: statistic}), groups, judged.MEASURES
    )


def with_tolerance(paper: Claims, factor: float) -> Claims:
    """The claims with intervals of printed values, and bounds of orders, as wide as another factor makes them."""
    changed = deepcopy(list(paper))
    for claim in changed:
        for condition in claim["conditions"]:
            low, high = condition["met"]
            if (low, high) == (TOLERANCE, np.inf):
                condition["met"] = [factor, np.inf]
            elif low > 0 and np.isclose(high / low, TOLERANCE / (2 - TOLERANCE), rtol=0.02):  # of one printed value
                middle = (low + high) / 2
                condition["met"] = [middle * (2 - factor), middle * factor]
    return changed


def without_seed(tables: Tables, seed: int) -> dict[str, pd.DataFrame]:
    """The tables without one seed."""
    return {kind: table[table["seed"] != seed] for kind, table in tables.items()}


def count(paper: Claims, tables: Tables, reading: str = "paper", group: str = MAIN) -> dict[str, int]:
    """Verdicts, counted."""
    conditions = judge(paper, tables, reading, {group: read_config()["architecture_groups"][group]})
    verdicts = claims.score(paper, conditions)["verdict"]
    counted = {name: int((verdicts == name).sum()) for name in ("reproduced", "partly", "not reproduced")}
    return counted | {"testable": int((verdicts != UNTESTED).sum())}


def vary() -> Iterator[dict[str, Any]]:
    """A row for each choice."""
    tables, paper = read_stored(), [claim for claim in read_paper() if claim["where"] != OURS]
    yield {"choice": "as named"} | count(paper, tables)
    for reading in ("published_code", "gradient_step"):
        yield {"choice": f"reading {reading}"} | count(paper, tables, reading)
    yield {"choice": "gates that start at 0.005"} | count(paper, tables, group="slow")
    for seed in sorted(tables["fits"]["seed"].unique()):
        yield {"choice": f"without seed {seed}"} | count(paper, without_seed(tables, seed))
    for factor in TOLERANCES:
        yield {"choice": f"printed values and orders within {factor - 1:.0%}"} | count(
            with_tolerance(paper, factor), tables
        )
    agreement = claims.AGREEMENT
    for share in SHARES:
        claims.AGREEMENT = share
        yield {"choice": f"{share:.0%} of the seeds must agree"} | count(paper, tables)
    claims.AGREEMENT = agreement


if __name__ == "__main__":
    print(as_markdown(pd.DataFrame(vary())))
