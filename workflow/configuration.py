"""Checks the configuration before anything runs, and writes its reference.

`python workflow/configuration.py` prints config/README.md.
"""

import tempfile
import unicodedata
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import yaml

from learnability.core.errors import InputError, require
from learnability.core.yaml_files import load_yaml
from learnability.tasks import build_task
from learnability.windows.readings import Reading, whole_readings
from studies.settings.checks import check_optimizers, check_trained
from studies.settings.refusals import NEW_NAMES, check_settings, known, new_name, within
from studies.settings.registered import SOURCE, file_in
from studies.settings.runs import check_unique
from studies.settings.whole import STUDIES, Configuration, schema_of, whole_configuration

NAMES = {
    "integer": "whole number",
    "number": "number",
    "boolean": "true or false",
    "string": "text",
    "array": "list",
    "object": "mapping",
}
"""Types of JSON in words."""


def model_of(config: Any) -> type[Configuration]:
    """The model of a configuration, with sections of the studies that it names."""
    return whole_configuration(*(study for study in STUDIES if isinstance(config, Mapping) and study in config))


def check(config: Mapping[str, Any]) -> None:
    """Raise `InputError` for the first key that breaks the schema or contradicts another key."""
    if isinstance(config, Mapping) and isinstance(config.get("study"), int):
        raise InputError("'study', the root of all random streams, is now 'root_seed'; 'study' names a study.")
    check_settings(config, model_of(config))
    check_trained(config)
    _check_sizes(config)
    _check_names(config)
    for name, reading in whole_readings(config["readings"]).items():
        with within(f"readings.{name}"):
            Reading.of(reading, config["window"])
    statistic = whole_readings(config["readings"])[config["through_training"]["reading"]]["statistic"]
    along = [statistic["probe"], statistic["noise"]]
    requirement = "a reading with probe own_gradient and noise total"
    require(along == ["own_gradient", "total"], "through_training.reading", requirement, " and ".join(along))


def check_study(config: Mapping[str, Any], rules: Path) -> None:
    """Raise `InputError` unless the study has rules, its section, and what its `checks.py`, if it has one, requires."""
    study = config["study"]
    known("study", study, sorted(path.parent.name for path in rules.glob("*/study.smk")))
    require(study in config or study not in STUDIES, study, "given for the study of that name", None)
    if file_in(SOURCE, f"studies.{study}.checks").is_file():
        import_module(f"studies.{study}.checks").check(config)
    check_optimizers(config)
    check_unique(config)


def typed(config: Any, schema: Mapping[str, Any] | None = None) -> Any:
    """The same settings, with numbers where the schema has numbers and text says one.

    Snakemake reads what is nested in `--config` as text: `--config 'training={epochs: 5}'` gives "5".
    """
    schema = schema_of(model_of(config)) if schema is None else schema
    if isinstance(config, Mapping):
        return {key: typed(value, _of_key(schema, key)) for key, value in config.items()}
    if isinstance(config, list):
        return [typed(value, schema.get("items", {})) for value in config]
    if isinstance(config, str) and schema.get("type") in ("integer", "number", "boolean"):
        try:
            scalar = load_yaml(config)
        except yaml.YAMLError:
            return config
        return scalar if isinstance(scalar, int | float) else config
    return config


