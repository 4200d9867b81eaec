"""Two runs that would share a folder are refused: the second would silently not be trained."""

from typing import Any

import pytest

from learnability.core.errors import InputError
from learnability.core.yaml_files import load_yaml
from studies.settings.runs import (
    all_agents,
    all_reservoirs,
    all_runs,
    check_unique,
    experiment_named,
    job_name,
    run_folder,
)

from .conftest import ROOT, merged

NETWORK = {"lstm": {"optimizer": "adamw"}}
TASK = {"name": "copy", "training_sequences": 20, "validation_sequences": 10}
RIVAL = {"task": {**TASK, "delay": 3}}


def of_study(full: dict[str, Any], study: str, **experiments: dict[str, Any]) -> dict[str, Any]:
    """The full scale of a study with no other experiments than these, no recipes and no reservoirs."""
    config = merged(full, load_yaml((ROOT / "config" / study / "full.yaml").read_text()))
    changes = {
        name: {"task": TASK, "training": {}, "networks": NETWORK, **experiment}
        for name, experiment in experiments.items()
    }
    return {**config, study: {**config[study], "experiments": changes, "recipes": {}, "reservoirs": {"networks": {}}}}


CLASHES: dict[str, dict[str, Any]] = {
    "a delay": {"copy": {"delays": [10]}, "copy_10": RIVAL},
    "a rate": {"copy": {"delays": [10], "learning_rates": [0.01]}, "copy_rate_0.01": RIVAL},
    "rates that print alike": {"copy": {"delays": [10], "learning_rates": [0.01, 0.0100000001]}},
    "a rate at two delays": {"copy": {"delays": [10, 20], "learning_rates": [0.01]}},
    "epochs": {
        "copy": {"delays": [10], "further": [{"networks": ["lstm"], "delays": [10], "epochs": 600}]},
        "copy_10_epochs_600": RIVAL,
    },
    "a delay of a longer name": {"copy": {"delays": [10], "learning_rates": [0.01]}, "copy_rate": RIVAL},
}


@pytest.mark.parametrize("study", ["attention", "gated"])
@pytest.mark.parametrize("clash", CLASHES)
def test_experiments_that_share_a_folder_or_a_name_are_refused(full: dict[str, Any], study: str, clash: str) -> None:
    with pytest.raises(InputError, match=rf"'{study}.experiments.*' must be (such that each run has|named )") as caught:
        check_unique(of_study(full, study, **CLASHES[clash]))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("study", ["", "attention", "gated"])
def test_shipped_runs_have_folders_of_their_own(full: dict[str, Any], study: str) -> None:
    config = merged(full, load_yaml((ROOT / "config" / study / "full.yaml").read_text())) if study else full
    check_unique(config)
    check_unique({**config, "training": {**config["training"], "device": "cuda"}})
    folders = [run_folder(config).format(**run) for run in [*all_runs(config), *all_reservoirs(config)]]
    assert len(folders) == len(set(folders)) > 0
    assert len(all_agents(config)) == len({str(agent) for agent in all_agents(config)})


def test_jobs_of_a_gpu_that_would_be_one_are_refused(full: dict[str, Any]) -> None:
    """`copy` with `orth_rnn` and `copy_orth` with `rnn` are both `copy_orth_rnn`: one job, on one task."""
    networks = ({name: {"optimizer": "adamw"}} for name in ("orth_rnn", "rnn"))
    experiments = {
        name: {**RIVAL, "networks": members} for name, members in zip(("copy", "copy_orth"), networks, strict=True)
    }
    config = of_study(full, "attention", **experiments)
    assert len({job_name(run) for run in all_runs(config)}) == 1
    check_unique(config)
    with pytest.raises(InputError, match="named such that no two are 'copy_orth_rnn' where they are joined"):
        check_unique({**config, "training": {**config["training"], "device": "cuda"}})


def test_an_experiment_is_found_by_the_longest_name_before_a_run() -> None:
    names = ["copy", "copy_long", "sum"]
    experiments = [experiment_named(run, names) for run in ("copy_10", "copy_long_10", "copy_rate_0.1", "sum")]
    assert experiments == ["copy", "copy_long", "copy", "sum"]
