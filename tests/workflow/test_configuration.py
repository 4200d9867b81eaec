"""A wrong configuration ends in one line that names key, requirement and value."""

import copy
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from configuration import check, check_results_folder, in_order_of, typed
from learnability.core.errors import InputError
from learnability.core.yaml_files import load_yaml
from studies.settings.runs import all_runs
from studies.settings.whole import STUDIES, schema_of, whole_configuration

from .conftest import ROOT, Project, merged

WRONG: dict[str, tuple[dict[str, Any], list[str]]] = {
    "unknown key": ({"training": {"epoch": 5}}, ["training.epoch", "Did you mean 'epochs'?"]),
    "unknown top key": ({"seed": 5}, ["'seed'", "Did you mean 'seeds'?"]),
    "momentum of another method": ({"optimizers": {"adamw": {"momentum": 0.9}}}, ["optimizers.adamw.momentum", "sgd"]),
    "float as integer": ({"training": {"epochs": 40.0}}, ["training.epochs", "a whole number", "40.0"]),
    "key that is no text": ({"training": {5: 1}}, ["training.5"]),
    "wrong type": ({"training": {"epochs": "many"}}, ["training.epochs", "a whole number", "'many'"]),
    "number as text": ({"optimizers": {"sgd": {"learning_rate": "1e-3"}}}, ["optimizers.sgd.learning_rate", "number"]),
    "boolean as number": ({"training": {"epochs": True}}, ["training.epochs", "a whole number"]),
    "error level": ({"window": {"error_level": 0.5}}, ["window.error_level", "below 0.5", "0.5"]),
    "negative noise": ({"task": {"noise_sd": -1}}, ["task.noise_sd", "at least 0", "-1"]),
    "not a number": ({"task": {"noise_sd": float("nan")}}, ["task.noise_sd", "finite"]),
    "infinite": ({"training": {"gradient_clip": float("inf")}}, ["training.gradient_clip", "finite"]),
    "task lag beyond the end": ({"task": {"lags": [32, 64, 128, 192, 256, 1024]}}, ["task.lags", "1024"]),
    "diagnostic lag beyond the end": ({"measurement": {"lags": [4, 8, 2000]}}, ["measurement.lags", "2000"]),
    "lags not increasing": ({"measurement": {"lags": [4, 16, 8]}}, ["measurement.lags", "increasing", "[4, 16, 8]"]),
    "duplicate lags": ({"measurement": {"lags": [4, 8, 8]}}, ["measurement.lags", "duplicates"]),
    "duplicate seeds": ({"seeds": [0, 1, 1]}, ["seeds", "duplicates", "[0, 1, 1]"]),
    "seed that no file can hold": ({"seeds": [2**31]}, ["seeds.0", "at most 2147483647", "2147483648"]),
    "number as an id": ({"runs": {1: ["diag_gate"]}}, ["runs.1", "a key of text", "1"]),
    "label of two lines": ({"figures": {"labels": {"lstm": "LSTM\nslow"}}}, ["figures.labels.lstm", "a line of text"]),
    "label that is hidden": ({"figures": {"labels": {"lstm": "_LSTM"}}}, ["figures.labels.lstm", "begins with no _"]),
    "label that is half a character": ({"figures": {"labels": {"lstm": "\ud800"}}}, ["figures.labels.lstm", "control"]),
    "blank label": ({"figures": {"labels": {"lstm": " "}}}, ["figures.labels.lstm", "a line of text"]),
    "label of another": ({"figures": {"labels": {"lstm": "GRU"}}}, ["figures.labels", "another text for each"]),
    "set named as an optimizer": (
        {"architecture_groups": {"sgd": {part: part for part in ("const_gate", "shared_gate", "diag_gate")}}},
        ["architecture_groups.sgd", "another name than an optimiser's"],
    ),
    "no seeds": ({"seeds": []}, ["seeds", "at least 1"]),
    "batch too large": ({"training": {"batch_size": 6001}}, ["training.batch_size", "6000", "6001"]),
    "coefficients": ({"task": {"coefficients": [1.0]}}, ["task.coefficients", "6 values"]),
    "sample sizes": ({"window": {"sample_sizes": [50, 25]}}, ["window.sample_sizes", "increasing"]),
    "unknown cell": ({"architectures": {"diag_gate": {"cell": "diag"}}}, ["architectures.diag_gate.cell", "diag_gate"]),
    "gate of another cell": (
        {"architectures": {"const_gate": {"gate_init": 0.5}}},
        ["architectures.const_gate", "gate_value"],
    ),
    "layer norm of another cell": (
        {"architectures": {"lstm": {"layer_norm": True}}},
        [
            "architectures.lstm",
            "'gate_init' and no other setting than h_detach, gates, layers, dropout, ",
            "layer_norm",
        ],
    ),
    "layer norm that is no boolean": (
        {"architectures": {"diag_gate": {"layer_norm": 1}}},
        ["architectures.diag_gate.layer_norm", "true or false"],
    ),
    "gate out of range": (
        {"architectures": {"diag_gate": {"gate_init": 1.0}}},
        ["architectures.diag_gate.gate_init", "below 1"],
    ),
    "unknown architecture": ({"runs": {"sgd": ["diag_gat"]}}, ["runs.sgd", "Did you mean 'diag_gate'?"]),
    "unknown optimizer": ({"runs": {"adam": ["diag_gate"]}}, ["runs.adam", "Did you mean 'adamw'?"]),
    "unknown reading": ({"report": ["papers"]}, ["report", "Did you mean 'paper'?"]),
    "unknown member of a set": (
        {"architecture_groups": {"main": {"diag_gate": "x"}}},
        ["architecture_groups.main.diag_gate"],
    ),
    "fewer seeds of nobody": ({"fewer_seeds": {"lst": 1}}, ["fewer_seeds", "Did you mean 'lstm'?"]),
    "sensitivity of no set": ({"sensitivity": ["slo"]}, ["sensitivity", "Did you mean 'slow'?"]),
    "no label": ({"architectures": {"new": {"cell": "diag_gate", "gate_init": 0.5}}}, ["figures.colours.new"]),
    "bad colour": ({"figures": {"colours": {"diag_gate": "green"}}}, ["figures.colours.diag_gate", "'green'"]),
    "small type": ({"figures": {"font_size": 6}}, ["figures.font_size", "at least 7"]),
    "preset with a slash": ({"preset": "../x"}, ["preset", "'../x'"]),
    "preset longer than a file name": ({"preset": "x" * 300}, ["preset", "at most 64 characters"]),
    "preset with a line break": ({"preset": "quick\n"}, ["preset", "small letters, digits and _"]),
    "integer that no array library takes": ({"training": {"epochs": 2**31}}, ["training.epochs", "at most"]),
    "number beyond single precision": ({"task": {"noise_sd": 1e39}}, ["task.noise_sd", "at most 1e+38"]),
    "folder that no system takes": ({"compared_with": "a\0b"}, ["compared_with", "a folder below results/"]),
    "cell that is no name": (
        {"architectures": {"lstm": {"cell": "a/b"}}},
        ["architectures.lstm.cell", "a name, or a class"],
    ),
    "detector of no kind": (
        {"readings": {"paper": {"detection": {"detector": "mode"}}}},
        ["readings.paper.detection.detector", "mean, median, clipped", "'mode'"],
    ),
    "options that exclude one another": (
        {"readings": {"paper": {"statistic": {"noise": "total"}}}},
        ["readings.paper", "'orientation' must be global with noise total"],
    ),
    "family-wise level": (
        {"readings": {"paper": {"detection": {"family_wise": 0.5}}}},
        ["readings.paper.detection.family_wise", "below 0.5"],
    ),
    "more sequences than there are": (
        {"measurement": {"product_sequences": 3001}},
        ["measurement.product_sequences", "3000", "3001"],
    ),
    "delay of no step": ({"task": {"name": "copy", "delay": 0}}, ["task.delay", "at least 1", "0"]),
    "copy without a delay": ({"task": {"name": "copy"}}, ["'task'", "delay", "for copy", "no delay"]),
    "setting of another task": (
        {"task": {"name": "copy", "delay": 900, "spaced": True}},
        ["'task.spaced' is not a key"],
    ),
    "lags beyond a delay": (
        {"task": {"name": "denoise", "delay": 100}},
        ["measurement.lags", "below task.duration (120)", "128"],
    ),
    "one symbol to choose from": (
        {"task": {"name": "denoise", "delay": 9, "alphabet": 1}},
        ["task.alphabet", "2", "1"],
    ),
    "file without a checksum": (
        {"task": {"name": "pixels", "source": "mnist.npz"}},
        ["task.sha256", "the SHA-256 of 'mnist.npz'", "64 hexadecimal digits", "''"],
    ),
    "checksum of another kind": (
        {"task": {"name": "characters", "source": "a.txt", "sha256": "d41d8cd98f00b204e9800998ecf8427e"}},
        ["task.sha256", "64 hexadecimal digits", "'d41d8"],
    ),
    "shares of more than there is": (
        {"task": {"name": "characters", "shares": [0.9, 0.1, 0.1]}},
        ["task.shares", "1 in sum", "[0.9, 0.1, 0.1]"],
    ),
    "fresh sequences of what is read": (
        {"task": {"name": "pixels"}, "training": {"fresh": True}},
        ["training.fresh", "false for task pixels", "True"],
    ),
    "no network": ({"runs": {"adamw": [], "sgd": [], "sgd_momentum": []}}, ["'runs'", "architecture"]),
    "GPU engine on the CPU": ({"training": {"engine": "cuda"}}, ["training.device", "cuda for training.engine", "cpu"]),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_settings_name_key_requirement_and_value(full: dict[str, Any], case: str) -> None:
    change, parts = WRONG[case]
    with pytest.raises(InputError) as caught:
        check(merged(full, change))
    message = str(caught.value)
    assert "\n" not in message
    assert all(part in message for part in parts), message


def malformed(schema: Any, value: Any, key: str = "") -> Iterator[tuple[str, str, Any]]:
    """Ways to get `value` wrong, by its schema: kind of mistake, the key that the error must name, the value then."""
    name, kind = key.rsplit(".", 1)[-1], schema.get("type", "string")
    if key:
        yield "null", key, None
        yield "wrong type", key, {"a": 1} if kind != "object" else [1]
    if "enum" in schema:
        yield "not an option", key, f"{value}\nx"
    if kind in ("integer", "number"):
        yield "number as text", key, str(value)
        yield "not a number", key, float("nan")
        for bound, wrong in (("minimum", -1), ("exclusiveMinimum", 0), ("maximum", 1e300), ("exclusiveMaximum", 1e300)):
            if bound in schema:
                yield "out of range", key, schema[bound] - 1 if bound == "minimum" else wrong
    if kind == "array":
        yield "item of a wrong type", key, [[name]] * 3
        if schema.get("uniqueItems") and value:
            yield "duplicates", key, [*value, value[0]]
        if "minItems" in schema:
            yield "empty", key, []
        if "maxItems" in schema:
            yield "too long", key, [value[0] + number for number in range(schema["maxItems"] + 1)]
        if "contains" in schema:
            yield "lacks one", key, [item for item in value if item not in schema["contains"]["enum"]]
    if kind == "object":
        for member in schema.get("required", []):
            yield "missing key", f"{key}.{member}".lstrip("."), {part: value[part] for part in value if part != member}
        if schema.get("additionalProperties") is False:
            yield "unknown key", f"{key}.{name}s".lstrip("."), {**value, f"{name}s": 1}
        for member, item in value.items():
            inner = schema.get("properties", {}).get(member, schema.get("additionalProperties"))
            if not isinstance(inner, dict):  # whatever a task or a cell takes is checked as theirs
                continue
            for mistake, path, wrong in malformed(inner, item, f"{key}.{member}".lstrip(".")):
                yield mistake, path, {**value, member: wrong}


@pytest.mark.parametrize("study", ["learnability_window", "attention", "gated"])
def test_sixty_malformed_configurations_each_end_in_one_line_that_names_the_key(
    full: dict[str, Any], study: str
) -> None:
    file = ROOT / "config" / study / "full.yaml"
    valid = merged(full, load_yaml(file.read_text())) if file.exists() else full
    by_mistake: dict[str, list[tuple[str, Any]]] = {}
    for mistake, key, config in malformed(schema_of(whole_configuration(*STUDIES)), valid):
        by_mistake.setdefault(mistake, []).append((key, config))
    draw = random.Random(0)
    sample = [case for cases in by_mistake.values() for case in draw.sample(cases, min(len(cases), 6))]
    assert len(sample) >= 60
    for key, config in sample:
        with pytest.raises(InputError) as caught:
            check(config)
        message = str(caught.value)
        assert "\n" not in message
        assert key in message


def test_text_that_is_no_number_stays_text_and_is_refused(full: dict[str, Any]) -> None:
    config = typed({**full, "training": {**full["training"], "epochs": "[", "batch_size": "32"}})
    assert config["training"]["batch_size"] == 32
    with pytest.raises(InputError, match=r"'training.epochs' must be a whole number. Got '\['"):
        check(config)


@pytest.mark.parametrize("content", [None, [], 3, "text", {}])
def test_what_is_no_configuration_at_all_is_told(content: Any) -> None:
    with pytest.raises(InputError, match="must be"):
        check(content)


def test_a_run_has_the_fewer_of_the_seeds_of_its_optimizer_and_its_architecture(full: dict[str, Any]) -> None:
    runs = {"adamw": ["diag_gate", "lstm"], "sgd": ["diag_gate", "lstm"]}
    config = full | {"seeds": [3, 1, 2], "runs": runs, "fewer_seeds": {"sgd": 2, "lstm": 1, "gru": 1}}
    seeds = {(run["architecture"], run["optimizer"]): [] for run in all_runs(config)}
    for run in all_runs(config):
        seeds[run["architecture"], run["optimizer"]].append(run["seed"])
    assert seeds == {
        ("diag_gate", "adamw"): [3, 1, 2],
        ("lstm", "adamw"): [3],
        ("diag_gate", "sgd"): [3, 1],
        ("lstm", "sgd"): [3],
    }


def test_settings_come_in_the_order_of_the_main_file_whoever_sets_them() -> None:
    base = {"a": {"x": 1, "y": {"p": 1, "q": 2}}, "b": [2, 1], "c": 3}
    merged_by_snakemake = {"c": 4, "a": {"z": 0, "y": {"q": 5, "p": 1}, "x": 1}, "own": {}, "b": [9, 8]}
    config = in_order_of(base, merged_by_snakemake)
    assert config == merged_by_snakemake
    assert str(config) == "{'a': {'x': 1, 'y': {'p': 1, 'q': 5}, 'z': 0}, 'b': [9, 8], 'c': 4, 'own': {}}"


def test_every_required_key_is_asked_for(full: dict[str, Any]) -> None:
    for key in full:
        config = copy.deepcopy(full)
        del config[key]
        with pytest.raises(InputError, match=key):
            check(config)


@pytest.mark.parametrize(
    "change", [{"training": {"epoch": 5}}, {"task": {"noise_sd": float("nan")}}, {"weights": "reference"}], ids=str
)
def test_snakemake_stops_with_that_one_line(
    new_project: Callable[[dict[str, Any]], Project], miniature: dict[str, Any], change: dict[str, Any]
) -> None:
    project = new_project(merged(miniature, change))
    result = project.snakemake("--dry-run")
    assert result.returncode != 0
    lines = [line for line in (result.stdout + result.stderr).splitlines() if line.strip()]
    assert [line for line in lines if "Configuration:" in line] == lines[-1:]
    assert "Traceback" not in result.stderr


def test_results_must_be_a_folder_that_can_be_written_to(tmp_path: Path) -> None:
    (tmp_path / "results").write_text("a file")
    with pytest.raises(InputError, match="results' must be a folder that can be written to"):
        check_results_folder(tmp_path / "results")


def test_divergence_stops_training_in_one_line(
    new_project: Callable[[dict[str, Any]], Project], miniature: dict[str, Any]
) -> None:
    sgd = {"learning_rate": 1e38}
    project = new_project(merged(miniature, {"optimizers": {"sgd": sgd}}))
    target = "results/learnability_window/miniature/models/diag_gate/sgd/seed0/weights.safetensors"
    result = project.snakemake(target)
    log = (project.folder / "logs/learnability_window/miniature/train_network/diag_gate/sgd/seed0.log").read_text()
    assert result.returncode != 0
    assert "Traceback" not in log
    assert log.splitlines()[-1].startswith("TrainingDiverged: Training of diag_gate sgd seed 0 diverged at epoch 1, ")
    assert "last finite loss" in log
    assert not (project.folder / target).exists()


def test_the_reference_is_in_step_with_the_schema() -> None:
    command = [sys.executable, str(ROOT / "workflow" / "configuration.py")]
    process = subprocess.run(command, capture_output=True, text=True, check=True, env={"PYTHONPATH": str(ROOT / "src")})
    assert process.stdout == (ROOT / "config" / "README.md").read_text(), "run `make docs`"


@pytest.mark.parametrize("preset", ["quick", "extended", "reference", "learning_rates"])
def test_a_shipped_preset_overrides_what_it_says_and_nothing_unknown(full: dict[str, Any], preset: str) -> None:
    overrides = load_yaml((ROOT / "config" / f"{preset}.yaml").read_text())
    config = merged(full, overrides)
    check(config)
    assert config["preset"] == overrides["preset"]


def test_a_figure_of_runs_that_there_are_not_is_no_target(
    new_project: Callable[[dict[str, Any]], Project], miniature: dict[str, Any]
) -> None:
    project = new_project(miniature | {"runs": {"adamw": ["diag_gate"]}})
    assert "No rule to produce figure_08" in project.snakemake("figure_08", "--dry-run").stdout
    assert project.planned()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"study": 20260101}, "'study', the root of all random streams, is now 'root_seed'"),
        ({"planted": {"replicates": 2}}, "'planted' is now 'simulation'"),
        ({"architecture_sets": {}}, "'architecture_sets' is now 'architecture_groups'"),
        ({"readings": {"recommended": {}}}, "'readings.recommended' is now 'readings.gradient_step'"),
        ({"report": ["paper", "recommended"]}, "'readings.recommended' is now 'readings.gradient_step'"),
        ({"task": {"name": "sum"}}, "'task.name' must be one of delayed_sum, .*, narma. Got 'sum'"),
        ({"task": {"delay": 3}}, "'task.delay' is not a key"),
        (
            {"architectures": {"gru": {"cell": "gri"}}},
            "'architectures.gru.cell' must be one of const_gate, .* mean 'gru'",
        ),
        ({"readings": {"own": {"like": "recomended"}}}, "'readings.own.like' must be one of .* Got 'recomended'"),
    ],
)
def test_what_is_unknown_or_has_another_name_now_is_named(
    full: dict[str, Any], changes: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        check(merged(full, changes))
