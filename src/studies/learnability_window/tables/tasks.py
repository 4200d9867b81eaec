"""Effect of a common divisor of the lags on the task: two tasks, the same architectures, equal epochs."""

from math import gcd
from typing import Any

import numpy as np
import pandas as pd

from learnability.windows.harmonics import KEPT, harmonic
from studies.learnability_window.resampling import NETWORK
from studies.learnability_window.tables.labels import with_labels

PLACE = [*NETWORK, "epoch"]


def divisor(responses: pd.DataFrame) -> int:
    """The largest common divisor of the lags of a task."""
    return gcd(*map(int, responses.loc[responses["coefficient"] != 0, "lag"].unique()))


def both_tasks(*tables: pd.DataFrame) -> pd.DataFrame:
    """Rows of both tasks at each stored epoch that networks of the same name have in both.

    Args:
        tables: `curve`, `training_windows`, `training_responses` and `resonances`, each of one task, then of the other.

    Returns:
        A row for each network, epoch and task: `divisor` of its lags; `validation_loss`; `share 1` and the like, r/c of
        its lags in order; `detected`, how many of its lags the sequences that were measured detect, of `measured`;
        `resonances`, how many keep `KEPT` of their size over the larger divisor of the two, in steps, wherever they
        lie; and `at harmonics`, how many harmonics of that divisor have one.
    """
    curves, windows, responses, spectra = (tables[place : place + 2] for place in range(0, len(tables), 2))
    period = max(map(divisor, responses))
    tasks = [_task(*of_task, period) for of_task in zip(curves, windows, responses, spectra, strict=True)]
    first, second = (set(task.index) for task in tasks)
    common = [task[task.index.isin(first & second)].reset_index() for task in tasks]
    return pd.concat(common, ignore_index=True)


def _task(
    curve: pd.DataFrame, windows: pd.DataFrame, responses: pd.DataFrame, spectra: pd.DataFrame, period: int
) -> pd.DataFrame:
    at_task = responses[responses["coefficient"] != 0]
    share = (at_task["response"] / at_task["coefficient"]).rename("share")
    shares = at_task.assign(share=share).pivot_table("share", PLACE, "lag")
    shares.columns = [f"share {place}" for place in range(1, shares.shape[1] + 1)]
    total = windows[
        (windows["control"] == "none") & (windows["noise"] == "total") & windows["lag"].isin(at_task["lag"])
    ]
    is_detected = total["log_sample_complexity"] <= np.log(total["sequences"])
    by_place = is_detected.groupby([total[name] for name in PLACE])
    lasts = spectra["modulus"] ** period >= KEPT
    table = curve.set_index(PLACE)[["validation_loss"]].join(shares, how="inner")
    return table.join(
        pd.DataFrame(
            {
                "detected": by_place.sum(),
                "measured": by_place.size(),
                "resonances": lasts.groupby([spectra[name] for name in PLACE]).sum(),
                "at harmonics": harmonic(spectra, period, period).groupby([spectra[name] for name in PLACE]).nunique(),
            }
        )
    ).assign(divisor=divisor(responses))


def common_divisor(*given: Any) -> pd.DataFrame:
    """`both_tasks`, medians over seeds: a row for each architecture, epoch and task, the task with the divisor first.

    Args:
        given: the tables of `both_tasks`, then names of architectures in print.
    """
    *tables, labels = given
    table = both_tasks(*tables)
    groups = table.drop(columns="seed").groupby(["optimizer", "architecture", "epoch", "divisor"])
    medians = groups.median().assign(seeds=groups.size()).reset_index()
    rows = medians.sort_values(
        ["optimizer", "architecture", "epoch", "divisor"], ascending=[True, True, True, False], ignore_index=True
    )
    return with_labels(rows, labels)
