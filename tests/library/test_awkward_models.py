"""Steps that torch.func cannot trace, or that change what they are given, against gradients by plain autograd."""

import logging
import random
import re

import numpy as np
import pandas as pd
import pytest
import torch
from torch.autograd.function import once_differentiable

from learnability import measure_model, own_model
from learnability.cells import automatic
from learnability.cells.automatic import AutomaticLinearization
from learnability.core.errors import InputError
from learnability.core.progress import Meter
from learnability.core.streams import check_seed
from learnability.own_model import FunctionCell
from learnability.transport import TorchEngine
from learnability.windows.readings import DetectionOptions, Reading, StatisticOptions

SEQUENCES, TIME, LAGS = 20, 7, [1, 3]
OWN = Reading(StatisticOptions(probe="own_gradient", directions=1), detection=DetectionOptions(draws=100))

POOLED = Reading(
    StatisticOptions(orientation="per_unit", noise="matched", sampling="pooled", directions=2),
    detection=DetectionOptions(draws=100),
)


class NumpyTanh(torch.autograd.Function):
    """Of the old style, in NumPy both ways: neither torch.func nor a second derivative knows it."""

    @staticmethod
    def forward(ctx, x):
        y = torch.from_numpy(np.tanh(x.detach().numpy()))
        ctx.save_for_backward(y)
        return y

    @staticmethod
    @once_differentiable
    def backward(ctx, grad):
        (y,) = ctx.saved_tensors
        return torch.from_numpy((1 - y.numpy() ** 2) * grad.numpy())


class HiddenTanh(torch.autograd.Function):
    """Its backward pass detaches what it is given: a second derivative would be 0 in silence."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.tanh()

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad.detach() * (1 - x.tanh() ** 2)


class Spike(torch.autograd.Function):
    """A step function with a surrogate gradient, as spiking networks have it."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return (x > 0).to(x)

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad / (1 + 5 * x.abs()) ** 2


class Adjoint(torch.autograd.Function):
    """Two Euler steps of ds/dt = tanh(W s) - s, with their adjoint by hand."""

    @staticmethod
    def forward(ctx, state, weights):
        middle = state + 0.3 * ((state @ weights.T).tanh() - state)
        ctx.save_for_backward(state, middle, weights)
        return middle + 0.3 * ((middle @ weights.T).tanh() - middle)

    @staticmethod
    @once_differentiable
    def backward(ctx, adjoint):
        *states, weights = ctx.saved_tensors
        of_weights = torch.zeros_like(weights)
        for state in reversed(states):
            inner = 0.3 * adjoint * (1 - (state @ weights.T).tanh() ** 2)
            of_weights += inner.T @ state
            adjoint = 0.7 * adjoint + inner @ weights
        return adjoint, of_weights


def affine(p, s, x):
    return x @ p["W"].T + s @ p["U"].T


def in_place(p, s, x):
    s *= 0.5
    return s.add_(affine(p, s.clone(), x).tanh_())


def with_item(p, s, x):
    norms = torch.stack([row * (1 + 0.1 * np.tanh(row.detach().norm().item())) for row in s])
    return affine(p, norms, x).tanh()


def branching(p, s, x):
    rows = [row.tanh() if row.sum() > 0 else 0.5 * row.sin() for row in affine(p, s, x)]
    return torch.stack(rows)


def energy(p, s, x):
    """Down the gradient of an energy, which it takes by autograd itself."""
    with torch.enable_grad():
        s = s if s.requires_grad else s.requires_grad_()
        value = (s @ p["U"] * s).sum() / 2 + torch.cosh(affine(p, s, x)).log().sum()
        (slope,) = torch.autograd.grad(value, s, create_graph=True)
    return s - 0.2 * slope


def solved(p, s, x):
    """A fixed point by iteration without gradients, which one step more lets through."""
    with torch.no_grad():
        z = torch.zeros_like(s)
        for _ in range(30):
            z = torch.tanh(affine(p, 0.5 * s + 0.3 * z, x))
    return torch.tanh(affine(p, 0.5 * s + 0.3 * z, x))


def normalised(p, s, x):
    """Changes its parameters in place, on a copy of its own."""
    p["U"] /= torch.linalg.matrix_norm(p["U"], 2).clamp(min=1).detach()
    return affine(p, s, x).tanh()


