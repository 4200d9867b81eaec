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
from studies.gated.exhibit import Asked, Exhibit, Trained, statements
from studies.gated.learned import by_seed, curve_of, last_loss, shares_of

TABLES = QUESTION.tables
TASKS = ("sum", "denoise")
PENALTIES = {"activity": "activity_regularization", "temporal": "temporal_regularization"}


def make(asked: Asked) -> Exhibit:
    """Activations, gradients by lag, learned shares and losses of networks with each penalty, and without.

    Settings: `sequences` of measurements, `test_sequences` on which shares are measured, `lags` of gradients, and
    `saturated`, |tanh c| from which on a unit counts as saturated.
    """
    units, gradients = [], []
    for each in asked.trained:
        inputs = torch.from_numpy(each.task.generate("diagnostic", asked.settings["sequences"]).inputs).double()
        units.append(_names(each) | measure_units(each, inputs, asked.settings["saturated"]))
        gradients.append(_gradients(each, inputs, asked.settings["lags"]))
    sums = [each for each in asked.trained if task_of(each) == "sum"]
    shares = pd.concat([shares_of(each, asked.settings["test_sequences"]) for each in sums], ignore_index=True)
    curves = pd.concat(
        [curve_of(each, "training", "validation").assign(task=task_of(each)) for each in asked.trained],
        ignore_index=True,
    )
    parts = pd.DataFrame(units), pd.concat(gradients, ignore_index=True), shares, curves
    return Exhibit(dict(zip(TABLES, parts, strict=True)), statements(_stated(*parts[:2])))


def task_of(trained: Trained) -> str:
    """Which of the tasks."""
    return trained.experiment.removeprefix("activity_")


def measure_units(trained: Trained, inputs: torch.Tensor, saturated: float) -> dict[str, float]:
    """Of hidden units over sequences, steps and units, and the losses at the end.

    Returns:
        `saturated`, the share of |tanh c| beyond the threshold; `derivative`, the mean of 1 - tanh²(c); `activation`,
        ⟨‖h_t‖²⟩ over units; `cell`, ⟨|c_t|⟩; `output_gate`, ⟨o_t⟩ = ⟨|h_t|⟩ / ⟨|tanh c_t|⟩; `change`,
        ⟨‖h_{t+1} - h_t‖²⟩, and `relative_change`, that over ⟨‖h_t‖²⟩; `training_loss`, `validation_loss`.
    """
    cell = trained.network.cell
    states = run(cell, trained.parameters, inputs)[:, 1:]
    hidden, memory = cell.output(states), cell.memory(states)
    squashed, size = memory.tanh(), hidden.square().mean()
    change = hidden.diff(dim=1).square().mean()
    found = {
        "saturated": (squashed.abs() > saturated).double().mean(),
        "derivative": (1 - squashed.square()).mean(),
        "activation": size,
        "cell": memory.abs().mean(),
        "output_gate": hidden.abs().mean() / squashed.abs().mean(),
        "change": change,
        "relative_change": change / size,
    }
    losses = {f"{split}_loss": last_loss(trained, split) for split in ("training", "validation")}
    return {name: float(each) for name, each in found.items()} | losses


def _names(trained: Trained) -> dict[str, object]:
    """Of the network, its penalty and how strong that is."""
    strengths = {name: getattr(trained.network.regularization, key) for name, key in PENALTIES.items()}
    penalty = next((name for name, strength in strengths.items() if strength), "none")
    strength = strengths.get(penalty, 0.0)
    return trained.names | {"task": task_of(trained), "penalty": penalty, "strength": strength}


def _gradients(trained: Trained, inputs: torch.Tensor, lags: Sequence[int]) -> pd.DataFrame:
    """‖∂h_T/∂s_{T-ℓ}‖, a row for each lag."""
    (norms,) = np.asarray(own_transport(trained.network.cell, trained.parameters, inputs))
    rows = [_names(trained) | {"lag": lag, "gradient": norms[lag]} for lag in lags]
    return pd.DataFrame(rows)


def _stated(units: pd.DataFrame, gradients: pd.DataFrame) -> Iterator[tuple[str, int, float]]:
    """Without a penalty over with the strongest, or the other way round where a penalty is to raise something."""
    longest = gradients[gradients["lag"] == gradients["lag"].max()]
    norms = longest.set_index(["task", "seed", "architecture"])["gradient"].to_dict()
    for seed, of_seed in by_seed(units):
        for task in of_seed["task"].unique().tolist():
            rows = of_seed[of_seed["task"] == task].sort_values("strength", kind="stable")
            none = rows[rows["penalty"] == "none"].to_dict("records")[0]
            for penalty in PENALTIES:
                own = rows[rows["penalty"] == penalty].to_dict("records")
                strong = own[-1]
                gradient, plain = (norms[task, seed, each["architecture"]] for each in (strong, none))
                values = {
                    "activation": none["activation"] / strong["activation"],
                    "relative_change": none["relative_change"] / strong["relative_change"],
                    "saturated": none["saturated"] - strong["saturated"],
                    "derivative": strong["derivative"] / none["derivative"],
                    "gradient": gradient / plain,
                    "loss": none["validation_loss"] / min(each["validation_loss"] for each in own),
                }
                yield from ((f"{penalty}_{name}_{task}", seed, value) for name, value in values.items())
