"""Section 10: which networks count. They are trained on aⁿbⁿ up to some n, and tested on longer ones."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import torch
from jaxtyping import Bool
from numpy import ndarray

from learnability.cells import Parameters
from learnability.core.errors import require
from learnability.networks.network import Network, hidden_units
from learnability.tasks import Sequences
from learnability.tasks.sequences import one_hot
from studies.gated.counting.question import QUESTION
from studies.gated.exhibit import Asked, Exhibit, statements
from studies.gated.trials import best_of, train_at_rates

TABLES = QUESTION.tables
CELLS = ("rnn", "gru", "lstm")
A, B, BLANK = 0, 1, 2
"""Symbols."""
MORE, END = 0, 1
"""Classes of what follows a b: another one, or the end."""
EQUAL = 0.03
"""Largest difference of parameters that counts as none, as a share."""
LIMIT = 2.0
"""Multiple of the longest trained n at which networks are compared."""


class Counting(NamedTuple):
    """aⁿbⁿ, and then blanks: at each b a network says whether the b's end there.

    Args:
        loss, input_size, outputs: as of a task.
    """

    loss: str = "cross_entropy"
    input_size: int = 2
    outputs: int = 2

    def generate(self, lengths: Sequence[int]) -> Sequences:
        """A sequence for each n, as long as the longest one; targets count at b's alone."""
        steps = np.arange(2 * max(lengths))
        n = np.asarray(lengths)[:, None]
        symbols = np.where(steps < n, A, np.where(steps < 2 * n, B, BLANK))
        return Sequences(
            one_hot(symbols, 3)[..., :2], np.where(steps == 2 * n - 1, END, MORE), (steps >= n) & (steps < 2 * n)
        )


def make(asked: Asked) -> Exhibit:
    """Which n each network tells right, at the best of its learning rates."""
    rates, longest = asked.settings["learning_rates"], asked.settings["longest_trained"]
    require(len(set(rates)) >= 3, "counting.learning_rates", "at least three, each another", rates)
    tested = asked.settings["longest_tested"]
    require(tested >= LIMIT * longest, "counting.longest_tested", f"at least {LIMIT * longest:g}", tested)
    networks = {name: _network(name, units) for name, units in asked.settings["hidden_sizes"].items()}
    sizes = {name: network.count_parameters() for name, network in networks.items()}
    fits = max(sizes.values()) <= (1 + EQUAL) * min(sizes.values())
    require(fits, "counting.hidden_sizes", f"of parameters equal within {EQUAL:.0%}", sizes)
    found = [_trained(asked, seed, name, networks[name]) for seed in asked.seeds for name in CELLS]
    runs, right = (pd.concat(each, ignore_index=True) for each in zip(*found, strict=True))
    tables = dict(zip(TABLES, (runs, right), strict=True))
    return Exhibit(tables, statements(each for seed in asked.seeds for each in _stated(tables, longest, seed)))


def is_right(network: Network, parameters: Parameters, lengths: Sequence[int]) -> Bool[ndarray, "length"]:
    """Whether each b of aⁿbⁿ is told right, for each n."""
    drawn = Counting().generate(lengths)
    with torch.no_grad():
        kept = {name: each.double() for name, each in parameters.items()}
        hidden = hidden_units(network.cell, kept, torch.from_numpy(drawn.inputs).double())
        said = network.read_out(kept, hidden).argmax(-1).numpy()
    return np.asarray(((said == drawn.targets) | ~_counted(drawn)).all(1))


def _up_to(right: Bool[ndarray, "length"]) -> int:
    """How many of the first n are right without a gap."""
    return len(right) if right.all() else int(right.argmin())


def _counted(drawn: Sequences) -> Bool[ndarray, "sequence time"]:
    assert drawn.mask is not None
    return drawn.mask


def _network(name: str, units: int) -> Network:
    architecture = {"cell": name} if name == "rnn" else {"cell": name, "gate_init": 0.5}
    task = Counting()
    return Network.build(architecture, task.input_size, units, True, task.outputs, task.loss)


def _trained(asked: Asked, seed: int, name: str, network: Network) -> tuple[pd.DataFrame, pd.DataFrame]:
    settings = asked.settings
    every = list(range(1, settings["longest_trained"] + 1))
    data = Counting().generate(every * settings["repeats"]), Counting().generate(every)
    training = {"epochs": settings["epochs"], "batch_size": settings["batch_size"]}
    rates = settings["learning_rates"]
    trained = train_at_rates(network, data, rates, asked.root_seed, seed, **training)
    best, lengths = best_of(trained), range(1, settings["longest_tested"] + 1)
    names: dict[str, Any] = {"seed": seed, "architecture": name}
    rows, right = [], pd.DataFrame()
    for place, (rate, each) in enumerate(zip(rates, trained, strict=True)):
        told = is_right(network, each.parameters, lengths)
        row = names | {"units": network.cell.hidden_size, "parameters": network.count_parameters(), "rate": rate}
        row |= {"chosen": place == best, "loss": each.curve["validation_loss"].fillna(np.inf).min()}
        row["trained_right"] = float(told[: settings["longest_trained"]].mean())
        rows.append(row | {"right_up_to": _up_to(told), "trained_up_to": settings["longest_trained"]})
        if place == best:
            right = pd.DataFrame(names | {"n": lengths, "right": told.astype(float)})
    return pd.DataFrame(rows), right


def _stated(tables: dict[str, pd.DataFrame], longest: int, seed: int) -> Iterator[tuple[str, int, float]]:
    runs, right = (tables[name][tables[name]["seed"] == seed] for name in TABLES)
    chosen = runs[runs["chosen"]].set_index("architecture")
    beyond = right[(right["n"] > longest) & (right["n"] <= LIMIT * longest)]
    share = beyond.groupby("architecture")["right"].mean()
    yield "lstm_counts_beyond_gru", seed, share["lstm"] - share["gru"]
    yield "lstm_counts_beyond_rnn", seed, share["lstm"] - share["rnn"]
    for name in CELLS:
        yield f"{name}_right_up_to", seed, chosen["right_up_to"][name] / longest
        yield f"{name}_right_where_trained", seed, chosen["trained_right"][name]
