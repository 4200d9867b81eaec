"""Numbers that a search over settings computes, and headlines that other numbers turn."""

import math
from pathlib import Path
from typing import Any

from learnability.core.variation import vary_headlines
from learnability.core.yaml_files import load_yaml
from learnability.report.findings import Finding
from learnability.report.sensitive import with_searched
from studies.ground_truth import analysed
from studies.ground_truth.headlines import FACTORS, HEADLINES, NOT_VARIED, headline_numbers
from studies.questions import find_questions

NUMBERS = {
    "orders between the least and the largest N₅₀": 2.5,
    "share of settings learned": 0.9,
    "mean r/c from the smallest N": 0.43,
    "mean r/c from fresh sequences": 0.64,
}
OPPOSITES = {
    "thresholds": {"orders between the least and the largest N₅₀": 0.9},
    "together": {"mean r/c from fresh sequences": 0.95},
}


def small() -> dict[str, Any]:
    full = load_yaml((Path(__file__).parents[3] / "config" / "config.yaml").read_text())
    return {
        "task": {"name": "delayed_sum", "input_size": 2, "noise_sd": 0.3, "duration": 24},
        "network": {"hidden_size": 4, "readout_bias": False},
        "architectures": {name: full["architectures"][name] for name in ("const_gate", "diag_gate")},
        "optimizer": full["optimizers"]["adamw"] | {"learning_rate": 0.05},
        "gradient_clip": 1.0,
        "coefficient": 0.6,
        "sample_sizes": [2, 8],
        "updates": 40,
        "batch_size": 8,
        "sequences": 30,
        "grids": {
            "dense": {"input_density": 1, "lags": [1, 4]},
            "sparse": {"input_density": 0.5, "lags": [1, 4]},
            "six_lags": {"lags": [1, 3], "coefficients": [0.6, 0.4], "together": True, "sample_sizes": [4]},
        },
    }


def test_every_headline_has_an_answer_that_its_own_numbers_can_turn() -> None:
    assert OPPOSITES.keys() == HEADLINES.keys() == find_questions("ground_truth").keys() - analysed.HEADLINES.keys()
    assert set().union(*(headline.numbers for headline in HEADLINES.values())) == NUMBERS.keys()
    for name, headline in HEADLINES.items():
        assert headline.judge(NUMBERS) != headline.judge(NUMBERS | OPPOSITES[name]), name


def test_numbers_of_small_networks_are_those_of_the_headlines() -> None:
    numbers = headline_numbers(small(), 1, 0)
    assert numbers.keys() == NUMBERS.keys()
    assert 0 < numbers["share of settings learned"] <= 1
    assert math.isfinite(numbers["mean r/c from fresh sequences"])


def test_a_search_is_told_in_the_finding_that_it_is_of() -> None:
    def numbers(settings: Any) -> dict[str, float]:
        return NUMBERS | {"mean r/c from fresh sequences": settings["updates"] / 100}

    search = vary_headlines({"updates": 64, "sequences": 30}, numbers, HEADLINES, FACTORS, NOT_VARIED)
    assert set(search["setting"]) == {"updates"}
    findings = {name: Finding("?", "!", "", {}, "by hand.", ("", "")) for name in ("together", "ordered")}
    findings_of_search = with_searched(findings, search)
    assert findings_of_search["ordered"].sensitive_to == "What matters, by judgement and not by a search: by hand."
    text = findings_of_search["together"].sensitive_to
    assert (
        text.startswith("The one setting that was varied in small runs")
        and " changes the answer: doubling `updates`" in text
    )
