"""Time what follows the statistic of one network: laws, sample complexities, windows, resamples and null control.

    PYTHONPATH=src python benchmarks/windows.py [--sequences 3000] [--kept 960] [--lags 32]

Processor seconds on one core for one kind of transport under each reading of config/config.yaml, on a statistic made of
random numbers; print a table, write CSV. A process for each row, so that peak memory is its own.
"""

import argparse
import resource
import time
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pandas as pd
import torch
import xarray as xr

from learnability.core.yaml_files import load_yaml
from learnability.windows.readings import Reading
from learnability.windows.windowing import find_window

CONFIG = Path(__file__).parents[1] / "config" / "config.yaml"


def random_statistic(reading: Reading, sequences: int, steps: int, lags: int) -> xr.Dataset:
    """Random statistic of the size of a network's."""
    options, rng = reading.statistic, np.random.default_rng(0)
    over = ("sequence",) if options.sampling == "sequence_mean" else ("sequence", "time")
    shape = (sequences, steps)[: len(over)]
    arrays = {
        "statistic": (("direction", "lag", *over), rng.standard_t(3, size=(1, lags, *shape)) + 0.01),
        "product": (("direction", "lag"), np.ones((1, lags))),
        "envelope": (("direction", "lag"), np.ones((1, lags))),
    }
    if options.noise == "total":
        arrays["total"] = ("direction", *over), rng.standard_t(3, size=(1, *shape))
    if options.orientation == "global":
        arrays["orientation"] = ("direction", "lag", "sequence"), np.ones((1, lags, sequences))
    return xr.Dataset(arrays, coords={"lag": 4 * np.arange(1, lags + 1)})


def measure(name: str, sequences: int, steps: int, lags: int) -> dict[str, object]:
    """Seconds, and peak memory in GiB."""
    torch.set_num_threads(1)
    config = load_yaml(CONFIG.read_text(encoding="utf-8"))
    reading = Reading.of(config["readings"][name], config["window"])
    statistic = random_statistic(reading, sequences, steps, lags)
    start = time.process_time()
    find_window(statistic, reading, root_seed=0, seed=0)
    seconds = time.process_time() - start
    return {"reading": name, "seconds": seconds, "GiB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20}


def main() -> None:
    """Print the table and write it beside this file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sequences", type=int, default=3000)
    parser.add_argument("--kept", type=int, default=960, help="t of each sequence that a pooled statistic holds")
    parser.add_argument("--lags", type=int, default=32)
    arguments = parser.parse_args()
    rows = []
    for name in load_yaml(CONFIG.read_text(encoding="utf-8"))["readings"]:
        with get_context("spawn").Pool(1) as pool:
            rows.append(pool.apply(measure, (name, arguments.sequences, arguments.kept, arguments.lags)))
    table = pd.DataFrame(rows)
    print(table.to_string(index=False, float_format="{:.1f}".format))
    table.to_csv(Path(__file__).with_suffix(".csv"), index=False)


if __name__ == "__main__":
    main()
