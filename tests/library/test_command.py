import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import torch

from learnability import measure_model, measure_module
from learnability.command import build_model, main, read_reading
from learnability.core.errors import InputError
from learnability.core.store import read_table
from learnability.measurement.step import OWN_GRADIENT
from learnability.tasks import Sequences, read_sequences, write_sequences
from learnability.windows.readings import Reading

ROOT = Path(__file__).parents[2]


def block(name):
    """The file of this name in the page."""
    (text,) = re.findall(rf"^```\w+\n(# {name}\n.*?)^```$", (ROOT / "docs" / "own_model.md").read_text(), re.M | re.S)
    return text


@pytest.fixture(autouse=True)
def model_folder(tmp_path, monkeypatch):
    """A folder with the page's model and reading, and sequences."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    for name in ("model.py", "reading.yaml"):
        (tmp_path / name).write_text(block(name))
    inputs = np.random.default_rng(0).standard_normal((24, 10, 3)).astype(np.float32)
    write_sequences(Sequences(inputs, inputs.cumsum(1).sum(2)), "sequences.nc", {})
    return tmp_path


def arguments(**changes):
    settings = {"model": "model.py:build", "data": "sequences.nc", "lags": "1 2 4", "out": "out"} | changes
    options = [word for name, value in settings.items() if name != "model" for word in (f"--{name}", *value.split())]
    return ["measure", settings["model"], "--no-progress", *options]


EXPLICIT = """
import torch

def build():
    cell, head = torch.nn.GRUCell(3, 8).double(), torch.nn.Linear(8, 1).double()

    def step(parameters, state, x):
        return torch.func.functional_call(cell, parameters, (x, state))

    def readout(state):
        return head(state).squeeze(1)

    return step, dict(cell.named_parameters()), readout, 8