def _of_key(schema: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """The schema of a key; for `task`, `network` and `training` of an experiment, the whole configuration's."""
    rest = schema.get("additionalProperties")
    entry: Mapping[str, Any] = schema.get("properties", {}).get(key, rest if isinstance(rest, Mapping) else {})
    is_open = entry.get("additionalProperties") is True
    return schema_of(whole_configuration())["properties"].get(key, entry) if is_open else entry


def in_order_of(base: Any, config: Any) -> Any:
    """The same settings, with keys in the order of `base` and then those that it lacks.

    Snakemake merges files into an order that depends on who sets what; settings in another order are other settings to
    it, and rerun all that has them.
    """
    if not isinstance(config, Mapping):
        return config
    first = base if isinstance(base, Mapping) else {}
    keys = [*(key for key in first if key in config), *(key for key in config if key not in first)]
    return {key: in_order_of(first.get(key), config[key]) for key in keys}


def check_results_folder(folder: Path) -> None:
    """Raise `InputError` unless `folder` is, or can become, a folder that takes files."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise InputError(f"'{folder}' must be a folder that can be written to. Got {error.strerror}.") from error


def _check_sizes(config: Mapping[str, Any]) -> None:
    task, size = config["task"], sorted(set(config["network"]) - {"readout_bias"})
    require(size == ["hidden_size"], "network", "given hidden_size; parameters is a setting of experiments", size)
    duration = task["duration"]
    if ":" not in task["name"]:
        instance: Any = build_task(task, config["root_seed"], 0)
        duration = instance.duration
    grid = config["measurement"]["lags"]
    require(grid[-1] < duration, "measurement.lags", f"below task.duration ({duration})", grid[-1])
    further = config["measurement"]["further_lags"]
    beyond = further == sorted(further) and all(grid[-1] < lag < duration for lag in further)
    requirement = f"increasing, beyond measurement.lags ({grid[-1]}) and below task.duration ({duration})"
    require(beyond, "measurement.further_lags", requirement, further)
    available, count = task["diagnostic_sequences"], config["measurement"]["product_sequences"]
    requirement = f"at most task.diagnostic_sequences ({available})"
    require(count <= available, "measurement.product_sequences", requirement, count)
    epochs = config["through_training"]
    within = epochs["lags"] == sorted(epochs["lags"]) and epochs["lags"][-1] < duration
    require(within, "through_training.lags", f"increasing and below task.duration ({duration})", epochs["lags"])
    if task["name"] == "delayed_sum":
        lag_requirement = f"such that one is of the task ({task['lags']})"
        require(
            not set(epochs["lags"]).isdisjoint(task["lags"]), "through_training.lags", lag_requirement, epochs["lags"]
        )
    requirement = f"at most task.diagnostic_sequences ({available})"
    require(epochs["sequences"] <= available, "through_training.sequences", requirement, epochs["sequences"])


def _check_names(config: Mapping[str, Any]) -> None:
    architectures, optimizers = list(config["architectures"]), list(config["optimizers"])
    for name in architectures:
        for table in ("colours", "labels"):
            require(name in config["figures"][table], f"figures.{table}.{name}", "given", None)
    labels = [config["figures"]["labels"][name] for name in architectures]
    require(len(set(labels)) == len(labels), "figures.labels", "another text for each architecture", labels)
    for name, label in config["figures"]["labels"].items():
        _check_label(f"figures.labels.{name}", label)
    for name, settings in config["optimizers"].items():
        method = settings["method"]
        if "momentum" in settings:
            require(method == "sgd", f"optimizers.{name}.momentum", "a setting of method sgd alone", f"{method}")
    require(any(config["runs"].values()), "runs", "given an architecture for an optimiser at least", config["runs"])
    for optimizer, members in config["runs"].items():
        known(f"runs.{optimizer}", optimizer, optimizers)
        for architecture in members:
            known(f"runs.{optimizer}", architecture, architectures)
    for name in config["fewer_seeds"]:
        known("fewer_seeds", name, [*optimizers, *architectures])
    for reading in [*config["readings"], *config["report"]]:
        if (key := f"readings.{reading}") in NEW_NAMES:
            raise InputError(new_name(key))
    for reading in config["report"]:
        known("report", reading, list(config["readings"]))
    known("through_training.reading", config["through_training"]["reading"], list(config["readings"]))
    if "main" not in config["architecture_groups"]:
        raise InputError("'architecture_groups.main' must be given.")
    for name, members in config["architecture_groups"].items():
        requirement = f"another name than an optimiser's ({', '.join(optimizers)}): files are named after both"
        require(name not in optimizers, f"architecture_groups.{name}", requirement, name)
        for role, architecture in members.items():
            known(f"architecture_groups.{name}.{role}", architecture, architectures)
    for name in config["sensitivity"]:
        known("sensitivity", name, list(config["architecture_groups"]))


def _check_label(key: str, label: str) -> None:
    """Raise `InputError` unless a name can be written in every format; Matplotlib hides those that begin with _."""
    controls = [character for character in label if unicodedata.category(character)[0] == "C"]
    lines = [character for character in label if unicodedata.category(character) in ("Zl", "Zp")]
    right = bool(label.strip()) and label == label.strip() and not label.startswith("_") and not controls + lines
    requirement = "a line of text that begins and ends with no blank, begins with no _ and has no control characters"
    require(right, key, requirement, label)


def reference(schema: Mapping[str, Any], key: str = "") -> Iterator[str]:
    """Rows of a Markdown table: each key, what it takes, what it means."""
    for name, entry in _entries(schema):
        path = f"{key}.{name}".lstrip(".")
        cells = (f"`{path}`", _takes(entry), entry["description"])
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
        yield from reference(entry, path)


def _entries(schema: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    yield from schema.get("properties", {}).items()
    for name, kind in (("<id>", "additionalProperties"), ("<place>", "items")):
        if isinstance(inner := schema.get(kind), Mapping):
            yield from ((f"{name}.{key}", entry) for key, entry in _entries(inner))


def _takes(entry: Mapping[str, Any]) -> str:
    if "enum" in entry:
        return " | ".join(f"`{value}`" for value in entry["enum"])
    bounds = {"minimum": "≥", "exclusiveMinimum": ">", "maximum": "≤", "exclusiveMaximum": "<"}
    kind = NAMES[entry["type"]]
    if entry["type"] == "array":
        kind = f"list of {NAMES[entry['items']['type']]}s"
    return " ".join([kind, *(f"{sign} {entry[name]}" for name, sign in bounds.items() if name in entry)])


def main() -> None:
    """Print the reference."""
    schema = schema_of(whole_configuration(*STUDIES))
    print(f"# Configuration of the workflow\n\n{schema['description']}\n")
    print("`<id>` stands for a name of your choice, `<place>` for the number of an item. Made from the models in")
    print("`src/studies/settings/` and in the folders of studies and questions by\n")
    print("    PYTHONPATH=src python workflow/configuration.py > config/README.md\n")
    print("| key | takes | meaning |\n| --- | --- | --- |")
    print("\n".join(reference(schema)))


if __name__ == "__main__":
    main()
