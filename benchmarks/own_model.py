"""Measure the memory and time of `measure_model` on torch's own cells; print a Markdown table.

    PYTHONPATH=src python benchmarks/own_model.py [--cells gru lstm] [--hidden 64 128 256] [--sequences 200]
        [--duration 256] [--largest-lag 128] [--block-mib 256] [--most-gib 4]

For all sizes that are used, `--hidden 64 128 256 512 --duration 256 1024`. With fewer sequences, `--sequences 20`, say,
checks and tables weigh more, so that ratios are upper bounds. The exit status is 1 if a row took more memory than
`--most-gib`.

Each row is a process of its own, on one thread, with lags 1, 2, 4, … up to the largest. `peak` is its resident memory
at most, `interpreter` of it what torch and the library take before any work. `backward` is the processor time of as
many rows going once forward and backward through the step, by plain `torch.autograd.grad`, as the measurement takes,
and `training` that of one gradient of the loss of all sequences.
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
from torch import Tensor
from torch.func import functional_call

from learnability import measure_model, own_model
from learnability.core.progress import Meter

CELLS = {"gru": torch.nn.GRUCell, "lstm": torch.nn.LSTMCell}
INPUTS, ROWS = 3, 1024


def peak() -> float:
    """MiB of resident memory, the most so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def seconds(work: Callable[[], object]) -> float:
    """Processor time."""
    start = time.process_time()
    work()
    return time.process_time() - start


def measure(arguments: argparse.Namespace) -> dict[str, float]:
    """A row of the table."""
    torch.set_num_threads(1)
    torch.manual_seed(0)
    (name,), (hidden,), (duration,) = arguments.cells, arguments.hidden, arguments.duration
    cell, head = CELLS[name](INPUTS, hidden).double(), torch.nn.Linear(hidden, 1).double()
    size = hidden if name == "gru" else 2 * hidden
    x = torch.randn(arguments.sequences, duration, INPUTS, dtype=torch.float64)
    y = x.cumsum(1).sum(2)

    def step(parameters: dict[str, Tensor], state: Tensor, inputs: Tensor) -> Tensor:
        given = state if name == "gru" else state.chunk(2, 1)
        after = functional_call(cell, parameters, (inputs, given))
        return after if name == "gru" else torch.cat(after, 1)

    def readout(state: Tensor) -> Tensor:
        return head(state[:, :hidden]).squeeze(1)

    theta: dict[str, Tensor] = dict(cell.named_parameters())
    state = torch.randn(ROWS, size, dtype=torch.float64, requires_grad=True)
    inputs = torch.randn(ROWS, INPUTS, dtype=torch.float64)

    def backward() -> None:
        after = step({key: each.detach() for key, each in theta.items()}, state, inputs)
        torch.autograd.grad(after, state, torch.ones_like(after))

    def train() -> None:
        now, loss = x.new_zeros(len(x), size), x.new_zeros(())
        for x_t, y_t in zip(x.unbind(1), y.unbind(1), strict=True):
            now = step(theta, now, x_t)
            loss = loss + (readout(now) - y_t).square().sum()
        torch.autograd.grad(loss, list(theta.values()))

    backward()
    of_block = min(seconds(backward) for _ in range(5))
    found = {"interpreter MiB": peak()}
    meters: list[Meter] = []

    def meter(*given: object) -> Meter:
        meters.append(Meter(*given))  # type: ignore[arg-type]
        return meters[-1]

    own_model.Meter = meter  # type: ignore[assignment, misc]
    lags = [2**power for power in range(arguments.largest_lag.bit_length())]
    given = {"state_size": size, "lags": lags, "block_bytes": arguments.block_mib * 2**20, "progress": True}
    took = seconds(lambda: measure_model(step, theta, readout, x, y, **given))
    found |= {"peak MiB": peak(), "seconds": took, "rows (10⁶)": meters[0].done / 1e6}
    floor = of_block / ROWS * meters[0].done
    return found | {"backward s": floor, "of backward": took / floor, "training s": seconds(train)}


def main() -> int:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cells", nargs="+", choices=CELLS, default=list(CELLS))
    parser.add_argument("--hidden", nargs="+", type=int, default=[64, 128, 256])
    parser.add_argument("--duration", nargs="+", type=int, default=[256])
    parser.add_argument("--most-gib", type=float, default=4)
    for name, default in (("sequences", 200), ("largest-lag", 128), ("block-mib", 256)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--alone", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.alone:
        print(json.dumps(measure(arguments)))
        return 0
    titled, status = False, 0
    sizes = [
        f"--{key.replace('_', '-')}={getattr(arguments, key)}" for key in ("sequences", "largest_lag", "block_mib")
    ]
    for name, hidden, duration in product(arguments.cells, arguments.hidden, arguments.duration):
        own = ["--cells", name, "--hidden", str(hidden), "--duration", str(duration)]
        command = [sys.executable, __file__, "--alone", *own, *sizes]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
        row = json.loads(done.stdout) if not done.returncode else {"ended with status": done.returncode}
        if not titled:
            print("| cell | H | T | " + " | ".join(row) + " |\n|---" + "|---" * (len(row) + 2) + "|")
            titled = True
        cells = " | ".join(f"{each:.3g}" for each in row.values())
        print(f"| {name} | {hidden} | {duration} | {cells} |", flush=True)
        if row.get("peak MiB", math.inf) > 1024 * arguments.most_gib:
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
