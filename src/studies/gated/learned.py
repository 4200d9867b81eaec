"""Tables of the lags that a trained network has learned, and of its learning rate."""

from collections.abc import Iterator, Sequence

import pandas as pd

from learnability.networks.frozen import Frozen
from learnability.transport import choose_engine
from learnability.windows.response import learned_shares
from studies.gated.exhibit import Trained


def shares_of(model: Trained, sequences: int) -> pd.DataFrame:
    """Learned share of each lag.

    Args:
        sequences: on which it is measured, none of which was trained on.

    Returns:
        Names of the network, `lag`, `share`, `share_low` and `share_high`, see `learned_shares`.
    """
    data = model.task.generate("diagnostic", sequences)
    frozen = Frozen.of(model.network, model.parameters, data)
    shares = learned_shares(frozen, model.task, choose_engine("auto", model.network.cell))
    return pd.DataFrame(model.names, index=shares.index).join(shares)


def rate_of(model: Trained) -> float:
    """Learning rate of a network."""
    return float(model.settings["optimizer_settings"]["learning_rate"])


def compared(models: Sequence[Trained]) -> list[Trained]:
    """Networks of seeds that were trained at every rate of their architecture: other seeds would favour some rate."""
    rates: dict[str, set[float]] = {}
    of_seed: dict[tuple[str, int], set[float]] = {}
    for model in models:
        rates.setdefault(model.architecture, set()).add(rate_of(model))
        of_seed.setdefault((model.architecture, model.seed), set()).add(rate_of(model))
    return [model for model in models if of_seed[model.architecture, model.seed] == rates[model.architecture]]


def compare_rates(models: Sequence[Trained]) -> pd.DataFrame:
    """The rate of each architecture with the lowest validation loss, beside the others that were tried.

    Returns:
        A row for each `architecture` and `rate`: `parameters`, `seeds`, those that all rates of the architecture have,
        and the `loss`, the median over these of the lowest validation loss in training (∞ of a network that has none);
        whether that rate is `chosen`, the one whose loss is least; and whether it is at the `edge`, the smallest or the
        largest that was tried.
    """
    rows = [
        {
            "architecture": model.architecture,
            "rate": rate_of(model),
            "parameters": model.network.count_parameters(),
            "seed": model.seed,
            "loss": model.curve["validation_loss"].min(),
        }
        for model in compared(models)
    ]
    columns = ["architecture", "rate", "parameters", "seed", "loss"]
    table = pd.DataFrame(rows, columns=columns).fillna({"loss": float("inf")})
    groups = table.groupby(["architecture", "rate", "parameters"], sort=False)
    medians = groups.agg(seeds=("seed", "nunique"), loss=("loss", "median")).reset_index()
    medians = medians.sort_values("rate", kind="stable")
    by_architecture = medians.groupby("architecture", sort=False)
    medians["chosen"] = medians.index.isin(by_architecture["loss"].idxmin())
    medians["edge"] = (medians["rate"] == by_architecture["rate"].transform("min")) | (
        medians["rate"] == by_architecture["rate"].transform("max")
    )
    order = {name: place for place, name in enumerate(table["architecture"].unique())}
    return medians.sort_values("architecture", key=lambda names: names.map(order), kind="stable").reset_index(drop=True)


def at_best_rates(models: Sequence[Trained]) -> list[Trained]:
    """Networks that were trained at the rate with the lowest validation loss of their architecture."""
    rates = compare_rates(models)
    best = set(rates.loc[rates["chosen"], ["architecture", "rate"]].itertuples(index=False, name=None))
    return [model for model in models if (model.architecture, rate_of(model)) in best]


def last_loss(model: Trained, split: str = "validation") -> float:
    """The mean loss at the end of training.

    Args:
        split: training or validation.
    """
    return float(model.curve[f"{split}_loss"].iloc[-1])


def curve_of(model: Trained, *splits: str) -> pd.DataFrame:
    """Losses by epoch, with the names of the network.

    Args:
        splits: training or validation.
    """
    rows = model.curve[["epoch", *(f"{split}_loss" for split in splits)]]
    return pd.DataFrame(model.names, index=rows.index).join(rows)


def by_seed(table: pd.DataFrame) -> Iterator[tuple[int, pd.DataFrame]]:
    """Yield each seed with its rows."""
    for seed in table["seed"].unique().tolist():
        yield seed, table[table["seed"] == seed]
