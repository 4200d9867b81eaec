"""What truncated gradients miss, and what they save."""

from collections.abc import Mapping, Sequence

import pandas as pd

from learnability.report.findings import Finding, listed, percent


def answer(tables: Mapping[str, pd.DataFrame], labels: Mapping[str, str]) -> Finding:
    """From the tables of `studies.gated.truncation.measure`."""
    names = ("shares", "losses", "curves", "costs")
    shares, losses, curves, costs = (tables[f"truncation_{name}"] for name in names)
    plain, *others = shares["architecture"].unique().tolist()
    own, shortest, whole = shares[shares["architecture"] == plain], *costs["window"].iloc[[0, -1]].tolist()
    by_window = own[own["lag"] >= shortest].groupby("window")["share"].mean()
    cheapest = costs.iloc[0]
    crossed = [
        f"{percent(rows['share'].mean())} in windows of {window}"
        for window, rows in own[own["lag"] >= own["window"]].groupby("window")
    ]
    updates = losses[losses["architecture"] == plain].groupby("window")["updates"].first()
    return Finding(
        "What do gradients that are cut after K steps miss, and what do they save?",
        f"""
            They miss long lags: the shortest window learns {percent(by_window[shortest])} of them, the whole gradient
            {percent(by_window[whole])}.
        """,
        f"""
            Long lags are those of {shortest} steps, the shortest window, or more. With that window an update needs
            {percent(cheapest["kept"])} of the memory and {percent(cheapest["update"])} of the time, and a pass over the
            data {percent(cheapest["pass"])} of the time. No gradient crosses K steps, yet the learned share of lags
            from K on is {listed(crossed) if crossed else "not measured"}: the state is carried, and what it happens to
            keep can be read out. {_keeping(shares, [plain, *others], labels)} Every network makes the same number of
            passes, in {listed(f"{updates[window]:,} updates for K = {window}" for window in updates.index)}.
        """,
        {},
        f"""
            the number of passes over the data: in a pass short windows take more updates.
            {_overtaken(curves[curves["architecture"] == plain], shortest, whole)}
        """,
        ("", "truncation"),
        [("", f"truncation_{name}") for name in names],
    )


def _keeping(shares: pd.DataFrame, names: Sequence[str], labels: Mapping[str, str]) -> str:
    """What a cut leaves of lags beyond it, to those whose state keeps more from the start and to the others."""
    window = max(int(shares.loc[shares["architecture"] == name, "window"].min()) for name in names)
    beyond = shares[shares["lag"] >= window].groupby(["window", "seed", "architecture"])["share"].mean()
    if len(names) < 2 or beyond.empty:
        return ""
    whole = beyond.index.get_level_values("window").max()
    left = (beyond[window] / beyond[whole]).groupby("architecture").median()[list(names)].to_dict()
    told = (f"{percent(share)} to {labels[str(name)]}" for name, share in left.items())
    return f"Of what the whole gradient learns of lags from {window} on, windows of {window} leave {listed(told)}."


def _overtaken(curves: pd.DataFrame, shortest: int, whole: int) -> str:
    """From which pass on the whole gradient is ahead of the shortest window, by medians over seeds."""
    loss = curves[curves["epoch"] > 0].groupby(["epoch", "window"])["validation_loss"].median().unstack()
    behind = loss.index[loss[whole] >= loss[shortest]]
    if loss.index[-1] in behind:
        return (
            f"Here windows of {shortest} have no larger a loss than the whole gradient after the last of {len(loss)}."
        )
    last = behind.max() if len(behind) else 0
    return f"Here the whole gradient has the smaller loss from pass {last + 1} of {len(loss)} on."
