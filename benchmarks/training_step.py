"""Time one training step (forward pass, BPTT, clipping, AdamW) of each engine; print a table, write CSV.

    PYTHONPATH=src python benchmarks/training_step.py [--hidden 64] [--batch 64] [--duration 1024] [--inputs 16]

References: `modules`, a loop with an nn.Linear for each path, called at each step; `torch.nn`, the nn.LSTM or nn.GRU of
torch (whose GRU resets after the recurrent product, not before). All take turns, so that a machine that slows down
slows all of them; ratios are what to quote. `--device cuda` runs what can run on a GPU, with those engines that need
one; else all on one thread.
"""

import argparse
import time
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import torch
from torch import Tensor

from learnability.cells import Cell
from learnability.cells.gru import GRU
from learnability.cells.leaky import ConstGate, LeakyCell
from learnability.cells.lstm import LSTM
from learnability.networks.network import Network
from learnability.training.engines import ENGINES, AutogradEngine, NativeEngine
from learnability.training.optimizers import build_optimizer

ARCHITECTURES = {
    "const_gate": {"cell": "const_gate", "gate_value": 0.7},
    "shared_gate": {"cell": "shared_gate", "gate_init": 0.5},
    "diag_gate": {"cell": "diag_gate", "gate_init": 0.5},
    "lstm": {"cell": "lstm", "gate_init": 0.5},
    "gru": {"cell": "gru", "gate_init": 0.5},
}
ARCHITECTURES |= {
    f"{name}_layer_norm": settings | {"layer_norm": True}
    for name, settings in ARCHITECTURES.items()
    if name in ("const_gate", "shared_gate", "diag_gate")
}
ADAMW = {"method": "adamw", "learning_rate": 1e-3, "weight_decay": 1e-4}
CLIP = 1.0
STEPS = 47_000
"""Steps of a run in the paper: 500 epochs of 94; behind `run_hours`."""


class Modules(torch.nn.Module):
    """A cell as one would write it first: an nn.Linear of [x_t; h_{t-1}] for each path, called at each step."""

    def __init__(self, cell: Cell) -> None:
        super().__init__()
        self.cell = cell
        rows = {name[2:]: len(p) for name, p in cell.initial_parameters(0, 0).items() if name.startswith("b_")}
        size = cell.input_size + cell.hidden_size
        paths = {path: torch.nn.Sequential(torch.nn.Linear(size, count)) for path, count in rows.items()}
        if isinstance(cell, LeakyCell) and cell.layer_norm:
            paths["h"].append(torch.nn.LayerNorm(cell.hidden_size))
        self.paths = torch.nn.ModuleDict(paths)

    def forward(self, inputs: Tensor) -> Tensor:
        """h_1, …, h_T."""
        h = c = inputs.new_zeros(len(inputs), self.cell.hidden_size)
        states = []
        for x in inputs.unbind(1):
            a = {path: linear(torch.cat([x, h], 1)) for path, linear in self.paths.items() if path != "h"}
            if isinstance(self.cell, LSTM):
                c = a["f"].sigmoid() * c + a["i"].sigmoid() * a["g"].tanh()
                h = a["o"].sigmoid() * c.tanh()
            else:
                gated_h = a["r"].sigmoid() * h if isinstance(self.cell, GRU) else h
                s = self.cell.gate_value if isinstance(self.cell, ConstGate) else a["z" if "z" in a else "s"].sigmoid()
                h = (1 - s) * h + s * self.paths["h"](torch.cat([x, gated_h], 1)).tanh()
            states.append(h)
        return torch.stack(states, 1)


def trainer(parameters: Iterable[Tensor], gradient: Callable[[], Tensor]) -> Callable[[], float]:
    """A step of training, as the library's loop takes it."""
    leaves = list(parameters)
    optimizer = build_optimizer(ADAMW, {f"{place}": parameter for place, parameter in enumerate(leaves)})

    def step() -> float:
        loss = gradient()
        torch.nn.utils.clip_grad_norm_(leaves, CLIP)
        optimizer.step()
        return loss.item()

    return step


def by_engine(name: str, network: Network, inputs: Tensor, targets: Tensor) -> Callable[[], float]:
    """A step with an engine."""
    initial = network.initial_parameters(0, 0)
    parameters = {key: value.float().to(inputs.device) for key, value in initial.items()}
    engine = ENGINES[name](network, [parameters])
    if isinstance(engine, AutogradEngine | NativeEngine) and network.cell.is_noisy:
        generators = [torch.Generator().manual_seed(0)]
        noisy = partial(engine.losses_and_states, inputs[None], targets[None], generators=generators)
        return trainer(parameters.values(), lambda: noisy()[0][0])
    return trainer(parameters.values(), lambda: engine.losses_and_gradients(inputs[None], targets[None])[0])


def by_module(module: torch.nn.Module, hidden: int, inputs: Tensor, targets: Tensor) -> Callable[[], float]:
    """A step with a module that gives states (and, in torch.nn, the last state), read out linearly."""
    module, readout = module.to(inputs.device), torch.nn.Linear(hidden, 1, bias=False).to(inputs.device)
    parameters = [*module.parameters(), *readout.parameters()]

    def gradient() -> Tensor:
        for parameter in parameters:
            parameter.grad = None
        result = module(inputs)
        states = result[0] if isinstance(result, tuple) else result
        loss = (readout(states)[..., 0] - targets).square().mean()
        loss.backward()
        return loss

    return trainer(parameters, gradient)


def milliseconds(arguments: argparse.Namespace, architecture: dict[str, object]) -> dict[str, float]:
    """Median time of a step by each engine and reference, float32."""
    network = Network.build(architecture, arguments.inputs, arguments.hidden, readout_bias=False)
    generator = torch.Generator().manual_seed(0)
    inputs = torch.randn(arguments.batch, arguments.duration, arguments.inputs, generator=generator)
    targets = torch.randn(arguments.batch, arguments.duration, generator=generator)
    data = inputs.to(arguments.device), targets.to(arguments.device)
    steps = {
        name: by_engine(name, network, *data)
        for name, engine in ENGINES.items()
        if arguments.device in engine.devices and not engine.lacks(network)
    }
    steps["modules"] = by_module(Modules(network.cell), arguments.hidden, *data)
    reference = {LSTM: torch.nn.LSTM, GRU: torch.nn.GRU}.get(type(network.cell))
    if reference:
        module = reference(arguments.inputs, arguments.hidden, batch_first=True)
        steps["torch.nn"] = by_module(module, arguments.hidden, *data)
    times: dict[str, list[float]] = {name: [] for name in steps}
    for _ in range(arguments.repeats + 1):
        for name, step in steps.items():
            start = time.perf_counter()
            step()
            times[name].append(1e3 * (time.perf_counter() - start))
    return {name: float(np.median(values[1:])) for name, values in times.items()}


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in (("hidden", 64), ("batch", 64), ("duration", 1024), ("inputs", 16), ("repeats", 7)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    rows = [
        {
            "architecture": name,
            "engine": engine,
            "milliseconds": duration,
            "times_autograd": times["autograd"] / duration,
            "times_reference": times.get("torch.nn", np.nan) / duration,
            "run_hours": duration * STEPS / 3.6e6,
        }
        for name, architecture in ARCHITECTURES.items()
        for times in [milliseconds(arguments, architecture)]
        for engine, duration in times.items()
    ]
    table = pd.DataFrame(rows)
    table.to_csv(Path(__file__).with_suffix(".csv"), index=False)
    print(table.to_string(index=False, float_format="%.3g", na_rep=""))


if __name__ == "__main__":
    main()
