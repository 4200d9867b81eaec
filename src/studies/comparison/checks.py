"""Checks of settings of the study with the rest of the configuration."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from learnability.core.errors import require, require_one_of
from learnability.windows.readings import whole_readings
from studies.comparison.section import contest_of, sizes_of, sums_of
from studies.settings.checks import check_run
from studies.settings.refusals import within


def check(config: Mapping[str, Any]) -> None:
    """Raise `InputError` for the first setting with which cells cannot be trained or compared."""
    for name, task in config["comparison"]["tasks"].items():
        task_settings = {key: value for key, value in task.items() if key != "test_sequences"}
        replacements = {
            "task": {**config["task"], **task_settings},
            "training": {**config["training"], "batch_size": 1},
        }
        with within(f"comparison.tasks.{name}"):
            check_run({**config, **replacements})
    _check_cells(config)
    check_sizes(config["comparison"])
    check_sample_sizes(config["comparison"])
    check_divisor(config["comparison"])


def _check_cells(config: Mapping[str, Any]) -> None:
    section, key = config["comparison"], "comparison"
    cells = [name for members in section["families"].values() for name in members]
    for name in cells:
        require_one_of(f"{key}.families", name, config["architectures"])
        require(cells.count(name) == 1, f"{key}.families", f"such that '{name}' is in one of them", cells.count(name))
        for table in ("colours", "labels"):
            require(name in config["figures"][table], f"figures.{table}.{name}", "given", None)
    require(len(cells) > 0, f"{key}.families", "such that one has a cell", section["families"])
    for name in section["contests"]:
        require_one_of(f"{key}.contests", name, section["tasks"])
    require_one_of(f"{key}.reading", section["reading"], config["readings"])
    probe = whole_readings(config["readings"])[section["reading"]]["statistic"]["probe"]
    require(probe == "own_gradient", f"{key}.reading", "one along each lag's own gradient", section["reading"])
    device = config["training"]["device"]
    requirement = "cpu in the study comparison, whose trainings are many and short"
    require(device == "cpu", "training.device", requirement, device)
    for name, task in section["tasks"].items():
        batch, sequences = section["race"]["batch_size"], task["training_sequences"]
        requirement = f"at most {sequences}, the training sequences of {name}"
        require(batch <= sequences, f"{key}.race.batch_size", requirement, batch)


def check_sizes(section: Mapping[str, Any]) -> None:
    """Raise `InputError` for the first setting with which orders at several sizes cannot be compared.

    Args:
        section: settings of the study.
    """
    require(bool(sizes_of(section)), "comparison.sizes", "such that one contest has a further size", section["sizes"])
    for task, further in section["sizes"].items():
        if not further:  # which is how a preset takes the sizes of another away
            continue
        key = f"comparison.sizes.{task}"
        require_one_of("comparison.sizes", task, section["contests"])
        of_race = section["race"]["parameters"]
        require(of_race not in further, key, f"other than {of_race}, which is race.parameters", further)
        clashes = [name for name in (contest_of(task, size, section) for size in further) if name in section["tasks"]]
        require(not clashes, key, "such that no contest has the name of a task", clashes)


def check_sample_sizes(section: Mapping[str, Any]) -> None:
    """Raise `InputError` for the first setting with which nothing can be trained on fewer sequences than in a race.

    Args:
        section: settings of the study.
    """
    settings, key = section["sample_sizes"], "comparison.sample_sizes"
    require(settings["task"] in _delayed_sums(section), f"{key}.task", "a contest at a delayed_sum", settings["task"])
    most = section["tasks"][settings["task"]]["training_sequences"]
    requirement = f"fewer than {most}, the training sequences of {settings['task']}"
    require(max(settings["sequences"]) < most, f"{key}.sequences", requirement, settings["sequences"])
    of_race = section["race"]["seeds"]
    require(settings["seeds"] <= of_race, f"{key}.seeds", f"at most {of_race}, the seeds of a race", settings["seeds"])
    cells = [name for members in section["families"].values() for name in members]
    for name in settings["longer"]:
        require_one_of(f"{key}.longer", name, cells)


def check_divisor(section: Mapping[str, Any]) -> None:
    """Raise `InputError` for the first setting with which sums with and without a common divisor cannot be compared.

    Args:
        section: settings of the study.
    """
    sums, key = sums_of(section), "comparison.divisor"
    if "divisor" not in sums:
        require("control" not in sums, f"{key}.control", f"empty where {key}.task is", sums.get("control"))
        return
    lags = _lags_of_further_sum(section, f"{key}.task", sums["divisor"])
    require(math.gcd(*lags) > 1, f"{key}.task", "a task whose lags have a common divisor above 1", lags)
    if "control" in sums:
        _check_control(f"{key}.control", _lags_of_further_sum(section, f"{key}.control", sums["control"]), lags)


def _lags_of_further_sum(section: Mapping[str, Any], key: str, name: str) -> Sequence[int]:
    """Lags of a delayed sum that is no contest."""
    require_one_of(key, name, section["tasks"])
    task: Mapping[str, Any] = section["tasks"][name]
    is_further = task["name"] == "delayed_sum" and name not in section["contests"]
    require(is_further, key, "a delayed_sum that is none of comparison.contests", name)
    lags: Sequence[int] = task["lags"]
    return lags


def _check_control(key: str, lags: Sequence[int], longer: Sequence[int]) -> None:
    require(math.gcd(*lags) == 1, key, "a task whose lags have no common divisor above 1", lags)
    is_as_long = (len(lags), max(lags)) == (len(longer), max(longer))
    require(is_as_long, key, f"a task with {len(longer)} lags, the longest of them {max(longer)}", lags)


def _delayed_sums(section: Mapping[str, Any]) -> list[str]:
    """Contests at delayed sums."""
    return [name for name in section["contests"] if section["tasks"][name]["name"] == "delayed_sum"]
