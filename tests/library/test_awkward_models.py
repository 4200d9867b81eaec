"""Steps that torch.func cannot trace, or that change what they are given, against gradients by plain autograd."""

import logging
import os
import random
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import torch

from fuzz_models import AWKWARD, KEPT_ERRORS, Keeper, affine, largest_difference, leaking, overwritten, trajectory
from learnability import measure_model
from learnability.cells import automatic
from learnability.cells.automatic import AutomaticLinearization
from learnability.core.errors import InputError
from learnability.core.progress import Meter
from learnability.core.streams import check_seed
from learnability.measurement.cell import FunctionCell
from learnability.transport import TorchEngine
from learnability.windows.readings import DetectionOptions, Reading, StatisticOptions

ROOT = Path(__file__).parents[2]
SEQUENCES, TIME, LAGS = 20, 7, [1, 3]
OWN_GRADIENT = Reading(StatisticOptions(probe="own_gradient", directions=1), detection=DetectionOptions(draws=100))

POOLED_READING = Reading(
    StatisticOptions(orientation="per_unit", noise="matched", sampling="pooled", directions=2),
    detection=DetectionOptions(draws=100),
)


STEPS = AWKWARD | {
    "0-dimensional parameters": leaking,
    "float32 within": lambda p, s, x: affine(p, s, x).float().tanh().double(),
}


SLOWER = ("custom function in NumPy", "custom function that hides", "adjoint solver")


def model(step, size=4):
    generator = torch.Generator().manual_seed(3)

    def draw(*shape):
        return torch.randn(shape, generator=generator, dtype=torch.float64)

    parameters = {"W": 0.7 * draw(size, 2), "U": 0.5 * draw(size, size), "b": draw(size)}
    if step is leaking:
        parameters |= {"leak": draw(), "temperature": draw()}
    mix, x = draw(size), draw(SEQUENCES, TIME, 2)
    return {
        "step": step,
        "parameters": parameters,
        "readout": lambda s: torch.tanh(s @ mix),
        "inputs": x,
        "targets": x.cumsum(1).sum(2),
        "state_size": size,
        "lags": LAGS,
    }


@pytest.mark.parametrize("kind", STEPS)
def test_whatever_has_a_gradient_by_plain_autograd_is_measured(kind):
    arguments = model(STEPS[kind])
    measurement = measure_model(**arguments, reading=KEPT_ERRORS)
    assert largest_difference(arguments, measurement) < (1e-5 if kind == "float32 within" else 1e-9)


def test_a_sample_of_generated_models_ends_well():
    """Run the fuzz in another process: types are checked in this one."""
    command = [
        sys.executable,
        str(ROOT / "benchmarks" / "fuzz_models.py"),
        "--cases",
        "12",
        "--seed",
        "5",
        "--every",
        "17",
    ]
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src"), "OMP_NUM_THREADS": "1"}
    process = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stdout + process.stderr
    ends = dict(re.findall(r"^\| (\w+) \| \w+ \| (\d+) \|$", process.stdout, re.M))
    assert set(ends) == {"good", "awkward", "mistake"}
    assert sum(map(int, ends.values())) == 12


@pytest.mark.parametrize(("kind", "slower"), [(kind, kind in SLOWER) for kind in STEPS])
def test_random_directions_are_those_of_plain_autograd_and_a_slower_way_is_said_once(kind, slower, caplog, monkeypatch):
    monkeypatch.setattr(automatic, "_SAID", set())
    arguments = model(STEPS[kind])
    cell = FunctionCell(2, 4, arguments["step"], None, arguments["parameters"])
    w = {name: torch.randn_like(tensor) for name, tensor in arguments["parameters"].items()}
    *_, last = zip(*trajectory(arguments), strict=True)
    states, x = torch.cat([leaf for leaf, _, _ in last]).detach(), arguments["inputs"][:, -1]
    v = torch.randn_like(states)
    steps = AutomaticLinearization(cell, arguments["parameters"], states, x)
    with caplog.at_level(logging.WARNING):
        products = steps.along_parameters(w), steps.along_state(v)
        steps.along_parameters(w)
    expected = [torch.zeros_like(states), torch.zeros_like(states)]
    for row, (leaf, theta, state) in enumerate(last):
        for unit in range(4):
            options = {"retain_graph": True, "allow_unused": True, "materialize_grads": True}
            back = torch.autograd.grad(state[0, unit], [leaf, *theta.values()], **options)
            expected[0][row, unit] = sum((g * w[name]).sum() for name, g in zip(theta, back[1:], strict=True))
            expected[1][row, unit] = (back[0][0] * v[row]).sum()
    tolerance = 1e-5 if kind == "float32 within" else 1e-10
    for result, reference in zip(products, expected, strict=True):
        torch.testing.assert_close(result, reference, rtol=tolerance, atol=tolerance)
    assert [record.getMessage()[:28] for record in caplog.records] == ["Derivatives along directions"] * slower


