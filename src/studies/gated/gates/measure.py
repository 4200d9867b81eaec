"""Section 2: a gate as a soft switch, and what gates do that were trained on a task of selective memory.

g_t = σ(a_t),      a_t = W x_t + U h_{t-1} + b
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
import torch
from jaxtyping import Bool, Float, Int
from scipy.stats import rankdata
from torch import Tensor

from learnability.cells import Parameters
from learnability.cells.gru import GRU
from learnability.cells.linearization import affine
from learnability.cells.lstm import LSTM
from learnability.networks.accuracy import measure_accuracy
from learnability.networks.network import run
from learnability.tasks import Sequences
from studies.gated.exhibit import Exhibit, ExhibitRequest, Trained, statements
from studies.gated.gates.question import QUESTION
from studies.gated.learned import at_best_rates

TABLES = QUESTION.tables
LETTERS = LSTM.gate_paths | GRU.gate_paths
"""Letters of gates, which are those of their parameters."""
SHOWN = (("lstm", "input"), ("lstm", "forget"), ("gru", "update"), ("forget_rnn", "forget"))
"""Gates that write or forget."""
HELD = ("learned", "of_input", "constant")
"""A gate as it is; with what it has of h_{t-1} held at its mean; and held at its own mean altogether."""

WRITE_COLUMNS = ["experiment", "architecture", "seed", "written", "proposed"]
OUTPUT, MEMORY = "output", "memory"
"""States that a probe reads: h = o ⊙ tanh(c), which the network shows, or c."""
PROBE_STEPS = 500
"""Largest number of steps of the solver of a probe."""
PROBE_COLUMNS = ["experiment", "architecture", "seed", "reads", "accuracy", "chance"]


class Where(NamedTuple):
    """Steps of sequences: with a symbol or a blank before the marker, and behind it."""

    symbol: Bool[Tensor, "sequence time"]
    blank: Bool[Tensor, "sequence time"]
    asked: Bool[Tensor, "sequence time"]


def make(request: ExhibitRequest) -> Exhibit:
    """Gates of trained networks against what is shown, and what is lost without what they learned.

    Args:
        request: its settings are `inputs`, a of the switch, increasing; `sequences`, on which gates are measured; and
            `probe`, with the `sequences` of linear probes and their `penalty`.

    Returns:
        `gates_switch`: `a`, the `gate` σ(a), and its `slope`.
        `gates_units`, by `gate` and `unit`: its mean at a `symbol` and at a `blank` before the marker, and when `asked`
        behind it; `auc`, the probability that it is larger at a symbol than at a blank.
        `gates_held`, by `gate`: the `accuracy` with the gate as `held` says, see `HELD`.
        `gates_written`, of LSTMs: what is written at a symbol over what is at a blank, |i ⊙ g| as `written` and |g| as
        `proposed`.
        `gates_probes`, of LSTMs: the `accuracy` of linear probes, see `probe`, that read the output h or the memory c.
    """
    switch = _switch(request.settings["inputs"])
    units, recall, writes, probes = [], [], [], []
    for model in at_best_rates(request.trained):
        sequences = model.task.generate("diagnostic", request.settings["sequences"])
        for gate in gates_of(model):
            units.append(_units(model, gate, sequences).assign(gate=gate, **model.names))
            recall.append(_measure_held(model, gate, sequences).assign(gate=gate, **model.names))
        if "input" in gates_of(model):
            writes.append(_measure_writes(model, sequences) | model.names)
        if model.network.cell.has_cell_state:
            probe_sequences = model.task.generate("probe", request.settings["probe"]["sequences"])
            probes += [
                model.names | row for row in _probe_model(model, probe_sequences, request.settings["probe"]["penalty"])
            ]
    parts = pd.concat(recall), pd.concat(units), pd.DataFrame(writes, columns=WRITE_COLUMNS), switch
    tables = dict(zip(TABLES, (*parts, pd.DataFrame(probes, columns=PROBE_COLUMNS)), strict=True))
    values = [*_switch_statements(switch, request.seeds[0]), *_statements(tables)]
    return Exhibit({name: table.reset_index(drop=True) for name, table in tables.items()}, statements(values))


def gates_of(model: Trained) -> dict[str, str]:
    """The gates of a network, and their paths; none of a cell without."""
    paths = model.network.cell.gate_paths.items()
    return {gate: path for gate, path in paths if f"b_{path}" in model.parameters}


def _switch(inputs: Sequence[float]) -> pd.DataFrame:
    a = np.array(inputs, float)
    gate = 1 / (1 + np.exp(-a))
    return pd.DataFrame({"a": a, "gate": gate, "slope": gate * (1 - gate)})


def _where(sequences: Sequences) -> Where:
    """Blanks are input 0, the marker the last."""
    x = torch.from_numpy(sequences.inputs) > 0
    marker = x[..., -1]
    behind = marker.cumsum(1) - marker.int() > 0
    return Where(x[..., 1:-1].any(-1), x[..., 0] & ~behind, behind)


class Steps(NamedTuple):
    """Values of a gate, and U h_{t-1}."""

    gate: Float[Tensor, "sequence time unit"]
    of_state: Float[Tensor, "sequence time unit"]


def steps_of(model: Trained, path: str, sequences: Sequences) -> Steps:
    """A gate over a run, by the letter of its parameters."""
    cell, parameters, x = model.network.cell, model.parameters, torch.from_numpy(sequences.inputs).double()
    h = cell.output(run(cell, parameters, x)[:, :-1])
    return Steps(torch.sigmoid(affine(parameters, path, h, x)), h @ parameters[f"U_{path}"].mT)


def _units(model: Trained, gate: str, sequences: Sequences) -> pd.DataFrame:
    where, values = _where(sequences), steps_of(model, gates_of(model)[gate], sequences).gate
    means = {name: values[at].mean(0).numpy() for name, at in where._asdict().items()}
    auc = separation(values[where.symbol].numpy(), values[where.blank].numpy())
    return pd.DataFrame({"unit": np.arange(values.shape[-1]), **means, "auc": auc})


def separation(
    first: Float[np.ndarray, "sample unit"], second: Float[np.ndarray, "other unit"]
) -> Float[np.ndarray, "unit"]:
    """Probability that a value of `first` exceeds one of `second`, ties by half: the area under the ROC curve."""
    ranks = rankdata(np.concatenate([first, second]), axis=0)[: len(first)].sum(0)
    least = len(first) * (len(first) + 1) / 2
    auc: np.ndarray = (ranks - least) / (len(first) * len(second))
    return auc


def held(parameters: Parameters, path: str, steps: Steps, how: str) -> Parameters:
    """Parameters with a gate as `HELD` says; means are over sequences and steps."""
    W, U, b = (parameters[f"{name}_{path}"] for name in "WUb")
    if how == "of_input":
        return parameters | {f"U_{path}": torch.zeros_like(U), f"b_{path}": b + steps.of_state.mean((0, 1))}
    if how == "constant":
        zero = {f"W_{path}": torch.zeros_like(W), f"U_{path}": torch.zeros_like(U)}
        return parameters | zero | {f"b_{path}": steps.gate.mean((0, 1)).logit()}
    return parameters


def _measure_held(model: Trained, gate: str, sequences: Sequences) -> pd.DataFrame:
    path = gates_of(model)[gate]
    steps = steps_of(model, path, sequences)
    shares = [measure_accuracy(model.network, held(model.parameters, path, steps, how), sequences) for how in HELD]
    return pd.DataFrame({"held": HELD, "accuracy": shares})


def _measure_writes(model: Trained, sequences: Sequences) -> dict[str, float]:
    where, cell = _where(sequences), model.network.cell
    x = torch.from_numpy(sequences.inputs).double()
    h = cell.output(run(cell, model.parameters, x)[:, :-1])
    candidates = torch.tanh(affine(model.parameters, "g", h, x)).abs()
    writes = candidates * torch.sigmoid(affine(model.parameters, "i", h, x))
    sizes = {"written": writes, "proposed": candidates}
    return {name: float(size[where.symbol].mean() / size[where.blank].mean()) for name, size in sizes.items()}


def _probe_model(model: Trained, sequences: Sequences, penalty: float) -> Iterator[dict[str, object]]:
    """Probes of what is there just before the marker, when all symbols were shown and none is asked for."""
    cell, last = model.network.cell, int(sequences.inputs[0, :, -1].argmax())
    states = run(cell, model.parameters, torch.from_numpy(sequences.inputs).double())[:, last]
    symbols = sequences.targets[sequences.scored].reshape(len(sequences.targets), -1) - 1
    alphabet = sequences.inputs.shape[-1] - 2
    for reads, values in {OUTPUT: cell.output(states), MEMORY: cell.memory(states)}.items():
        accuracy = probe(values.numpy(), symbols, alphabet, penalty)
        yield {"reads": reads, "accuracy": accuracy, "chance": 1 / alphabet}


def probe(
    values: Float[np.ndarray, "sequence unit"],
    symbols: Int[np.ndarray, "sequence place"],
    alphabet: int,
    penalty: float,
) -> float:
    """The share of symbols that a linear readout names: multinomial logistic regression, one for each place.

    Weights W of standardised units make the mean cross-entropy + λ ‖W‖² least over the first half of the sequences,
    and are judged on the others.

    Args:
        symbols: from 0 on, below `alphabet`.
        penalty: λ.
    """
    half = len(values) // 2
    spread = values[:half].std(0)
    units = torch.from_numpy((values - values[:half].mean(0)) / np.where(spread > 0, spread, 1))
    labels = torch.from_numpy(symbols)
    weights = torch.zeros(symbols.shape[1], values.shape[1], alphabet, dtype=torch.float64, requires_grad=True)
    offsets = torch.zeros(symbols.shape[1], alphabet, dtype=torch.float64, requires_grad=True)
    solver = torch.optim.LBFGS([weights, offsets], max_iter=PROBE_STEPS, line_search_fn="strong_wolfe")

    def scores(of: Tensor) -> Tensor:
        return torch.einsum("su,pua->spa", of, weights) + offsets

    def loss() -> Tensor:
        solver.zero_grad()
        of_places = torch.nn.functional.cross_entropy(scores(units[:half]).flatten(0, 1), labels[:half].flatten())
        whole = of_places + penalty * weights.square().sum()
        whole.backward()
        return whole

    solver.step(loss)
    with torch.no_grad():
        return float((scores(units[half:]).argmax(-1) == labels[half:]).double().mean())


def apart(units: pd.DataFrame) -> pd.DataFrame:
    """Distance of a gate's means at symbols and at blanks: of the most selective unit and of the median one.

    Returns:
        `architecture`, `gate`, `seed`, `largest`, `median`.
    """
    distance = units.assign(distance=(units["symbol"] - units["blank"]).abs())
    of_seeds = distance.groupby(["architecture", "gate", "seed"])["distance"].agg(["max", "median"])
    return of_seeds.rename(columns={"max": "largest"}).reset_index()


def _switch_statements(switch: pd.DataFrame, seed: int) -> Iterator[tuple[str, int, float]]:
    gate = switch.set_index("a")["gate"]
    yield "switch_blocked", seed, gate.iloc[0]
    yield "switch_half", seed, gate[0.0]
    yield "switch_passed", seed, gate.iloc[-1]


def _statements(tables: Mapping[str, pd.DataFrame]) -> Iterator[tuple[str, int, float]]:
    units, names = tables["gates_units"], ["architecture", "gate", "seed"]
    for row in apart(units).to_dict("records"):
        yield f"{row['architecture']}_{row['gate']}_largest", row["seed"], row["largest"]
        yield f"{row['architecture']}_{row['gate']}_median", row["seed"], row["median"]
    exposure = units[units["gate"] == "output"].groupby(["architecture", "seed"])[["symbol", "blank", "asked"]].mean()
    for row in exposure.reset_index().to_dict("records"):
        before = (row["symbol"] + row["blank"]) / 2
        yield f"{row['architecture']}_exposure", row["seed"], row["asked"] / before
    shares = tables["gates_held"].set_index([*names, "held"])["accuracy"].unstack("held")
    for row in shares.reset_index().to_dict("records"):
        for how in HELD[1:]:
            yield f"{row['architecture']}_{row['gate']}_{how}", row["seed"], row["learned"] - row[how]
    probes = tables["gates_probes"].set_index(["architecture", "seed", "reads"])["accuracy"].unstack("reads")
    for row in probes.reset_index().to_dict("records"):
        yield f"{row['architecture']}_probe_of_output", row["seed"], row[OUTPUT]
        yield f"{row['architecture']}_hidden_from_output", row["seed"], row[MEMORY] - row[OUTPUT]
    for row in tables["gates_written"].to_dict("records"):
        yield f"{row['architecture']}_written_by_gate", row["seed"], row["written"] / row["proposed"]
