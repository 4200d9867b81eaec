"""Time the measurement of one frozen network by each engine; print a table, write CSV.

    PYTHONPATH=src python benchmarks/measurement.py [--hidden 64] [--duration 1024] [--inputs 16] [--sequences 256]

Seconds are processor time on one core, measured on `--sequences` sequences and extrapolated to `--all` of them; only
the condition numbers, a part of the rates, end at 512. `steps` and `exact_steps` do not hang on the machine: rates with
the dearer first-order statistic, and the exact statistic, over a training step of DiagGate by autograd (64 sequences)
timed beside them. A process for each row, so that peak memory is its own.
"""

import argparse
import resource
import time
from collections.abc import Callable
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pandas as pd
import torch

from learnability.frozen import Frozen
from learnability.memory import keep_freed_memory
from learnability.network import Network
from learnability.readings import StatisticOptions
from learnability.statistic import matched_statistic
from learnability.transport import ENGINES, effective_learning_rates
from training_step import ARCHITECTURES, by_engine

Options = dict[str, object]

COMMON: Options = {
    "sign_estimate": "in_sample",
    "sampling": "pooled",
    "base_rate": True,
    "error_mean": "kept",
    "noise": "matched",
    "directions": 1,
    "gru_rates": "eq26",
    "time_stride": 8,
}
PAPER: Options = {"parameter_jacobian": "immediate", "orientation": "per_unit", "error_signal": "gradient"}
PUBLISHED_CODE: Options = {"parameter_jacobian": "total", "orientation": "global", "error_signal": "residual"}
RECOMMENDED: Options = {
    **{"transport": "exact", "parameter_jacobian": "immediate", "orientation": "global", "error_signal": "gradient"},
    **{"sign_estimate": "cross_fit", "sampling": "sequence_mean", "error_mean": "removed", "noise": "total"},
}
STATISTICS: dict[str, Options] = {
    "paper": PAPER | {"transport": "first_order"},
    "published_code": PUBLISHED_CODE | {"transport": "first_order"},
    "published_code_exact": PUBLISHED_CODE | {"transport": "exact"},
    "recommended_along_one": RECOMMENDED,
    "recommended": RECOMMENDED | {"directions": 8},
}
LAGS = range(4, 129, 4)
BATCH = 64


def measure(arguments: argparse.Namespace, architecture: str, engine: str) -> dict[str, object]:
    """Seconds for the rates and for each statistic, and peak memory in GiB."""
    torch.set_num_threads(1)
    keep_freed_memory()
    network = Network.build(ARCHITECTURES[architecture], arguments.inputs, arguments.hidden, readout_bias=False)
    generator = torch.Generator().manual_seed(0)
    parameters = {  # as trained: no gate weight is zero
        name: p + 0.05 * torch.randn(p.shape, generator=generator, dtype=torch.float64)
        for name, p in network.initial_parameters(0, 0).items()
    }
    shape = (arguments.sequences, arguments.duration)
    x, y = torch.randn(*shape, arguments.inputs, generator=generator), torch.randn(*shape, generator=generator).double()
    frozen = Frozen(network, parameters, x, y)
    used = ENGINES[engine]()

    def seconds(work: Callable[[int], object]) -> float:
        work(16)  # compiles, takes memory
        start = time.process_time()
        work(arguments.sequences)
        return (time.process_time() - start) * arguments.all / arguments.sequences

    def statistic(name: str) -> Callable[[int], object]:
        options = StatisticOptions(**(COMMON | STATISTICS[name]))  # type: ignore[arg-type]
        return lambda count: matched_statistic(frozen.first(count), LAGS, 1.0, 0, options, used)

    times = {
        "rates_s": seconds(lambda count: effective_learning_rates(network, parameters, x[:count], LAGS, used)),
        **{f"{name}_s": seconds(statistic(name)) for name in STATISTICS},
    }
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    step = reference_step(arguments)
    return {
        "architecture": architecture,
        "engine": engine,
        **times,
        "peak_GiB": peak,
        "step_s": step,
        "steps": (times["rates_s"] + max(times["paper_s"], times["published_code_s"])) / step,
        "exact_steps": times["published_code_exact_s"] / step,
    }


def reference_step(arguments: argparse.Namespace) -> float:
    """Seconds of a training step of DiagGate by autograd; the median of three."""
    network = Network.build(ARCHITECTURES["diag_gate"], arguments.inputs, arguments.hidden, readout_bias=False)
    shape = (BATCH, arguments.duration)
    step = by_engine("autograd", network, torch.randn(*shape, arguments.inputs), torch.randn(*shape))
    times = []
    for _ in range(4):
        start = time.process_time()
        step()
        times.append(time.process_time() - start)
    return float(np.median(times[1:]))


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    sizes = (("hidden", 64), ("duration", 1024), ("inputs", 16), ("sequences", 256), ("all", 3000))
    for name, default in sizes:
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--engines", nargs="+", choices=list(ENGINES), default=list(ENGINES))
    arguments = parser.parse_args()
    cases = [(arguments, architecture, engine) for architecture in ARCHITECTURES for engine in arguments.engines]
    with get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
        table = pd.DataFrame(pool.starmap(measure, cases, chunksize=1))
    table.to_csv(Path(__file__).with_suffix(".csv"), index=False)
    print(f"Seconds for {arguments.all} sequences, extrapolated from {arguments.sequences}.")
    print(table.to_string(index=False, float_format="%.3g"))


if __name__ == "__main__":
    main()
