"""Checks the configuration before anything runs, and writes its reference.

`python workflow/configuration.py` prints config/README.md.
"""

import difflib
import math
import tempfile
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from learnability.core.errors import InputError, require
from learnability.tasks import build_task
from learnability.windows.readings import Reading, whole_readings
from registered import CELLS, SOURCE, TASKS, is_class, references, registries, settings_of
from studies.settings.sections import PATTERNS, Section
from studies.settings.whole import STUDIES, Configuration, part_of, schema_of, whole_configuration
from yaml_files import load_yaml

NEW_NAMES = {
    "planted": "simulation",
    "architecture_sets": "architecture_groups",
    "readings.recommended": "readings.gradient_step",
}
"""Names that keys have now, by those that they had."""
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
NAMES = {
    "integer": "whole number",
    "number": "number",
    "boolean": "true or false",
    "string": "text",
    "array": "list",
    "object": "mapping",
}
"""Types of JSON in words."""
LARGEST, LARGEST_INTEGER = 1e38, 2**31 - 1
"""Largest number that single precision takes, and largest integer that every array library takes."""
KINDS = {
    "int_type": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "string_type": "text",
    "list_type": "a list",
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "finite_number": "finite",
    "with_zero": "a list with 0 in it",
    "distinct": "a list without duplicates",
}
BOUNDS = {
    "greater_than_equal": "at least {ge}",
    "less_than_equal": "at most {le}",
    "greater_than": "above {gt}",
    "less_than": "below {lt}",
    "string_too_long": "text of at most {max_length} characters",
    "too_long": "a list of at most {max_length}",
}
"""Requirements by the kind of error of Pydantic, with what it says of it."""


def model_of(config: Any) -> type[Configuration]:
    """The model of a configuration, with sections of the studies that it names."""
    return whole_configuration(*(study for study in STUDIES if isinstance(config, Mapping) and study in config))


def check(config: Mapping[str, Any]) -> None:
    """Raise `InputError` for the first key that breaks the schema or contradicts another key."""
    if isinstance(config, Mapping) and isinstance(config.get("study"), int):
        raise InputError("'study', the root of all random streams, is now 'root_seed'; 'study' names a study.")
    check_training(config)
    _check_sizes(config)
    _check_names(config)
    for name, reading in whole_readings(config["readings"]).items():
        try:
            Reading.of(reading, config["window"])
        except InputError as error:
            raise InputError(f"readings.{name}: {error}") from error
    statistic = whole_readings(config["readings"])[config["through_training"]["reading"]]["statistic"]
    along = [statistic["probe"], statistic["noise"]]
    requirement = "a reading with probe own_gradient and noise total"
    require(along == ["own_gradient", "total"], "through_training.reading", requirement, " and ".join(along))


def check_training(config: Mapping[str, Any]) -> None:
    """Raise `InputError` for the first key that breaks the schema, or cannot be trained: tasks, cells and batches."""
    check_settings(config, model_of(config))
    _check_what_is_trained(config)


def check_run(config: Mapping[str, Any]) -> None:
    """Check what `check_training` checks, of `root_seed`, `task`, `network`, `training` and `architectures` alone."""
    parts = ("task", "network", "training", "architectures")
    check_settings({key: config[key] for key in parts}, part_of(*parts))
    _check_what_is_trained(config)


def check_settings(config: Mapping[str, Any], model: type[Section]) -> None:
    """Raise `InputError` for the first setting that a model does not allow, or a number that is too large."""
    settings = list(leaves(config))
    try:
        model.model_validate(config)
    except ValidationError as error:
        first = min(error.errors(), key=lambda fault: [str(part) for part in fault["loc"]])
        raise InputError(_explain(first, schema_of(model))) from error
    for key, value in settings:
        for number in numbers(value):
            require(math.isfinite(number), key, "finite", number)
            most = LARGEST if isinstance(number, float) else LARGEST_INTEGER
            require(abs(number) <= most or key == "root_seed", key, f"at most {most:g}", number)


def numbers(value: Any) -> Iterator[int | float]:
    """Numbers of a setting that is no mapping, in lists of lists too."""
    if isinstance(value, list):
        for item in value:
            yield from numbers(item)
    elif isinstance(value, int | float):
        yield value


