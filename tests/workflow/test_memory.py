"""Memory that jobs ask for: on every rule, by the configuration, and no less than jobs were measured to take."""

import re
from typing import Any

import psutil
import pytest
from yte import process_yaml

from learnability.core.store import read_table
from learnability.core.yaml_files import load_yaml
from learnability.tasks import build_task
from memory import (
    LIBRARIES,
    for_backward,
    for_data,
    for_epochs,
    for_network,
    for_resonances,
    for_training,
    for_windows,
    inputs_of,
    largest,
    on_a_cluster,
)
from studies.settings.runs import all_runs

from .conftest import ROOT, merged

RULES = [ROOT / "Snakefile", ROOT / "workflow" / "Snakefile", *sorted((ROOT / "workflow" / "rules").rglob("*.smk"))]


@pytest.mark.parametrize("path", RULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_rule_with_a_job_asks_for_memory(path: Any) -> None:
    """A rule that uses another one with other files has its resources."""
    rules = re.split(r"^ *(?:rule \w*|use rule .*):$", path.read_text(), flags=re.MULTILINE)
    heads = re.findall(r"^ *(rule \w*|use rule .*):$", path.read_text(), re.MULTILINE)
    for head, rule in zip(heads, rules[1:], strict=True):
        if "script:" in rule:
            assert "mem_mb=asks(" in rule, head


def measured(full: dict[str, Any], preset: str | None) -> dict[str, Any]:
    return merged(full, load_yaml((ROOT / "config" / f"{preset}.yaml").read_text())) if preset else full


@pytest.mark.parametrize(
    ("preset", "taken"),
    [  # as in docs/slurm.md, of the paper's sizes and of `quick`
        (None, {"data": 682, "training": 2300, "network": 792, "windows": 8400, "epochs": 786, "resonances": 711}),
        ("quick", {"data": 100, "training": 472, "network": 396, "windows": 508, "epochs": 435, "resonances": 383}),
    ],
)
def test_no_job_took_more_than_it_would_ask_for(
    full: dict[str, Any], preset: str | None, taken: dict[str, int]
) -> None:
    config = measured(full, preset)
    task, network, measurement = (config[key] for key in ("task", "network", "measurement"))
    lags = len(measurement["lags"]) + len(measurement["further_lags"])
    requests = {
        "data": for_data(task),
        "training": for_training(all_runs(config)[0]),
        "network": for_network(task, network, measurement["product_sequences"]),
        "windows": for_windows(task, lags),
        "epochs": for_epochs(task, network, config["through_training"]["sequences"]),
        "resonances": for_resonances(task, network, measurement["resonance_sequences"]),
    }
    assert all(taken[name] <= requests[name] <= 3 * taken[name] + 600 for name in taken), requests


def test_a_step_has_as_many_inputs_as_the_task_says(full: dict[str, Any]) -> None:
    """Alone it can catch a task for which a job asks for a multiple of what its sequences take."""
    for task in measured(full, "comparison")["comparison"]["tasks"].values():
        assert inputs_of(task) == build_task(task, 0, 0).input_size


def test_a_job_on_a_cluster_asks_for_snakemake_too() -> None:
    assert on_a_cluster(594) == 2000 and on_a_cluster(1800) == 2100


def test_no_gradient_took_more_than_it_asks_for(full: dict[str, Any]) -> None:
    """Peaks, above what the process had before, are those of all stored cells and delays of the study `attention`."""
    config = merged(full, load_yaml((ROOT / "config" / "attention" / "full.yaml").read_text()))
    costs = read_table(ROOT / "results" / "reference" / "attention" / "tables" / "backward_costs.csv")
    for row in costs.to_dict("records"):
        settings = {"costs": {"delays": [row["steps"] - 20], "batch_size": row["batch_size"]}, "norms": {"delay": 1}}
        request = for_backward(config["architectures"][row["architecture"]], config["network"], settings)
        assert row["peak_mib"] <= request - LIBRARIES, row


def test_the_largest_number_of_a_name_is_found_in_any_section() -> None:
    settings = {"sequences": 3, "probe": {"test_sequences": 7, "steps": [2, 9]}, "families": {"a": ["b"]}}
    assert largest(settings, "sequences") == 7 and largest(settings, "steps") == 9 and largest(settings, "units") == 0


def test_the_default_profile_limits_memory_to_what_the_machine_has() -> None:
    with (ROOT / "profiles" / "default" / "config.yaml").open() as file:
        resources = process_yaml(file, require_use_yte=True)["resources"]
    (limit,) = [int(resource.removeprefix("mem_mb=")) for resource in resources if resource.startswith("mem_mb=")]
    assert 100 < limit <= psutil.virtual_memory().total >> 20
