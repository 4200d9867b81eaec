"""Cells, tasks and their settings in the configuration are those of the library."""

import copy
from dataclasses import MISSING, fields
from typing import Any

import pytest

from configuration import check
from learnability import cells
from learnability.cells import CELLS
from learnability.cells.attentive import MIXES, READOUTS
from learnability.cells.lstm import GATES
from learnability.cells.sab import READOUTS as READOUTS_OF_SAB
from learnability.cells.vanilla import NONLINEARITIES
from learnability.core.errors import InputError
from learnability.core.registry import Registry
from learnability.networks.network import Network
from learnability.networks.regularization import SETTINGS
from learnability.networks.starts import CHOICES
from learnability.tasks import TASKS
from studies.settings import registered
from studies.settings.checks import OF_EVERY_CELL, REGULARIZATION, _check_start
from studies.settings.registered import SOURCE, cells_that_assign, references, registries, settings_of
from studies.settings.whole import schema_of, whole_configuration

from .conftest import merged


@pytest.mark.parametrize(("module", "registry"), [(registered.CELLS, CELLS), (registered.TASKS, TASKS)])
def test_settings_that_are_read_from_the_source_are_those_of_the_classes(module: str, registry: Registry[Any]) -> None:
    assert references(SOURCE, module) == registry.references
    for name, kind in registry.items():
        own_fields = [field for field in fields(kind) if field.name not in registered.NO_SETTINGS[module]]
        is_needed = {field.name: (field.default, field.default_factory) == (MISSING, MISSING) for field in own_fields}
        assert list(settings_of(module, name).items()) == list(is_needed.items())


@pytest.mark.parametrize("name", CELLS)
def test_a_cell_is_built_of_the_settings_that_it_needs(name: str) -> None:
    Network.build({"cell": name, **needed_by(name)}, 3, 4, readout_bias=False)


def needed_by(cell: str) -> dict[str, float]:
    """A value for each setting that a cell needs."""
    return dict.fromkeys((key for key, is_needed in settings_of(registered.CELLS, cell).items() if is_needed), 0.5)


@pytest.mark.parametrize("nonlinearity", NONLINEARITIES)
def test_roles_of_starts_are_those_of_the_library(full: dict[str, Any], nonlinearity: str) -> None:
    for cell in CELLS:
        settings: dict[str, Any] = {"cell": cell, **needed_by(cell)}
        settings |= {"nonlinearity": nonlinearity} if "nonlinearity" in settings_of(registered.CELLS, cell) else {}
        for role, choices in CHOICES.items():
            with_start = settings | {"start": {role: next(iter(choices))}}
            unknown_roles = []
            for build in (
                lambda of=with_start: Network.build(of, 3, 4, readout_bias=True),
                lambda of=with_start: _check_start("start", of),
            ):
                try:
                    build()
                except InputError as error:
                    unknown_roles.append(str(error))
            assert len(unknown_roles) in (0, 2), (cell, role, unknown_roles)
            assert len(set(unknown_roles)) <= 1


def test_regularization_is_that_of_the_library() -> None:
    assert REGULARIZATION == SETTINGS


def test_groups_of_cells_are_those_of_the_library() -> None:
    groups = registries(SOURCE, registered.CELLS)
    assert list(groups) == ["GATED", "PLAIN", "ATTENTIVE", "ADDITIVE", "COMPARED", "CELLS"]
    for name, entries in groups.items():
        assert entries == getattr(cells, name).references


def test_cells_that_keep_a_matrix_orthogonal_are_those_of_the_library() -> None:
    assert cells_that_assign("ORTHOGONAL") == [name for name, cell in CELLS.items() if cell.ORTHOGONAL]


def test_the_schema_lists_what_settings_of_cells_can_be() -> None:
    schema = schema_of(whole_configuration())["properties"]["architectures"]["additionalProperties"]["properties"]
    readouts = dict.fromkeys((*READOUTS, *READOUTS_OF_SAB))
    choices_of = {"nonlinearity": NONLINEARITIES, "mix": MIXES, "readout_from": readouts, "gates": GATES}
    for key, choices in choices_of.items():
        assert schema[key]["enum"] == list(choices)
    settings = {key for cell in CELLS for key in settings_of(registered.CELLS, cell)}
    assert set(schema) == settings | {"cell", *OF_EVERY_CELL}
    starts = schema["start"]["properties"]
    assert {role: starts[role]["enum"] for role in starts} == {role: list(kinds) for role, kinds in CHOICES.items()}


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"cell": "rel_rnn", "short_term": 0}, "'architectures.gru.short_term' must be at least 1. Got 0"),
        ({"cell": "rel_rnn", "relevant": 2.5}, "'architectures.gru.relevant' must be a whole number. Got 2.5"),
        ({"cell": "rel_rnn", "mix": "max"}, "'architectures.gru.mix' must be one of sum, mean. Got 'max'"),
        (
            {"cell": "mem_rnn", "short_term": 5},
            "'architectures.gru' must be given no other setting than mix, .*, readout_bias. Got .'short_term'.",
        ),
        (
            {"cell": "rel_lstm"},
            "'architectures.gru' must be given 'gate_init' and no other setting than mix, .*, readout_bias. Got ..",
        ),
        ({"cell": "lstm", "gate_init": 0.5, "gates": "fi"}, "'architectures.gru.gates' must be one of , i, f, o, if, "),
        ({"cell": "mem_rnn", "layers": 2}, "'architectures.gru.layers' must be 1 for a cell with attention. Got 2"),
        ({"cell": "rnn", "dropout": 1}, "'architectures.gru.dropout' must be below 1. Got 1"),
        ({"cell": "rnn", "temporal_regularization": -1}, "'.*temporal_regularization' must be at least 0. Got -1"),
        ({"cell": "rnn", "layers": 0}, "'architectures.gru.layers' must be at least 1. Got 0"),
        ({"cell": "lstm", "gate_init": 0.5, "h_detach": 1.5}, "'architectures.gru.h_detach' must be at most 1"),
    ],
)
def test_wrong_settings_of_cells_are_named(full: dict[str, Any], settings: dict[str, Any], message: str) -> None:
    config = copy.deepcopy(full)
    config["architectures"]["gru"] = settings
    with pytest.raises(InputError, match=message):
        check(config)


def test_cells_with_a_memory_are_taken(full: dict[str, Any]) -> None:
    config = copy.deepcopy(full)
    config["architectures"]["gru"] = {"cell": "rel_rnn", "short_term": 5, "relevant": 5, "mix": "mean"}
    check(config)


def test_a_task_and_a_cell_of_ones_own_may_have_settings_of_their_own(full: dict[str, Any]) -> None:
    changes = {
        "task": {"name": "mine.tasks:Recall", "delay": 3},
        "architectures": {"gru": {"cell": "mine:Cell", "width": 2}},
    }
    check(merged(full, changes))


@pytest.mark.parametrize(
    "task",
    [
        {"name": "copy", "delay": 400},
        {"name": "denoise", "delay": 400, "symbols": 5, "alphabet": 4},
        {"name": "pixels", "shares": [0.6, 0.2, 0.2]},
        {"name": "characters"},
    ],
    ids=str,
)
def test_another_task_is_laid_over_the_first(full: dict[str, Any], task: dict[str, Any]) -> None:
    check(merged(full, {"task": task}))
