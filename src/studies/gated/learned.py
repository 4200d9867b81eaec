"""What a trained network has learned, at which learning rate, and tables of that."""

from collections.abc import Iterator, Sequence

import pandas as pd

from learnability.networks.frozen import Frozen
from learnability.transport import choose_engine
from learnability.windows.response import learned_shares
from studies.gated.exhibit import Trained


def shares_of(trained: Trained, sequences: int) -> pd.DataFrame:
    """Learned share of each lag.

    Args:
        sequences: on which it is measured, none of which was trained on.

    Returns:
        Names of the network, `lag`, `share`, `share_low` and `share_high`, see `learned_shares`.
    """
    drawn = trained.task.generate("diagnostic", sequences)
    frozen = Frozen.of(trained.network, trained.parameters, drawn)
    shares = learned_shares(frozen, trained.task, choose_engine("auto", trained.network.cell))
    return pd.DataFrame(trained.names, index=shares.index).join(shares)


def rate_of(trained: Trained) -> float:
    """Its learning rate."""
    return float(trained.settings["optimizer_settings"]["learning_rate"])


def compared(trained: Sequence[Trained]) -> list[Trained]:
    """Networks of seeds that were trained at every rate of their architecture: other seeds would favour some rate."""
    rates: dict[str, set[float]] = {}
    of_seed: dict[tuple[str, int], set[float]] = {}
    for each in trained:
        rates.setdefault(each.architecture, set()).add(rate_of(each))
        of_seed.setdefault((each.architecture, each.seed), set()).add(rate_of(each))
    return [each for each in trained if of_seed[each.architecture, each.seed] == rates[each.architecture]]


def compare_rates(trained: Sequence[Trained]) -> pd.DataFrame:
    """The rate of each architecture with the lowest validation loss, beside the others that were tried.

    Returns:
        A row for each `architecture` and `rate`: `parameters`, `seeds`, those that all rates of the architecture have,
        and the `loss`, the median over these of the lowest validation loss in training (∞ of a network that has none);
        whether that rate is `chosen`, the one whose loss is least; and whether it is at the `edge`, the smallest or the
        largest that was tried.
    """
    rows = [
        {
            "architecture": each.architecture,
            "rate": rate_of(each),
            "parameters": each.network.count_parameters(),
            "seed": each.seed,
            "loss": each.curve["validation_loss"].min(),
        }
        for each in compared(trained)
    ]
    columns = ["architecture", "rate", "parameters", "seed", "loss"]
    table = pd.DataFrame(rows, columns=columns).fillna({"loss": float("inf")})
    groups = table.groupby(["architecture", "rate", "parameters"], sort=False)
    found = groups.agg(seeds=("seed", "nunique"), loss=("loss", "median")).reset_index()
    found = found.sort_values("rate", kind="stable")
    own = found.groupby("architecture", sort=False)
    found["chosen"] = found.index.isin(own["loss"].idxmin())
    found["edge"] = (found["rate"] == own["rate"].transform("min")) | (found["rate"] == own["rate"].transform("max"))
    order = {name: place for place, name in enumerate(table["architecture"].unique())}
    return found.sort_values("architecture", key=lambda names: names.map(order), kind="stable").reset_index(drop=True)


def at_best_rates(trained: Sequence[Trained]) -> list[Trained]:
    """Networks that were trained at the rate with the lowest validation loss of their architecture."""
    rates = compare_rates(trained)
    chosen = set(rates.loc[rates["chosen"], ["architecture", "rate"]].itertuples(index=False, name=None))
    return [each for each in trained if (each.architecture, rate_of(each)) in chosen]


def last_loss(trained: Trained, split: str = "validation") -> float:
    """The mean loss at the end of training.

    Args:
        split: training or validation.
    """
    return float(trained.curve[f"{split}_loss"].iloc[-1])


def curve_of(trained: Trained, *splits: str) -> pd.DataFrame:
    """Losses by epoch, with the names of the network.

    Args:
        splits: training or validation.
    """
    rows = trained.curve[["epoch", *(f"{split}_loss" for split in splits)]]
    return pd.DataFrame(trained.names, index=rows.index).join(rows)


def by_seed(table: pd.DataFrame) -> Iterator[tuple[int, pd.DataFrame]]:
    """Each seed with its rows."""
    for seed in table["seed"].unique().tolist():
        yield seed, table[table["seed"] == seed]
