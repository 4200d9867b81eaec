"""Compare what `measure_model` says before training with what training then learns; print a Markdown table.

    OMP_NUM_THREADS=1 PYTHONPATH=src python benchmarks/before_training.py [--seeds 3] [--sequences 200] [--updates 300]

Three models (RNN, GRU, and an LSTM whose forget gates start open, Tallec and Ollivier 2018, arXiv 1804.11188) and three
tasks of 32 steps. Each model is measured once, before training, on fresh sequences. It is then trained from the same
start by Adam at two rates, and the rate with the lower loss counts. A seed draws the start, the sequences that are
measured, and the batches; cells of the table go from the least to the most of the seeds.

* `short`: y_t = x_{t-1} + x_{t-2} + x_{t-4}, white inputs.
* `long`: y_t = x_{t-8} + x_{t-14} + x_{t-20}.
* `denoise`: one of the first four steps is marked, and its symbol, -1 or 1, is the target at the last step; other
  inputs are noise. Its lags are 28 to 31, of which 28 and 31 are measured.

A lag is predicted to be learned if N sequences detect its gradient, N̂(ℓ) ≤ N, for the N that are measured and for the N
of the whole training. The learned share of a lag of
the sums is the slope of the prediction over x_{t-ℓ}, 1 where the lag is learned. Of `denoise` it is the explained
variance at the last step, for both lags. A lag counts as learned from a share of one half on.

The last line asks whether N̂(ℓ) says more than the lag itself: both get the threshold that fits best, chosen afterwards.
"""

import argparse
import sys
from collections.abc import Callable
from itertools import groupby, product
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from learnability import measure_model

TIME, BATCH, FRESH, LEARNED_SHARE = 32, 32, 500, 0.5
RATES = (0.003, 0.01)
SUMS = {"short": (1, 2, 4), "long": (8, 14, 20)}
MARKED_STEPS = 4


class Batch(NamedTuple):
    """Inputs (sequence, time, 2), targets (sequence, time), and which targets count."""

    inputs: Tensor
    targets: Tensor
    mask: Tensor


def draw(task: str, count: int, generator: torch.Generator) -> Batch:
    """Fresh sequences of a task."""
    x = torch.randn(count, TIME, 2, generator=generator)
    mask = torch.ones(count, TIME, dtype=torch.bool)
    if task in SUMS:
        y = torch.zeros(count, TIME)
        for lag in SUMS[task]:
            y[:, lag:] += x[:, : TIME - lag, 0]
        mask[:, : SUMS[task][-1]] = False
        return Batch(x, y, mask)
    rows, at = torch.arange(count), torch.randint(MARKED_STEPS, (count,), generator=generator)
    symbol = torch.randint(2, (count,), generator=generator) * 2.0 - 1
    x[:, :, 1] = 0
    x[rows, at, 0], x[rows, at, 1] = symbol, 1
    mask[:, :-1] = False
    return Batch(x, symbol[:, None].expand(count, TIME).clone(), mask)


class Lag(NamedTuple):
    """A lag of a task, a model and a seed: N̂(ℓ) before training, and the learned share after it."""

    task: str
    model: str
    seed: int
    lag: int
    sample_complexity: float
    share: float


def lags_of(task: str) -> tuple[int, ...]:
    """Lags at which targets depend on inputs; of `denoise` the first and the last."""
    return SUMS.get(task, (TIME - MARKED_STEPS, TIME - 1))


def rnn(units: int) -> nn.Module:
    """A plain RNN."""
    return nn.RNN(2, units, batch_first=True)


def gru(units: int) -> nn.Module:
    """A GRU."""
    return nn.GRU(2, units, batch_first=True)


def open_lstm(units: int) -> nn.Module:
    """An LSTM whose forget gates remember for 1 to T - 1 steps."""
    lstm = nn.LSTM(2, units, batch_first=True)
    with torch.no_grad():
        bias = torch.log(1 + torch.rand(units) * (TIME - 2))
        into, hidden = (dict(lstm.named_parameters())[f"bias_{part}_l0"].zero_() for part in ("ih", "hh"))
        into[:units], into[units : 2 * units] = -bias, hidden[:units] + bias
    return lstm


MODELS: dict[str, Callable[[int], nn.Module]] = {"RNN": rnn, "LSTM, open": open_lstm, "GRU": gru}


def build(model: str, units: int, seed: int) -> tuple[nn.Module, nn.Module]:
    """A model and its readout, of a seed always from the same start."""
    torch.manual_seed(seed)
    return MODELS[model](units), nn.Linear(units, 1)


