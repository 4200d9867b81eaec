"""An exhibit from settings alone, its networks trained: what a search over its settings makes again and again.

settings of the exhibit, and of its networks → networks and reservoirs → statements
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from importlib import import_module
from json import dumps, loads
from typing import Any, NamedTuple

import pandas as pd

from learnability.cells import Parameters
from learnability.core.variation import ROOT_SEED, Statements
from learnability.networks.network import Network
from learnability.reservoirs import fit_run
from learnability.tasks import build_task
from learnability.training import train_run
from learnability.windows.readings import Reading
from learnability.windows.through_training import measure_run
from studies.gated.exhibit import Exhibit, ExhibitRequest, Trained
from studies.gated.judged import seeds_of
from studies.gated.questions import find_check
from studies.questions import read_question

Settings = Mapping[str, Any]

PARTS = {name: name for name in ("task", "network", "training", "windows", "reservoir")} | {
    "architecture": "architecture_settings",
    "optimizer": "optimizer_settings",
}
"""Parts of a run whose numbers are settings, by the names that settings begin with."""
NOT_VARIED = ("task.validation_sequences", "rounds")
"""Settings that only say how finely is measured."""
SIZES = ("network.parameters", "reservoir.units", "reservoir.density")
"""Settings that make networks and reservoirs equal in size; one alone would make them unequal."""
FACTORS = (0.5, 2.0)
"""Factors of settings of exhibits with networks; others take seconds, and are varied further."""
MOST_KEPT = 256
"""Networks that are remembered, each with its snapshots."""


def settings_of(exhibit: Settings, runs: Sequence[Settings], root_seed: int) -> dict[str, Any]:
    """Settings that a search varies: those of the exhibit, and by its name each number of its networks, in all of them.

    The root seed is one of them, so that a search can replace it.

    An equal factor for all keeps networks comparable: tasks stay the same, and rates of a grid apart. Zeros, which no
    factor changes, are left out.

    Args:
        exhibit: its settings.
        runs: networks and reservoirs whose settings are in `PARTS`.

    Example:
        >>> settings_of({"sequences": 5}, [{"network": {"hidden_size": 24}}, {"network": {"hidden_size": 28}}], 7)
        {'sequences': 5, 'network.hidden_size': [24, 28], 'root_seed': 7}
    """
    networks: dict[str, list[float]] = {}
    for run in runs:
        _replace(_parts_of(run), lambda name, number: networks.setdefault(name, []).append(number))
    return {**exhibit, **networks, ROOT_SEED: root_seed}


def not_varied(runs: Sequence[Settings]) -> tuple[str, ...]:
    """Settings that a search leaves as they are: `NOT_VARIED`, and `SIZES` where reservoirs stand beside networks."""
    return NOT_VARIED + (SIZES if any("reservoir" in run for run in runs) else ())


def with_settings(runs: Sequence[Settings], settings: Settings) -> list[dict[str, Any]]:
    """The runs with the numbers that such settings have for them."""
    iterators = {name: iter(numbers) for name, numbers in settings.items() if _is_of_networks(name)}
    updates = [_replace(_parts_of(run), lambda name, _: next(iterators[name])) for run in runs]
    return [
        _of_size({**run, **{PARTS[name]: part for name, part in parts.items()}})
        for run, parts in zip(runs, updates, strict=True)
    ]


class Search(NamedTuple):
    """Exhibit, networks and seeds whose statements a search computes at other settings.

    Args:
        exhibit: its name.
        runs: networks and reservoirs, as a configuration has them.
        seeds: as of `studies.gated.exhibit.ExhibitRequest`.
        reading: of windows through training.
    """

    exhibit: str
    runs: Sequence[Settings]
    seeds: Sequence[int]
    reading: Reading

    def statements(self, settings: Settings) -> Statements:
        """Numbers of `settings_of` these runs, by `statement@seed`.

        Raises:
            InputError: for settings that something refuses.
        """
        runs, root_seed = with_settings(self.runs, settings), settings[ROOT_SEED]
        exhibit_settings = {
            name: value for name, value in settings.items() if not _is_of_networks(name) and name != ROOT_SEED
        }
        self._check(exhibit_settings, runs, root_seed)
        models, tables = [], []
        for run in runs:
            model, snapshots = _make_model(dumps(run), root_seed)
            models.append(model)
            if run.get("windows"):
                ends = {epoch: snapshots[epoch] for epoch in (min(snapshots), max(snapshots))}
                lags = sorted({*run["windows"]["lags"], *run["task"]["lags"]})  # of which the share is learned
                windows = {**run["windows"], "lags": lags}
                tables.append(measure_run(run, windows, ends, self.reading, root_seed))
        window_tables = {kind: pd.concat([frames[kind] for frames in tables]) for kind in (tables[0] if tables else {})}
        request = ExhibitRequest(exhibit_settings, self.seeds, root_seed, models, window_tables)
        result: Exhibit = import_module(f"studies.gated.{self.exhibit}.measure").make(request)
        return seeds_of(result.statements)

    def _check(self, settings: Settings, runs: Sequence[Settings], root_seed: int) -> None:
        """Raise `InputError` where a configuration with these settings would."""
        experiments: dict[str, dict[str, Any]] = {}
        known_experiments = read_question("gated", self.exhibit).experiments
        for run in runs:
            if "reservoir" not in run:
                # the run of a further rate is named after its experiment
                name = next(prefix for prefix in known_experiments if run["experiment"].startswith(prefix))
                experiment = experiments.setdefault(name, {"task": run["task"], "training": run["training"]})
                experiment.setdefault("networks", []).append(run["architecture"])
        reservoirs = {"experiment": next(iter(experiments), ""), "networks": []}
        labels = [name for names in settings.get("families", {}).values() for name in names]
        if check := find_check(self.exhibit):
            config = {"root_seed": root_seed, "seeds": self.seeds, "training": {}, "figures": {"labels": labels}}
            config["gated"] = {"experiments": experiments, "reservoirs": reservoirs}
            check(f"gated.exhibits.{self.exhibit}", settings, config)


def _is_of_networks(name: str) -> bool:
    """A setting of the exhibit is a word."""
    return "." in name


def _parts_of(run: Settings) -> dict[str, Any]:
    """Numbers of a reservoir's size are in `reservoir` alone."""
    left_out = ("network", "architecture") if "reservoir" in run else ()
    return {name: run[part] for name, part in PARTS.items() if name not in left_out and run.get(part)}


