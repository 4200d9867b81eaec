"""States and readouts of reservoirs beside reservoirpy; print a table.

    OMP_NUM_THREADS=1 PYTHONPATH=src python benchmarks/reservoirs.py [--units 100 …] [--steps 2000] [--sequences 1]
        [--turns 5]

Processor seconds, the least of as many turns, in which both take turns: the states of one series after
another of `--sequences`, and the ridge readout that predicts the next of its values. `times` is how many times as long
reservoirpy takes.
"""

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import reservoirpy.nodes as peer
from scipy.sparse import csr_matrix

from learnability.reservoirs import draw_reservoir, fit_readout
from learnability.tasks.series import MackeyGlass

SPARSE = 10
"""Expected connections of a unit of a sparse reservoir."""


def fastest(turns: int, **ways: Callable[[], Any]) -> dict[str, float]:
    """The least processor seconds of each of the ways, which take turns."""
    times: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(turns):
        for name, way in ways.items():
            began = time.process_time()
            way()
            times[name].append(time.process_time() - began)
    return {name: min(seconds) for name, seconds in times.items()}


def compare(units: int, density: float, series: np.ndarray, turns: int) -> list[dict[str, Any]]:
    """States, then the readout of the first series."""
    reservoir = draw_reservoir(units, 1, 0, 0, density=density)
    W = csr_matrix(reservoir.recurrent) if density < 1 else reservoir.recurrent
    theirs = peer.Reservoir(units=units, lr=1.0, W=W, Win=reservoir.input, bias=reservoir.bias)
    theirs.run(series[0, :2])

    def run_theirs() -> list[np.ndarray]:
        return [theirs.run(sequence) for sequence in series]

    states = reservoir.states(series)
    of_states = fastest(turns, ours=lambda: reservoir.states(series), theirs=run_theirs)
    first_states, targets = states[:1, :-1], series[:1, 1:]
    of_readout = fastest(
        turns,
        ours=lambda: fit_readout(first_states, targets, 1.0, 100),
        theirs=lambda: peer.Ridge(ridge=1.0).fit(first_states[0], targets[0], warmup=100),
    )
    names = {"units": units, "density": density}
    return [names | {"what": work} | seconds for work, seconds in (("states", of_states), ("readout", of_readout))]


def main() -> None:
    """Print a table of all sizes, dense and sparse."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--units", type=int, nargs="+", default=[100, 300, 1000, 3000, 5000])
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--sequences", type=int, default=1)
    parser.add_argument("--turns", type=int, default=5)
    args = parser.parse_args()
    series = MackeyGlass(args.steps, 0, 0).generate("training", args.sequences).inputs.astype(float)
    sizes = [(units, density) for units in args.units for density in (1.0, SPARSE / units)]
    rows = [row for size in sizes for row in compare(*size, series, args.turns)]
    table = pd.DataFrame(rows).assign(times=lambda rows: rows["theirs"] / rows["ours"])
    print(table.round(4).to_string(index=False))


if __name__ == "__main__":
    main()
