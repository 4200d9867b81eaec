"""Answers and attention of trained networks, and gradients that arrive in them (Kerg et al. 2020, Sec. 5, 6)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import torch

from learnability.cells import Parameters
from learnability.networks.accuracy import measure_answers as count_answers
from learnability.networks.attention import attention_map
from learnability.networks.network import Network
from learnability.tasks import Copy, Sequences
from studies.attention.backward import log_norms
from studies.attention.dense import measure_classes
from studies.attention.screening import measure_screened
from studies.attention.trained_tables import LEAST_WEIGHT


def measure(
    network: Network,
    parameters: Parameters,
    task: Any,
    settings: Mapping[str, Any],
    *,
    transfer: Sequence[int],
    sequences: int,
    norm_sequences: int,
    screening: Mapping[str, Any],
) -> dict[str, pd.DataFrame]:
    """All tables of a trained network: `answers`, `arriving`, `attention` and `screened`.

    Args:
        parameters: float64.
        settings: of its run, with `task` and `training`.
        transfer: further delays, of copy and denoise.
        sequences: on which answers are counted.
        norm_sequences: on which gradients are measured, or as many as there are test sequences.
        screening: `sizes` and `other` of `studies.attention.screening.measure_screened`.
    """
    truncation, trained_on = settings["training"]["truncation"], settings["task"]["training_sequences"]
    counts = {"training_sequences": trained_on, "test_sequences": sequences, "truncation": truncation}
    of_copying = isinstance(task, Copy)
    # Of what is read there are few test sequences; copying draws others than for answers.
    name, count = ("backward", norm_sequences) if of_copying else ("diagnostic", min(norm_sequences, sequences))
    return {
        "answers": measure_answers(network, parameters, task, [task.delay, *transfer], sequences)
        if of_copying
        else measure_classes(network, parameters, task, **counts),
        "arriving": measure_arriving(network, parameters, first_segment(task.generate(name, count), truncation)),
        "attention": measure_attention(network, parameters, first_segment(task.generate("diagnostic", 1), truncation)),
        "screened": measure_screened(network, parameters, task, **screening, sequences=norm_sequences),
    }


def first_segment(sequences: Sequences, truncation: int) -> Sequences:
    """The steps before the gradient, and with it a memory, is cut for the first time; all with a truncation of 0."""
    segment = slice(truncation or None)
    parts = {name: array[:, segment] for name, array in sequences._asdict().items() if array is not None}
    return sequences._replace(**parts)


def measure_answers(
    network: Network, parameters: Parameters, task: Copy, delays: Sequence[int], sequences: int
) -> pd.DataFrame:
    """Right answers at the task's own delay and at others, by the two counts that are in use.

    Args:
        parameters: float64; taken in float32, in which they were trained.
        delays: T, of the task but for that.
        sequences: that training has not seen.

    Returns:
        `delay`; `finite`, the share of sequences of which all scores are finite; `accuracy`, the share of right answers
        at the last S steps, where symbols are asked for, as the code of Kerg et al. counts; `all_steps`, the share at
        all T + 2S steps, blanks included, as the code of expRNN counts.
        A network without memory answers blanks and then guesses among the alphabet of A: the shares are then `chance`,
        1/A, and `all_chance`, (T + S + S/A)/(T + 2S), and the loss is `baseline`, nats. `trained_at` is the task's own
        delay.
    """
    single = {name: tensor.float() for name, tensor in parameters.items()}
    rows = []
    for variant in (replace(task, delay=delay) for delay in delays):
        counts = count_answers(network, single, variant.generate("diagnostic", sequences))
        rows.append(
            {
                "delay": variant.delay,
                "accuracy": counts.accuracy,
                "all_steps": counts.accuracy_of_all,
                "finite": counts.finite,
                "chance": 1 / task.alphabet,
                "all_chance": 1 - task.symbols * (1 - 1 / task.alphabet) / variant.duration,
                "baseline": variant.baseline,
                "trained_at": task.delay,
            }
        )
    return pd.DataFrame(rows)


def measure_arriving(network: Network, parameters: Parameters, sequences: Sequences) -> pd.DataFrame:
    """`back`, steps before the last, and `log_norm`, as `studies.attention.backward.log_norms` has it."""
    norms = log_norms(network, parameters, sequences)
    return pd.DataFrame({"back": np.arange(len(norms)), "log_norm": norms})


def measure_attention(network: Network, parameters: Parameters, sequences: Sequences) -> pd.DataFrame:
    """`step`, `attended` and `weight`: α of one sequence, from `LEAST_WEIGHT` on; no row without attention."""
    columns = ["step", "attended", "weight"]
    cell: Any = network.cell
    if not cell.attends:
        return pd.DataFrame(columns=columns)
    weights = attention_map(cell, parameters, torch.from_numpy(sequences.inputs).double())[0].numpy()
    steps, states = np.nonzero(weights >= LEAST_WEIGHT)
    return pd.DataFrame(dict(zip(columns, (steps + 1, states + 1, weights[steps, states]), strict=True)))