def _of_size(run: dict[str, Any]) -> dict[str, Any]:
    """A reservoir's run with the network and the gate that its units and its leak make; of a network the same."""
    if "reservoir" not in run:
        return run
    reservoir = run["reservoir"]
    return {
        **run,
        "network": {**run["network"], "hidden_size": reservoir["units"]},
        "architecture_settings": {**run["architecture_settings"], "gate_value": reservoir["leak"]},
    }


def _replace(settings: Settings, number: Callable[[str, float], Any], prefix: str = "") -> dict[str, Any]:
    """The same with each number other than 0 replaced by that of its name and itself."""

    def replace(name: str, value: Any) -> Any:
        if isinstance(value, Mapping):
            return _replace(value, number, f"{name}.")
        if isinstance(value, Sequence) and not isinstance(value, str):
            return [replace(name, item) for item in value]
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return number(name, value) if is_number and value else value

    return {key: replace(f"{prefix}{key}", value) for key, value in settings.items()}


@lru_cache(MOST_KEPT)
def _make_model(text: str, root_seed: int) -> tuple[Trained, dict[int, Parameters]]:
    """A network or reservoir of a run, and its snapshots by epoch; each as its files would have it, in float64."""
    run = loads(text)
    parameters, snapshots, curve, network = (_fit if "reservoir" in run else _train)(run, root_seed)
    task = build_task(run["task"], root_seed, run["seed"])
    names = run["experiment"], run["architecture"], run["seed"]
    model = Trained(*names, network, _double(parameters), task, curve, run)
    return model, {epoch: _double(snapshot) for epoch, snapshot in snapshots.items()}


def _train(run: Settings, root_seed: int) -> tuple[Parameters, Mapping[int, Parameters], pd.DataFrame, Network]:
    network, result = train_run(run, root_seed)
    return result.parameters, result.snapshots, result.curve, network


def _fit(run: Settings, root_seed: int) -> tuple[Parameters, Mapping[int, Parameters], pd.DataFrame, Network]:
    fit = fit_run(run, root_seed)
    return fit.parameters, {0: fit.start, 1: fit.parameters}, fit.curve, fit.network


def _double(parameters: Parameters) -> Parameters:
    return {name: tensor.double() for name, tensor in parameters.items()}
