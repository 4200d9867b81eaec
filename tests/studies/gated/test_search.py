"""Numbers by seed are judged as the scorecard judges them, and the most sensitive settings are told."""

import pandas as pd
import pytest

from learnability.core.errors import InputError
from learnability.core.variation import COLUMNS, vary
from learnability.report.findings import Finding
from learners import ADAM, ROOT_SEED, TASK, TRAINING, learner
from studies.gated import search
from studies.gated.depth import measure as depth
from studies.gated.exhibit import ExhibitRequest, statements
from studies.gated.judged import claims_of, how_sure, seeds_of, verdicts_of


def claim(name, *conditions):
    common = {"where": "Sec. 1", "claim": "it is", "artefact": "", "tuned": {}, "after_results": []}
    clauses = [{"measure": "stated", "at": at, "of": ["notes"], "met": [1, 5]} for at in conditions]
    return common | {"id": name, "by_construction": [], "conditions": clauses}


NOTES = {"claims": [claim("a", "one"), claim("b", "one", "other"), claim("c", "elsewhere")]}


def test_numbers_of_seeds_are_judged_as_by_the_scorecard():
    numbers = seeds_of(statements([("one", 0, 2.0), ("one", 1, 3.0), ("other", 0, 0.0), ("other", 1, 2.0)]))
    assert numbers == {"one@0": 2, "one@1": 3, "other@0": 0, "other@1": 2}
    claims = claims_of(NOTES, numbers)
    assert [item["id"] for item in claims] == ["a", "b"]
    assert verdicts_of(claims, numbers) == {"a": "reproduced", "b": "partly"}
    assert verdicts_of(claims, numbers | {"one@1": 0.0})["a"] == "not reproduced"
    assert verdicts_of([], numbers) == {}


def test_the_two_most_sensitive_settings_are_told():
    rows = [("x", 6, 2, 1, 0.5, "one@0", ""), ("y", 1, 3, 2, 0.25, "other@0", ""), ("z", 1, 3, None, None, None, "no")]
    finding = Finding("?", "!", "", {}, "a guess.", ("", ""))
    assert how_sure(finding, pd.DataFrame(rows, columns=COLUMNS)).sensitive_to == (
        "Two of 2 settings, each varied alone in small runs of one seed, change verdicts; tripling `y` "
        "changes most, 2. Dividing `x` by three moves *one* most, by 50 %. What also matters, by judgement: a guess."
    )
    assert how_sure(finding).sensitive_to == "What matters, by judgement and not by a search: a guess."


def test_verdicts_are_counted_out_of_all_and_statements_have_their_words():
    rows = [("y", 1, 3, 2, 0.25, "one_other@0", "")]
    notes = NOTES | {"words": {"stated": {"one_other": "ratio of one to other, %"}}}
    finding = how_sure(Finding("?", "!", "", {}, "", ("", "")), pd.DataFrame(rows, columns=COLUMNS), notes)
    assert finding.sensitive_to.startswith(
        "The one setting that was varied in small runs of one seed changes verdicts: tripling `y` changes 2 "
        "of 3. It moves *ratio of one to other* (`one_other`) most, by "
    )


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
    variations = {variation.setting: variation.settings for variation in vary(settings, (2.0,), search.NOT_VARIED)}
    assert "task.validation_sequences" not in variations
    double = search.with_settings(RUNS, variations["training.epochs"])
    assert [network_run["training"]["epochs"] for network_run in double] == [4, 4, 8]
    assert [{**network_run, "training": RUNS[place]["training"]} for place, network_run in enumerate(double)] == RUNS
    lags = search.with_settings(RUNS, variations["task.lags"])
    assert {tuple(network_run["task"]["lags"]) for network_run in lags} == {(4, 10)}


def test_a_reservoir_is_varied_by_what_it_is_drawn_by():
    reservoir_settings = {"units": 6, "leak": 0.5, "penalties": [0.1, 1.0], "washout": 2}
    reservoir = run("reservoir", {"cell": "const_gate", "gate_value": 0.5}) | {"reservoir": reservoir_settings}
    settings = search.settings_of({}, [reservoir], ROOT_SEED)
    assert "network.hidden_size" not in settings and "architecture.gate_value" not in settings
    (varied_run,) = search.with_settings([reservoir], settings | {"reservoir.units": [9], "reservoir.leak": [0.25]})
    assert varied_run["network"]["hidden_size"] == varied_run["reservoir"]["units"] == 9
    beside = [variation.setting for variation in vary(settings, (2.0,), search.not_varied([*RUNS, reservoir]))]
    assert "reservoir.leak" in beside and "reservoir.units" not in beside  # or sizes would no longer be equal
    assert search.not_varied(RUNS) == search.NOT_VARIED
    assert varied_run["architecture_settings"]["gate_value"] == 0.25


def test_statements_are_those_of_the_exhibit_of_networks_that_the_workflow_trains(tmp_path):
    settings = {"sequences": 5, "test_sequences": 9, "lags": [1, 2, 4]}
    runs = [run("lstm", LSTM), run("lstm_2_layers", LSTM | {"layers": 2})]
    for network_run in runs:
        network_run["experiment"] = "depth"
    models = [
        learner(tmp_path, "depth", entry["architecture"], entry["architecture_settings"])._replace(settings=entry)
        for entry in runs
    ]
    table = depth.make(ExhibitRequest(settings, [0], ROOT_SEED, models)).statements
    depth_search = search.Search("depth", runs, [0], None)
    values = depth_search.statements(search.settings_of(settings, runs, ROOT_SEED))
    assert values == {f"{name}@{seed}": value for name, seed, value in table.itertuples(index=False)}
    with pytest.raises(InputError, match=r"gated.exhibits.depth.lags.*below the duration"):
        depth_search.statements(search.settings_of(settings | {"lags": [1, 16]}, runs, ROOT_SEED))
