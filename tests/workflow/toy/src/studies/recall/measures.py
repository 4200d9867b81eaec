"""Measures, figures and claims of the study."""

import pandas as pd
import torch
from matplotlib.figure import Figure

from learnability.cells import Parameters
from learnability.claims import Evidence, Measures
from learnability.networks.network import Network, hidden_units
from learnability.report.style import Style
from learnability.tasks import Task


def accuracy_table(network: Network, parameters: Parameters, task: Task, count: int) -> pd.DataFrame:
    """Share of symbols named right on fresh sequences, at each t that counts."""
    inputs, targets, mask, _ = task.generate("diagnostic", count)
    hidden = hidden_units(network.cell, parameters, torch.from_numpy(inputs).double())
    right = network.read_out(parameters, hidden).argmax(-1).numpy() == targets
    times = mask[0].nonzero()[0]
    return pd.DataFrame({"time": times, "accuracy": right[:, times].mean(0)})


def draw(accuracy: pd.DataFrame, style: Style) -> Figure:
    """Accuracy against t."""
    figure, (ax,) = style.panels(1)
    for name, rows in accuracy.groupby("architecture"):
        ax.plot(rows["time"], rows["accuracy"], color=style.colours[str(name)], label=style.labels[str(name)])
    ax.set(xlabel="t (steps)", ylabel="accuracy", ylim=(0, 1.03))
    ax.legend()
    return figure


def least_accuracy(evidence: Evidence) -> float:
    """Accuracy at the worst t."""
    return float(evidence.table("accuracy")["accuracy"].min())


MEASURES = Measures({"least_accuracy": least_accuracy}, roles=["plain"], comparing=[])
CLAIMS = [
    {
        "id": "recalls",
        "where": "nowhere",
        "claim": "A plain network recalls a symbol of three steps ago.",
        "optimizer": "adamw",
        "artefact": "figures/accuracy",
        "tuned": {},
        "after_results": [],
        "by_construction": [],
        "conditions": [{"measure": "least_accuracy", "of": ["plain"], "met": [0.9, 1.0]}],
    }
]
