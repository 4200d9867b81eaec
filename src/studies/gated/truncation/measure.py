"""Truncated backpropagation through time (Sec. 8.2): what is learned across the cuts, and what an update costs.

In a window of K steps a gradient goes back K - 1 steps at most: what is learned of lags from K on was learned by the
state, which is carried across the cuts.
"""

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd
import torch

from learnability.networks.backward import step_costs
from studies.gated.exhibit import Exhibit, ExhibitRequest, Trained, statements
from studies.gated.learned import by_seed, curve_of, last_loss, shares_of
from studies.gated.truncation.question import QUESTION

TABLES = QUESTION.tables


def make(request: ExhibitRequest) -> Exhibit:
    """Learned shares and losses of each window K, and costs relative to the whole sequence.

    Settings: `sequences` on which shares are measured; `batch_size` and `rounds` of costs.
    """
    sequences, *of_costs = (request.settings[key] for key in ("sequences", "batch_size", "rounds"))
    shares = pd.concat(
        [shares_of(model, sequences).assign(window=window_of(model)) for model in request.trained], ignore_index=True
    )
    losses = pd.DataFrame([_loss(model) for model in request.trained])
    curves = pd.concat(
        [curve_of(model, "validation").assign(window=window_of(model)) for model in request.trained], ignore_index=True
    )
    costs = cost_of_windows(request.trained[0], sorted(losses["window"].unique().tolist()), *of_costs)
    values = [*_of_learning(shares, losses["architecture"].unique().tolist()), *_of_costs(costs, request.seeds[0])]
    return Exhibit(dict(zip(TABLES, (shares, losses, curves, costs), strict=True)), statements(values))


def window_of(model: Trained) -> int:
    """K, steps; T where the gradient goes back over the whole sequence."""
    return int(model.settings["training"]["truncation"] or model.settings["task"]["duration"])


def cost_of_windows(model: Trained, windows: Sequence[int], batch_size: int, rounds: int) -> pd.DataFrame:
    """Costs of a gradient over K steps by automatic differentiation, in float32 on one thread.

    Args:
        windows: K, increasing, the whole sequence last.
        batch_size: sequences of the gradient.
        rounds: of measurements, in each of which every window has its turn.

    Returns:
        A row for each `window`: `kept_mib`, kept for the backward pass, exact; `kept`, that over the whole sequence's;
        `update`, processor time of a gradient over the whole sequence's, the median over rounds of the ratio within a
        round; `pass`, that of all the updates in which a batch is gone through.
    """
    sequences = model.task.generate("costs", batch_size)
    inputs, targets = torch.from_numpy(sequences.inputs), torch.from_numpy(sequences.targets)
    parameters = {name: tensor.float() for name, tensor in model.parameters.items()}
    batches = [(inputs[:, :window], targets[:, :window]) for window in windows]
    measurements = [step_costs(model.network, parameters, batches, 1) for _ in range(rounds)]
    seconds = np.array([[cost.seconds for cost in costs] for costs in measurements])
    update = np.median(seconds / seconds[:, -1:], 0)
    kept_bytes = np.array([cost.kept for cost in measurements[0]])
    updates = -(-windows[-1] // np.array(windows))
    columns = {
        "kept_mib": kept_bytes / 2**20,
        "kept": kept_bytes / kept_bytes[-1],
        "update": update,
        "pass": update * updates,
    }
    return pd.DataFrame({"window": windows} | columns)


def _loss(model: Trained) -> dict[str, object]:
    window, training, task = window_of(model), model.settings["training"], model.settings["task"]
    batches = -(-task["training_sequences"] // training["batch_size"])
    updates = training["epochs"] * batches * -(-task["duration"] // window)
    return model.names | {"window": window, "updates": updates, "validation_loss": last_loss(model)}


def _of_learning(shares: pd.DataFrame, architectures: Sequence[str]) -> Iterator[tuple[str, int, float]]:
    """Statements on the first architecture; the other one's state keeps more from the start."""
    plain, *variants = architectures
    for seed, rows in by_seed(shares):
        plain_rows = rows[rows["architecture"] == plain]
        shortest, whole = (
            _mean(plain_rows, window) for window in (int(plain_rows["window"].min()), int(plain_rows["window"].max()))
        )
        yield "larger_windows_learn_more", seed, whole / shortest
        yield "learned_beyond_the_shortest", seed, _beyond(plain_rows)
        for variant in variants:
            variant_rows = rows[rows["architecture"] == variant]
            common = plain_rows[plain_rows["window"].isin(variant_rows["window"])]
            yield "state_that_keeps", seed, _beyond(variant_rows) / _beyond(common)


def _mean(rows: pd.DataFrame, window: int, beyond: int = 0) -> float:
    """Mean share of lags from `beyond` on."""
    return float(rows.loc[(rows["window"] == window) & (rows["lag"] >= beyond), "share"].mean())


def _beyond(rows: pd.DataFrame) -> float:
    """Share that the shortest window learns of lags that no gradient crosses, over the share of the whole gradient."""
    shortest, whole = int(rows["window"].min()), int(rows["window"].max())
    return _mean(rows, shortest, shortest) / _mean(rows, whole, shortest)


def _of_costs(costs: pd.DataFrame, seed: int) -> Iterator[tuple[str, int, float]]:
    """Cost of the whole sequence over the shortest window; of a pass the other way round."""
    first, last = costs.iloc[0], costs.iloc[-1]
    for name in ("kept", "update"):
        yield f"larger_windows_{name}", seed, last[name] / first[name]
    yield "pass_in_short_windows", seed, first["pass"] / last["pass"]
