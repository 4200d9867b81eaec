"""Numbers behind headlines on copying: small networks are trained to copy over a short delay, which takes seconds."""

from collections.abc import Mapping
from functools import cache
from json import dumps, loads
from typing import Any, NamedTuple

import numpy as np

from learnability.core.variation import Headline
from studies.attention.headlines.learned import Learned, learned
from studies.attention.trained import measure_answers, measure_arriving, measure_attention
from studies.attention.trained_tables import BUFFER_ALONE, MOST, attended

KEPT = 0.9
"""Share of its recall that a network must keep at a longer delay."""
LONGER = 5
"""Networks are compared after all updates, and after this fraction of them: 1 over it."""
FURTHER = 4
"""Times the delay of training: the longer delay that a network is tested at."""
FEW = 0.5
"""Share of the past states; a network that attends to a smaller share attends to few."""
HELPS = 0.1
"""Of the recall, what a relevant set must add to the buffer."""
KEEPING = ("orth_rnn", "exp_rnn")
"""Recurrences that keep a gradient."""
SCREENED = ("rel_rnn", "rel_lstm")
"""Networks with relevancy screening."""
OF_COPY = ("copy",)

HEADLINES = {
    "learning": Headline(
        ("networks that learn to copy", "updates of orth-RNN and expRNN over those of the other networks"),
        lambda at: (
            "first" if at["updates of orth-RNN and expRNN over those of the other networks"] < 1 else "not first"
        ),
        OF_COPY,
    ),
    "longer": Headline(
        ("networks that learn after a fifth of the updates", "networks that learn to copy"),
        lambda at: (
            "more"
            if at["networks that learn to copy"] > at["networks that learn after a fifth of the updates"]
            else "no more"
        ),
        OF_COPY,
    ),
    "transfer": Headline(
        ("share of its recall that screening keeps at a longer delay", "the most that others keep"),
        lambda at: (
            "screening alone"
            if at["share of its recall that screening keeps at a longer delay"]
            >= KEPT
            > at["the most that others keep"]
            else "other"
        ),
        OF_COPY,
    ),
    "attending": Headline(
        ("states attended over past states, at most", "states attended over past states, at least"),
        lambda at: "few" if at["states attended over past states, at most"] < FEW else "many",
        OF_COPY,
    ),
    "buffer_alone": Headline(
        ("recall that a relevant set adds", "recall with the buffer alone"),
        lambda at: "no" if at["recall that a relevant set adds"] > HELPS else "yes",
        OF_COPY,
    ),
}
"""By the question that they answer."""


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
            `sequences` on which answers are counted; and `architectures`, among them those of `KEEPING` and `SCREENED`,
            and RelRNN without a relevant set (`BUFFER_ALONE`).

    Raises:
        InputError: for settings that something refuses.
    """
    own = settings["copy"]
    copiers = {
        name: _copier(dumps(_run(own, architecture) | {"sequences": own["sequences"]}), root_seed, seed)
        for name, architecture in own["architectures"].items()
    }
    keeping = [each.updates for name, each in copiers.items() if name in KEEPING]
    others = [each.updates for name, each in copiers.items() if name not in (*KEEPING, BUFFER_ALONE)]
    kept = {name: each.far / each.recall for name, each in copiers.items() if each.recall > 0}
    states = [each.states for each in copiers.values() if np.isfinite(each.states)]
    longest = own["training"]["epochs"] + 1
    buffer = copiers[BUFFER_ALONE].recall
    return {
        "networks that learn to copy": float(sum(each.recall >= MOST for each in copiers.values())),
        "networks that learn after a fifth of the updates": float(sum(each.early >= MOST for each in copiers.values())),
        "updates of orth-RNN and expRNN over those of the other networks": min(*keeping, longest)
        / min(*others, longest),
        "share of its recall that screening keeps at a longer delay": max(kept.get(name, 0.0) for name in SCREENED),
        "the most that others keep": max(
            (share for name, share in kept.items() if name not in (*SCREENED, BUFFER_ALONE)), default=0.0
        ),
        "states attended over past states, at most": max(states),
        "states attended over past states, at least": min(states),
        "recall that a relevant set adds": copiers["rel_rnn"].recall - buffer,
        "recall with the buffer alone": buffer,
    }


def _run(settings: Mapping[str, Any], architecture: Mapping[str, Any]) -> dict[str, Any]:
    shared = {name: settings[name] for name in ("task", "network", "training")}
    return shared | {"architecture_settings": architecture, "optimizer_settings": settings["optimizer"]}


@cache
def _copier(asked: str, root_seed: int, seed: int) -> _Copier:
    run = loads(asked)
    found = learned(run, root_seed, seed)
    curve = found.curve.set_index("epoch")["validation_accuracy"]
    reached = curve.index[curve >= MOST]
    delays = [found.task.delay, FURTHER * found.task.delay]
    answers = measure_answers(found.network, found.parameters, found.task, delays, run["sequences"])
    recall, far = answers["accuracy"]
    early = curve.loc[: run["training"]["epochs"] // LONGER].iloc[-1]
    first = float(reached[0]) if len(reached) else np.inf
    return _Copier(float(recall), float(far), first, float(early), _states(found))


def _states(found: Learned) -> float:
    """The number of states that a late step attends to, over the number of steps; NaN without attention."""
    drawn = found.task.generate("diagnostic", 1)
    tables = (measure(found.network, found.parameters, drawn) for measure in (measure_attention, measure_arriving))
    weights, arriving = (each.assign(experiment="copy", architecture="network", seed=0) for each in tables)
    if weights.empty:
        return float("nan")
    table = attended(weights, arriving)
    return float((table["measured"] / table["steps"]).iloc[0])
