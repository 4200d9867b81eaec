"""Ends of windows: at lags of the task, or at others."""

from collections.abc import Sequence

import pandas as pd


def window_ends(window: pd.DataFrame, response: pd.DataFrame, keys: Sequence[str]) -> pd.DataFrame:
    """Shares of windows that are open, by the reading's criterion, and where they end.

    Args:
        window: rows of `learnability.windows.detection.learnability_window` with the columns `keys`.
        response: of `learnability.windows.response.measure_response`, which knows the lags of the task.
        keys: columns whose values name a group of windows.

    Returns:
        By `keys`: `open`, the share with Ĥ_N > 0; `at`, of those that end at a lag of the task; `away`, at another.
    """
    task_lags = response.loc[response["coefficient"] != 0, "lag"].unique()
    by_criterion = window[window["chosen"]]
    ends = {"open": by_criterion["horizon"] > 0, "at": by_criterion["horizon"].isin(task_lags)}
    ends["away"] = ends["open"] & ~ends["at"]
    return by_criterion.assign(**ends).groupby(list(keys), sort=False)[list(ends)].mean()
