"""Checks that studies share: settings of what is trained, and of experiments, with the rest of the configuration."""

from collections.abc import Mapping
from typing import Any

from learnability.core.errors import InputError, require
from learnability.tasks import build_task
from studies.settings.refusals import check_settings, known, unknown, within
from studies.settings.registered import (
    CELLS,
    SOURCE,
    TASKS,
    cells_that_assign,
    is_class,
    references,
    registries,
    settings_of,
)
from studies.settings.runs import SIZES, Run, all_runs, experiments_of
from studies.settings.whole import part_of, schema_of, whole_configuration

REGULARIZATION = (
    "dropout",
    "variational_dropout",
    "drop_connect",
    "activity_regularization",
    "temporal_regularization",
)
"""Settings of training that every cell may have."""
OF_EVERY_CELL = ("layers", *REGULARIZATION, "start", "readout_bias")
"""Settings that every architecture takes."""
STARTS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("rnn", "orth_rnn", "exp_rnn"), ("input", "recurrent", "bias", "modrelu")),
    **dict.fromkeys(("mem_rnn", "rel_rnn"), ("input", "recurrent", "bias", "modrelu", "alignment", "alignment_vector")),
    **dict.fromkeys(("lstm", "chrono_lstm"), ("gates", "bias")),
    **dict.fromkeys(("mem_lstm", "rel_lstm", "sab"), ("gates", "bias", "alignment", "alignment_vector")),
}
"""Roles of which a cell has parameters, beside those of every readout; `modrelu` with that nonlinearity alone."""


def check_run(config: Mapping[str, Any]) -> None:
    """Raise `InputError` for a setting of `task`, `network`, `training` or `architectures` that cannot be trained."""
    parts = ("task", "network", "training", "architectures")
    check_settings({key: config[key] for key in parts}, part_of(*parts))
    check_trained(config)


def check_trained(config: Mapping[str, Any]) -> None:
    """Raise `InputError` for a task, a cell or a batch that fits its schema and cannot be trained."""
    _check_task(config)
    _check_cells(config)
    batch, sequences = config["training"]["batch_size"], config["task"]["training_sequences"]
    require(batch <= sequences, "training.batch_size", f"at most task.training_sequences ({sequences})", batch)
    if config["training"]["engine"] == "cuda":
        device = config["training"]["device"]
        require(device == "cuda", "training.device", "cuda for training.engine cuda", device)


def _check_task(config: Mapping[str, Any]) -> None:
    task = config["task"]
    if ":" in task["name"]:
        return
    settings = {name: settings_of(TASKS, name).keys() for name in references(SOURCE, TASKS)}
    known("task.name", task["name"], list(settings))
    fields = settings[task["name"]]
    of_others = set().union(*settings.values()) - fields - settings["delayed_sum"]
    keys = [key for key in schema_of(whole_configuration())["properties"]["task"]["properties"] if key not in of_others]
    for key in task:
        if key not in keys:
            raise InputError(unknown(f"task.{key}", key, keys))
    build_task(task, config["root_seed"], 0)
    requirement = f"false for task {task['name']}, which is read and has no more"
    require(not ("source" in fields and config["training"].get("fresh")), "training.fresh", requirement, True)


def _check_cells(config: Mapping[str, Any]) -> None:
    for name, settings in config["architectures"].items():
        if ":" not in settings["cell"]:
            entries, key = references(SOURCE, CELLS), f"architectures.{name}.cell"
            known(key, settings["cell"], list(entries))
            entry = entries[settings["cell"]]
            require(is_class(SOURCE, entry), key, "registered by the module and name of a class that is there", entry)
            of_cell, keys = settings_of(CELLS, settings["cell"]), sorted(set(settings) - {"cell"})
            mandatory = [key for key, is_needed in of_cell.items() if is_needed]
            optional = [*(key for key in of_cell if key not in mandatory), *OF_EVERY_CELL]
            requirement = f"given '{mandatory[0]}' and" if mandatory else "given"
            fits = set(mandatory) <= set(keys) <= {*mandatory, *optional}
            require(fits, f"architectures.{name}", f"{requirement} no other setting than {', '.join(optional)}", keys)
            _check_start(f"architectures.{name}.start", settings)
            single = settings["cell"] not in registries(SOURCE, CELLS)["ATTENTIVE"] or settings.get("layers", 1) == 1
            require(single, f"architectures.{name}.layers", "1 for a cell with attention", settings.get("layers"))


def _check_start(key: str, settings: Mapping[str, Any]) -> None:
    roles = [*STARTS.get(settings["cell"], ()), "readout", "readout_bias"]
    default = "modrelu" if settings["cell"] in ("orth_rnn", "exp_rnn") else "tanh"
    if "modrelu" in roles and settings.get("nonlinearity", default) != "modrelu":
        roles.remove("modrelu")
    for role in settings.get("start", {}):
        require(role in roles, key, f"given for {', '.join(roles)} alone", role)


