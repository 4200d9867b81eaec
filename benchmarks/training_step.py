"""Time one gradient (forward pass and BPTT) of each engine, side by side, at one size; print a table, write CSV.

    PYTHONPATH=src python benchmarks/training_step.py [--hidden 64] [--batch 64] [--duration 1024] [--inputs 16]

Engines take turns, so that a machine that slows down slows all of them; the ratio to autograd is what to quote.
"""

import argparse
import time
from pathlib import Path

import numpy as np
import pandas as pd
import torch

from learnability.network import Network
from learnability.training.engines import ENGINES

ARCHITECTURES = {
    "const_gate": {"cell": "const_gate", "gate_value": 0.7},
    "shared_gate": {"cell": "shared_gate", "gate_init": 0.5},
    "diag_gate": {"cell": "diag_gate", "gate_init": 0.5},
}


def milliseconds(arguments: argparse.Namespace, architecture: dict[str, object]) -> dict[str, float]:
    """Median time of a gradient by each engine, float32, one thread."""
    network = Network.build(architecture, arguments.inputs, arguments.hidden, readout_bias=False)
    generator = torch.Generator().manual_seed(0)
    inputs = torch.randn(arguments.batch, arguments.duration, arguments.inputs, generator=generator)
    targets = torch.randn(arguments.batch, arguments.duration, generator=generator)
    engines = {
        name: engine(network, [{key: value.float() for key, value in network.initial_parameters(0, 0).items()}])
        for name, engine in ENGINES.items()
    }
    times: dict[str, list[float]] = {name: [] for name in engines}
    for _ in range(arguments.repeats + 1):
        for name, engine in engines.items():
            start = time.perf_counter()
            engine.losses_and_gradients(inputs[None], targets[None])
            times[name].append(1e3 * (time.perf_counter() - start))
    return {name: float(np.median(each[1:])) for name, each in times.items()}


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in (("hidden", 64), ("batch", 64), ("duration", 1024), ("inputs", 16), ("repeats", 7)):
        parser.add_argument(f"--{name}", type=int, default=default)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    rows = [
        {"architecture": name, "engine": engine, "milliseconds": each, "times_autograd": times["autograd"] / each}
        for name, architecture in ARCHITECTURES.items()
        for times in [milliseconds(arguments, architecture)]
        for engine, each in times.items()
    ]
    table = pd.DataFrame(rows)
    table.to_csv(Path(__file__).with_suffix(".csv"), index=False)
    print(table.to_string(index=False, float_format="%.3g"))


if __name__ == "__main__":
    main()
