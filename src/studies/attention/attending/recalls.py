"""Which networks have learned what they were trained on."""

import pandas as pd

from studies.attention.trained_tables import MOST


def is_learned(networks: pd.DataFrame, speed: pd.DataFrame) -> "pd.Series[bool]":
    """True where a network recalls `MOST` of the symbols at the end of training, or has another task.

    Args:
        networks: `experiment` and `architecture` of each.
        speed: `learning_speed`, which has `accuracy` of networks that copy and denoise.
    """
    rows = networks.merge(
        speed[["experiment", "architecture", "accuracy"]], how="left", on=["experiment", "architecture"]
    )
    return pd.Series((rows["accuracy"].fillna(1) >= MOST).to_numpy(), networks.index)
