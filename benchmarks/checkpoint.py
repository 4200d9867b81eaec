"""Time one checkpoint of runs side by side against the time between two; print a table, write CSV.

    PYTHONPATH=src python benchmarks/checkpoint.py [--hidden 64] [--inputs 16] [--epochs 500]

The states are those at the end of a run: AdamW's moments, all snapshots, a learning curve of all epochs.
"""

import argparse
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd
import torch

from learnability.networks.network import Network
from learnability.training import Checkpoint, log_spaced_epochs
from learnability.training.checkpoint import RunState
from learnability.training.loop import CHECKPOINT_SECONDS, CHECKPOINT_SHARE


def final_state(arguments: argparse.Namespace) -> RunState:
    """A DiagGate's state after the last epoch, of the size that training gives it."""
    network = Network.build(
        {"cell": "diag_gate", "gate_init": 0.5}, arguments.inputs, arguments.hidden, readout_bias=False
    )
    parameters = {name: p.float() for name, p in network.initial_parameters(0, 0).items()}
    optimizer = torch.optim.AdamW(parameters.values())
    for parameter in parameters.values():
        parameter.grad = torch.ones_like(parameter)
    optimizer.step()
    return RunState(
        epoch=arguments.epochs,
        parameters=parameters,
        optimizer=optimizer.state_dict(),
        curve=[dict.fromkeys("abcdefg", 1 / 3)] * arguments.epochs,
        gates=[dict.fromkeys("abcdefghi", 1 / 3)] * arguments.epochs,
        snapshots={
            epoch: {name: p.clone() for name, p in parameters.items()} for epoch in log_spaced_epochs(arguments.epochs)
        },
    )


def measure(runs: int, arguments: argparse.Namespace) -> dict[str, float]:
    """Median time of a save (to this directory's disk) of `runs` states, and its share of the run."""
    states = {f"{run:064d}": final_state(arguments) for run in range(runs)}
    times = []
    with tempfile.TemporaryDirectory(dir=".") as folder:
        checkpoint = Checkpoint(Path(folder) / "run.pt")
        for _ in range(arguments.repeats):
            start = time.perf_counter()
            checkpoint.save(states)
            times.append(time.perf_counter() - start)
        size = checkpoint.path.stat().st_size
    seconds = float(np.median(times))
    return {
        "runs": runs,
        "megabytes": size / 1e6,
        "milliseconds": 1e3 * seconds,
        "percent_of_the_run": 100 * seconds / max(CHECKPOINT_SECONDS, seconds / CHECKPOINT_SHARE),
    }


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in (("hidden", 64), ("inputs", 16), ("epochs", 500), ("repeats", 5)):
        parser.add_argument(f"--{name}", type=int, default=default)
    arguments = parser.parse_args()
    table = pd.DataFrame([measure(runs, arguments) for runs in (1, 3, 9, 27)])
    table.to_csv(Path(__file__).with_suffix(".csv"), index=False)
    print(table.to_string(index=False, float_format="%.3g"))


if __name__ == "__main__":
    main()