def leaking(p, s, x):
    """A leak and a temperature that are learned, without dimensions."""
    return (1 - p["leak"].sigmoid()) * s + p["leak"].sigmoid() * (affine(p, s, x) / p["temperature"]).tanh()


STEPS = {
    "custom function in NumPy": lambda p, s, x: NumpyTanh.apply(affine(p, s, x)),
    "custom function that hides": lambda p, s, x: HiddenTanh.apply(affine(p, s, x)),
    "surrogate gradient": lambda p, s, x: 0.8 * s + 0.4 * Spike.apply(affine(p, s, x)) - 0.1 * s.tanh(),
    "adjoint solver": lambda p, s, x: Adjoint.apply(s + x @ p["W"].T, p["U"]),
    "state in place": in_place,
    "numbers by item": with_item,
    "branches on data": branching,
    "gradient within": energy,
    "fixed point": solved,
    "parameters in place": normalised,
    "0-dimensional parameters": leaking,
    "float32 within": lambda p, s, x: affine(p, s, x).float().tanh().double(),
}


def model(step, size=4):
    generator = torch.Generator().manual_seed(3)

    def draw(*shape):
        return torch.randn(shape, generator=generator, dtype=torch.float64)

    parameters = {"W": 0.7 * draw(size, 2), "U": 0.5 * draw(size, size)}
    if step is leaking:
        parameters |= {"leak": draw(), "temperature": draw().exp()}
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


def copies(given):
    return {name: each.clone() for name, each in given.items()}


def trajectory(given):
    """Of one sequence at a time s_{t-1} and x_t as leaves, and s_t."""
    for x in given["inputs"]:
        state, steps = torch.zeros(1, given["state_size"], dtype=torch.float64), []
        for x_t in x:
            leaf = state.detach().clone().requires_grad_()
            theta = {name: each.clone().requires_grad_() for name, each in given["parameters"].items()}
            state = given["step"](copies(theta), leaf.clone(), x_t[None].clone())
            steps.append((leaf, theta, state))
        yield steps


def along_own_gradients(given):
    """Of all sequences g_{i,ℓ} and g_i, and J_t (sequence, t), by nothing but torch.autograd.grad."""
    by_lag, whole, jacobians = [], [], []
    for steps, targets in zip(trajectory(given), given["targets"], strict=True):
        options = {"retain_graph": True, "allow_unused": True, "materialize_grads": True}
        own = []
        for leaf, _, state in steps:
            rows = [torch.autograd.grad(unit, leaf, **options)[0][0] for unit in state[0]]
            own.append(torch.stack(rows))
        jacobians.append(torch.stack(own))
        parts = {lag: 0.0 for lag in [*LAGS, "whole"]}
        signals = []
        for (_, _, state), target in zip(steps, targets, strict=True):
            end = state.detach().requires_grad_()
            predicted = given["readout"](end)
            signals.append((torch.autograd.grad(predicted.sum(), end)[0], 2 * (predicted.detach() - target)))
        for t, (rho, error) in enumerate(signals):
            covector = rho
            for lag in range(t + 1):
                leaf, theta, state = steps[t - lag]
                back = torch.autograd.grad(state, [leaf, *theta.values()], covector, **options)
                flat = error * torch.cat([each.flatten() for each in back[1:]])
                parts["whole"] = parts["whole"] + flat
                if lag in parts:
                    parts[lag] = parts[lag] + flat
                covector = back[0]
        by_lag.append(torch.stack([parts[lag] for lag in LAGS]) / TIME)
        whole.append(parts["whole"] / TIME)
    return torch.stack(by_lag), torch.stack(whole), torch.stack(jacobians)


KEPT_ERRORS = Reading(
    StatisticOptions(probe="own_gradient", directions=1, error_mean="kept"), detection=DetectionOptions(draws=100)
)


