"""Sequences on which frozen networks of a seed are measured."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from learnability.tasks import build_task, write_sequences


def make(names: Mapping[str, str], task: Mapping[str, Any], sequences: int, root_seed: int) -> dict[str, Any]:
    """The file of diagnostic sequences."""
    diagnostic = build_task(task, root_seed, int(names["seed"])).generate("diagnostic", sequences)
    return {"diagnostic.nc": partial(write_sequences, diagnostic, settings=task)}
