"""Penalties on hidden units and on their changes (Sec. 7.2): saturation, gradients, smoothness and loss.

Of an LSTM h_t = o_t ⊙ tanh(c_t): what saturates is tanh(c_t), and its derivative is 1 - tanh²(c_t).
"""

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd
import torch

from learnability.networks.layers import own_transport
from learnability.networks.network import run
from studies.gated.activity.question import QUESTION
from studies.gated.exhibit import Exhibit, ExhibitRequest, Trained, statements
from studies.gated.learned import by_seed, curve_of, last_loss, shares_of

TABLES = QUESTION.tables
TASKS = ("sum", "denoise")
PENALTIES = {"activity": "activity_regularization", "temporal": "temporal_regularization"}


def make(request: ExhibitRequest) -> Exhibit:
    """Activations, gradients by lag, learned shares and losses of networks with each penalty, and without.

    Settings: `sequences` of measurements, `test_sequences` on which shares are measured, `lags` of gradients, and
    `saturated`, |tanh c| from which on a unit counts as saturated.
    """
    units, gradients = [], []
    for model in request.trained:
        inputs = torch.from_numpy(model.task.generate("diagnostic", request.settings["sequences"]).inputs).double()
        units.append(_names(model) | measure_units(model, inputs, request.settings["saturated"]))
        gradients.append(_gradients(model, inputs, request.settings["lags"]))
    sums = [model for model in request.trained if task_of(model) == "sum"]
    shares = pd.concat([shares_of(model, request.settings["test_sequences"]) for model in sums], ignore_index=True)
    curves = pd.concat(
        [curve_of(model, "training", "validation").assign(task=task_of(model)) for model in request.trained],
        ignore_index=True,
    )
    parts = pd.DataFrame(units), pd.concat(gradients, ignore_index=True), shares, curves
    return Exhibit(dict(zip(TABLES, parts, strict=True)), statements(_statements(*parts[:2])))


def task_of(model: Trained) -> str:
    """Task of a network: one of `TASKS`."""
    return model.experiment.removeprefix("activity_")


def measure_units(model: Trained, inputs: torch.Tensor, threshold: float) -> dict[str, float]:
    """Means of hidden units over sequences, steps and units, and the losses at the end.

    Returns:
        `saturated`, the share of |tanh c| beyond the threshold; `derivative`, the mean of 1 - tanh²(c); `activation`,
        ⟨‖h_t‖²⟩ over units; `cell`, ⟨|c_t|⟩; `output_gate`, ⟨o_t⟩ = ⟨|h_t|⟩ / ⟨|tanh c_t|⟩; `change`,
        ⟨‖h_{t+1} - h_t‖²⟩, and `relative_change`, that over ⟨‖h_t‖²⟩; `training_loss`, `validation_loss`.
    """
    cell = model.network.cell
    states = run(cell, model.parameters, inputs)[:, 1:]
    hidden, memory = cell.output(states), cell.memory(states)
    tanh, size = memory.tanh(), hidden.square().mean()
    change = hidden.diff(dim=1).square().mean()
    means = {
        "saturated": (tanh.abs() > threshold).double().mean(),
        "derivative": (1 - tanh.square()).mean(),
        "activation": size,
        "cell": memory.abs().mean(),
        "output_gate": hidden.abs().mean() / tanh.abs().mean(),
        "change": change,
        "relative_change": change / size,
    }
    losses = {f"{split}_loss": last_loss(model, split) for split in ("training", "validation")}
    return {name: float(mean) for name, mean in means.items()} | losses


def _names(model: Trained) -> dict[str, object]:
    """Columns that name the network, its penalty and the strength of that."""
    strengths = {name: getattr(model.network.regularization, key) for name, key in PENALTIES.items()}
    penalty = next((name for name, strength in strengths.items() if strength), "none")
    strength = strengths.get(penalty, 0.0)
    return model.names | {"task": task_of(model), "penalty": penalty, "strength": strength}


def _gradients(model: Trained, inputs: torch.Tensor, lags: Sequence[int]) -> pd.DataFrame:
    """‖∂h_T/∂s_{T-ℓ}‖, a row for each lag."""
    (norms,) = np.asarray(own_transport(model.network.cell, model.parameters, inputs))
    rows = [_names(model) | {"lag": lag, "gradient": norms[lag]} for lag in lags]
    return pd.DataFrame(rows)


def _statements(units: pd.DataFrame, gradients: pd.DataFrame) -> Iterator[tuple[str, int, float]]:
    """Values without a penalty over those with the strongest; the other way round where a penalty is to raise them."""
    longest = gradients[gradients["lag"] == gradients["lag"].max()]
    norms = longest.set_index(["task", "seed", "architecture"])["gradient"].to_dict()
    for seed, of_seed in by_seed(units):
        for task in of_seed["task"].unique().tolist():
            rows = of_seed[of_seed["task"] == task].sort_values("strength", kind="stable")
            baseline = rows[rows["penalty"] == "none"].to_dict("records")[0]
            for penalty in PENALTIES:
                records = rows[rows["penalty"] == penalty].to_dict("records")
                strong = records[-1]
                gradient, plain = (norms[task, seed, row["architecture"]] for row in (strong, baseline))
                values = {
                    "activation": baseline["activation"] / strong["activation"],
                    "relative_change": baseline["relative_change"] / strong["relative_change"],
                    "saturated": baseline["saturated"] - strong["saturated"],
                    "derivative": strong["derivative"] / baseline["derivative"],
                    "gradient": gradient / plain,
                    "loss": baseline["validation_loss"] / min(row["validation_loss"] for row in records),
                }
                yield from ((f"{penalty}_{name}_{task}", seed, value) for name, value in values.items())
