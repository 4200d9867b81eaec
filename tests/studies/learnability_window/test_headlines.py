"""Numbers that a search over settings computes, and headlines that other numbers turn."""

import math
from pathlib import Path
from typing import Any

from learnability.core.errors import InputError
from learnability.core.variation import vary_headlines
from learnability.core.yaml_files import load_yaml
from learnability.windows.readings import whole_readings
from studies.learnability_window.headlines import FACTORS, HEADLINES, NOT_VARIED, headline_numbers
from studies.questions import find_questions

NUMBERS = {
    "share of the middle lag": 0.65,
    "share of the farthest lag": 0.05,
    "orders by which first order is too small": 18.0,
    "largest over smallest exact sum": 1.1,
    "time constant of DiagGate, slow over ordinary start": 20.0,
    "DiagGate's window less ConstGate's, steps": 28.0,
    "tail index of pairs": 1.2,
    "tail index of means": 1.95,
    "orders by which N falls in training": 25.0,
    "orders between gates before training": 15.0,
    "share learned that was detected before": 0.99,
    "share detected that is never half learned": 0.68,
    "share of harmonics carried": 0.9,
    "loss of a slow start over an ordinary one": 2.0,
}
OPPOSITES = {
    "what_is_learned": {"share of the middle lag": 0.95},
    "first_order": {"orders by which first order is too small": 0.9},
    "envelopes": {"time constant of DiagGate, slow over ordinary start": 1.9},
    "authors_windows": {"DiagGate's window less ConstGate's, steps": 0.0},
    "tails": {"tail index of means": 1.7},
    "detected": {"orders by which N falls in training": 0.5},
    "learned_after": {"share learned that was detected before": 0.7},
    "resonances": {"share of harmonics carried": 0.4},
    "starts": {"loss of a slow start over an ordinary one": 1.05},
}


def test_every_headline_has_an_answer_that_its_own_numbers_can_turn() -> None:
    assert OPPOSITES.keys() == HEADLINES.keys() <= find_questions("learnability_window").keys()
    assert set().union(*(headline.numbers for headline in HEADLINES.values())) == NUMBERS.keys()
    for name, headline in HEADLINES.items():
        assert headline.judge(NUMBERS) != headline.judge(NUMBERS | OPPOSITES[name]), name


def test_a_search_asks_for_numbers_once_and_tells_what_turned() -> None:
    calls: list[Any] = []

    def numbers(settings: Any) -> dict[str, float]:
        calls.append(settings)
        if settings["network"]["hidden_size"] > 30:
            raise InputError("too large")
        return NUMBERS | {"share of harmonics carried": settings["training"]["epochs"] / 30}

    settings = {"network": {"hidden_size": 16}, "training": {"epochs": 30}}
    table = vary_headlines(settings, numbers, HEADLINES, FACTORS, NOT_VARIED)
    assert len(calls) == 5
    resonances = table[table["question"] == "resonances"].set_index(["setting", "varied"])
    assert (
        resonances.loc[("training.epochs", 15), "turned"] == 0
        and resonances.loc[("training.epochs", 15), "largest_change"] == 0.5
    )
    assert resonances.loc[("network.hidden_size", 32), "skipped"] == "InputError: too large"
    rest = table[(table["question"] != "resonances") & (table["skipped"] == "")]
    assert (rest["largest_change"] == 0).all()
    sooner = settings | {"training": {"epochs": 20}}
    opposite = vary_headlines(sooner, numbers, HEADLINES, FACTORS, NOT_VARIED)
    assert opposite.query("question == 'resonances' and varied == 10")["turned"].tolist() == [1]


def test_numbers_of_small_networks_are_finite() -> None:
    full = load_yaml((Path(__file__).parents[3] / "config" / "config.yaml").read_text())
    readings = whole_readings(full["readings"])
    settings = {
        "task": full["task"]
        | {"duration": 48, "input_size": 2, "lags": [4, 8], "coefficients": [0.6, 0.5]}
        | {f"{split}_sequences": 40 for split in ("training", "validation", "diagnostic")},
        "network": full["network"] | {"hidden_size": 8},
        "architectures": {
            name: full["architectures"][name] for name in ("const_gate", "shared_gate", "diag_gate", "diag_gate_slow")
        },
        "optimizer": full["optimizers"]["adamw"],
        "training": full["training"] | {"epochs": 2, "batch_size": 20},
        "readings": {name: readings[name] for name in ("paper", "published_code", "gradient_step", "own_gradient")},
        "window": full["window"] | {"draws": 100},
        "measurement": {
            "lags": [2, 4, 8],
            "product_sequences": 8,
            "resonance_sequences": 4,
            "lags_through_training": [4, 8],
            "sequences_through_training": 20,
        },
    }
    values = headline_numbers(settings, 1, 0)
    assert values.keys() == NUMBERS.keys()
    shares = ("share learned that was detected before", "share detected that is never half learned")
    assert all(math.isfinite(value) for name, value in values.items() if name not in shares)