@pytest.mark.parametrize("kind", STEPS)
def test_whatever_has_a_gradient_by_plain_autograd_is_measured(kind):
    given = model(STEPS[kind])
    measured = measure_model(**given, reading=KEPT_ERRORS)
    by_lag, whole, jacobians = along_own_gradients(given)
    tolerance = 1e-5 if kind == "float32 within" else 1e-9
    noise = measured.noise[(measured.noise["transport"] == "exact") & (measured.noise["noise"] == "total")]
    pairs = torch.einsum("ilp,jlp->lij", by_lag, by_lag)
    square = (pairs.sum((1, 2)) - pairs.diagonal(dim1=1, dim2=2).sum(1)) / (SEQUENCES * (SEQUENCES - 1))
    rounding = {"rtol": 1e3 * tolerance, "atol": float(tolerance * pairs.abs().max())}
    np.testing.assert_allclose(noise["gradient_square"], square, **rounding)
    np.testing.assert_allclose(noise["total_variance"], whole.var(0).sum(), rtol=tolerance)
    diagonals = jacobians.diagonal(dim1=-2, dim2=-1)
    first_order = [
        torch.stack([diagonals[:, t - lag + 1 : t + 1].prod(1) for t in range(lag, TIME)], 1).abs().mean((0, 1)).sum()
        for lag in LAGS
    ]
    np.testing.assert_allclose(measured.envelope["envelope"], first_order, rtol=tolerance)


@pytest.mark.parametrize(("kind", "slower"), [(kind, "custom" in kind or "adjoint" in kind) for kind in STEPS])
def test_random_directions_are_those_of_plain_autograd_and_a_slower_way_is_said_once(kind, slower, caplog, monkeypatch):
    monkeypatch.setattr(automatic, "_SAID", set())
    given = model(STEPS[kind])
    cell = FunctionCell(2, 4, given["step"], None, given["parameters"])
    w = {name: torch.randn_like(each) for name, each in given["parameters"].items()}
    *_, last = zip(*trajectory(given), strict=True)
    states, x = torch.cat([leaf for leaf, _, _ in last]).detach(), given["inputs"][:, -1]
    v = torch.randn_like(states)
    steps = AutomaticLinearization(cell, given["parameters"], states, x)
    with caplog.at_level(logging.WARNING):
        found = steps.along_parameters(w), steps.along_state(v)
        steps.along_parameters(w)
    expected = [torch.zeros_like(states), torch.zeros_like(states)]
    for row, (leaf, theta, state) in enumerate(last):
        for unit in range(4):
            options = {"retain_graph": True, "allow_unused": True, "materialize_grads": True}
            back = torch.autograd.grad(state[0, unit], [leaf, *theta.values()], **options)
            expected[0][row, unit] = sum((g * w[name]).sum() for name, g in zip(theta, back[1:], strict=True))
            expected[1][row, unit] = (back[0][0] * v[row]).sum()
    tolerance = 1e-5 if kind == "float32 within" else 1e-10
    for one, other in zip(found, expected, strict=True):
        torch.testing.assert_close(one, other, rtol=tolerance, atol=tolerance)
    assert [record.getMessage()[:28] for record in caplog.records] == ["Derivatives along directions"] * slower


@pytest.mark.parametrize("kind", ["state in place", "surrogate gradient"])
def test_blocks_of_one_give_what_all_at_once_give(kind):
    """Rows, sequences and products one by one, whatever the reading."""
    for reading in (OWN, POOLED):
        given = model(STEPS[kind]) | {"reading": reading}
        for one, other in zip(*(measure_model(**given, block_bytes=size) for size in (1, 2**40)), strict=True):
            pd.testing.assert_frame_equal(one, other, rtol=1e-9)


@pytest.mark.parametrize("reading", [OWN, POOLED], ids=["own gradient", "pooled"])
def test_progress_counts_all_rows_that_go_backward(reading, monkeypatch, capsys):
    meters = []
    monkeypatch.setattr(own_model, "Meter", lambda *given: meters.append(Meter(*given, seconds=0)) or meters[0])
    measure_model(**model(STEPS["state in place"]), reading=reading, progress=True)
    (meter,) = meters
    assert meter.done == meter.total
    *_, before, last = capsys.readouterr().err.splitlines()
    assert re.fullmatch(r"measure_model: \d+%, (about .*|a few seconds) left", before)
    assert last == "measure_model: 100%, all but tables and intervals"


def test_work_that_is_short_or_no_terminal_says_nothing(capsys):
    measure_model(**model(STEPS["state in place"]), reading=OWN)
    measure_model(**model(STEPS["state in place"]), reading=OWN, progress=True)
    assert not capsys.readouterr().err