@pytest.mark.parametrize("kind", ["state in place", "surrogate gradient"])
def test_blocks_of_one_give_what_all_at_once_give(kind):
    """Rows, sequences and products one by one, whatever the reading."""
    for reading in (OWN_GRADIENT, POOLED_READING):
        arguments = model(STEPS[kind]) | {"reading": reading}
        for table, reference in zip(
            *(measure_model(**arguments, block_bytes=size) for size in (1, 2**40)), strict=True
        ):
            pd.testing.assert_frame_equal(table, reference, rtol=1e-9)


@pytest.mark.parametrize("reading", [OWN_GRADIENT, POOLED_READING], ids=["own gradient", "pooled"])
def test_progress_counts_all_rows_that_go_backward(reading, monkeypatch, capsys):
    meters = []
    monkeypatch.setattr(
        "learnability.measurement.step.Meter", lambda *given: meters.append(Meter(*given, seconds=0)) or meters[0]
    )
    measure_model(**model(STEPS["state in place"]), reading=reading, progress=True)
    (meter,) = meters
    assert meter.done == meter.total
    messages = capsys.readouterr().err.splitlines()
    assert messages
    line = r"measure_model: \d+%, (too early .*|all but .*|(about .*|a few seconds) left)"
    assert all(re.fullmatch(line, message) for message in messages)


def test_work_that_is_short_or_no_terminal_says_nothing(capsys):
    measure_model(**model(STEPS["state in place"]), reading=OWN_GRADIENT)
    measure_model(**model(STEPS["state in place"]), reading=OWN_GRADIENT, progress=True)
    assert not capsys.readouterr().err


def test_time_left_is_said_from_the_first_seconds_on(capsys):
    now = [0.0]
    meter = Meter("work", 4, clock=lambda: now[0])
    for _ in range(4):
        now[0] += 20
        meter.add(1)
    messages = capsys.readouterr().err.splitlines()
    assert messages == [
        "work: 25%, about 1 min left",
        "work: 50%, about 40 s left",
        "work: 75%, about 20 s left",
        "work: 100%, all but tables and intervals",
    ]


REFUSALS = {
    "counts": (
        lambda: Keeper(affine).count,
        r"must give the same twice, but it keeps something.*functional_call",
    ),
    "keeps": (
        lambda: Keeper(affine).keep,
        r"same twice, but it keeps something.*belongs in the state",
    ),
    "torch's chance": (lambda: lambda p, s, x: affine(p, s, x) * torch.rand(()), r"same twice \(module\.eval\(\)"),
    "NumPy's chance": (lambda: lambda p, s, x: affine(p, s, x) * np.random.rand(), r"same twice \(module\.eval\(\)"),
    "Python's chance": (lambda: lambda p, s, x: affine(p, s, x) * random.random(), r"same twice \(module\.eval\(\)"),
    "overwritten": (
        lambda: lambda p, s, x: overwritten(affine(p, s, x)),
        r"\.grad \(a tensor is changed in place .*: clone it before\)",
    ),
    "NumPy": (lambda: lambda p, s, x: torch.from_numpy(np.tanh(affine(p, s, x).numpy())), r"'step' must .*numpy\(\)"),
    "exits": (lambda: lambda p, s, x: exit(3), r"'step' must take float64 state .*Got SystemExit: 3"),
    "complex state": (
        lambda: lambda p, s, x: torch.complex(affine(p, s, x), s),
        r"'step' must be a map to float64 \(torch\.view_as_real\(state\)\.flatten\(1\)\)\. Got torch\.complex128",
    ),
}