"""


@pytest.mark.parametrize("model", ["model.py", "explicit.py"])
def test_the_command_writes_what_the_function_gives(model_folder, capsys, model):
    (model_folder / "explicit.py").write_text(EXPLICIT)
    torch.manual_seed(1)
    assert main(arguments(model=f"{model}:build", sequences="20", reading="reading.yaml", out="new/out")) == 0
    torch.manual_seed(1)
    *functions, state_size = build_model("explicit.py:build")
    inputs, targets, *_ = read_sequences("sequences.nc")
    reading = read_reading("reading.yaml")
    assert (reading.statistic, reading.detection.criterion) == (OWN_GRADIENT.statistic, "snr")
    model_and_data = *functions, inputs[:20], targets[:20]
    measurement = measure_model(*model_and_data, state_size=state_size, lags=[1, 2, 4], reading=reading)
    expected = measurement._asdict() | {"by_lag": measurement.to_dataframe()}
    folder = model_folder / "new" / "out"
    assert {path.name for path in folder.iterdir()} == {f"{name}.csv" for name in expected} | {"measured.png"}
    for name, table in expected.items():
        pd.testing.assert_frame_equal(read_table(folder / f"{name}.csv"), table, check_dtype=False, rtol=1e-6)
    assert capsys.readouterr().out == f"{measurement.summary()}\n"


def test_lags_are_powers_of_2_by_default(model_folder):
    words = arguments()
    at = words.index("--lags")
    assert main(words[:at] + words[at + 4 :]) == 0
    assert read_table("out/exact.csv")["lag"].tolist() == [1, 2, 4, 8]


def test_targets_that_the_mask_of_the_file_leaves_out_do_not_count(model_folder):
    inputs, targets, *_ = read_sequences("sequences.nc")
    write_sequences(Sequences(inputs, targets, targets > 0), "masked.nc", {})
    torch.manual_seed(1)
    assert main(arguments(data="masked.nc")) == 0
    torch.manual_seed(1)
    module, readout = build_model("model.py:build")
    measurement = measure_module(module, inputs, targets, readout=readout, mask=targets > 0, lags=[1, 2, 4])
    pd.testing.assert_frame_equal(read_table("out/noise.csv"), measurement.noise, check_dtype=False, rtol=1e-6)


@pytest.mark.parametrize("ending", ["md", "html"])
def test_a_report_is_written_where_it_is_asked_for(model_folder, ending):
    assert main(arguments(report=f"reports/own.{ending}")) == 0
    text = (model_folder / "reports" / f"own.{ending}").read_text(encoding="utf-8")
    assert "Learnability window of model.py:build" in text
    assert "The window of 24 sequences" in text


def test_from_a_source_tree_it_is_a_module(model_folder):
    """A command that is refused at once needs no torch."""
    paths = {"PYTHONPATH": str(ROOT / "src"), "PYTHONPROFILEIMPORTTIME": "1"}
    command = [sys.executable, "-m", "learnability", *arguments(data="no.nc")]
    process = subprocess.run(command, env=os.environ | paths, capture_output=True, text=True, check=False)
    *imports, last = process.stderr.splitlines()
    assert process.returncode == 2
    assert last.startswith("learnability: 'no.nc' must be a NetCDF file.")
    assert imports
    assert not any(line.split("|")[-1].strip() == "torch" for line in imports)


MODELS = {
    "fails.py": "import neighbour",
    "broken.py": "def build(:",
    "exits.py": "import sys\ndef build():\n    sys.exit(3)",
    "script.py": "raise SystemExit",
    "raises.py": "def build():\n    return 1 / 0",
    "three.py": "def build():\n    return 1, 2, 3",
    "none.py": "def build():\n    pass",
    "numbers.py": "def build():\n    return 1, 2, 3, 4",
    "value.py": "build = 3",
    "takes.py": "def build(path):\n    pass",
}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"model": "no.py:build"},
            r"'model' must be a Python file and a function, .* Got 'no\.py:build'",
        ),
        ({"model": "model.py"}, r"'model' must be a Python file and a function, .* Got 'model\.py'"),
        ({"model": "sequences.nc:build"}, r"'model' must be a Python file"),
        ({"model": "model.py:built"}, r"'model' must be a function of model\.py \(build\)\. Got 'built'"),
        ({"model": "value.py:build"}, r"'model' must be a function of value\.py \(it has none\)\. Got 'build'"),
        ({"model": "fails.py:build"}, r"'fails\.py:build' must run\. Got ModuleNotFoundError: .*neighbour.*, line 1\."),
        ({"model": "broken.py:build"}, r"'broken\.py:build' must run\. Got SyntaxError"),
        ({"model": "raises.py:build"}, r"'raises\.py:build' must run\. Got ZeroDivisionError: .*, line 2\."),
        ({"model": "exits.py:build"}, r"'exits\.py:build' must run\. Got SystemExit: 3, line 3\."),
        ({"model": "script.py:build"}, r"'script\.py:build' must run\. Got SystemExit: , line 1\."),
        ({"model": "takes.py:build"}, r"'takes\.py:build' must run\. Got TypeError: build\(\) missing 1 required"),
        (
            {"model": "three.py:build"},
            r"and its readout, or of step, parameters, readout, state_size\. Got \('int', 'int', 'int'\)",
        ),
        ({"model": "none.py:build"}, r"returns a tuple .*Got 'NoneType'"),
        ({"model": "numbers.py:build"}, r"returns a tuple of .* Got \('int', 'int', 'int', 'int'\)"),
        ({"data": "no.nc"}, r"'no\.nc' must be a NetCDF file"),
        (
            {"data": "model.py"},
            r"'model\.py' must be a NetCDF file of format 3, .* Got another format\.",
        ),
        ({"lags": "4 10"}, r"'lags' must be in \[1, 9\]"),
        ({"lags": "4 2"}, r"'lags' must"),
        ({"lags": "1.5"}, r"learnability measure: argument --lags: invalid int value: '1\.5'"),
        ({"lags": ""}, r"argument --lags: expected at least one argument"),
        ({"sequences": "25"}, r"'--sequences' must be in \[1, 24\]\. Got 25"),
        ({"sequences": "0"}, r"'--sequences' must be in \[1, 24\]\. Got 0"),
        ({"sequences": "19"}, r"'inputs' must be of 20 sequences"),
        ({"out": "model.py"}, r"'--out' must be a folder\. Got 'model\.py'"),
        ({"out": "model.py/out"}, r"'--out' must be a folder\. Got 'model\.py/out'"),
        ({"report": "own.pdf"}, r"'--report' must be a file that ends in \.md or \.html\. Got 'own\.pdf'"),
        ({"report": "model.py/own.md"}, r"'--report' must be in a folder\. Got 'model\.py'"),
        ({"reading": "no.yaml"}, r"'no\.yaml' must be a YAML file\. Got FileNotFoundError"),
    ],
)
def test_a_mistake_ends_in_one_line_and_leaves_nothing(model_folder, capsys, change, message):
    for name, text in MODELS.items():
        (model_folder / name).write_text(text)
    before = {path.name for path in model_folder.iterdir() if path.name != "__pycache__"}
    try:
        status = main(arguments(**change))
    except SystemExit as end:  # how argparse ends
        status = end.code
    output = capsys.readouterr()
    assert status == 2
    assert re.search(message, output.err)
    assert output.err.startswith("learnability")
    assert output.err.count("\n") == 1
    assert not output.out
    assert {path.name for path in model_folder.iterdir() if path.name != "__pycache__"} == before


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("detection: {draws: many}", r"'detection\.draws of r\.yaml' must be an integer\. Got 'many'"),
        ("detection: {draws: true}", r"'detection\.draws of r\.yaml' must be an integer\. Got True"),
        ("detection: {draws: 9}", r"'draws' must be at least 100"),
        ("detection: {family_wise: often}", r"'detection\.family_wise of r\.yaml' must be a number"),
        ("detection: {sample_sizes: [50, 1.5]}", r"'detection\.sample_sizes of r\.yaml' must be a list of integers"),
        ("statistic: {base_rate: 1}", r"'statistic\.base_rate of r\.yaml' must be a truth value"),
        ("statistic: {noise: 3}", r"'statistic\.noise of r\.yaml' must be text"),
        ("statistic: {nosie: total}", r"'options of statistic' must be among .*Got 'nosie'"),
        ("like: paper", r"'r\.yaml' must be a mapping of options under statistic, noise, detection"),
        ("other: {}", r"'parts of a reading' must be among statistic, noise, detection\. Got 'other'"),
        ("- statistic", r"'r\.yaml' must be a mapping of options"),
        ("", r"'r\.yaml' must be a mapping of options"),
        ("{", r"'r\.yaml' must be a YAML file"),
    ],
)
def test_a_file_that_is_no_reading_is_refused_by_name(text, message):
    Path("r.yaml").write_text(text)
    with pytest.raises(InputError, match=message):
        read_reading("r.yaml")


def test_a_number_may_be_whole_and_what_is_not_said_is_as_by_default():
    Path("r.yaml").write_text("detection: {family_wise: 0, sample_sizes: [30, 60]}\nnoise: {numerical_floor: 1.0e-12}")
    reading = read_reading("r.yaml")
    assert reading.detection.sample_sizes == [30, 60]
    assert reading.noise.numerical_floor == 1e-12
    assert reading.statistic == Reading().statistic


def test_a_model_may_import_its_neighbours_and_hold_dataclasses(model_folder):
    (model_folder / "deeper").mkdir()
    (model_folder / "deeper" / "beside_it.py").write_text("four = print, {}, print, 4")
    text = "from __future__ import annotations\nfrom dataclasses import dataclass\nfrom beside_it import four\n"
    (model_folder / "deeper" / "own.py").write_text(
        f"{text}@dataclass\nclass A:\n    a: int\ndef build():\n    return four\n"
    )
    assert build_model("deeper/own.py:build") == (print, {}, print, 4)
