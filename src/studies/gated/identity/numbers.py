"""Growth, readouts and gradients of the identity recurrence, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: medians over seeds by kind of irrelevant steps; norms of RNNs are by scale of U."""
    states, readouts, gradients = (tables[f"identity_{kind}"] for kind in ("states", "readouts", "gradients"))
    steps, lag = states["steps"].max(), gradients["lag"].max()
    kinds = states.groupby(["steps", "irrelevant", "seed"])[["size", "slope"]].sum()
    accuracy = readouts[readouts["steps"] == steps].groupby(["reader", "irrelevant"])["accuracy"].median()
    norms = 10 ** gradients[gradients["lag"] == lag].groupby("scale")["log_norm"].median()
    return {
        "seeds": states["seed"].nunique(),
        "steps": steps,
        "lag": lag,
        "growth": (kinds["size"][steps] / kinds["size"][steps // 2]).groupby("irrelevant").median(),
        "slope": kinds["slope"][steps].groupby("irrelevant").median(),
        "first_slope": kinds["slope"][1].groupby("irrelevant").median(),
        "recall": accuracy,
        "chance": readouts["chance"].max(),
        "identity_norm": norms[0.0],
        "rnn_norms": norms.drop(0.0),
    }
