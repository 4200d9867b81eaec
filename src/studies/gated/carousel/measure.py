"""Section 4.2, "Why the LSTM cell helps gradient propagation": what the notes leave out of ∂c_t/∂c_{t-ℓ}.

direct      f_t ⊙ … ⊙ f_{t-ℓ+1}, with ‖·‖ its largest entry
exact       all paths from c_{t-ℓ} to c_t, through h_{t-ℓ} = o_{t-ℓ} ⊙ tanh(c_{t-ℓ}), the gates and g too
"""

from collections.abc import Iterator
from typing import Any

import pandas as pd
import torch
from jaxtyping import Float64
from torch import Tensor

from learnability.transport.products import memory_jacobians, state_jacobians
from studies.gated.carousel.question import QUESTION
from studies.gated.exhibit import Exhibit, ExhibitRequest, Trained, statements
from studies.gated.learned import at_best_rates

TABLES = QUESTION.tables
END = "trained"
"""`when` of a network after training; before it is `start`, of an LSTM by its forget bias."""

COLUMNS = ["direct", "exact", "left_out", "direct_from_identity", "exact_from_identity"]
"""Columns of norms; the RNN has `exact` alone."""


def make(request: ExhibitRequest) -> Exhibit:
    """Direct and exact Jacobians at the last step of sequences, of the LSTM and the RNN of the experiment.

    Args:
        request: its settings are `biases` b_f of the LSTM before training, increasing, and its `input_bias` b_i;
            `lags`, steps, increasing; and `sequences`, over which norms are averaged.

    Returns:
        `carousel_paths`, by `architecture`, `when`, `bias` and `lag`: the 2-norms `direct` and `exact`, of the RNN that
        of ∂h_T/∂h_{T-lag} as `exact`; of the LSTM also the norm of exact - direct over that of exact, `left_out`, and
        the norms of the differences from I, `direct_from_identity` and `exact_from_identity`.
    """
    rows = [row for model in at_best_rates(request.trained) for row in _measure(model, request)]
    paths = pd.DataFrame(rows, columns=["experiment", "architecture", "seed", "when", "bias", "lag", *COLUMNS])
    values = (row for seed in request.seeds for row in _statements(paths[paths["seed"] == seed], seed))
    return Exhibit({TABLES[0]: paths}, statements(values))


def _measure(model: Trained, request: ExhibitRequest) -> Iterator[dict[str, Any]]:
    measure = {"lstm": _of_lstm, "rnn": _of_rnn}.get(model.architecture)
    return measure(model, request) if measure else iter(())


def _of_lstm(model: Trained, request: ExhibitRequest) -> Iterator[dict[str, Any]]:
    start = model.network.initial_parameters(request.root_seed, model.seed)
    start |= {"b_i": torch.full_like(start["b_i"], request.settings["input_bias"])}
    cases = [
        ("start", bias, start | {"b_f": torch.full_like(start["b_f"], bias)}) for bias in request.settings["biases"]
    ]
    for when, bias, parameters in (*cases, (END, float("nan"), model.parameters)):
        cell = model.network.cell
        for lag, f, exact in memory_jacobians(cell, parameters, _inputs(model, request), request.settings["lags"]):
            direct = torch.diag_embed(f)
            identity = torch.eye(cell.hidden_size, dtype=torch.float64)
            names = model.names | {"when": when, "bias": bias, "lag": lag}
            yield names | {
                "direct": _norm(direct),
                "exact": _norm(exact),
                "left_out": float((_norms(exact - direct) / _norms(exact)).mean()),
                "direct_from_identity": _norm(direct - identity),
                "exact_from_identity": _norm(exact - identity),
            }


def _of_rnn(model: Trained, request: ExhibitRequest) -> Iterator[dict[str, Any]]:
    cell = model.network.cell
    start = model.network.initial_parameters(request.root_seed, model.seed)
    for when, parameters in (("start", start), (END, model.parameters)):
        for lag, exact in state_jacobians(cell, parameters, _inputs(model, request), request.settings["lags"]):
            yield model.names | {"when": when, "lag": lag, "exact": _norm(exact)}


def _inputs(model: Trained, request: ExhibitRequest) -> Float64[Tensor, "sequence time input"]:
    return torch.from_numpy(model.task.generate("diagnostic", request.settings["sequences"]).inputs).double()


def _norms(matrices: Float64[Tensor, "sequence unit unit"]) -> Float64[Tensor, "sequence"]:
    norms: Tensor = torch.linalg.matrix_norm(matrices, 2)
    return norms


def _norm(matrices: Float64[Tensor, "sequence unit unit"]) -> float:
    """The geometric mean over sequences."""
    return float(_norms(matrices).log().mean().exp())


def _statements(paths: pd.DataFrame, seed: int) -> Iterator[tuple[str, int, float]]:
    lstm, rnn = (paths[paths["architecture"] == name] for name in ("lstm", "rnn"))
    first, longest = lstm["lag"].min(), lstm["lag"].max()
    arrives = rnn[rnn["lag"] == longest].set_index("when")["exact"]
    for row in lstm[(lstm["bias"] == lstm["bias"].max()) | (lstm["when"] == END)].to_dict("records"):
        when, at_start = row["when"], row["when"] == "start"
        if row["lag"] == first:
            yield f"left_out_{when}_one", seed, row["left_out"]
        if row["lag"] == first and at_start:
            yield "open_direct", seed, row["direct_from_identity"]
            yield "open_exact", seed, row["exact_from_identity"]
        if row["lag"] == longest:
            yield f"left_out_{when}_longest", seed, row["left_out"]
            yield "carried_direct" if at_start else "trained_direct", seed, row["direct"]
            if at_start:
                yield "carried_exact", seed, row["exact"]
            if when in arrives:
                yield f"over_rnn_{when}", seed, row["exact"] / arrives[when]
