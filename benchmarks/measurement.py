"""Time the transport of frozen networks in C++ beside the least that it can take; print a Markdown table.

    PYTHONPATH=src python benchmarks/measurement.py [--hidden 64] [--duration 1024] [--inputs 16] [--sequences 32]

Seconds of processor time on one core, measured on `--sequences` sequences and extrapolated to `--all` of them. The
floor of exact transport is one product of a vector with every recurrent matrix for each (t, ℓ), ℓ up to the largest lag
and below t, at the rate of `floor.cpp`, measured in the same process; `of floor` divides by it.
"""

import argparse
import ctypes
import time
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import torch

from learnability.cells import Cell, Parameters
from learnability.core.compiled import load
from learnability.core.memory import keep_freed_memory
from learnability.networks.network import Network
from learnability.transport import Probes, Trajectory
from learnability.transport.native_engine import NativeEngine
from training_step import ARCHITECTURES

AROUND = range(160, 321, 32)
LAGS = [*range(4, 129, 4), *(lag + beside for lag in AROUND for beside in (-4, 0, 4))]
PROBES, ERRORS, KEPT_STEPS = 9, 5, 2
REALS = {"single": "float", "double": "double"}


def seconds(work: Callable[[], object]) -> float:
    """Processor time of the faster of two runs."""
    times = []
    for _ in range(2):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def multiply_adds_per_second(real: str) -> float:
    """The rate of `floor.cpp`."""
    library = load(Path(__file__).with_name("floor.cpp"), REAL=real)
    library.multiply_add.restype = ctypes.c_double
    rounds, factor = ctypes.c_long(10**8), ctypes.c_double(0.5)
    count = library.multiply_add(ctypes.c_long(1), factor) * rounds.value
    return count / seconds(lambda: library.multiply_add(rounds, factor))


def multiply_adds(cell: Cell, parameters: Parameters, duration: int) -> int:
    """Multiply-adds of the floor, for one sequence."""
    crossings = sum(min(t - 1, LAGS[-1]) for t in range(1, duration + 1))
    return crossings * sum(p.numel() for name, p in parameters.items() if name.startswith("U_"))


def probes(cell: Cell, trajectory: Trajectory, generator: torch.Generator) -> Probes:
    """Random but for p: `PROBES` directions, `ERRORS` error signals."""
    shape = trajectory.inputs.shape[:2]

    def normal(*size: int) -> torch.Tensor:
        return torch.randn(size, generator=generator, dtype=torch.float64)

    gradient = cell.as_state(normal(cell.hidden_size)).expand(*shape, -1)
    signs = torch.ones(PROBES, len(LAGS), cell.state_size, dtype=torch.float64)
    return Probes(gradient, [*trajectory.projected], signs, normal(ERRORS, *shape), [(0, 0)], KEPT_STEPS)


def measure(arguments: argparse.Namespace, architecture: str) -> dict[str, object]:
    """A row of the table."""
    network = Network.build(ARCHITECTURES[architecture], arguments.inputs, arguments.hidden, readout_bias=False)
    cell, generator = network.cell, torch.Generator().manual_seed(0)

    def like_parameters(size: float) -> Parameters:
        start = network.initial_parameters(0, 0)
        return {k: p + size * torch.randn(p.shape, generator=generator, dtype=p.dtype) for k, p in start.items()}

    parameters = like_parameters(0.05)  # as trained: no gate weight is zero
    x = torch.randn(arguments.sequences, arguments.duration, arguments.inputs, generator=generator)
    engines = {precision: NativeEngine(precision) for precision in REALS}
    engine = engines["single"]
    directions = [like_parameters(1.0) for _ in range(PROBES)]
    trajectories = list(engine.trace(cell, parameters, x, directions))
    probe_sets = [probes(cell, trajectory, generator) for trajectory in trajectories]
    over_units = [
        probe._replace(
            gradient=cell.output(probe.gradient),
            projected=[cell.memory(p) for p in probe.projected],
            signs=cell.memory(probe.signs),
        )
        for probe in probe_sets
    ]
    works: dict[str, Callable[[], object]] = {
        "trace": lambda: list(engine.trace(cell, parameters, x, directions)),
        "rates": lambda: [engine.rates(trajectory.diagonals, LAGS) for trajectory in trajectories],
        "first order": lambda: [
            engine.first_order(trajectory.diagonals, probe, LAGS)
            for trajectory, probe in zip(trajectories, over_units, strict=True)
        ],
    }
    scale = arguments.all / arguments.sequences
    row: dict[str, object] = {"cell": architecture}
    row |= {name: scale * seconds(work) for name, work in works.items()}
    for precision, real in REALS.items():

        def exact(native: NativeEngine = engines[precision]) -> object:
            parts = zip(trajectories, probe_sets, strict=True)
            return [native.exact(cell, parameters, trajectory, probe, LAGS) for trajectory, probe in parts]

        floor = arguments.all * multiply_adds(cell, parameters, arguments.duration) / multiply_adds_per_second(real)
        took = scale * seconds(exact)
        row |= {f"exact {precision}": took, f"floor {precision}": floor, f"of floor {precision}": took / floor}
    return row


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    sizes = (("hidden", 64), ("duration", 1024), ("inputs", 16), ("sequences", 32), ("all", 3000))
    for name, default in sizes:
        parser.add_argument(f"--{name}", type=int, default=default)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    keep_freed_memory()
    table = pd.DataFrame([measure(arguments, architecture) for architecture in ARCHITECTURES])
    print(f"Seconds for {arguments.all} sequences, extrapolated from {arguments.sequences}.\n")
    print("| " + " | ".join(table.columns) + " |")
    print("|---" * len(table.columns) + "|")
    for row in table.itertuples(index=False):
        print("| " + " | ".join(value if isinstance(value, str) else f"{value:.3g}" for value in row) + " |")


if __name__ == "__main__":
    main()
