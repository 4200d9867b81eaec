"""What a search over settings computes: numbers behind headlines, and answers that can be other ones."""

import math
from typing import Any

import numpy as np

from learnability.networks.network import Network
from learnability.tasks import build_task
from learnability.training import Run, TrainingSettings, train
from studies.attention.findings import QUESTIONS
from studies.attention.headlines import HEADLINES, headline_numbers

STORED = {
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
TRAINING = {"engine": "native", "epochs": 4, "batch_size": 20, "gradient_clip": 1.0, "loss_reduction": "mean"}


def small() -> dict[str, Any]:
    return {
        "norms": {
            "architectures": {"rnn": {"cell": "rnn"}, "orth_rnn": {"cell": "orth_rnn"}},
            "units": 4,
            "delay": 20,
            "sequences": 2,
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