def check_optimizers(config: Mapping[str, Any]) -> None:
    """Raise `InputError` for a learning rate of a matrix that is not kept orthogonal, of a cell without one."""
    for run in all_runs(config):
        cell, key = run["architecture_settings"]["cell"], f"optimizers.{run['optimizer']}.orthogonal_learning_rate"
        rate = run["optimizer_settings"].get("orthogonal_learning_rate")
        if rate is not None and ":" not in cell:
            orthogonal = cells_that_assign("ORTHOGONAL")
            with_one = f"of cells, {' and '.join(orthogonal)} keep a matrix orthogonal"
            require(cell in orthogonal, key, f"left out for {run['architecture']}: {with_one}", rate)


def check_experiments(config: Mapping[str, Any]) -> None:
    """Raise `InputError` for the first setting of a study's experiments or recipes that cannot be trained."""
    study = config["study"]
    for name, experiment in experiments_of(config).items():
        key = f"{study}.experiments.{name}"
        delays, windows = experiment.get("delays", []), experiment.get("windows", {})
        for architecture, network in experiment["networks"].items():
            known(f"{key}.networks", architecture, list(config["architectures"]))
            known(f"{key}.networks.{architecture}.optimizer", network["optimizer"], list(config["optimizers"]))
            some = network.get("delays", [])
            require(set(some) <= set(delays), f"{key}.networks.{architecture}.delays", f"some of {delays}", some)
        networks = list(experiment["networks"])
        for kind, values in (("networks", networks), ("delays", delays)):
            some = list(windows.get(kind, []))
            require(set(some) <= set(values), f"{key}.windows.{kind}", f"some of {values}", some)
        _check_further(config, experiment, f"{key}.further")
    _check_recipes(config)
    known_settings: list[dict[str, Any]] = []
    for run in all_runs(config):
        names = ("architecture", "architecture_settings", "task", "network", "training", "windows")
        settings = {name: run[name] for name in names}
        if settings in known_settings:  # seeds and rates multiply runs, not settings
            continue
        known_settings.append(settings)
        architectures = {run["architecture"]: run["architecture_settings"]}
        with within(f"{study}.experiments.{run['experiment']}"):
            task, others = config["task"] | run["task"], {key: run[key] for key in ("network", "training")}
            check_run({"root_seed": config["root_seed"], "architectures": architectures, "task": task, **others})
            _check_windows(run, build_task(run["task"], config["root_seed"], run["seed"]))


def _check_recipes(config: Mapping[str, Any]) -> None:
    study = config["study"]
    for recipe, parts in config[study].get("recipes", {}).items():
        for name, part in parts.items():
            key = f"{study}.recipes.{recipe}.{name}"
            known(f"{study}.recipes.{recipe}", name, list(experiments_of(config)))
            experiment = experiments_of(config)[name]
            require("delays" in experiment, f"{study}.recipes.{recipe}", "of experiments with delays", name)
            for architecture, network in part["networks"].items():
                known(f"{key}.networks", architecture, list(experiment["networks"]))
                known(f"{key}.networks.{architecture}.optimizer", network["optimizer"], list(config["optimizers"]))
                single, delays = network.get("single_seed_delays", []), network.get("delays", part["delays"])
                requirement = f"other delays than those of several seeds ({delays})"
                fits = set(single).isdisjoint(delays)
                require(fits, f"{key}.networks.{architecture}.single_seed_delays", requirement, single)


def _check_further(config: Mapping[str, Any], experiment: Mapping[str, Any], key: str) -> None:
    delays, of_all = experiment.get("delays", []), {**config["training"], **experiment["training"]}["epochs"]
    delays_of = {(name, "", 0): set(network.get("delays", delays)) for name, network in experiment["networks"].items()}
    for place, part in enumerate(experiment.get("further", [])):
        epochs, sizes, of_part = part.get("epochs", 0), part.get("sizes", False), f"{key}.{place}"
        require(not epochs or epochs > of_all, f"{of_part}.epochs", f"more than training.epochs ({of_all})", epochs)
        require(not (epochs and sizes), of_part, "given epochs or sizes, not both", sorted(part))
        here = not sizes or config["study"] == "attention"
        require(here, f"{of_part}.sizes", "left out but in the study 'attention'", config["study"])
        for name in part["networks"]:
            known(f"{of_part}.networks", name, list(experiment["networks"]))
            if sizes:
                cells = references(SOURCE, CELLS)
                screening = [cell for cell in cells if settings_of(CELLS, cell).keys() >= set(SIZES)]
                screens = config["architectures"][name]["cell"] in screening
                require(screens, f"{of_part}.networks", f"of cells with screening, {' and '.join(screening)}", name)
            before = delays_of.setdefault((name, "sizes" if sizes else "", epochs), set())
            requirement = f"none at which '{name}' is trained already ({sorted(before)})"
            require(before.isdisjoint(part["delays"]), f"{of_part}.delays", requirement, part["delays"])
            before.update(part["delays"])


def _check_windows(run: Run, task: Any) -> None:
    if run["windows"]:
        lags = run["windows"]["lags"]
        inside = lags == sorted(lags) and lags[-1] < task.duration
        require(inside, "windows.lags", f"increasing and below the duration ({task.duration})", lags)
        shared = f"such that one is of the task ({list(task.dependencies)})"
        require(not set(lags).isdisjoint(task.dependencies), "windows.lags", shared, lags)
