"""Sections 3 to 5: cells in the order in which gates are added to them, trained on one task of selective memory.

They have equal numbers of parameters, as nearly as whole units allow, and each is shown at the learning rate, of those
that it was trained at, with the lowest validation loss.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import pandas as pd
import torch

from learnability.networks.network import run
from studies.gated.exhibit import Asked, Exhibit, Trained, statements
from studies.gated.learned import at_best_rates, compare_rates, rate_of
from studies.gated.refinements.question import QUESTION

TABLES = QUESTION.tables


class Step(NamedTuple):
    """From one architecture to another, in the notes' words."""

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
COMPARED = ["step", "before", "after", "seed", "loss_ratio", "accuracy_gained", "size_ratio", "slope_ratio"]


def make(asked: Asked) -> Exhibit:
    """What networks learn, step by step.

    Args:
        asked: its settings are `accuracy`, a share of symbols from which they count as learned, and `sequences`, on
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
    trained = at_best_rates(asked.trained)
    ends = pd.DataFrame([_end(each, asked) for each in trained])
    steps = pd.DataFrame([row for name, step in STEPS.items() for row in _compared(name, step, ends)], columns=COMPARED)
    curves = pd.concat([_curve(each).assign(**each.names) for each in trained], ignore_index=True)
    tables = dict(zip(TABLES, (steps, ends, curves, compare_rates(asked.trained)), strict=True))
    return Exhibit(tables, statements(_stated(steps)))


def _curve(trained: Trained) -> pd.DataFrame:
    settings = trained.settings
    each = -(-settings["task"]["training_sequences"] // settings["training"]["batch_size"])
    curve = trained.curve[["validation_loss", "validation_accuracy"]]
    return curve.assign(updates=trained.curve["epoch"] * each)


def _end(trained: Trained, asked: Asked) -> dict[str, Any]:
    curve, cell = _curve(trained), trained.network.cell
    best = curve.sort_values("validation_loss", kind="stable").iloc[0]
    drawn = trained.task.generate("diagnostic", asked.settings["sequences"])
    assert drawn.scored is not None
    memory = cell.memory(run(cell, trained.parameters, torch.from_numpy(drawn.inputs).double()))[:, 1:]
    slope = torch.cosh(memory[torch.from_numpy(drawn.scored)]) ** -2
    return trained.names | {
        "rate": rate_of(trained),
        "parameters": trained.network.count_parameters(),
        "loss": best["validation_loss"],
        "accuracy": best["validation_accuracy"],
        "learned_after": curve.loc[curve["validation_accuracy"] >= asked.settings["accuracy"], "updates"].min(),
        "size": float(memory[:, -1].square().mean().sqrt()),
        "slope": float(slope.mean()) if cell.has_cell_state else float("nan"),
    }


def _compared(name: str, step: Step, ends: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """Of each seed of which there are both networks."""
    before, after = (ends[ends["architecture"] == each].set_index("seed") for each in (step.before, step.after))
    for seed in before.index.intersection(after.index):
        one, other = before.loc[seed], after.loc[seed]
        names = {"step": name, "before": step.before, "after": step.after, "seed": seed}
        yield names | {
            "loss_ratio": one["loss"] / other["loss"],
            "accuracy_gained": other["accuracy"] - one["accuracy"],
            "size_ratio": one["size"] / other["size"],
            "slope_ratio": other["slope"] / one["slope"],
        }


def _stated(steps: pd.DataFrame) -> Iterator[tuple[str, int, float]]:
    for row in steps.to_dict("records"):
        name, seed = row["step"], row["seed"]
        yield f"{name}_loss", seed, row["loss_ratio"]
        yield f"{name}_accuracy", seed, row["accuracy_gained"]
        if name == "forgetting_rnn":
            yield f"{name}_size", seed, row["size_ratio"]
        if name == "forget_gate":
            yield f"{name}_slope", seed, row["slope_ratio"]
