"""Seconds and memory of a run's jobs by rule, from the benchmarks that Snakemake writes beside the logs.

    python benchmarks/jobs.py [logs/learnability_window/quick]

Print a table, write CSV. Requests in profiles/slurm/config.yaml must not be below it. Run with `LEARNABILITY_WORKERS=`
first: jobs that are copies of a worker have too little processor time and memory here.
"""

import argparse
from pathlib import Path

import pandas as pd

SUFFIX = ".benchmark.tsv"


def read_jobs(logs: Path) -> pd.DataFrame:
    """A row for each job below `logs`: its rule, seconds, processor seconds, and peak memory in MB.

    Raises:
        SystemExit: where there are no benchmarks.
    """
    files = sorted(logs.rglob(f"*{SUFFIX}"))
    if not files:
        raise SystemExit(
            f"logs must be a folder with benchmarks, such as logs/learnability_window/quick. Got '{logs}'."
        )
    rules = [path.relative_to(logs).parts[0].removesuffix(SUFFIX) for path in files]
    table = pd.concat([pd.read_csv(path, sep="\t") for path in files], ignore_index=True).assign(rule=rules)
    table = table.rename(columns={"s": "seconds", "cpu_time": "processor_seconds", "max_rss": "MB"})
    numbers = ["seconds", "processor_seconds", "MB"]
    return table[["rule", *numbers]].astype(dict.fromkeys(numbers, float))


def summarise(jobs: pd.DataFrame) -> pd.DataFrame:
    """Summary by rule: number of jobs, median and longest duration, processor seconds of all, largest memory."""
    return jobs.groupby("rule", as_index=False).agg(
        jobs=("seconds", "size"),
        median_seconds=("seconds", "median"),
        longest_seconds=("seconds", "max"),
        processor_seconds=("processor_seconds", "sum"),
        largest_MB=("MB", "max"),
    )


def main() -> None:
    """Print the table and write it beside this file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("logs", nargs="?", type=Path, default=Path("logs/learnability_window/quick"))
    table = summarise(read_jobs(parser.parse_args().logs))
    print(table.to_string(index=False, float_format="{:.0f}".format))
    table.to_csv(Path(__file__).with_suffix(".csv"), index=False)


if __name__ == "__main__":
    main()
