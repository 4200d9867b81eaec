"""Cells and tasks are imported when they are used."""

import doctest
import os
import subprocess
import sys
from pathlib import Path

import pytest

import learnability.cells
import learnability.tasks
from learnability.core import registry
from learnability.core.registry import Registry

USE = """
import sys
from learnability.cells import CELLS
from learnability.tasks import TASKS
uses = (CELLS, "lmu", "learnability.cells.legendre"), (TASKS, "narma", "learnability.tasks.series")
for table, name, module in uses:
    assert name in table and "none" not in table and len(list(table)) == len(table)
    assert module not in sys.modules
    table[name]
    assert module in sys.modules
assert not {"learnability.cells.state_space", "learnability.tasks.pixels"} & set(sys.modules)
"""


def test_a_class_is_imported_when_it_is_used() -> None:
    source = Path(learnability.cells.__file__).parents[2]
    subprocess.run([sys.executable, "-c", USE], check=True, env=os.environ | {"PYTHONPATH": str(source)})


def test_registered_classes_are_in_their_packages() -> None:
    assert learnability.cells.GRU is learnability.cells.CELLS["gru"]
    assert learnability.tasks.Copy is learnability.tasks.TASKS["copy"]
    for package in (learnability.cells, learnability.tasks):
        with pytest.raises(AttributeError, match="no class 'Nothing' is registered"):
            _ = package.Nothing


def test_a_union_of_registries_has_the_entries_of_both() -> None:
    first, second = Registry({"a": "builtins:int"}), Registry({"b": "builtins:str"})
    assert dict(first | second) == {"a": int, "b": str}


def test_the_example_of_a_registry_holds() -> None:
    assert doctest.testmod(registry).failed == 0