def test_time_left_is_said_from_the_first_seconds_on(capsys):
    now = [0.0]
    meter = Meter("work", 4, clock=lambda: now[0])
    for _ in range(4):
        now[0] += 20
        meter.add(1)
    said = capsys.readouterr().err.splitlines()
    assert said == [
        "work: 25%, about 1 min left",
        "work: 50%, about 40 s left",
        "work: 75%, about 20 s left",
        "work: 100%, all but tables and intervals",
    ]


class Counter:
    """A module that keeps what it should not."""

    def __init__(self):
        self.calls, self.state = 0, None

    def count(self, p, s, x):
        self.calls += 1
        return affine(p, s, x).tanh() * (1 + self.calls)

    def keep(self, p, s, x):
        self.state = affine(p, s if self.state is None or len(self.state) != len(s) else self.state, x).tanh()
        return self.state


def overwritten(p, s, x):
    y = s.exp()
    z = y * y
    y += affine(p, s, x)
    return (y + z).tanh()


REFUSED = {
    "counts": (lambda: Counter().count, r"'step' must give the same twice, but it keeps something.*functional_call"),
    "keeps": (lambda: Counter().keep, r"'step' must give the same twice, but it keeps something.*belongs in the state"),
    "torch's chance": (lambda: lambda p, s, x: affine(p, s, x) * torch.rand(()), r"same twice \(module\.eval\(\)"),
    "NumPy's chance": (lambda: lambda p, s, x: affine(p, s, x) * np.random.rand(), r"same twice \(module\.eval\(\)"),
    "Python's chance": (lambda: lambda p, s, x: affine(p, s, x) * random.random(), r"same twice \(module\.eval\(\)"),
    "overwritten": (
        lambda: overwritten,
        r"\.grad \(a tensor is changed in place .*: clone it before\)",
    ),
    "NumPy": (lambda: lambda p, s, x: torch.from_numpy(np.tanh(affine(p, s, x).numpy())), r"'step' must .*numpy\(\)"),
    "exits": (lambda: lambda p, s, x: exit(3), r"'step' must take float64 state .*Got SystemExit: 3"),
    "complex state": (
        lambda: lambda p, s, x: torch.complex(affine(p, s, x), s),
        r"'step' must be a map to float64 \(torch\.view_as_real\(state\)\.flatten\(1\)\)\. Got torch\.complex128",
    ),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_what_cannot_be_measured_is_named_with_the_way_out(kind):
    make, message = REFUSED[kind]
    with pytest.raises(InputError, match=message) as refusal:
        measure_model(**model(make()), reading=OWN)
    assert "\n" not in str(refusal.value)
    assert kind in ("torch's chance", "NumPy's chance", "Python's chance") or "dropout" not in str(refusal.value)


def test_complex_parameters_are_named_with_the_way_out():
    given = model(STEPS["state in place"])
    given["parameters"]["A"] = torch.ones(4, dtype=torch.complex128)
    with pytest.raises(InputError, match=r"'A' must be real numbers: torch\.view_as_real\(A\) .*Got torch\.complex128"):
        measure_model(**given, reading=OWN)


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

    given = model(root)
    given["inputs"][:, 3] = 0
    with pytest.raises(InputError, match=r"'step' must be differentiable in its state\. Got .* not finite at t = 4\."):
        measure_model(**given, reading=OWN)
    given = model(lambda p, s, x: (affine(p, s, x) + 1e200 * s).sin())
    with pytest.raises(InputError, match=r"'lags' must be such that gradients stay within float64\. .*at lag 3"):
        measure_model(**given, reading=OWN)


def test_heavy_tails_are_said_once(caplog):
    with caplog.at_level(logging.WARNING):
        measure_model(**model(STEPS["state in place"]), reading=POOLED)
    assert [record.getMessage()[:21] for record in caplog.records] == ["Tail index below 1.2 "]


def test_what_starts_everything_is_made_once(monkeypatch):
    calls = []
    trace = TorchEngine.trace
    monkeypatch.setattr(TorchEngine, "trace", lambda self, *given: calls.append(given[5]) or trace(self, *given))
    measure_model(**model(STEPS["state in place"]), reading=OWN)
    assert calls == [True]
