"""Section 1: what irrelevant inputs do to the identity recurrence, and what it does to gradients; without training.

    h_t = h_{t-1} + tanh(W x_t + b)

A symbol that matters comes first. At each step after it comes what does not matter: one of several `distractors`, each
an input of its own; `noise` in all inputs, of the same size; or the symbol again, a `repetition`.
"""

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import torch
from jaxtyping import Float64, Int64
from torch import Tensor

from learnability.cells import Cell, Parameters
from learnability.cells.additive import IdentityRNN
from learnability.cells.vanilla import RNN
from learnability.core.streams import numpy_generator
from learnability.networks.network import run
from learnability.reservoirs import fit_readout
from learnability.transport.products import state_jacobians
from studies.gated.exhibit import Exhibit, ExhibitRequest, statements
from studies.gated.identity.question import QUESTION

TABLES = QUESTION.tables
IRRELEVANT = ("distractors", "noise", "repetition")
DISTRACTIONS = ("distractors", "noise")
"""Inputs after which the symbol is to be named; repetitions have no others."""
READERS: Mapping[str, type[Cell]] = {"state": IdentityRNN, "exposed": IdentityRNN, "rnn": RNN}
"""Cells whose state is read: the identity recurrence, the same through tanh, and an RNN."""


def make(request: ExhibitRequest) -> Exhibit:
    """States, readouts and gradients of both networks.

    Args:
        request: its settings are those of `gated.exhibits.identity`.

    Returns:
        `identity_states`, by kind of the `irrelevant` steps and their number, `steps`: the mean norm `size` of the
        identity recurrence's state, and the mean `slope` 1 - tanh²(h).
        `identity_readouts`: the `accuracy` with which a ridge regression on what a `reader` sees tells the symbol, of
        sequences that it was not fitted to; `chance`, a guess.
        `identity_gradients`, by `scale` of an orthogonal U, 0 for the identity recurrence: log₁₀ of the 2-norm of
        ∂h_T/∂h_{T-lag}, the mean over sequences.
    """
    tables = {
        name: pd.concat([measure(request, seed).assign(seed=seed) for seed in request.seeds], ignore_index=True)
        for name, measure in zip(TABLES, (_readouts, _states, _gradients), strict=True)
    }
    return Exhibit(tables, statements(row for seed in request.seeds for row in _statements(tables, seed)))


def network(kind: type[Cell], request: ExhibitRequest, seed: int) -> tuple[Cell, Parameters]:
    """A cell and its parameters before training."""
    settings = request.settings
    cell = kind(settings["symbols"] + settings["distractors"], settings["hidden_size"])
    return cell, cell.initial_parameters(request.root_seed, seed)


def stream(
    irrelevant: str, steps: int, count: int, request: ExhibitRequest, seed: int, split: str
) -> tuple[Float64[Tensor, "sequence time input"], Int64[np.ndarray, "sequence"]]:
    """A symbol and so many irrelevant steps after it, and which it was."""
    symbols, distractors = request.settings["symbols"], request.settings["distractors"]
    size = symbols + distractors
    generator = numpy_generator(request.root_seed, seed, "identity", irrelevant, split)
    first = generator.integers(symbols, size=count)
    one_hot = np.eye(size)
    if irrelevant == "noise":
        rest = generator.normal(0, size**-0.5, (count, steps, size))
    elif irrelevant == "repetition":
        rest = np.repeat(one_hot[first][:, None], steps, 1)
    else:
        rest = one_hot[symbols + generator.integers(distractors, size=(count, steps))]
    return torch.from_numpy(np.concatenate([one_hot[first][:, None], rest], 1)), first