def _check_what_is_trained(config: Mapping[str, Any]) -> None:
    _check_task(config)
    _check_cells(config)
    batch, sequences = config["training"]["batch_size"], config["task"]["training_sequences"]
    require(batch <= sequences, "training.batch_size", f"at most task.training_sequences ({sequences})", batch)
    if config["training"]["engine"] == "cuda":
        device = config["training"]["device"]
        require(device == "cuda", "training.device", "cuda for training.engine cuda", device)


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


def _explain(error: Mapping[str, Any], schema: Mapping[str, Any]) -> str:
    """Return the line that names the key, what it must be, and its value."""
    place = [part for part in error["loc"] if part != "[key]"]
    key, value = ".".join(map(str, place)), error["input"]
    details = {
        name: f"{bound:.12g}" if isinstance(bound, float) else bound for name, bound in error.get("ctx", {}).items()
    }
    match error["type"]:
        case "extra_forbidden":
            choices = list(_entry(schema, place[:-1])["properties"])
            return _new_name(key) if key in NEW_NAMES else _unknown(key, str(place[-1]), choices)
        case "missing":
            return f"'{key}' must be given."
        case "literal_error":
            choices = [str(choice) for choice in _entry(schema, place)["enum"]]
            return f"'{key}' must be one of {', '.join(choices)}. Got {value!r}.{_hint(str(value), choices)}"
        case "too_short":
            kind = "mapping" if isinstance(value, Mapping) else "list"
            requirement = f"a {kind} of at least {details['min_length']}"
        case "string_pattern_mismatch":
            requirement = PATTERNS[details["pattern"]]
        case kind:
            requirement = KINDS.get(kind) or BOUNDS.get(kind, error["msg"]).format(**details)
    return f"'{key or value}' must be {requirement}. Got {value!r}."


def _entry(schema: Mapping[str, Any], place: Sequence[int | str]) -> Mapping[str, Any]:
    """The schema of a setting."""
    for part in place:
        schema = (
            schema["items"]
            if isinstance(part, int)
            else schema.get("properties", {}).get(part) or schema["additionalProperties"]
        )
    return schema


def _new_name(key: str) -> str:
    return f"'{key}' is now '{NEW_NAMES[key]}'."


def _unknown(key: str, name: str, choices: list[str]) -> str:
    return f"'{key}' is not a key. Allowed: {', '.join(choices)}.{_hint(name, choices)}"


def _hint(name: str, choices: list[str]) -> str:
    close = difflib.get_close_matches(name, choices, 1)
    return f" Did you mean '{close[0]}'?" if close else ""


def leaves(value: Any, key: str = "") -> Iterator[tuple[str, Any]]:
    """Settings that are no mapping, by their key."""
    if isinstance(value, Mapping):
        for name, item in value.items():
            require(isinstance(name, str), f"{key}.{name}".lstrip("."), "a key of text, in quotes", name)
            yield from leaves(item, f"{key}.{name}".lstrip("."))
    else:
        yield key, value


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
            raise InputError(_unknown(f"task.{key}", key, keys))
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


def _check_sizes(config: Mapping[str, Any]) -> None:
    task, size = config["task"], sorted(set(config["network"]) - {"readout_bias"})
    require(size == ["hidden_size"], "network", "given hidden_size; parameters is a setting of experiments", size)
    duration = task["duration"]
    if ":" not in task["name"]:
        instance: Any = build_task(task, config["root_seed"], 0)
        duration = instance.duration
    grid = config["measurement"]["lags"]
    require(grid == sorted(grid), "measurement.lags", "increasing", grid)
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
    sizes = config["window"]["sample_sizes"]
    require(sizes == sorted(sizes), "window.sample_sizes", "increasing", sizes)


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
            raise InputError(_new_name(key))
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


def known(key: str, name: str, choices: list[str]) -> None:
    """Raise `InputError` unless a name is one of the choices; it names the nearest one."""
    if name not in choices:
        raise InputError(f"'{key}' must be one of {', '.join(choices)}. Got {name!r}.{_hint(name, choices)}")


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
