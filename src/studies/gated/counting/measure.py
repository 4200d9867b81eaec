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
from studies.gated.exhibit import Exhibit, ExhibitRequest, statements
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


def make(request: ExhibitRequest) -> Exhibit:
    """Table of the n that each network tells right, at the best of its learning rates."""
    rates, longest = request.settings["learning_rates"], request.settings["longest_trained"]
    require(len(set(rates)) >= 3, "counting.learning_rates", "at least three, each another", rates)
    longest_tested = request.settings["longest_tested"]
    require(
        longest_tested >= LIMIT * longest, "counting.longest_tested", f"at least {LIMIT * longest:g}", longest_tested
    )
    networks = {name: _network(name, units) for name, units in request.settings["hidden_sizes"].items()}
    sizes = {name: network.count_parameters() for name, network in networks.items()}
    fits = max(sizes.values()) <= (1 + EQUAL) * min(sizes.values())
    require(fits, "counting.hidden_sizes", f"of parameters equal within {EQUAL:.0%}", sizes)
    trainings = [_train(request, seed, name, networks[name]) for seed in request.seeds for name in CELLS]
    runs, right = (pd.concat(frames, ignore_index=True) for frames in zip(*trainings, strict=True))
    tables = dict(zip(TABLES, (runs, right), strict=True))
    return Exhibit(
        tables, statements(statement for seed in request.seeds for statement in _statements(tables, longest, seed))
    )


def is_right(network: Network, parameters: Parameters, lengths: Sequence[int]) -> Bool[ndarray, "length"]:
    """True for each n of which the network tells every b of aⁿbⁿ right."""
    sequences = Counting().generate(lengths)
    with torch.no_grad():
        weights = {name: tensor.double() for name, tensor in parameters.items()}
        hidden = hidden_units(network.cell, weights, torch.from_numpy(sequences.inputs).double())
        answers = network.read_out(weights, hidden).argmax(-1).numpy()
    return np.asarray(((answers == sequences.targets) | ~_scored_steps(sequences)).all(1))


def _up_to(right: Bool[ndarray, "length"]) -> int:
    """Number of the first n that are right without a gap."""
    return len(right) if right.all() else int(right.argmin())


def _scored_steps(sequences: Sequences) -> Bool[ndarray, "sequence time"]:
    assert sequences.mask is not None
    return sequences.mask


def _network(name: str, units: int) -> Network:
    architecture = {"cell": name} if name == "rnn" else {"cell": name, "gate_init": 0.5}
    task = Counting()
    return Network.build(architecture, task.input_size, units, True, task.outputs, task.loss)


def _train(request: ExhibitRequest, seed: int, name: str, network: Network) -> tuple[pd.DataFrame, pd.DataFrame]:
    settings = request.settings
    trained_lengths = list(range(1, settings["longest_trained"] + 1))
    data = Counting().generate(trained_lengths * settings["repeats"]), Counting().generate(trained_lengths)
    training = {"epochs": settings["epochs"], "batch_size": settings["batch_size"]}
    rates = settings["learning_rates"]
    models = train_at_rates(network, data, rates, request.root_seed, seed, **training)
    best, lengths = best_of(models), range(1, settings["longest_tested"] + 1)
    names: dict[str, Any] = {"seed": seed, "architecture": name}
    rows, right = [], pd.DataFrame()
    for place, (rate, model) in enumerate(zip(rates, models, strict=True)):
        correct = is_right(network, model.parameters, lengths)
        row = names | {"units": network.cell.hidden_size, "parameters": network.count_parameters(), "rate": rate}
        row |= {"chosen": place == best, "loss": model.curve["validation_loss"].fillna(np.inf).min()}
        row["trained_right"] = float(correct[: settings["longest_trained"]].mean())
        rows.append(row | {"right_up_to": _up_to(correct), "trained_up_to": settings["longest_trained"]})
        if place == best:
            right = pd.DataFrame(names | {"n": lengths, "right": correct.astype(float)})
    return pd.DataFrame(rows), right


def _statements(tables: dict[str, pd.DataFrame], longest: int, seed: int) -> Iterator[tuple[str, int, float]]:
    runs, right = (tables[name][tables[name]["seed"] == seed] for name in TABLES)
    best = runs[runs["chosen"]].set_index("architecture")
    beyond = right[(right["n"] > longest) & (right["n"] <= LIMIT * longest)]
    share = beyond.groupby("architecture")["right"].mean()
    yield "lstm_counts_beyond_gru", seed, share["lstm"] - share["gru"]
    yield "lstm_counts_beyond_rnn", seed, share["lstm"] - share["rnn"]
    for name in CELLS:
        yield f"{name}_right_up_to", seed, best["right_up_to"][name] / longest
        yield f"{name}_right_where_trained", seed, best["trained_right"][name]
