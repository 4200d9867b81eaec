"""Training steps of cells that attend to their past, and of those without gates; print tables, write CSV.

    PYTHONPATH=src python benchmarks/attention_step.py [--hidden 128] [--batch 10] [--durations 50 …] [--delays 100 300]
        [--cells rnn …]

First a gradient by engine `autograd` against T, in a process of its own on one thread. `peak_mib` is the peak of its
resident memory above that before the step. The exponents are slopes of log time and log memory over log T, by least
squares over all T but the first; full attention (mem_rnn) costs T² in both, screening (rel_rnn) T.

Then an update (forward pass, gradient, clipping, AdamW) on the copy task at each delay, T + 20 steps with a prediction
at each: by `modules`, a loop that calls an nn.Linear for each product, by `autograd` and by `native`. All take turns on
one thread, `--turns`; medians in milliseconds of the processor, and how many times as long `modules` takes as each
engine.
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
from torch import Tensor
from torch.nn.utils.parametrizations import orthogonal

from learnability.cells.attentive import AttentionCell
from learnability.cells.goru import GORU, rotation
from learnability.cells.lstm import LSTM
from learnability.cells.sab import SAB
from learnability.cells.vanilla import ExpRNN
from learnability.networks.losses import LOSSES
from learnability.networks.network import Network
from learnability.tasks.copying import Copy
from learnability.training.engines import AutogradEngine
from training_step import by_engine, trainer

ARCHITECTURES: dict[str, dict[str, Any]] = {
    "rnn": {"cell": "rnn"},
    "rel_rnn": {"cell": "rel_rnn"},
    "mem_rnn": {"cell": "mem_rnn"},
    "sab": {"cell": "sab", "gate_init": 0.5},
}
INPUTS = 10
GATE_START = {"gate_init": 0.5}
CELL_SETTINGS: dict[str, dict[str, Any]] = {
    **{name: {"cell": name} for name in ("rnn", "orth_rnn", "exp_rnn")},
    **{name: {"cell": name, **GATE_START} for name in ("lstm", "goru")},
    "h_detach": {"cell": "lstm", "h_detach": 0.5, **GATE_START},
    **{name: {"cell": name} for name in ("mem_rnn", "rel_rnn")},
    **{name: {"cell": name, **GATE_START} for name in ("mem_lstm", "rel_lstm", "sab")},
}
ENGINES_COMPARED = ("autograd", "native")


class Modules(torch.nn.Module):
    """A cell as one would write it first: an nn.Linear for each product, called at each step.

    It attends, if it does, to what the library's memory holds, all slots of a block in one product.
    """

    def __init__(self, cell: Any) -> None:
        super().__init__()
        self.cell, self.base, size = cell, getattr(cell, "base", cell), cell.hidden_size
        paths = "ifog" if isinstance(self.base, LSTM) else "zrh" if isinstance(cell, GORU) else "h"
        self.input = torch.nn.ModuleDict({path: torch.nn.Linear(cell.input_size, size) for path in paths})
        self.recurrent = torch.nn.ModuleDict({path: torch.nn.Linear(size, size, bias=False) for path in paths})
        if isinstance(cell, ExpRNN):
            orthogonal(self.recurrent["h"], orthogonal_map="matrix_exp")
        if isinstance(cell, GORU):
            self.theta = torch.nn.Parameter(torch.zeros(size.bit_length() - 1, size // 2))
        if isinstance(cell, AttentionCell):
            self.query, self.key = (torch.nn.Linear(size, size, bias=False) for _ in range(2))
            self.v = torch.nn.Parameter(torch.full((size,), size**-0.5))
        self.is_modrelu = isinstance(cell, GORU) or getattr(self.base, "nonlinearity", "") == "modrelu"
        if self.is_modrelu:
            self.m = torch.nn.Parameter(torch.zeros(size))

    def forward(self, inputs: Tensor) -> Tensor:
        """h_1, …, h_T."""
        with torch.nn.utils.parametrize.cached():
            return torch.stack(self._states(inputs), 1)

    def _states(self, inputs: Tensor) -> list[Tensor]:
        cell, states = self.cell, []
        s = c = inputs.new_zeros(len(inputs), cell.hidden_size)
        store = cell.store if isinstance(cell, AttentionCell) else None
        memory: Any = store and store.empty(s, cell.hidden_size)
        U = rotation(self.theta) if isinstance(cell, GORU) else None
        for t, x in enumerate(inputs.unbind(1)):
            is_first = isinstance(cell, SAB) and cell.truncation and t % cell.truncation == 0
            h, c = self._step(x, s.detach() if is_first else s, c.detach() if is_first else c, U)
            if isinstance(cell, SAB):
                context, _, memory = cell.store.attend(memory, self.query(h), self.v)
                h = h + context
                if (t + 1) % cell.store_every == 0:
                    memory = cell.store.write(memory, h, self.key(h))
            query, s = s, h
            states.append(h)
            if store and not isinstance(cell, SAB):
                memory = store.write(memory, h, self.key(h))
                context, _, memory = store.attend(memory, self.query(query), self.v)
                s = h + context
        return states

    def _step(self, x: Tensor, h: Tensor, c: Tensor, U: Tensor | None) -> tuple[Tensor, Tensor]:
        """h_t and, of an LSTM, c_t."""
        visible = h
        if isinstance(self.base, LSTM) and self.cell is self.base and torch.rand(()) < self.base.h_detach:
            visible = h.detach()
        if U is not None:
            z, r = (torch.sigmoid(self.input[path](x) + self.recurrent[path](h)) for path in "zr")
            return torch.lerp(h, self._modrelu(self.input["h"](x) + r * (h @ U.mT)), z), c
        a = {path: linear(x) + self.recurrent[path](visible) for path, linear in self.input.items()}
        if isinstance(self.base, LSTM):
            c = a["f"].sigmoid() * c + a["i"].sigmoid() * a["g"].tanh()
            return a["o"].sigmoid() * c.tanh(), c
        return self._modrelu(a["h"]) if self.is_modrelu else torch.tanh(a["h"]), c

    def _modrelu(self, a: Tensor) -> Tensor:
        return a.sign() * torch.relu(a.abs() + self.m)


def milliseconds(name: str, delay: int, arguments: argparse.Namespace) -> dict[str, float]:
    """Median processor time of a step on the copy task, by a loop of modules and by engines."""
    task = Copy(delay, root_seed=0, seed=0)
    network = Network.for_task(CELL_SETTINGS[name], task, arguments.hidden, readout_bias=True)
    batch = task.generate("training", arguments.batch)
    inputs, targets = torch.from_numpy(batch.inputs), torch.from_numpy(batch.targets)
    module, readout = Modules(network.cell), torch.nn.Linear(arguments.hidden, network.outputs)
    parameters = [*module.parameters(), *readout.parameters()]

    def gradient() -> Tensor:
        for parameter in parameters:
            parameter.grad = None
        loss = LOSSES[network.loss].each(readout(module(inputs)), targets).mean()
        loss.backward()
        return loss

    engines = {engine: by_engine(engine, network, inputs, targets) for engine in ENGINES_COMPARED}
    steps = {"modules": trainer(parameters, gradient), **engines}
    times: dict[str, list[float]] = {engine: [] for engine in steps}
    for _ in range(arguments.turns + 1):
        for label, step in steps.items():
            start = time.process_time()
            step()
            times[label].append(1e3 * (time.process_time() - start))
    return {engine: float(np.median(values[1:])) for engine, values in times.items()}


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
    for name, default in (("hidden", 128), ("batch", 10), ("repeats", 3), ("turns", 9)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--cells", nargs="+", default=[*CELL_SETTINGS], choices=[*CELL_SETTINGS])
    parser.add_argument("--delays", type=int, nargs="+", default=[100, 300])
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
    print(pd.DataFrame(slopes).to_string(index=False, float_format="%.2f"), end="\n\n")
    torch.set_num_threads(1)
    steps = pd.DataFrame(
        {"architecture": name, "T": delay, **milliseconds(name, delay, arguments)}
        for name in arguments.cells
        for delay in arguments.delays
    )
    for engine in ENGINES_COMPARED:
        steps[f"times_{engine}"] = steps["modules"] / steps[engine]
    steps.to_csv(Path(__file__).with_name("attention_step_engines.csv"), index=False)
    print(steps.to_string(index=False, float_format="%.3g"))


if __name__ == "__main__":
    main()
