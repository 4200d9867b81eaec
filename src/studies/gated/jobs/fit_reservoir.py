"""A reservoir with its readout fitted: the files that training leaves of a network."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from learnability.core.provenance import provenance
from learnability.core.store import as_files, write_json
from learnability.networks.weights import write_snapshots, write_weights
from learnability.reservoirs import fit_run


def make(names: Mapping[str, str], run: Mapping[str, Any], root_seed: int) -> dict[str, Any]:
    """Weights, snapshots of start and end, learning curve and provenance."""
    run = dict(run)
    fit = fit_run(run, root_seed)
    snapshots = {0: fit.start, 1: fit.parameters}
    facts = run | {"root_seed": root_seed, "penalty": fit.penalty, "engine": "reservoir"}
    return {
        "weights.safetensors": partial(write_weights, fit.parameters, settings=run),
        "snapshots.safetensors": partial(write_snapshots, snapshots, settings=run),
        **as_files(
            {"learning_curve": fit.curve}, **{name: run[name] for name in ("experiment", "architecture", "seed")}
        ),
        "provenance.json": partial(write_json, provenance() | facts),
    }
