"""Numbers behind headlines on copying: small networks are trained to copy over a short delay, which takes seconds."""

from collections.abc import Mapping
from functools import cache
from json import dumps, loads
from typing import Any, NamedTuple

import numpy as np

from learnability.cells import Parameters
from learnability.core.variation import Headline
from learnability.networks.network import Network
from learnability.tasks import build_task
from learnability.training import train_run
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

HEADLINES = {
    "learning": Headline(
        ("networks that learn to copy", "updates of orth-RNN and expRNN over those of the other networks"),
        lambda at: (
            "first" if at["updates of orth-RNN and expRNN over those of the other networks"] < 1 else "not first"
        ),
    ),
    "longer": Headline(
        ("networks that learn after a fifth of the updates", "networks that learn to copy"),
        lambda at: (
            "more"
            if at["networks that learn to copy"] > at["networks that learn after a fifth of the updates"]
            else "no more"
        ),
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
    ),
    "attending": Headline(
        ("states attended over past states, at most", "states attended over past states, at least"),
        lambda at: "few" if at["states attended over past states, at most"] < FEW else "many",
    ),
    "buffer_alone": Headline(
        ("recall that a relevant set adds", "recall with the buffer alone"),
        lambda at: "no" if at["recall that a relevant set adds"] > HELPS else "yes",
    ),
}
"""By the question that they answer, see `studies.attention.findings`."""


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


def copying_numbers(settings: Mapping[str, Any], root_seed: int, seed: int) -> dict[str, float]:
    """All numbers behind the headlines, of one seed.

    Args:
        settings: `task` of copying with the numbers of its sequences, `network`, `training`, `optimizer`; `sequences`
            on which answers are counted; and `architectures`, among them those of `KEEPING` and `SCREENED`, and RelRNN
            without a relevant set (`BUFFER_ALONE`).

    Raises:
        InputError: for settings that something refuses.
    """
    shared = {name: settings[name] for name in ("task", "network", "training", "optimizer", "sequences")}
    copiers = {
        name: _copier(dumps(shared | {"architecture": own}, sort_keys=True), root_seed, seed)
        for name, own in settings["architectures"].items()
    }
    keeping = [each.updates for name, each in copiers.items() if name in KEEPING]
    others = [each.updates for name, each in copiers.items() if name not in (*KEEPING, BUFFER_ALONE)]
    kept = {name: each.far / each.recall for name, each in copiers.items() if each.recall > 0}
    states = [each.states for each in copiers.values() if np.isfinite(each.states)]
    longest = settings["training"]["epochs"] + 1
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


@cache
def _copier(asked: str, root_seed: int, seed: int) -> _Copier:
    settings = loads(asked)
    own = {"architecture": "network", "architecture_settings": settings["architecture"], "seed": seed}
    own |= {"optimizer": "adam", "optimizer_settings": settings["optimizer"]}
    network, trained = train_run(own | {name: settings[name] for name in ("task", "network", "training")}, root_seed)
    parameters = {name: tensor.double() for name, tensor in trained.parameters.items()}
    curve = trained.curve.set_index("epoch")["validation_accuracy"]
    learned = curve.index[curve >= MOST]
    task: Any = build_task(settings["task"], root_seed, seed)
    delays = [task.delay, FURTHER * task.delay]
    recall, far = measure_answers(network, parameters, task, delays, settings["sequences"])["accuracy"]
    early = curve.loc[: settings["training"]["epochs"] // LONGER].iloc[-1]
    first = float(learned[0]) if len(learned) else np.inf
    return _Copier(float(recall), float(far), first, float(early), _states(network, parameters, task))


def _states(network: Network, parameters: Parameters, task: Any) -> float:
    """The number of states that a late step attends to, over the number of steps; NaN without attention."""
    drawn = task.generate("diagnostic", 1)
    tables = measure_attention(network, parameters, drawn), measure_arriving(network, parameters, drawn)
    weights, arriving = (each.assign(experiment="copy", architecture="network", seed=0) for each in tables)
    if weights.empty:
        return float("nan")
    table = attended(weights, arriving)
    return float((table["measured"] / table["steps"]).iloc[0])
