"""Truncated backpropagation through time (Sec. 8.2): what is learned across the cuts, and what an update costs.

In a window of K steps a gradient goes back K - 1 steps at most: what is learned of lags from K on was learned by the
state, which is carried across the cuts.
"""

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd
import torch

from learnability.networks.backward import step_costs
from studies.gated.exhibit import Asked, Exhibit, Trained, statements
from studies.gated.learned import by_seed, curve_of, last_loss, shares_of
from studies.gated.truncation.question import QUESTION

TABLES = QUESTION.tables


def make(asked: Asked) -> Exhibit:
    """Learned shares and losses of each window K, and costs relative to the whole sequence.

    Settings: `sequences` on which shares are measured; `batch_size` and `rounds` of costs.
    """
    sequences, *of_costs = (asked.settings[key] for key in ("sequences", "batch_size", "rounds"))
    shares = pd.concat(
        [shares_of(each, sequences).assign(window=window_of(each)) for each in asked.trained], ignore_index=True
    )
    losses = pd.DataFrame([_loss(each) for each in asked.trained])
    curves = pd.concat(
        [curve_of(each, "validation").assign(window=window_of(each)) for each in asked.trained], ignore_index=True
    )
    costs = cost_of_windows(asked.trained[0], sorted(losses["window"].unique().tolist()), *of_costs)
    values = [*_of_learning(shares, losses["architecture"].unique().tolist()), *_of_costs(costs, asked.seeds[0])]
    return Exhibit(dict(zip(TABLES, (shares, losses, curves, costs), strict=True)), statements(values))


def window_of(trained: Trained) -> int:
    """K, steps; T where the gradient goes back over the whole sequence."""
    return int(trained.settings["training"]["truncation"] or trained.settings["task"]["duration"])


def cost_of_windows(trained: Trained, windows: Sequence[int], batch_size: int, rounds: int) -> pd.DataFrame:
    """What a gradient over K steps costs by automatic differentiation, in float32 on one thread.

    Args:
        windows: K, increasing, the whole sequence last.
        batch_size: sequences of the gradient.
        rounds: of measurements, in each of which every window has its turn.

    Returns:
        A row for each `window`: `kept_mib`, kept for the backward pass, exact; `kept`, that over the whole sequence's;
        `update`, processor time of a gradient over the whole sequence's, the median over rounds of the ratio within a
        round; `pass`, that of all the updates in which a batch is gone through.
    """
    drawn = trained.task.generate("costs", batch_size)
    inputs, targets = torch.from_numpy(drawn.inputs), torch.from_numpy(drawn.targets)
    parameters = {name: each.float() for name, each in trained.parameters.items()}
    batches = [(inputs[:, :window], targets[:, :window]) for window in windows]
    measured = [step_costs(trained.network, parameters, batches, 1) for _ in range(rounds)]
    seconds = np.array([[cost.seconds for cost in each] for each in measured])
    update = np.median(seconds / seconds[:, -1:], 0)
    kept = np.array([cost.kept for cost in measured[0]])
    updates = -(-windows[-1] // np.array(windows))
    columns = {"kept_mib": kept / 2**20, "kept": kept / kept[-1], "update": update, "pass": update * updates}
    return pd.DataFrame({"window": windows} | columns)


def _loss(trained: Trained) -> dict[str, object]:
    window, training, task = window_of(trained), trained.settings["training"], trained.settings["task"]
    batches = -(-task["training_sequences"] // training["batch_size"])
    updates = training["epochs"] * batches * -(-task["duration"] // window)
    return trained.names | {"window": window, "updates": updates, "validation_loss": last_loss(trained)}


def _of_learning(shares: pd.DataFrame, architectures: Sequence[str]) -> Iterator[tuple[str, int, float]]:
    """Of the first architecture; the other one's state keeps more from the start."""
    plain, *keeping = architectures
    for seed, rows in by_seed(shares):
        own = rows[rows["architecture"] == plain]
        shortest, whole = (_mean(own, window) for window in (int(own["window"].min()), int(own["window"].max())))
        yield "larger_windows_learn_more", seed, whole / shortest
        yield "learned_beyond_the_shortest", seed, _beyond(own)
        for other in keeping:
            kept = rows[rows["architecture"] == other]
            both = own[own["window"].isin(kept["window"])]
            yield "state_that_keeps", seed, _beyond(kept) / _beyond(both)


def _mean(rows: pd.DataFrame, window: int, beyond: int = 0) -> float:
    """Mean share of lags from `beyond` on."""
    return float(rows.loc[(rows["window"] == window) & (rows["lag"] >= beyond), "share"].mean())


def _beyond(rows: pd.DataFrame) -> float:
    """What the shortest window learns of lags that no gradient crosses, over what the whole gradient learns of them."""
    shortest, whole = int(rows["window"].min()), int(rows["window"].max())
    return _mean(rows, shortest, shortest) / _mean(rows, whole, shortest)


def _of_costs(costs: pd.DataFrame, seed: int) -> Iterator[tuple[str, int, float]]:
    """Of the whole sequence over the shortest window; a pass the other way round."""
    first, last = costs.iloc[0], costs.iloc[-1]
    for name in ("kept", "update"):
        yield f"larger_windows_{name}", seed, last[name] / first[name]
    yield "pass_in_short_windows", seed, first["pass"] / last["pass"]
