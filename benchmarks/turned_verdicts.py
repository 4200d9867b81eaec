"""List the claims of a study whose stored verdict has changed since a commit, and why, as Markdown.

    PYTHONPATH=src python benchmarks/turned_verdicts.py f680bac9 [--study attention]

The first table counts claims by their earlier and their present verdict. The second has a row for each claim whose
verdict changed. It says which conditions were added or dropped, and which values changed, with the scorecard's note.
"""

import argparse
import io
import subprocess
from pathlib import Path

import pandas as pd

from learnability.core.store import read_table
from learnability.report.typeset import as_markdown

ROOT = Path(__file__).parents[1]
CONDITION = ["measure", "role"]


def before(commit: str, path: Path) -> pd.DataFrame:
    """A table as it was stored at a commit."""
    name = path.relative_to(ROOT).as_posix()
    process = subprocess.run(["git", "show", f"{commit}:{name}"], cwd=ROOT, capture_output=True, check=True)
    return pd.read_csv(io.BytesIO(process.stdout))


def reasons(then: pd.DataFrame, now: pd.DataFrame) -> str:
    """Changes in the conditions of one claim."""
    conditions = then.merge(now, on=CONDITION, how="outer", suffixes=("_then", "_now"), indicator=True)
    changes = []
    for row in conditions.to_dict("records"):
        name = f"{row['measure']} of {row['role']}"
        if row["_merge"] == "left_only":
            changes.append(f"{name} is no longer asked")
        elif row["_merge"] == "right_only":
            changes.append(f"{name} is new: {_judged(row, '')}")
        elif _judged(row, "_then") != _judged(row, "_now"):
            changes.append(f"{name}: {_judged(row, '_then')} → {_judged(row, '_now')}")
    return "; ".join(changes) or "the rule of verdicts"


def _judged(row: dict, end: str) -> str:
    median, status, note = (row.get(f"{name}{end}", row.get(name)) for name in ("median", "status", "note"))
    value = "not measured" if pd.isna(median) else f"{median:.4g}"
    return f"{value}, {status}" + ("" if pd.isna(note) else f" ({note})")


def main() -> None:
    """Compare the scorecard of the study that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("commit")
    parser.add_argument("--study", default="attention")
    arguments = parser.parse_args()
    folder = ROOT / "results" / "reference" / arguments.study
    files = [folder / "scorecard.csv", folder / "scorecard.conditions.csv"]
    cards, conditions = ([before(arguments.commit, file), read_table(file)] for file in files)
    keys = ["id", "group"]
    verdicts = cards[0][[*keys, "verdict"]].merge(cards[1][[*keys, "verdict"]], on=keys, suffixes=(" then", " now"))
    counts = pd.crosstab(verdicts["verdict then"], verdicts["verdict now"]).reset_index()
    print(f"{len(verdicts)} claims.\n\n{as_markdown(counts)}")
    changes = verdicts[verdicts["verdict then"] != verdicts["verdict now"]]
    of_claim = [
        [table[(table["id"] == row["id"]) & (table["group"] == row["group"])] for table in conditions]
        for row in changes.to_dict("records")
    ]
    print(as_markdown(changes.assign(why=[reasons(*tables) for tables in of_claim]).drop(columns="group")))


if __name__ == "__main__":
    main()
