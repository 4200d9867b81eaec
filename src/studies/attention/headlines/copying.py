"""Numbers behind headlines on copying: small networks are trained to copy over a short delay, which takes seconds."""

from collections.abc import Mapping
from functools import cache
from json import dumps, loads
from typing import Any, NamedTuple

import numpy as np

from learnability.core.variation import Headline
from studies.attention.headlines.learned import Model, train
from studies.attention.trained import measure_answers, measure_arriving, measure_attention
from studies.attention.trained_tables import BUFFER_ALONE, MOST, attended_states

RETENTION = 0.9
"""Share of its recall that a network must keep at a longer delay."""
LONGER = 5
"""Networks are compared after all updates, and after this fraction of them: 1 over it."""
FURTHER = 4
"""Times the delay of training: the longer delay that a network is tested at."""
FEW = 0.5
"""Share of the past states; a network that attends to a smaller share attends to few."""
HELPS = 0.1
"""Recall that a relevant set must add to the buffer."""
ORTHOGONAL = ("orth_rnn", "exp_rnn")
"""Recurrences that keep a gradient."""
WITH_SCREENING = ("rel_rnn", "rel_lstm")
"""Networks with relevancy screening."""
OF_COPY = ("copy",)

HEADLINES = {
    "learning": Headline(
        ("networks that learn to copy", "updates of orth-RNN and expRNN over updates of the other networks"),
        lambda _, ratio: "first" if ratio < 1 else "not first",
        OF_COPY,
    ),
    "longer": Headline(
        ("networks that learn after a fifth of the updates", "networks that learn to copy"),
        lambda after_a_fifth, after_all: "more" if after_all > after_a_fifth else "no more",
        OF_COPY,
    ),
    "transfer": Headline(
        ("share of its recall that screening keeps at a longer delay", "the most that others keep"),
        lambda screening, others: "screening alone" if screening >= RETENTION > others else "other",
        OF_COPY,
    ),
    "attending": Headline(
        ("states attended over past states, at most", "states attended over past states, at least"),
        lambda most, _: "few" if most < FEW else "many",
        OF_COPY,
    ),
    "buffer_alone": Headline(
        ("recall that a relevant set adds", "recall with the buffer alone"),
        lambda gain, _: "no" if gain > HELPS else "yes",
        OF_COPY,
    ),
}
"""Headlines by the question that they answer."""


class _Copier(NamedTuple):
    """A network that was trained to copy, and what is known of it.

    Args:
        recall, far: right answers at the delay of training, and at `FURTHER` times it.
        updates: after which it recalls `MOST` for the first time, ∞ if never; in epochs.
        early: recall after a fifth of the updates.
        states: number of states that a late step attends to, over the number of steps; NaN without attention.
    """

    recall: float
    far: float
    updates: float
    early: float
    states: float


def numbers(settings: Mapping[str, Any], root_seed: int, seed: int) -> dict[str, float]:
    """All numbers behind the headlines, of one seed.

    Args:
        settings: `copy`, with `task` of copying and the numbers of its sequences, `network`, `training`, `optimizer`;
            `sequences` on which answers are counted; and `architectures`, among them all of `ORTHOGONAL` and
            `WITH_SCREENING`, and RelRNN without a relevant set (`BUFFER_ALONE`).

    Raises:
        InputError: for settings that something refuses.
    """
    section = settings["copy"]
    copiers = {
        name: _copier(dumps(_run(section, architecture) | {"sequences": section["sequences"]}), root_seed, seed)
        for name, architecture in section["architectures"].items()
    }
    orthogonal_updates = [copier.updates for name, copier in copiers.items() if name in ORTHOGONAL]
    other_updates = [copier.updates for name, copier in copiers.items() if name not in (*ORTHOGONAL, BUFFER_ALONE)]
    retention = {name: copier.far / copier.recall for name, copier in copiers.items() if copier.recall > 0}
    states = [copier.states for copier in copiers.values() if np.isfinite(copier.states)]
    longest = section["training"]["epochs"] + 1
    buffer = copiers[BUFFER_ALONE].recall
    return {
        "networks that learn to copy": float(sum(copier.recall >= MOST for copier in copiers.values())),
        "networks that learn after a fifth of the updates": float(
            sum(copier.early >= MOST for copier in copiers.values())
        ),
        "updates of orth-RNN and expRNN over updates of the other networks": min(*orthogonal_updates, longest)
        / min(*other_updates, longest),
        "share of its recall that screening keeps at a longer delay": max(
            retention.get(name, 0.0) for name in WITH_SCREENING
        ),
        "the most that others keep": max(
            (share for name, share in retention.items() if name not in (*WITH_SCREENING, BUFFER_ALONE)), default=0.0
        ),
        "states attended over past states, at most": max(states),
        "states attended over past states, at least": min(states),
        "recall that a relevant set adds": copiers["rel_rnn"].recall - buffer,
        "recall with the buffer alone": buffer,
    }


def _run(settings: Mapping[str, Any], architecture: Mapping[str, Any]) -> dict[str, Any]:
    parts = {name: settings[name] for name in ("task", "network", "training")}
    return parts | {"architecture_settings": architecture, "optimizer_settings": settings["optimizer"]}


@cache
def _copier(text: str, root_seed: int, seed: int) -> _Copier:
    run = loads(text)
    model = train(run, root_seed, seed)
    curve = model.curve.set_index("epoch")["validation_accuracy"]
    epochs = curve.index[curve >= MOST]
    delays = [model.task.delay, FURTHER * model.task.delay]
    answers = measure_answers(model.network, model.parameters, model.task, delays, run["sequences"])
    recall, far = answers["accuracy"]
    early = curve.loc[: run["training"]["epochs"] // LONGER].iloc[-1]
    first = float(epochs[0]) if len(epochs) else np.inf
    return _Copier(float(recall), float(far), first, float(early), _states(model))


def _states(model: Model) -> float:
    """The number of states that a late step attends to, over the number of steps; NaN without attention."""
    sequences = model.task.generate("diagnostic", 1)
    tables = (measure(model.network, model.parameters, sequences) for measure in (measure_attention, measure_arriving))
    weights, gradients = (rows.assign(experiment="copy", architecture="network", seed=0) for rows in tables)
    if weights.empty:
        return float("nan")
    table = attended_states(weights, gradients)
    return float((table["measured"] / table["steps"]).iloc[0])
