"""Time that a run saves if its jobs are copies of a process that has the libraries; print a table, write CSV.

    python benchmarks/copied_jobs.py [--configfile tests/miniature.yaml] [--rounds 2]

Each round runs the configuration twice, in new copies of the project. In the first run each job is a process of its
own, in the second all are copies. Seconds are the wall-clock time of the whole command on two cores. Compiled code is
kept between runs.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pandas as pd

ROOT = Path(__file__).parents[1]
PARTS = ("Snakefile", "config", "envs", "profiles", "src", "tests", "workflow")


def seconds(configfile: str, variables: dict[str, str]) -> float:
    """Wall-clock time of a run from the start."""
    with tempfile.TemporaryDirectory() as folder:
        for part in PARTS:
            copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy
            copy(ROOT / part, Path(folder) / part)
        command = [sys.executable, "-m", "snakemake", "--cores", "2", "--configfile", configfile]
        start = time.perf_counter()
        subprocess.run(command, cwd=folder, env=os.environ | variables, check=True, capture_output=True)
        return time.perf_counter() - start


def main() -> None:
    """Print seconds of each round and the ratio, and write them beside this file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--configfile", default="tests/miniature.yaml")
    parser.add_argument("--rounds", type=int, default=2)
    arguments = parser.parse_args()
    rows = []
    for _ in range(arguments.rounds):
        alone = seconds(arguments.configfile, {"LEARNABILITY_WORKERS": ""})
        os.environ.pop("LEARNABILITY_WORKERS", None)
        copies = seconds(arguments.configfile, {})
        rows.append({"alone": alone, "copies": copies, "ratio": alone / copies})
    table = pd.DataFrame(rows)
    print(table.to_string(index=False, float_format="{:.2f}".format))
    table.to_csv(Path(__file__).with_suffix(".csv"), index=False)


if __name__ == "__main__":
    main()
