"""A training stopped at any moment goes on from its checkpoint and ends bit-identical to an undisturbed one."""

import multiprocessing
import os
import random
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch._dynamo  # noqa: F401  what the first step of an optimiser loads: here once, not in each process

from learnability.networks.network import Network
from learnability.networks.weights import write_snapshots, write_weights
from learnability.tasks import DelayedSum
from learnability.training import Run, TrainingSettings, loop, train
from learnability.training.engines import TorchEngine
from scripts.job import logged

ADAMW = {"method": "adamw", "learning_rate": 0.001, "weight_decay": 0.0001}
MOMENTUM = {"method": "sgd", "learning_rate": 0.01, "momentum": 0.9}


class Params(dict[str, Any]):
    """Settings by attribute and by item, as Snakemake has them."""

    def __getattr__(self, name: str) -> Any:
        return self[name]


def training(folder: Path, seconds: float, patch: Callable[[], None]) -> None:
    """Two runs side by side, as a script of the workflow runs them."""
    loop.CHECKPOINT_SECONDS = seconds  # type: ignore[assignment]
    loop.CHECKPOINT_SHARE = float("inf")
    sys.stderr = sys.__stderr__  # the log, not what pytest captures
    patch()
    job = SimpleNamespace(log=[folder / "log"], rule="train", output=[], params=Params(library=""))
    with logged(job):
        task = DelayedSum(3, 20, [4, 8], [0.8, 0.5], 0.3, root_seed=1, seed=0)
        network = Network.build({"cell": "diag_gate", "gate_init": 0.5}, 3, 8, readout_bias=False)
        data = task.generate("training", 40), task.generate("validation", 10)
        runs = [Run(optimizer["method"], optimizer, 1, 0, *data) for optimizer in (ADAMW, MOMENTUM)]
        results = train(network, TrainingSettings("torch", 20, 8, 1.0, "mean"), runs, folder / "run.pt")
        for run, result in zip(runs, results, strict=True):
            write_weights(result.parameters, folder / f"{run.name}.weights.safetensors", {})
            write_snapshots(result.snapshots, folder / f"{run.name}.snapshots.safetensors", {})
            result.curve.to_csv(folder / f"{run.name}.curve.csv")
            result.gates.to_csv(folder / f"{run.name}.gates.csv")


@contextmanager
def process(folder: Path, seconds: float = -1, patch: Callable[[], None] = lambda: None) -> Iterator[Any]:
    """The training in a process of its own; by default with a checkpoint after each epoch."""
    child = multiprocessing.get_context("fork").Process(target=training, args=(folder, seconds, patch))
    child.start()
    yield child
    child.join()


def status(*arguments: Any) -> int:
    with process(*arguments) as child:
        pass
    return child.exitcode


def written_at(path: Path) -> int:
    """Time of writing in nanoseconds; 0 where there is no such file (it may be between two renames)."""
    try:
        return path.stat().st_mtime_ns
    except FileNotFoundError:
        return 0


def killed_at(method: str, count: int, half: bool = False) -> Callable[[], None]:
    """A patch: SIGKILL after call number `count` of a method of Path, or with `half` of its bytes written."""

    def patch() -> None:
        original, calls = getattr(Path, method), iter(range(1, 1000))

        def write_and_die(path: Path, argument: Any) -> None:
            last = next(calls) == count
            original(path, argument[: len(argument) // 2] if last and half else argument)
            if last:
                os.kill(os.getpid(), signal.SIGKILL)

        setattr(Path, method, write_and_die)

    return patch


def terminated_in_step(count: int) -> Callable[[], None]:
    """A patch: SIGTERM during step number `count`."""

    def patch() -> None:
        original, calls = TorchEngine.losses_and_gradients, iter(range(1, 1000))

        def step_and_terminate(engine: TorchEngine, *batch: Any) -> Any:
            if next(calls) == count:
                os.kill(os.getpid(), signal.SIGTERM)
            return original(engine, *batch)

        TorchEngine.losses_and_gradients = step_and_terminate  # type: ignore[method-assign]

    return patch


@pytest.fixture(scope="module")
def expected_results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("undisturbed")
    assert status(folder, 3600) == 0
    assert not (folder / "run.pt").exists()
    return results_of(folder)


def results_of(folder: Path) -> dict[str, bytes]:
    results = {path.name: path.read_bytes() for kind in ("safetensors", "csv") for path in folder.glob(f"*.{kind}")}
    assert len(results) == 8
    return results


def assert_ends_as(expected_results: dict[str, bytes], folder: Path) -> None:
    assert status(folder) == 0
    assert results_of(folder) == expected_results
    assert not list(folder.glob(".*"))


def test_killed_runs_end_bit_identical(expected_results: dict[str, bytes], tmp_path: Path) -> None:
    moment, checkpoint = random.Random(0), tmp_path / "run.pt"
    for _ in range(3):
        before = written_at(checkpoint)
        with process(tmp_path) as child:
            while child.is_alive() and written_at(checkpoint) in (0, before):
                time.sleep(0.002)
            time.sleep(moment.uniform(0, 0.03))
            child.kill()
        assert child.exitcode == -signal.SIGKILL, "ended before it was killed: make the run longer"
    assert_ends_as(expected_results, tmp_path)


INSIDE_A_WRITE = {
    "half of the file written": killed_at("write_bytes", 3, half=True),
    "before anything is renamed": killed_at("write_bytes", 3),
    "between the two renames": killed_at("replace", 4),  # the first writing has one rename, all others two
    "after both renames": killed_at("replace", 5),
}


@pytest.mark.parametrize("moment", INSIDE_A_WRITE)
def test_a_kill_inside_a_checkpoint_write_loses_nothing(
    expected_results: dict[str, bytes], tmp_path: Path, moment: str
) -> None:
    assert status(tmp_path, -1, INSIDE_A_WRITE[moment]) == -signal.SIGKILL
    assert (tmp_path / "run.pt").exists() == (moment != "between the two renames")
    assert bool(list(tmp_path.glob(".*"))) == (moment != "after both renames")
    assert_ends_as(expected_results, tmp_path)


def test_sigterm_saves_what_is_finished_and_says_so(expected_results: dict[str, bytes], tmp_path: Path) -> None:
    # No checkpoint is due: what is there afterwards was written on the signal, in the fifth epoch of five steps each.
    assert status(tmp_path, 3600, terminated_in_step(23)) == 128 + signal.SIGTERM
    last = (tmp_path / "log").read_text().splitlines()[-1]
    assert last.startswith("Terminated: Terminated by SIGTERM; the checkpoint ")
    assert last.endswith("run.pt holds epoch 4 and the same call goes on from it.")
    assert status(tmp_path, 3600, terminated_in_step(4)) == 128 + signal.SIGTERM  # before another epoch is finished
    assert_ends_as(expected_results, tmp_path)
