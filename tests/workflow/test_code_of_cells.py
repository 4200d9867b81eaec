"""Code of cells: what a network of one cell runs is never left out of its digest."""

import re
import sys
from ast import AnnAssign, Assign, Expr, ImportFrom, parse
from collections.abc import Callable
from inspect import signature
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
import torch

from imports import library_digest, module_file, other_cells
from learnability.cells import ATTENTIVE, CELLS, Cell
from learnability.networks.backward import hidden_gradient_norms
from learnability.networks.frozen import Frozen
from learnability.networks.network import Network
from learnability.tasks import build_task
from learnability.training import Run, TrainingSettings, train
from learnability.training.engines import choose_engine
from learnability.transport import choose_engine as choose_transport
from learnability.transport import effective_learning_rates
from learnability.windows.response import learned_shares
from studies.settings.registered import CELLS as PACKAGE
from studies.settings.registered import SOURCE

from .conftest import ROOT

FOLDER = module_file(PACKAGE).parent
TASK = {"name": "delayed_sum", "input_size": 2, "duration": 8, "lags": [2], "coefficients": [0.5], "noise_sd": 0.3}


def run_whole(name: str, folder: Path) -> None:
    """Train a network of a cell, and carry gradients through it."""
    task: Any = build_task(TASK, 1, 0)
    gate_settings = {"gate_value": 0.7, "gate_init": 0.3}.items()
    settings_of_cell = {key: value for key, value in gate_settings if key in signature(CELLS[name]).parameters}
    network = Network.for_task({"cell": name, **settings_of_cell}, task, hidden_size=4, readout_bias=True)
    sequences = task.generate("training", 4)
    engine, _ = choose_engine("auto", "cpu", network)
    settings = TrainingSettings(engine=engine, epochs=1, batch_size=2, gradient_clip=1.0, loss_reduction="mean")
    run = Run(name, {"method": "adam", "learning_rate": 0.01}, 1, 0, sequences, sequences)
    (result,) = train(network, settings, [run], folder / "checkpoint")
    double = {key: value.double() for key, value in result.parameters.items()}
    inputs, targets = (torch.from_numpy(part[:2]).double() for part in (sequences.inputs, sequences.targets))
    hidden_gradient_norms(network, double, inputs, targets)
    frozen = Frozen.of(network, double, task.generate("diagnostic", 4))
    learned_shares(frozen, task, choose_transport("auto", network.cell))
    has_linearization = type(network.cell).linearize is not Cell.linearize
    has_rates = name not in ATTENTIVE and (has_linearization or network.cell.state_size == network.cell.hidden_size)
    for transport in ("auto", "torch") if has_rates else ():
        effective_learning_rates(network, double, inputs, [1, 2], choose_transport(transport, network.cell))


def files_run(function: Callable[[], None]) -> set[str]:
    """Files of cells of which a function ran, other than at import."""
    files: set[str] = set()

    def look(frame: FrameType, event: str, argument: object) -> None:
        if event == "call" and frame.f_code.co_name != "<module>":
            files.add(frame.f_code.co_filename)

    sys.setprofile(look)
    try:
        function()
    finally:
        sys.setprofile(None)
    return {file for file in files if Path(file).parent == FOLDER}


@pytest.mark.parametrize("name", CELLS)
def test_what_is_left_out_of_a_digest_does_not_run(name: str, tmp_path: Path) -> None:
    left_out = {str(module_file(module)) for module in other_cells(SOURCE, name)}
    source = module_file(CELLS[name].__module__)
    assert str(source) not in left_out and len(left_out) > 3
    run = files_run(lambda: run_whole(name, tmp_path))
    assert str(source) in run
    assert run.isdisjoint(left_out)


def test_headers_know_the_structs_of_their_own_cells_alone() -> None:
    """A header that is named after a cell's module counts where the module does."""
    modules = {path.stem: f"{PACKAGE}.{path.stem}" for path in FOLDER.glob("*.hpp")}
    texts = {stem: re.sub(r"//.*", "", (FOLDER / f"{stem}.hpp").read_text()) for stem in modules}
    structs = {stem: set(re.findall(r"^(?:struct|using) (\w+)", text, re.MULTILINE)) for stem, text in texts.items()}
    of_cells = {cell.__module__: name for name, cell in CELLS.items()}
    for stem, module in modules.items():
        if stem == "native" or module not in of_cells:
            continue
        left_out = other_cells(SOURCE, of_cells[module])
        for header in modules.keys() - {stem}:
            if modules[header] in left_out:
                names = {name for name in structs[header] if re.search(rf"\b{name}\b", texts[stem])}
                assert not names, f"{stem}.hpp uses {names} of {header}.hpp"


def test_the_list_of_cells_holds_nothing_but_cells() -> None:
    # no digest of one cell has this list in it
    lines = parse((FOLDER / "__init__.py").read_bytes()).body
    assert {type(line) for line in lines} == {Expr, ImportFrom, Assign, AnnAssign}


def test_a_cell_that_is_not_in_the_list_leaves_nothing_out() -> None:
    script = ROOT / "workflow" / "scripts" / "train.py"
    assert other_cells(SOURCE, "mypackage.cells:Vanilla") == set()
    assert library_digest(script, cell="mypackage.cells:Vanilla") == library_digest(script)
    assert len({library_digest(script, cell=name) for name in ("gru", "lstm", "rnn", "sab")}) == 4
