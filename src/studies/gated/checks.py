"""Checks of settings of the study with the rest of the configuration, and parts of checks of its questions."""

from collections.abc import Mapping, Sequence
from typing import Any

from learnability.core.errors import InputError, require
from learnability.tasks import build_task
from studies.gated.questions import find_check, settings_of
from studies.questions import find_questions
from studies.settings.checks import check_experiments
from studies.settings.refusals import known
from studies.settings.runs import experiments_of

Values = Mapping[str, Any]
SMALLEST = 1e-6
"""Factor of weights or inputs."""
MEAN_DEGREE = 2
"""Connections of a unit from which on no sparse reservoir is without a cycle, but for one in 10²⁰ or so."""


def check(config: Values) -> None:
    """Raise `InputError` for the first setting that networks, reservoirs or exhibits cannot be made with."""
    check_experiments(config)
    reservoirs, key = config["gated"]["reservoirs"], "gated.reservoirs"
    known(f"{key}.experiment", reservoirs["experiment"], list(experiments_of(config)))
    experiment = experiments_of(config)[reservoirs["experiment"]]
    require("delays" not in experiment, f"{key}.experiment", "one without delays", reservoirs["experiment"])
    for name in reservoirs["networks"]:
        require(name not in config["architectures"], f"{key}.networks", "other names than of architectures", name)
        for table in ("colours", "labels"):
            require(name in config["figures"][table], f"figures.{table}.{name}", "given", None)
    duration, washout = duration_of(config, reservoirs["experiment"]), reservoirs["washout"]
    require(washout < duration, f"{key}.washout", f"below the duration ({duration})", washout)
    check_exhibits(config)


def check_exhibits(config: Values) -> None:
    """Raise `InputError` for the first setting that an exhibit cannot be made with."""
    _check_exhibited(config)
    exhibits = config["gated"]["exhibits"]
    for name in find_questions("gated"):
        if check := find_check(name):
            check(f"gated.exhibits.{name}", settings_of(name, exhibits), config)


def _check_exhibited(config: Values) -> None:
    experiments = config["gated"]["experiments"]
    for exhibit, question in find_questions("gated").items():
        for name, requirements in question.experiments.items():
            key = f"gated.experiments.{name}"
            require(name in experiments, key, f"given for the exhibit '{exhibit}'", None)
            experiment = experiments[name]
            task = experiment["task"]["name"]
            requirement = f"'{requirements.task}' for the exhibit '{exhibit}'"
            require(task == requirements.task, f"{key}.task.name", requirement, task)
            require("delays" not in experiment, f"{key}.delays", "left out", experiment.get("delays"))
            networks = experiment["networks"]
            for network in requirements.compared:
                require(network in networks, f"{key}.networks", f"given with '{network}' in it", list(networks))
                seeds = networks[network].get("fewer_seeds")
                requirement = "left out of networks that are compared with each other"
                require(seeds is None, f"{key}.networks.{network}.fewer_seeds", requirement, seeds)
            require(bool(networks), f"{key}.networks", "at least one", {})


def check_scales(key: str, settings: Values, *names: str, largest: float = 100) -> None:
    """Raise `InputError` for a factor of weights or inputs at which states vanish, or are ±1 to their last digit."""
    for name in names:
        values: Any = settings
        for part in name.split("."):
            values = values[part]
        for value in values if isinstance(values, list) else [values]:
            fits = SMALLEST <= value <= largest
            require(fits, f"{key}.{name}", f"from {SMALLEST:g} to {largest:g}", values)


def duration_of(config: Values, experiment: str) -> int:
    """T of the task of an experiment."""
    task: Any = build_task(config["gated"]["experiments"][experiment]["task"], config["root_seed"], 0)
    return int(task.duration)


def check_lags(key: str, lags: Sequence[int], config: Values, *experiments: str) -> None:
    """Raise `InputError` for increasing lags that are not below the durations of experiments."""
    for experiment in experiments:
        duration = duration_of(config, experiment)
        require(lags[-1] < duration, key, f"below the duration of '{experiment}' ({duration})", lags[-1])


def check_reservoir(key: str, options: Values, config: Values, units: int, *other: str) -> None:
    """Raise `InputError` for what draw_reservoir does not take, or what the exhibit gives itself."""
    for name in other:
        require(name not in options, f"{key}.{name}", "left out, for the exhibit gives it", options.get(name))
    density = options.get("density", 1)
    if density < 1 and density * units < MEAN_DEGREE:
        from learnability.reservoirs import draw_reservoir  # slow to import, and rarely needed

        for seed in config["seeds"]:
            try:
                draw_reservoir(units, 1, config["root_seed"], seed, density=density)
            except InputError as error:
                requirement = f"such that some units of {units} are connected in a cycle, with seed {seed}"
                raise InputError(f"'{key}.density' must be {requirement}. Got {density}.") from error