def train(task: str, model: str, units: int, updates: int, rate: float, seed: int) -> tuple[float, list[float]]:
    """Loss on fresh sequences, and the learned share of each lag."""
    module, head = build(model, units, seed)
    generator = torch.Generator().manual_seed(1000 * seed + 1)
    weights = [*module.parameters(), *head.parameters()]
    optimizer = torch.optim.Adam(weights, lr=rate)
    for _ in range(updates):
        x, y, mask = draw(task, BATCH, generator)
        loss = (head(module(x)[0])[..., 0] - y)[mask].square().mean()
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(weights, 1.0)
        optimizer.step()
    x, y, mask = draw(task, FRESH, generator)
    with torch.no_grad():
        prediction = head(module(x)[0])[..., 0]
    end_loss = (prediction - y)[mask].square().mean()
    if task not in SUMS:
        return float(end_loss), [float(1 - end_loss / y[mask].square().mean())] * 2
    shares = []
    for lag in lags_of(task):
        before, after = x[:, SUMS[task][-1] - lag : TIME - lag, 0], prediction[:, SUMS[task][-1] :]
        shares.append(float((before * after).sum() / before.square().sum()))
    return float(end_loss), shares


def predict(task: str, model: str, units: int, sequences: int, seed: int) -> list[float]:
    """N̂(ℓ) before training, by exact transport in the noise of the whole gradient."""
    module, head = build(model, units, seed)
    x, y, mask = draw(task, sequences, torch.Generator().manual_seed(1000 * seed + 2))
    measurement = measure_model(module, x, y, readout=head, mask=mask, lags=list(lags_of(task)), progress=False)
    table = measurement.to_dataframe()
    rows = table[(table["transport"] == "exact") & (table["noise"] == "total")].sort_values("lag")
    return rows["sample_complexity"].tolist()


def compare_all(seeds: int, sequences: int, updates: int, units: int) -> list[Lag]:
    """Lags of all tasks, models and seeds."""
    rows = []
    for task, model, seed in product((*SUMS, "denoise"), MODELS, range(seeds)):
        complexities = predict(task, model, units, sequences, seed)
        _, shares = min(train(task, model, units, updates, rate, seed) for rate in RATES)
        rows += [Lag(task, model, seed, *values) for values in zip(lags_of(task), complexities, shares, strict=True)]
        print(f"{task}, {model}, seed {seed}: N {complexities}, learned {shares}", file=sys.stderr, flush=True)
    return rows


def judge(rows: list[Lag], count: int) -> str:
    """Counts of lags that are predicted to be learned, or not, and are learned, or not, with ranges over seeds."""

    def tally(is_predicted: bool, is_learned: bool) -> str:
        matches = [
            (row.sample_complexity <= count, row.share >= LEARNED_SHARE) == (is_predicted, is_learned) for row in rows
        ]
        of_seeds = [
            sum(f for f, row in zip(matches, rows, strict=True) if row.seed == s) for s in {r.seed for r in rows}
        ]
        return f"{sum(matches)} ({min(of_seeds)} to {max(of_seeds)} of a seed)"

    return (
        f"With N = {count}: of {len(rows)} lags {tally(True, True)} are predicted and learned, {tally(True, False)} "
        f"predicted and not learned, {tally(False, True)} learned without being predicted, "
        f"{tally(False, False)} neither."
    )


def judge_afterwards(rows: list[Lag]) -> str:
    """Counts of lags for which N̂(ℓ), and the lag alone, are right with the thresholds that fit best."""

    def right(values: list[float]) -> int:
        outcomes = [row.share >= LEARNED_SHARE for row in rows]
        return max(
            sum((value <= most) == is_learned for value, is_learned in zip(values, outcomes, strict=True))
            for most in {-np.inf, *values}
        )

    by_complexity, by_lag = right([row.sample_complexity for row in rows]), right([row.lag for row in rows])
    return f"With the threshold that fits best N̂(ℓ) is right for {by_complexity} lags, the lag alone for {by_lag}."


def show(count: float) -> str:
    """A number of sequences in two digits, large ones as a power."""
    if np.isinf(count):
        return "∞"
    return f"{float(f'{count:.1e}'):.0f}" if count < 1e4 else f"{count:.0e}".replace("e+", "e").replace("e0", "e")


def span(write: Callable[[float], str], values: list[float]) -> str:
    """The least and the most of some values."""
    ends = [write(min(values)), write(max(values))]
    return ends[0] if ends[0] == ends[1] else "–".join(ends)


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in (("seeds", 3), ("sequences", 200), ("updates", 300), ("units", 16)):
        parser.add_argument(f"--{name}", type=int, default=default)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    rows = compare_all(arguments.seeds, arguments.sequences, arguments.updates, arguments.units)
    print("| task | model | lags | N̂(ℓ) before training | learned share |\n|---" + "|---" * 4 + "|")
    for (task, model), part in groupby(rows, key=lambda row: (row.task, row.model)):
        part_rows, lags = list(part), lags_of(task)
        complexities = [span(show, [row.sample_complexity for row in part_rows if row.lag == lag]) for lag in lags]
        shares = [span("{:.2f}".format, [row.share for row in part_rows if row.lag == lag]) for lag in lags]
        cells = [", ".join(cell) for cell in (map(str, lags), complexities, shares)]
        print(f"| {task} | {model} | " + " | ".join(cells) + " |")
    print()
    for count in (arguments.sequences, arguments.updates * BATCH):
        print(judge(rows, count))
    print(judge_afterwards(rows))


if __name__ == "__main__":
    main()
