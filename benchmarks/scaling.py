"""Training throughput with jobs side by side, one thread each; print a table, write CSV.

    PYTHONPATH=src python benchmarks/scaling.py [--jobs 1 2] [--steps 20]

Each job takes gradients of DiagGate at the paper's scale (B 64, T 1024, H 64, D 16) with the engine that `auto` takes.
"""

import argparse
import multiprocessing
import os
import time
from multiprocessing.synchronize import Barrier
from pathlib import Path

import pandas as pd
import torch

from learnability.networks.network import Network
from learnability.training.engines import ENGINES, choose_engine

NETWORK = Network.build({"cell": "diag_gate", "gate_init": 0.5}, 16, 64, readout_bias=False)


def job(engine: str, steps: int, barrier: Barrier) -> None:
    """Take `steps` gradients, once all jobs are warm."""
    torch.set_num_threads(1)
    parameters = {name: value.float() for name, value in NETWORK.initial_parameters(0, 0).items()}
    inputs, targets = torch.randn(1, 64, 1024, 16), torch.randn(1, 64, 1024)
    program = ENGINES[engine](NETWORK, [parameters])
    program.losses_and_gradients(inputs, targets)
    barrier.wait()
    for _ in range(steps):
        program.losses_and_gradients(inputs, targets)
    barrier.wait()


def seconds(jobs: int, engine: str, steps: int) -> float:
    """Wall time of `jobs` jobs side by side."""
    context = multiprocessing.get_context("spawn")
    barrier = context.Barrier(jobs + 1)
    processes = [context.Process(target=job, args=(engine, steps, barrier)) for _ in range(jobs)]
    for process in processes:
        process.start()
    barrier.wait()
    start = time.perf_counter()
    barrier.wait()
    duration = time.perf_counter() - start
    for process in processes:
        process.join()
    return duration


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, nargs="+", default=sorted({1, os.cpu_count() or 1}))
    parser.add_argument("--steps", type=int, default=20)
    arguments = parser.parse_args()
    engine, _ = choose_engine("auto", "cpu", NETWORK)
    rows = [
        {
            "jobs": jobs,
            "engine": engine,
            "steps_per_second": jobs * arguments.steps / seconds(jobs, engine, arguments.steps),
        }
        for jobs in arguments.jobs
    ]
    table = pd.DataFrame(rows)
    table["times_one_job"] = table["steps_per_second"] / table["steps_per_second"].iloc[0]
    table.to_csv(Path(__file__).with_suffix(".csv"), index=False)
    print(table.to_string(index=False, float_format="%.3g"))


if __name__ == "__main__":
    main()
