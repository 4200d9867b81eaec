"""Processor time and memory of a training step against T, of cells that attend to their past; print tables, write CSV.

    PYTHONPATH=src python benchmarks/attention_step.py [--hidden 128] [--batch 10] [--durations 50 100 200 400]

Each step is a gradient by engine `autograd` in a process of its own, on one thread. `peak_mib` is the peak of its
resident memory above that before the step. The exponents are slopes of log time and log memory over log T, by least
squares over all T but the first; full attention (mem_rnn) costs T² in both, screening (rel_rnn) T.
"""

import argparse
import multiprocessing
import resource
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import torch

from learnability.networks.network import Network
from learnability.training.engines import AutogradEngine

ARCHITECTURES: dict[str, dict[str, Any]] = {
    "rnn": {"cell": "rnn"},
    "rel_rnn": {"cell": "rel_rnn"},
    "mem_rnn": {"cell": "mem_rnn"},
    "sab": {"cell": "sab", "gate_init": 0.5},
}
INPUTS = 10


def measure(name: str, duration: int, arguments: argparse.Namespace) -> tuple[float, float]:
    """Processor seconds of a step, the least of the repeats, and MiB."""
    torch.set_num_threads(1)
    network = Network.build(ARCHITECTURES[name], INPUTS, arguments.hidden, readout_bias=False)
    parameters = {key: value.float() for key, value in network.initial_parameters(0, 0).items()}
    engine = AutogradEngine(network, [parameters])
    shape = 1, arguments.batch, duration
    inputs, targets = torch.randn(*shape, INPUTS), torch.randn(shape)
    engine.losses_and_gradients(inputs[:, :, :5], targets[:, :, :5])
    before, seconds = peak(), []
    for _ in range(arguments.repeats):
        start = time.process_time()
        engine.losses_and_gradients(inputs, targets)
        seconds.append(time.process_time() - start)
    return min(seconds), peak() - before


def peak() -> float:
    """Peak resident memory of this process so far, MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def exponent(durations: pd.Series, values: pd.Series) -> float:
    """The slope of log values over log T, without the shortest T."""
    return float(np.polyfit(np.log(durations[1:]), np.log(values[1:]), 1)[0])


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in (("hidden", 128), ("batch", 10), ("repeats", 3)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--durations", type=int, nargs="+", default=[50, 100, 200, 400])
    arguments = parser.parse_args()
    rows = []
    for name in ARCHITECTURES:
        for duration in sorted(arguments.durations):
            with multiprocessing.get_context("fork").Pool(1) as pool:
                seconds, mebibytes = pool.apply(measure, (name, duration, arguments))
            rows.append({"architecture": name, "T": duration, "seconds": seconds, "peak_mib": mebibytes})
    table = pd.DataFrame(rows)
    table.to_csv(Path(__file__).with_suffix(".csv"), index=False)
    slopes = [
        {"architecture": name, **{key: exponent(part["T"], part[key]) for key in ("seconds", "peak_mib")}}
        for name, part in table.groupby("architecture", sort=False)
    ]
    print(table.to_string(index=False, float_format="%.3g"))
    print("\nExponents")
    print(pd.DataFrame(slopes).to_string(index=False, float_format="%.2f"))


if __name__ == "__main__":
    main()