def _states(request: ExhibitRequest, seed: int) -> pd.DataFrame:
    cell, parameters = network(IdentityRNN, request, seed)
    counts = sorted({*request.settings["steps"], request.settings["steps"][-1] // 2})
    rows = []
    for irrelevant in IRRELEVANT:
        x, _ = stream(irrelevant, counts[-1], request.settings["sequences"], request, seed, "states")
        states = run(cell, parameters, x)[:, 1:]
        for steps in counts:
            h = states[:, steps]
            size, slope = float(h.norm(dim=-1).mean()), float((torch.cosh(h) ** -2).mean())
            rows.append({"irrelevant": irrelevant, "steps": steps, "size": size, "slope": slope})
    return pd.DataFrame(rows)


def _readouts(request: ExhibitRequest, seed: int) -> pd.DataFrame:
    settings, rows = request.settings, []
    for irrelevant, (reader, kind) in product(DISTRACTIONS, READERS.items()):
        cell, parameters = network(kind, request, seed)
        features, names = {}, {}
        for split in ("training", "diagnostic"):
            x, names[split] = stream(irrelevant, settings["steps"][-1], settings["sequences"], request, seed, split)
            states = run(cell, parameters, x)[:, 1:]
            features[split] = (torch.tanh(states) if reader == "exposed" else states).numpy()
        for steps in (0, *settings["steps"]):
            training, test = ((features[split][:, steps], names[split]) for split in features)
            accuracy = tell(*training, *test, settings["penalty"])
            rows.append({"irrelevant": irrelevant, "reader": reader, "steps": steps, "accuracy": accuracy})
    return pd.DataFrame(rows).assign(chance=1 / settings["symbols"])


def tell(
    states: Float64[np.ndarray, "sequence unit"],
    names: Int64[np.ndarray, "sequence"],
    test_states: Float64[np.ndarray, "other unit"],
    test_names: Int64[np.ndarray, "other"],
    penalty: float,
) -> float:
    """The share of other states whose name a ridge regression on the first ones gives the highest score."""
    weights, offset = fit_readout(states[:, None], np.eye(names.max() + 1)[names][:, None], penalty, 0)
    return float(((test_states @ weights + offset).argmax(1) == test_names).mean())


def _gradients(request: ExhibitRequest, seed: int) -> pd.DataFrame:
    lags = request.settings["lags"]
    x, _ = stream("noise", lags[-1], request.settings["gradient_sequences"], request, seed, "gradients")
    rows: list[dict[str, Any]] = []
    for scale in (0.0, *request.settings["scales"]):
        cell, parameters = network(RNN if scale else IdentityRNN, request, seed)
        if scale:
            parameters = parameters | {"U_h": scale * parameters["U_h"]}
        for lag, jacobian in state_jacobians(cell, parameters, x, lags):
            norms = torch.linalg.matrix_norm(jacobian, 2)
            rows.append({"scale": scale, "lag": lag, "log_norm": float(norms.log10().mean())})
    return pd.DataFrame(rows)


def _statements(tables: Mapping[str, pd.DataFrame], seed: int) -> Iterator[tuple[str, int, float]]:
    readouts, states, gradients = (table[table["seed"] == seed] for table in (tables[name] for name in TABLES))
    for irrelevant in IRRELEVANT:
        at = states[states["irrelevant"] == irrelevant].set_index("steps")
        first, last = at.index.min(), at.index.max()
        yield f"growth_{irrelevant}", seed, at["size"][last] / at["size"][first]
        yield f"levels_{irrelevant}", seed, at["size"][last] / at["size"][last // 2]
        yield f"slope_{irrelevant}", seed, at["slope"][first] / at["slope"][last]
    for irrelevant, reader in product(DISTRACTIONS, READERS):
        of_it = readouts[(readouts["irrelevant"] == irrelevant) & (readouts["reader"] == reader)]
        accuracy = of_it.set_index("steps")["accuracy"]
        name = f"lost_{irrelevant}" if reader == "state" else f"lost_{reader}_{irrelevant}"
        yield name, seed, accuracy[0] - accuracy[accuracy.index.max()]
    identity = gradients[gradients["scale"] == 0]
    ends = gradients[(gradients["scale"] > 0) & (gradients["lag"] == gradients["lag"].max())]["log_norm"]
    yield "identity_deviates", seed, (10 ** identity["log_norm"] - 1).abs().max()
    yield "rnn_decades", seed, ends.abs().median()
    yield "rnn_largest_decades", seed, ends.max()
