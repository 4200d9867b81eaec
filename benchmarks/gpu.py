"""Time training steps on a GPU, 1 to 27 models side by side; print tables, write CSV.

    PYTHONPATH=src python benchmarks/gpu.py [--hidden 64] [--batch 64] [--duration 1024] [--inputs 16]

A step is all that training does: gather a batch, loss and gradient, clip, AdamW; captured in a CUDA graph where the
engine is not `autograd`. `cudnn` is torch's GRU computing a DiagGate, one model after the other, gradient and AdamW; it
spends time on a reset gate that DiagGate does not have. The second table extrapolates each engine's time a step to the
paper's three architectures under three optimisers with three seeds: 27 runs of 47,000 steps, nine side by side.
"""

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import torch

from learnability.networks.network import Network
from learnability.tasks import Sequences
from learnability.training import Run, TrainingSettings
from learnability.training.capture import WARM_UP, Captured
from learnability.training.member import Data, Member
from learnability.training.side_by_side import _Step
from rivals import gru_of_diag_gate

ARCHITECTURES = {
    "const_gate": {"cell": "const_gate", "gate_value": 0.7},
    "shared_gate": {"cell": "shared_gate", "gate_init": 0.5},
    "diag_gate": {"cell": "diag_gate", "gate_init": 0.5},
}
ADAMW = {"method": "adamw", "learning_rate": 1e-3, "weight_decay": 1e-4}
MODELS = (1, 3, 9, 27)
SIDE_BY_SIDE = 9
STEPS = 47_000
"""Steps of a run in the paper: 500 epochs of 94."""


def milliseconds(step: Callable[[], object], repeats: int) -> float:
    """Median time of a step once it is warm."""
    for _ in range(WARM_UP + 2):
        step()
    times = []
    for _ in range(repeats):
        torch.cuda.synchronize()
        start = time.perf_counter()
        step()
        torch.cuda.synchronize()
        times.append(1e3 * (time.perf_counter() - start))
    return float(np.median(times))


def training_step(engine: str, network: Network, count: int, arguments: argparse.Namespace) -> Callable[[], object]:
    """The step of `learnability.training` on `count` runs that share their data."""
    generator = np.random.default_rng(0)
    shape = (2 * arguments.batch, arguments.duration)
    inputs = generator.standard_normal((*shape, arguments.inputs), dtype=np.float32)
    data = Sequences(inputs, generator.standard_normal(shape, dtype=np.float32))
    tensors = Data.of(data, network, "cuda")
    settings = TrainingSettings(engine, 1, arguments.batch, 1.0, "mean", "cuda")
    members = [
        Member(network, settings, Run("", ADAMW, 0, seed, data, data), tensors, tensors) for seed in range(count)
    ]
    step = _Step(network, settings, members, arguments.batch)
    batch = torch.randint(2 * arguments.batch, (count, arguments.batch), device="cuda")
    return (lambda: step(1, 0, batch)) if engine != "autograd" else (lambda: step._take())


def cudnn_step(network: Network, count: int, arguments: argparse.Namespace) -> Callable[[], object]:
    """Forward, backward and AdamW of `count` GRUs with linear readouts."""
    inputs = torch.randn(arguments.batch, arguments.duration, arguments.inputs, device="cuda")
    targets = torch.randn(arguments.batch, arguments.duration, device="cuda")
    models = []
    for seed in range(count):
        parameters = {name: p.float().cuda() for name, p in network.initial_parameters(0, seed).items()}
        gru, readout = gru_of_diag_gate(parameters), parameters["w"].requires_grad_()
        models.append((gru, readout, torch.optim.AdamW([*gru.parameters(), readout], capturable=True)))

    def step() -> None:
        for gru, readout, optimizer in models:
            optimizer.zero_grad()
            (gru(inputs)[0] @ readout - targets).square().mean().backward()
            torch.nn.utils.clip_grad_norm_([*gru.parameters(), readout], 1.0)
            optimizer.step()

    return Captured(step, "cuda")


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in (("hidden", 64), ("batch", 64), ("duration", 1024), ("inputs", 16), ("repeats", 10)):
        parser.add_argument(f"--{name}", type=int, default=default)
    arguments = parser.parse_args()
    if not torch.cuda.is_available():
        sys.exit("No GPU here: nothing was measured.")
    rows = []
    for name, architecture in ARCHITECTURES.items():
        network = Network.build(architecture, arguments.inputs, arguments.hidden, readout_bias=False)
        for count in MODELS:
            engines = {
                engine: training_step(engine, network, count, arguments) for engine in ("autograd", "torch", "cuda")
            }
            if name == "diag_gate":
                engines["cudnn"] = cudnn_step(network, count, arguments)
            for engine, step in engines.items():
                duration = milliseconds(step, arguments.repeats)
                rows.append({"architecture": name, "engine": engine, "models": count, "milliseconds": duration})
    table = pd.DataFrame(rows)
    table["milliseconds_a_model"] = table["milliseconds"] / table["models"]
    table.to_csv(Path(__file__).with_suffix(".csv"), index=False)
    print(f"{torch.cuda.get_device_name()}\n{table.to_string(index=False, float_format='%.3g')}")
    side_by_side = table[table["models"] == SIDE_BY_SIDE].pivot(
        index="engine", columns="architecture", values="milliseconds"
    )
    hours = side_by_side.sum(axis=1, skipna=False) * STEPS / 3.6e6
    print(f"\nHours for the paper's 27 runs\n{hours.to_string(float_format='%.3g')}")


if __name__ == "__main__":
    main()
