"""What a trained network has learned, and tables of that."""

from collections.abc import Iterator

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