@pytest.mark.parametrize("kind", REFUSALS)
def test_what_cannot_be_measured_is_named_with_the_way_out(kind):
    make, message = REFUSALS[kind]
    with pytest.raises(InputError, match=message) as refusal:
        measure_model(**model(make()), reading=OWN_GRADIENT)
    assert "\n" not in str(refusal.value)
    assert kind in ("torch's chance", "NumPy's chance", "Python's chance") or "dropout" not in str(refusal.value)


def test_complex_parameters_are_named_with_the_way_out():
    arguments = model(STEPS["state in place"])
    arguments["parameters"]["A"] = torch.ones(4, dtype=torch.complex128)
    with pytest.raises(InputError, match=r"'A' must be real numbers: torch\.view_as_real\(A\) .*Got torch\.complex128"):
        measure_model(**arguments, reading=OWN_GRADIENT)


@pytest.mark.parametrize("seed", [None, -1, 1.5, "one"])
def test_a_seed_that_is_none_is_refused(seed):
    with pytest.raises(InputError, match=r"'root_seed' must be an integer, at least 0\. Got"):
        check_seed("root_seed", seed)


def test_a_negative_seed_is_refused_before_the_work():
    with pytest.raises(InputError, match=r"'root_seed' must be an integer, at least 0\. Got -1"):
        measure_model(**model(STEPS["state in place"]), root_seed=-1)


def test_gradients_that_are_not_finite_are_named_with_their_t_or_lag():
    def root(p, s, x):
        return affine(p, s, x).tanh() + (s * (x[:, :1] != 0)).abs().sqrt()

    arguments = model(root)
    arguments["inputs"][:, 3] = 0
    with pytest.raises(InputError, match=r"'step' must be differentiable in its state\. Got .* not finite at t = 4\."):
        measure_model(**arguments, reading=OWN_GRADIENT)
    arguments = model(lambda p, s, x: (affine(p, s, x) + 1e200 * s).sin())
    with pytest.raises(InputError, match=r"'lags' must be such that gradients stay within float64\. .*at lag 3"):
        measure_model(**arguments, reading=OWN_GRADIENT)


def test_heavy_tails_are_said_once(caplog):
    with caplog.at_level(logging.WARNING):
        measure_model(**model(STEPS["state in place"]), reading=POOLED_READING)
    (message,) = (record.getMessage() for record in caplog.records)
    assert message.startswith("Tail index below 1.2 ") and message.endswith("; measure more sequences.")


@pytest.mark.parametrize("change", ["no inputs", "inference mode", "one row squeezed"])
def test_what_is_unusual_but_well_defined_is_measured(change):
    arguments = model(STEPS["state in place"])
    if change == "no inputs":
        arguments["inputs"], arguments["parameters"]["W"] = (
            arguments["inputs"][..., :0],
            arguments["parameters"]["W"][:, :0],
        )
        arguments["step"] = lambda p, s, x: (affine(p, s, x) + p["b"]).tanh()
        arguments["targets"] = arguments["targets"] + torch.linspace(0, 1, SEQUENCES)[:, None]
    if change == "one row squeezed":
        arguments |= {"block_bytes": 1, "readout": lambda s: s.mean(1, keepdim=True).squeeze()}
    with torch.inference_mode(change == "inference mode"):
        measurement = measure_model(**arguments, reading=KEPT_ERRORS)
    assert (
        largest_difference({name: value for name, value in arguments.items() if name != "block_bytes"}, measurement)
        < 1e-9
    )


def test_targets_whose_squares_are_beyond_float64_are_refused():
    arguments = model(STEPS["state in place"])
    with pytest.raises(InputError, match="'targets' must keep squares of gradients within float64"):
        measure_model(**arguments | {"targets": 1e200 * arguments["targets"]}, reading=OWN_GRADIENT)


def test_what_starts_everything_is_made_once(monkeypatch):
    calls = []
    trace = TorchEngine.trace
    monkeypatch.setattr(TorchEngine, "trace", lambda self, *given: calls.append(given[5]) or trace(self, *given))
    measure_model(**model(STEPS["state in place"]), reading=OWN_GRADIENT)
    assert calls == [True]
