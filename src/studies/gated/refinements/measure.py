"""Sections 3 to 5: cells in the order in which gates are added to them, trained on one task of selective memory.

They have equal numbers of parameters, as nearly as whole units allow, and each is shown at the learning rate, of those
that it was trained at, with the lowest validation loss.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import pandas as pd
import torch

from learnability.networks.network import run
from studies.gated.exhibit import Exhibit, ExhibitRequest, Trained, statements
from studies.gated.learned import at_best_rates, compare_rates, rate_of
from studies.gated.refinements.question import QUESTION

TABLES = QUESTION.tables


class Step(NamedTuple):
    """A step from one architecture to another, in the notes' words."""

    before: str
    after: str
    words: str


STEPS = {
    "forgetting_rnn": Step("identity_rnn", "forget_rnn", "a forget gate for the identity recurrence"),
    "forgetting_is_incomplete": Step("forget_rnn", "lstm", "from there to the LSTM"),
    "linear_memory": Step("rnn", "lstm_memory", "a memory that is added to"),
    "input_gate": Step("lstm_memory", "lstm_input", "an input gate"),
    "forget_gate": Step("lstm_input", "lstm_input_forget", "a forget gate"),
    "output_gate": Step("lstm_input_forget", "lstm", "an output gate"),
    "lstm_over_rnn": Step("rnn", "lstm", "from the RNN to the LSTM"),
}
"""Statements of Secs. 3 to 5."""
OF_THE_LSTM = ("linear_memory", "input_gate", "forget_gate", "output_gate")
"""The steps of Sec. 5."""
COLUMNS = ["step", "before", "after", "seed", "loss_ratio", "accuracy_gained", "size_ratio", "slope_ratio"]


def make(request: ExhibitRequest) -> Exhibit:
    """Losses and accuracies that networks reach, step by step.

    Args:
        request: its settings are `accuracy`, a share of symbols from which they count as learned, and `sequences`, on
            which states are measured.

    Returns:
        `refinements_curves`: `validation_loss`, nats, and `validation_accuracy` after so many `updates`.
        `refinements_ends`: the lowest `loss` at the `rate` and the `accuracy` at that epoch; `learned_after`, updates,
        NaN if never; `size`, the root mean square of the memory (h, of an LSTM c) behind the last step; and `slope`, of
        an LSTM the mean of 1 - tanh²(c) where symbols are named.
        `refinements_steps`: `loss_ratio` and `size_ratio`, before over after; `accuracy_gained`; `slope_ratio`, after
        over before.
        `refinements_rates`: as of `compare_rates`.
    """
    models = at_best_rates(request.trained)
    ends = pd.DataFrame([_end(model, request) for model in models])
    steps = pd.DataFrame([row for name, step in STEPS.items() for row in _compare(name, step, ends)], columns=COLUMNS)
    curves = pd.concat([_curve(model).assign(**model.names) for model in models], ignore_index=True)
    tables = dict(zip(TABLES, (steps, ends, curves, compare_rates(request.trained)), strict=True))
    return Exhibit(tables, statements(_statements(steps)))


def _curve(model: Trained) -> pd.DataFrame:
    settings = model.settings
    batches = -(-settings["task"]["training_sequences"] // settings["training"]["batch_size"])
    curve = model.curve[["validation_loss", "validation_accuracy"]]
    return curve.assign(updates=model.curve["epoch"] * batches)


def _end(model: Trained, request: ExhibitRequest) -> dict[str, Any]:
    curve, cell = _curve(model), model.network.cell
    best = curve.sort_values("validation_loss", kind="stable").iloc[0]
    sequences = model.task.generate("diagnostic", request.settings["sequences"])
    assert sequences.scored is not None
    memory = cell.memory(run(cell, model.parameters, torch.from_numpy(sequences.inputs).double()))[:, 1:]
    slope = torch.cosh(memory[torch.from_numpy(sequences.scored)]) ** -2
    return model.names | {
        "rate": rate_of(model),
        "parameters": model.network.count_parameters(),
        "loss": best["validation_loss"],
        "accuracy": best["validation_accuracy"],
        "learned_after": curve.loc[curve["validation_accuracy"] >= request.settings["accuracy"], "updates"].min(),
        "size": float(memory[:, -1].square().mean().sqrt()),
        "slope": float(slope.mean()) if cell.has_cell_state else float("nan"),
    }


def _compare(name: str, step: Step, ends: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """Rows of the seeds that both networks have."""
    before, after = (
        ends[ends["architecture"] == architecture].set_index("seed") for architecture in (step.before, step.after)
    )
    for seed in before.index.intersection(after.index):
        row_before, row_after = before.loc[seed], after.loc[seed]
        names = {"step": name, "before": step.before, "after": step.after, "seed": seed}
        yield names | {
            "loss_ratio": row_before["loss"] / row_after["loss"],
            "accuracy_gained": row_after["accuracy"] - row_before["accuracy"],
            "size_ratio": row_before["size"] / row_after["size"],
            "slope_ratio": row_after["slope"] / row_before["slope"],
        }


def _statements(steps: pd.DataFrame) -> Iterator[tuple[str, int, float]]:
    for row in steps.to_dict("records"):
        name, seed = row["step"], row["seed"]
        yield f"{name}_loss", seed, row["loss_ratio"]
        yield f"{name}_accuracy", seed, row["accuracy_gained"]
        if name == "forgetting_rnn":
            yield f"{name}_size", seed, row["size_ratio"]
        if name == "forget_gate":
            yield f"{name}_slope", seed, row["slope_ratio"]
