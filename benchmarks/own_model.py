"""Measure the memory and time of `measure_model` on torch's own modules; print a Markdown table.

    PYTHONPATH=src python benchmarks/own_model.py [--cells gru lstm] [--hidden 64 128 256 512] [--duration 256 1024]
        [--sequences 200] [--lags 1 2 4 8 16 32 64 128] [--form module step] [--precision double] [--no-first-order]
        [--most-gib 4]

Each measurement is a process of its own, on one thread. `peak` is its resident memory at most, `interpreter` of it what
torch and the library take before any work. Times are of the processor. The floor is one gradient of the loss of the
same sequences by plain autograd, torch's module on whole sequences, for each step that gradients cross: as many as the
largest lag. It is measured in processes just before and after, on 200 sequences of 16 steps, and scaled.

`--form step` gives the same cell as a function, whose diagonals go by automatic differentiation. Time grows in
proportion to the number of sequences: `--sequences 20 50 100 200` shows it. Memory depends on the number of lags, not
on how long they are, so that `--lags 1 2 3 4 5 6 7 8` measures it in less time. The exit status is 1 if a row took more
memory than `--most-gib`.
"""

import argparse
import json
import math
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import product

import torch
from torch import Tensor, nn
from torch.func import functional_call

from learnability import measure_model

MODULES: dict[str, Callable[..., nn.Module]] = {"gru": nn.GRU, "lstm": nn.LSTM}
CELLS = {"gru": nn.GRUCell, "lstm": nn.LSTMCell}
INPUTS, FLOOR_SEQUENCES, FLOOR_STEPS = 3, 200, 16


def peak() -> float:
    """MiB of resident memory, the most so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def seconds(work: Callable[[], object]) -> float:
    """Processor time."""
    start = time.process_time()
    work()
    return time.process_time() - start


def draw(sequences: int, duration: int) -> tuple[Tensor, Tensor]:
    """Inputs, and their running sums as targets."""
    x = torch.randn(sequences, duration, INPUTS)
    return x, x.cumsum(1).sum(2)


def gradient(arguments: argparse.Namespace) -> float:
    """Seconds of one gradient of the loss for one sequence and step, in double precision."""
    module = MODULES[arguments.cells[0]](INPUTS, arguments.hidden[0], batch_first=True).double()
    head = nn.Linear(arguments.hidden[0], 1).double()
    steps = min(FLOOR_STEPS, arguments.duration[0])
    x, y = (tensor.double() for tensor in draw(FLOOR_SEQUENCES, steps))

    def train() -> None:
        loss = (head(module(x)[0])[..., 0] - y).square().mean()
        torch.autograd.grad(loss, [*module.parameters()])

    train()
    return min(seconds(train) for _ in range(2)) / FLOOR_SEQUENCES / steps


def measure(arguments: argparse.Namespace) -> dict[str, float]:
    """Peak memory and processor time of a measurement."""
    (name,), (hidden,), head = arguments.cells, arguments.hidden, nn.Linear(arguments.hidden[0], 1)
    x, y = draw(arguments.sequences[0], arguments.duration[0])
    options = {"lags": arguments.lags, "precision": arguments.precision, "progress": False}
    options["first_order"] = arguments.first_order
    before = peak()
    if arguments.form[0] == "module":
        module = MODULES[name](INPUTS, hidden, batch_first=True)
        took = seconds(lambda: measure_model(module, x, y, readout=head, **options))
    else:
        cell, size = CELLS[name](INPUTS, hidden), hidden if name == "gru" else 2 * hidden

        def step(parameters: dict[str, Tensor], state: Tensor, inputs: Tensor) -> Tensor:
            states = state if name == "gru" else state.chunk(2, 1)
            after = functional_call(cell, parameters, (inputs, states))
            return after if name == "gru" else torch.cat(after, 1)

        weights = {key: weight.detach() for key, weight in cell.named_parameters()}
        head = head.to({"double": torch.float64, "single": torch.float32}[arguments.precision])
        model = step, weights, lambda state: head(state[:, :hidden]).squeeze(1)
        took = seconds(lambda: measure_model(*model, x, y, state_size=size, **options))
    return {"interpreter MiB": before, "peak MiB": peak(), "seconds": took}


def main() -> int:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cells", nargs="+", choices=CELLS, default=["gru"])
    parser.add_argument("--form", nargs="+", choices=("module", "step"), default=["module"])
    axes = {"hidden": [64, 128, 256, 512], "duration": [256, 1024], "sequences": [200]}
    for name, default in {**axes, "lags": [2**power for power in range(8)]}.items():
        parser.add_argument(f"--{name}", nargs="+", type=int, default=default)
    parser.add_argument("--precision", choices=("double", "single"), default="double")
    parser.add_argument("--first-order", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument("--most-gib", type=float, default=4)
    parser.add_argument("--alone", choices=("measure", "gradient"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.alone:
        torch.set_num_threads(1)
        torch.manual_seed(0)
        print(json.dumps({"measure": measure, "gradient": gradient}[arguments.alone](arguments)))
        return 0
    status, names = 0, ("cells", "form", *axes)
    columns = ("interpreter MiB", "peak MiB", "seconds", "floor s", "times the floor")
    print("| " + " | ".join([*names, *columns]) + " |\n" + "|---" * (len(names) + len(columns)) + "|")
    for values in product(*(getattr(arguments, name) for name in names)):
        of_row = [part for name, value in zip(names, values, strict=True) for part in (f"--{name}", str(value))]
        options = ["--precision", arguments.precision, "--lags", *map(str, arguments.lags)]
        options += [] if arguments.first_order else ["--no-first-order"]
        command = [sys.executable, __file__, *of_row, *options]

        def alone(job: str, command: list[str] = command) -> float | dict[str, float]:
            process = subprocess.run([*command, "--alone", job], stdout=subprocess.PIPE, text=True, check=True)
            return json.loads(process.stdout)

        before, row, after = alone("gradient"), alone("measure"), alone("gradient")
        assert isinstance(before, float) and isinstance(row, dict) and isinstance(after, float)
        _, _, _, duration, sequences = values
        floor = (before + after) / 2 * sequences * duration * max(arguments.lags)
        row |= {"floor s": floor, "times the floor": row["seconds"] / floor}
        cells = [*map(str, values), *(f"{row[name]:.3g}" for name in columns)]
        print("| " + " | ".join(cells) + " |", flush=True)
        status |= row["peak MiB"] > 1024 * arguments.most_gib or math.isnan(row["peak MiB"])
    return int(status)


if __name__ == "__main__":
    sys.exit(main())
