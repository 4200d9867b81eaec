"""Updates that a network of classes took until its accuracy reached a share."""

import pandas as pd

SHARES = (0.9, 0.99)


def updates_until(curve: pd.DataFrame, updates_per_epoch: int) -> dict[str, int | None]:
    """Updates in all, and until the first validation at 90 % and at 99 %; None where there is none.

    Accuracy may fall again behind either: the learning curve has it.

    Args:
        curve: `epoch` and `validation_accuracy`.
    """
    counts: dict[str, int | None] = {"all": int(curve["epoch"].iloc[-1]) * updates_per_epoch}
    for share in SHARES:
        epochs = curve["epoch"][curve["validation_accuracy"] >= share]
        counts[f"until_{share:g}"] = int(epochs.iloc[0]) * updates_per_epoch if len(epochs) else None
    return counts
