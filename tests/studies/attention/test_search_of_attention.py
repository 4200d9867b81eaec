"""What a search over settings computes: numbers behind headlines, and answers that can be other ones."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from learnability.networks.network import Network, hidden_units
from learnability.tasks import build_task
from learnability.training import Run, TrainingSettings, train
from studies.attention.copying import copying_numbers
from studies.attention.findings import QUESTIONS
from studies.attention.headlines import HEADLINES, headline_numbers

STORED = {
    "power of T of memory with full attention": 1.8,
    "power of T of memory with screening or none, at most": 1.0,
    "networks that learn to copy": 3,
    "networks that learn after a fifth of the updates": 2,
    "updates of orth-RNN and expRNN over those of the other networks": 0.04,
    "share of its recall that screening keeps at a longer delay": 1.0,
    "the most that others keep": 0.5,
    "states attended over past states, at most": 0.2,
    "states attended over past states, at least": 0.05,
    "recall that a relevant set adds": 0.4,
    "recall with the buffer alone": 0.4,
    "orders between networks": 47,
    "orders lost by the network that loses least": -0.5,
    **{
        f"{what} {where}": value
        for where in ("at one rate", "at best rates")
        for what, value in {
            "pairs in which attention explains more": 1,
            "pairs in which it explains less": 1,
            "mean share that attention adds": -0.02,
            "what it adds to kept gradients": -0.2,
        }.items()
    },
}
TURNED = {
    "costs": {"power of T of memory with full attention": 1.1},
    "learning": {"updates of orth-RNN and expRNN over those of the other networks": 1.0},
    "longer": {"networks that learn to copy": 2},
    "transfer": {"the most that others keep": 0.95},
    "attending": {"states attended over past states, at most": 0.6},
    "buffer_alone": {"recall that a relevant set adds": 0.05},
    "arriving": {"orders between networks": 4},
    "widening": {"pairs in which attention explains more at one rate": 0},
    "at_best_rates": {"pairs in which it explains less at best rates": 0},
}
TASK = {
    "name": "delayed_sum",
    "input_size": 2,
    "noise_sd": 0.3,
    "duration": 16,
    "lags": [2, 5],
    "coefficients": [0.5, 0.5],
}
SIZES = {"training": 40, "validation": 20}
COPY = {"name": "copy", "delay": 5, "symbols": 2, "alphabet": 2}
TRAINING = {"engine": "native", "epochs": 4, "batch_size": 20, "gradient_clip": 1.0, "loss_reduction": "mean"}


def small() -> dict[str, Any]:
    return {
        "norms": {
            "architectures": {"rnn": {"cell": "rnn"}, "orth_rnn": {"cell": "orth_rnn"}},
            "units": 4,
            "delay": 20,
            "sequences": 2,
        },
        "costs": {
            "full": {"mem_rnn": {"cell": "mem_rnn"}},
            "others": {"rnn": {"cell": "rnn"}, "rel_rnn": {"cell": "rel_rnn"}},
            "units": 4,
            "delay": 60,
            "batch_size": 1,
        },
        "copy": {
            "task": COPY | {f"{split}_sequences": count for split, count in SIZES.items()},
            "network": {"hidden_size": 6, "readout_bias": True},
            "architectures": {
                "orth_rnn": {"cell": "orth_rnn"},
                "exp_rnn": {"cell": "exp_rnn"},
                "mem_rnn": {"cell": "mem_rnn", "mix": "mean"},
                "rel_rnn": {"cell": "rel_rnn", "mix": "mean", "relevant": 2, "short_term": 2},
                "buffer_rnn": {"cell": "rel_rnn", "mix": "mean", "relevant": 0, "short_term": 2},
            },
            "optimizer": {"method": "adam", "learning_rate": 0.02},
            "training": {**TRAINING, "epochs": 25, "fresh": True},
            "sequences": 50,
        },
        "delayed_sum": {
            "task": TASK | {f"{split}_sequences": count for split, count in SIZES.items()},
            "network": {"hidden_size": 4, "readout_bias": False},
            "architectures": {"rnn": {"cell": "rnn"}, "rel_rnn": {"cell": "rel_rnn", "mix": "mean"}},
            "optimizer": {"method": "adam"},
            "learning_rates": [0.001, 0.01, 0.05],
            "training": {key: value for key, value in TRAINING.items() if key != "engine"},
        },
    }


def test_every_headline_has_an_answer_that_its_own_numbers_can_turn() -> None:
    assert TURNED.keys() == HEADLINES.keys() < {question.__name__ for question in QUESTIONS}
    assert set().union(*(headline.numbers for headline in HEADLINES.values())) == STORED.keys()
    for name, headline in HEADLINES.items():
        own = {number: STORED[number] for number in headline.numbers}
        assert headline.answer(own) != headline.answer(own | TURNED[name]), name


def test_numbers_of_small_networks_are_those_of_the_headlines(tmp_path: Any) -> None:
    """The gain is that of both networks, trained here one by one, at the middle and at the best rate."""
    settings = small()
    numbers = headline_numbers(settings, 1, 0)
    assert numbers.keys() == STORED.keys()
    assert numbers["orders between networks"] > 0 and math.isnan(numbers["what it adds to kept gradients at one rate"])
    task: Any = build_task(TASK, 1, 0)
    sequences = [task.generate(split, count) for split, count in SIZES.items()]
    shares: dict[str, list[float]] = {}
    for name, cell in settings["delayed_sum"]["architectures"].items():
        network = Network.for_task(cell, task, hidden_size=4, readout_bias=False)
        for rate in (0.001, 0.01, 0.05):
            run = Run(name, {"method": "adam", "learning_rate": rate}, 1, 0, *sequences)
            (trained,) = train(network, TrainingSettings(**TRAINING), [run], tmp_path / f"{name}_{rate}")
            last = trained.curve.iloc[-1]
            variance = last["validation_loss"] / (1 - last["r_squared"])
            shares.setdefault(name, []).append((variance - last["validation_loss"]) / (variance - 0.3**2))
    middle, best = (shares["rel_rnn"][1] - shares["rnn"][1], max(shares["rel_rnn"]) - max(shares["rnn"]))
    found = [numbers[f"mean share that attention adds at {where}"] for where in ("one rate", "best rates")]
    np.testing.assert_allclose(found, [middle, best], rtol=1e-10)
    full, others = (number for name, number in numbers.items() if name.startswith("power of T"))
    assert others < 1.05 < 1.2 < full < 2


def test_networks_that_copy_are_those_that_the_workflow_would_train(tmp_path: Any) -> None:
    """Recall of each, counted here by argmax on the sequences of the measure, at the delay and at four times it."""
    settings = small()["copy"]
    numbers = copying_numbers(settings, 1, 0)
    task: Any = build_task(COPY, 1, 0)
    sequences = [task.generate(split, count) for split, count in SIZES.items()]
    recall: dict[str, list[float]] = {}
    first: dict[str, float] = {}
    for name, cell in settings["architectures"].items():
        network = Network.for_task(cell, task, hidden_size=6, readout_bias=True)
        options = TrainingSettings(**settings["training"])
        run = Run(name, settings["optimizer"], 1, 0, *sequences, task=task)
        (trained,) = train(network, options, [run], tmp_path / name)
        reached = trained.curve.loc[trained.curve["validation_accuracy"] >= 0.9, "epoch"]
        first[name] = float(reached.min()) if len(reached) else math.inf
        recall[name] = []
        for delay in (5, 20):
            drawn = replace(task, delay=delay).generate("diagnostic", 50)
            with torch.no_grad():
                hidden = hidden_units(network.cell, trained.parameters, torch.from_numpy(drawn.inputs).float())
            named = (hidden @ trained.parameters["w"].T + trained.parameters["b"]).argmax(-1).numpy()
            recall[name].append(float((named == drawn.targets)[:, -2:].mean()))
    assert max(value for value, _ in recall.values()) >= 0.9  # some learn, so that the numbers have something to count
    assert numbers["networks that learn to copy"] == sum(own >= 0.9 for own, _ in recall.values())
    kept = {name: far / own for name, (own, far) in recall.items()}
    assert numbers["share of its recall that screening keeps at a longer delay"] == pytest.approx(kept["rel_rnn"])
    others = max(kept[name] for name in ("orth_rnn", "exp_rnn", "mem_rnn"))
    assert numbers["the most that others keep"] == pytest.approx(others)
    added = recall["rel_rnn"][0] - recall["buffer_rnn"][0]
    assert numbers["recall that a relevant set adds"] == pytest.approx(added)
    fastest = [min(first[name] for name in names) for names in (("orth_rnn", "exp_rnn"), ("mem_rnn", "rel_rnn"))]
    ratio = min(fastest[0], 26) / min(fastest[1], 26)
    assert numbers["updates of orth-RNN and expRNN over those of the other networks"] == pytest.approx(ratio)
