"""How sure: numbers by seed are judged as the scorecard judges them, and the most sensitive settings are told."""

import pandas as pd
import pytest

from learnability.core.errors import InputError
from learnability.core.variation import COLUMNS, vary
from learnability.report.findings import Finding
from learners import ADAM, ROOT_SEED, TASK, TRAINING, learner
from studies.gated import search
from studies.gated.depth import measure as depth
from studies.gated.exhibit import Asked, statements
from studies.gated.judged import claims_of, how_sure, seeds_of, verdicts_of


def claim(name, *conditions):
    common = {"where": "Sec. 1", "claim": "it is", "artefact": "", "tuned": {}, "after_results": []}
    asked = [{"measure": "stated", "at": at, "of": ["notes"], "met": [1, 5]} for at in conditions]
    return common | {"id": name, "by_construction": [], "conditions": asked}


NOTES = {"claims": [claim("a", "one"), claim("b", "one", "other"), claim("c", "elsewhere")]}


def test_numbers_of_seeds_are_judged_as_by_the_scorecard():
    stated = seeds_of(statements([("one", 0, 2.0), ("one", 1, 3.0), ("other", 0, 0.0), ("other", 1, 2.0)]))
    assert stated == {"one@0": 2, "one@1": 3, "other@0": 0, "other@1": 2}
    judged = claims_of(NOTES, stated)
    assert [each["id"] for each in judged] == ["a", "b"]
    assert verdicts_of(judged, stated) == {"a": "reproduced", "b": "partly"}
    assert verdicts_of(judged, stated | {"one@1": 0.0})["a"] == "not reproduced"
    assert verdicts_of([], stated) == {}


def test_the_two_most_sensitive_settings_are_told():
    rows = [("x", 6, 2, 1, 0.5, "one@0", ""), ("y", 1, 3, 2, 0.25, "other@0", ""), ("z", 1, 3, None, None, None, "no")]
    finding = Finding("?", "!", "", {}, "a guess.", ("", ""))
    assert how_sure(finding, pd.DataFrame(rows, columns=COLUMNS)).sensitive_to == (
        "Of 2 settings, varied one at a time in small runs (the quick size) of one seed, 2 change a number behind the "
        "verdicts. With `y` at 3 instead of 1, *other* changes by 25 % of its value, and 2 verdicts change. "
        "With `x` at 2 instead of 6, *one* changes by 50 % of its value, and 1 verdict changes. "
        "1 more setting cannot be varied alone. By judgement, also: a guess."
    )
    assert how_sure(finding).sensitive_to == "By judgement, not by a search: a guess."


def run(architecture, settings, rate=ADAM["learning_rate"], **training):
    at_rate = "" if rate == ADAM["learning_rate"] else f"_rate_{rate:g}"
    return {
        "experiment": f"dropout{at_rate}",
        "architecture": architecture,
        "optimizer": "adam",
        "seed": 0,
        "architecture_settings": settings,
        "optimizer_settings": ADAM | {"learning_rate": rate},
        "task": TASK,
        "network": {"hidden_size": 4, "readout_bias": False},
        "training": TRAINING | {"engine": "auto", "device": "cpu"} | training,
        "windows": None,
    }


LSTM = {"cell": "lstm", "gate_init": 0.5}
RUNS = [run("lstm", LSTM), run("lstm", LSTM, 0.03), run("lstm_dropout", LSTM | {"dropout": 0.25}, epochs=4)]


def test_a_number_is_varied_in_all_networks_by_one_factor():
    settings = search.settings_of({"sequences": 5}, RUNS, ROOT_SEED)
    assert search.with_settings(RUNS, settings) == RUNS
    assert settings["optimizer.learning_rate"] == [0.01, 0.03, 0.01]
    assert settings["training.epochs"] == [2, 2, 4]
    assert settings["architecture.dropout"] == [0.25]
    varied = {each.setting: each.settings for each in vary(settings, (2.0,), search.NOT_VARIED)}
    assert "task.validation_sequences" not in varied
    double = search.with_settings(RUNS, varied["training.epochs"])
    assert [each["training"]["epochs"] for each in double] == [4, 4, 8]
    assert [{**each, "training": RUNS[place]["training"]} for place, each in enumerate(double)] == RUNS
    lags = search.with_settings(RUNS, varied["task.lags"])
    assert {tuple(each["task"]["lags"]) for each in lags} == {(4, 10)}


def test_a_reservoir_is_varied_by_what_it_is_drawn_by():
    drawn = {"units": 6, "leak": 0.5, "penalties": [0.1, 1.0], "washout": 2}
    reservoir = run("reservoir", {"cell": "const_gate", "gate_value": 0.5}) | {"reservoir": drawn}
    settings = search.settings_of({}, [reservoir], ROOT_SEED)
    assert "network.hidden_size" not in settings and "architecture.gate_value" not in settings
    (found,) = search.with_settings([reservoir], settings | {"reservoir.units": [9], "reservoir.leak": [0.25]})
    assert found["network"]["hidden_size"] == found["reservoir"]["units"] == 9
    beside = [each.setting for each in vary(settings, (2.0,), search.not_varied([*RUNS, reservoir]))]
    assert "reservoir.leak" in beside and "reservoir.units" not in beside  # or sizes would no longer be equal
    assert search.not_varied(RUNS) == search.NOT_VARIED
    assert found["architecture_settings"]["gate_value"] == 0.25


def test_statements_are_those_of_the_exhibit_of_networks_that_the_workflow_trains(tmp_path):
    own = {"sequences": 5, "test_sequences": 9, "lags": [1, 2, 4]}
    runs = [run("lstm", LSTM), run("lstm_2_layers", LSTM | {"layers": 2})]
    for each in runs:
        each["experiment"] = "depth"
    found = [
        learner(tmp_path, "depth", each["architecture"], each["architecture_settings"])._replace(settings=each)
        for each in runs
    ]
    made = depth.make(Asked(own, [0], ROOT_SEED, found)).statements
    searched = search.Search("depth", runs, [0], None)
    stated = searched.statements(search.settings_of(own, runs, ROOT_SEED))
    assert stated == {f"{name}@{seed}": value for name, seed, value in made.itertuples(index=False)}
    with pytest.raises(InputError, match=r"gated.exhibits.depth.lags.*below the duration"):
        searched.statements(search.settings_of(own | {"lags": [1, 16]}, runs, ROOT_SEED))
