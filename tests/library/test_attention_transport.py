"""Gradients by lag through recurrence and attention, against a backward pass for each t with a θ of each step."""

from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

import numpy as np
import pytest
import torch
import xarray as xr

from learnability.cells import CELLS, GATED, PLAIN, Cell, MemRNN
from learnability.cells.attentive import AttentionCell
from learnability.cells.memory import FullMemory
from learnability.core.errors import InputError
from learnability.core.streams import numpy_generator
from learnability.networks.frozen import Frozen
from learnability.networks.losses import LOSSES
from learnability.networks.network import Network, hidden_units
from learnability.tasks import Copy, DelayedSum
from learnability.transport import ENGINES, TorchEngine, choose_engine
from learnability.windows.readings import DetectionOptions, Reading, StatisticOptions
from learnability.windows.request import Request
from learnability.windows.response import measure_recall
from learnability.windows.statistic import matched_statistic, matched_statistics
from learnability.windows.through_training import measure_training
from learnability.windows.windowing import find_sample_complexity
from networks import Blind, random_parameters

SEQUENCES, TIME, INPUTS, UNITS, ROOT_SEED = 2, 11, 3, 4, 3
OWN_GRADIENT = StatisticOptions(probe="own_gradient", directions=1)
TORCH = TorchEngine()
SETTINGS = {"gate_init": 0.4, "gate_value": 0.4}


def build(name, outputs=0, units=UNITS, inputs=INPUTS, **settings):
    fields = CELLS[name].__dataclass_fields__
    defaults = {key: value for key, value in SETTINGS.items() if key in fields}
    loss = "cross_entropy" if outputs else "squared_error"
    return Network.build({"cell": name, **defaults, **settings}, inputs, units, False, outputs, loss)


def gradients_by_step(network, p, x, y):
    """∂E_t/∂θ_τ of each sequence, t and τ ≤ t, one backward pass for each sequence and t."""
    cell, names = network.cell, list(network.cell.initial_parameters(0, 0))
    size = sum(p[name].numel() for name in names)
    by_step = torch.zeros(len(x), TIME, TIME, size, dtype=torch.float64)
    for n in range(len(x)):
        copies = [{name: p[name].clone().requires_grad_() for name in names} for _ in range(TIME)]
        state, losses = cell.initial_state(x[n : n + 1, 0]), []
        for t in range(TIME):
            state = cell.step(copies[t], state, x[n : n + 1, t])
            prediction = network.read_out(p, cell.output(state))
            losses.append(LOSSES[network.loss].each(prediction[:, None], y[n : n + 1, t, None]).sum())
        for t in range(TIME):
            leaves = [copies[tau][name] for tau in range(t + 1) for name in names]
            parts = torch.autograd.grad(losses[t], leaves, retain_graph=True, allow_unused=True, materialize_grads=True)
            by_step[n, t, : t + 1] = torch.cat([part.flatten() for part in parts]).view(t + 1, size)
    return by_step


CASES = [
    ("mem_rnn", {}),
    ("mem_rnn", {"attends_to_current": False, "readout_from": "s", "mix": "mean"}),
    ("mem_lstm", {"readout_from": "s"}),
    ("rel_rnn", {"short_term": 2, "relevant": 2}),
    ("rel_rnn", {"short_term": 1, "relevant": 3, "nonlinearity": "modrelu"}),
    ("rel_lstm", {"short_term": 2, "relevant": 3}),
    ("rel_lstm", {"short_term": 3, "relevant": 1, "attends_to_current": False, "mix": "mean"}),
    ("sab", {"top_k": 2, "truncation": 3, "store_every": 2}),
    ("sab", {"top_k": 10, "truncation": 0, "store_every": 1}),
]


@pytest.mark.parametrize("outputs", [0, 3])
@pytest.mark.parametrize(("name", "settings"), CASES)
def test_parts_are_those_of_the_parameters_of_each_step(normal, name, settings, outputs):
    network = build(name, outputs, **settings)
    p, x = random_parameters(network, normal), normal(SEQUENCES, TIME, INPUTS)
    y = torch.arange(SEQUENCES * TIME).view(SEQUENCES, TIME) % 3 if outputs else normal(SEQUENCES, TIME)
    expected = gradients_by_step(network, p, x, y)
    errors = LOSSES[network.loss].gradient(TORCH.predictions(network, p, x), y)
    for lags in ([1, 2, 5], [3, 10]):
        gradients = TORCH.gradients(network, p, x, torch.stack([errors, -2 * errors]), lags, "exact")
        for gradient, steps in zip(gradients, expected, strict=True):
            by_lag = torch.stack([steps.diagonal(-lag).sum(-1) for lag in lags])
            whole = steps.sum((0, 1))
            torch.testing.assert_close(gradient.by_lag, torch.stack([by_lag, -2 * by_lag]), rtol=1e-10, atol=1e-11)
            torch.testing.assert_close(gradient.whole, torch.stack([whole, -2 * whole]), rtol=1e-10, atol=1e-11)


def test_the_parts_of_all_lags_are_the_gradient_but_for_lag_zero(normal):
    network = build("rel_lstm", short_term=2, relevant=2)
    p, x = random_parameters(network, normal), normal(1, TIME, INPUTS)
    leaves = {name: p[name].clone().requires_grad_() for name in network.cell.initial_parameters(0, 0)}
    predictions = network.read_out(p, hidden_units(network.cell, leaves, x))
    straight = torch.cat([g.flatten() for g in torch.autograd.grad(predictions.sum(), list(leaves.values()))])
    lags = list(range(1, TIME))
    (gradient,) = TORCH.gradients(network, p, x, torch.ones(1, 1, TIME).double(), lags, "exact")
    torch.testing.assert_close(gradient.whole[0], straight, rtol=1e-10, atol=1e-12)
    by_step = gradients_by_step(network, p, x, predictions.detach() - 0.5)[0]
    at_zero = by_step.diagonal().sum(-1)
    torch.testing.assert_close(gradient.by_lag[0].sum(0) + at_zero, straight, rtol=1e-9, atol=1e-11)


class PlainState(NamedTuple):
    base: torch.Tensor
    memory: object


@dataclass(frozen=True)
class Wrapped(AttentionCell):
    """A cell without attention, as one that has a memory and leaves it alone."""

    inner: Cell

    base = property(lambda self: self.inner)
    store = property(lambda self: FullMemory())

    def initial_parameters(self, root_seed, seed):
        return self.inner.initial_parameters(root_seed, seed)

    def initial_state(self, inputs):
        return PlainState(self.inner.initial_state(inputs), None)

    def advance(self, parameters, state, inputs, store):
        return PlainState(self.inner.step(parameters, state.base, inputs), state.memory)

    def attended(self, before, state, step):
        raise AssertionError("it attends to nothing")

    def output(self, state):
        return self.inner.output(state.base)


@pytest.mark.parametrize("outputs", [0, 3])
@pytest.mark.parametrize("name", [*GATED, *PLAIN])
def test_without_attention_they_are_those_of_exact_transport(normal, name, outputs):
    plain = build(name, outputs)
    p, x, lags = random_parameters(plain, normal), normal(5, TIME, INPUTS), [1, 2, 6]
    errors = normal(2, 5, TIME, *[outputs] * bool(outputs))
    wrapper = replace(plain, cell=Wrapped(INPUTS, UNITS, plain.cell))
    for result, reference in zip(
        TORCH.gradients(wrapper, p, x, errors, lags, "exact"),
        TORCH.gradients(plain, p, x, errors, lags, "exact"),
        strict=True,
    ):
        for part, expected in zip(result, reference, strict=True):
            torch.testing.assert_close(part, expected, rtol=1e-10, atol=1e-12)


def test_parts_of_classes_are_those_of_either_engine(normal, engine):
    network, lags = build("lstm", 3), [1, 4]
    p, x, errors = random_parameters(network, normal), normal(3, TIME, INPUTS), normal(2, 3, TIME, 3)
    for result, reference in zip(
        engine.gradients(network, p, x, errors, lags, "exact"),
        TORCH.gradients(network, p, x, errors, lags, "exact"),
        strict=True,
    ):
        for part, expected in zip(result, reference, strict=True):
            torch.testing.assert_close(part, expected, rtol=1e-4, atol=1e-5 * expected.abs().max().item())


def test_attention_to_nothing_leaves_the_gradient_of_the_base(normal, monkeypatch):
    network, rnn = build("mem_rnn"), build("rnn")
    p, x, errors = random_parameters(network, normal), normal(3, TIME, INPUTS), normal(1, 3, TIME)
    monkeypatch.setattr(MemRNN, "store", Blind())
    size = sum(tensor.numel() for tensor in rnn.cell.initial_parameters(0, 0).values())
    for result, reference in zip(
        TORCH.gradients(network, p, x, errors, [1, 4], "exact"),
        TORCH.gradients(rnn, p, x, errors, [1, 4], "exact"),
        strict=True,
    ):
        torch.testing.assert_close(result.by_lag[..., :size], reference.by_lag, rtol=1e-10, atol=1e-12)
        assert not result.by_lag[..., size:].any()
        torch.testing.assert_close(result.envelope, reference.envelope, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("name", ["mem_rnn", "sab"])
def test_a_few_sequences_at_a_time_are_all_of_them(normal, monkeypatch, name):
    network = build(name)
    p, x, errors = random_parameters(network, normal), normal(5, TIME, INPUTS), normal(2, 5, TIME)
    together = list(TORCH.gradients(network, p, x, errors, [1, 4], "exact"))
    monkeypatch.setattr("learnability.transport.torch_engine.ATTENDING_SEQUENCES", 2)
    for result, reference in zip(TORCH.gradients(network, p, x, errors, [1, 4], "exact"), together, strict=True):
        for part, expected in zip(result, reference, strict=True):
            torch.testing.assert_close(part, expected, rtol=1e-11, atol=1e-13)


def frozen_on(name, task, count, normal, **settings):
    samples = task.generate("diagnostic", count)
    network = build(name, task.outputs, 5, task.input_size, **settings)
    targets = torch.from_numpy(samples.targets)
    targets = targets if task.outputs else targets.double()
    return Frozen(network, random_parameters(network, normal), torch.from_numpy(samples.inputs), targets)


LAGS = [2, 4, 8]
READING = Reading(OWN_GRADIENT, detection=DetectionOptions(draws=100))


@pytest.mark.parametrize(
    ("name", "kind"), [("lstm", Copy), ("mem_rnn", DelayedSum), ("rel_lstm", Copy), ("sab", DelayedSum)]
)
def test_a_training_is_measured_on_either_task(normal, name, kind):
    arguments = {DelayedSum: (3, 16, [2, 5], [0.8, 0.5], 0.3), Copy: (5,)}[kind]
    settings = {"symbols": 3, "alphabet": 4} if kind is Copy else {}
    task = kind(*arguments, root_seed=ROOT_SEED, seed=1, **settings)
    frozen = frozen_on(name, task, 22, normal)
    snapshots = {0: frozen.network.initial_parameters(1, 0), 5: frozen.parameters}
    tables = measure_training(frozen, snapshots, task, READING, LAGS, ROOT_SEED, 1, TORCH)
    windows, responses = tables["training_windows"], tables["training_responses"]
    assert windows.groupby(["epoch", "control", "noise"]).size().tolist() == [len(LAGS)] * 6
    assert (windows["total_variance"] > 0).all()
    assert set(task.dependencies) <= set(responses["lag"])
    for epoch, p in snapshots.items():
        statistic = matched_statistic(frozen._replace(parameters=p), LAGS, 1.0, ROOT_SEED, OWN_GRADIENT, TORCH)
        rows = windows[windows["control"].eq("none") & windows["noise"].eq("total") & windows["epoch"].eq(epoch)]
        np.testing.assert_allclose(rows["signal"], np.abs(statistic["statistic"].mean("sequence"))[0], rtol=1e-12)


def test_requests_of_classes_come_together_and_are_what_they_are_alone(normal):
    frozen = frozen_on("rel_rnn", Copy(5, ROOT_SEED, 1, symbols=3, alphabet=4), 8, normal)
    requests = [Request(OWN_GRADIENT, LAGS), Request(OWN_GRADIENT, LAGS, shift_errors=True)]
    for request, statistic in zip(requests, matched_statistics(frozen, requests, 1.0, ROOT_SEED, TORCH), strict=True):
        (alone,) = matched_statistics(frozen, [request], 1.0, ROOT_SEED, TORCH)
        xr.testing.assert_allclose(statistic, alone, rtol=1e-9)


def test_errors_of_another_sequence_have_no_gradient_through_attention(normal):
    """Share of networks in which the bound over all lags, of level 5 %, is passed anywhere."""
    detections = {"none": [], "permuted_errors": []}
    for seed in range(24):
        task = DelayedSum(3, 12, [2], [1.0], 0.3, ROOT_SEED, seed)
        frozen = frozen_on("rel_rnn", task, 24, normal, short_term=2, relevant=2)
        requests = [Request(OWN_GRADIENT, [2, 4], shift_errors=shift) for shift in (False, True)]
        statistics = matched_statistics(frozen, requests, 1.0, ROOT_SEED, TORCH)
        for control, statistic in zip(detections, statistics, strict=True):
            along, stream = statistic.isel(direction=0), partial(numpy_generator, ROOT_SEED, seed)
            noise, *_ = find_sample_complexity(along, READING, stream, resampling=False)
            detections[control].append((noise["lower"] > 0).any())
    assert np.mean(detections["none"]) > 0.7
    assert np.mean(detections["permuted_errors"]) < 0.2


class Certain(TorchEngine):
    """Names with so much certainty what was shown some steps ago."""

    def __init__(self, lag, certainty):
        self.lag, self.certainty = lag, certainty

    def predictions(self, network, parameters, inputs):
        symbols = inputs.roll(self.lag, 1)[..., :-1].double()
        return self.certainty * symbols


@pytest.mark.parametrize(("lag", "certainty", "expected"), [(9, 50.0, 1.0), (9, 0.0, 0.0), (8, 50.0, 0.0)])
def test_recall_is_how_much_of_a_symbol_comes_back(normal, lag, certainty, expected):
    task = Copy(6, ROOT_SEED, 1, symbols=3, alphabet=4)
    frozen = frozen_on("rnn", task, 400, normal)
    recall = measure_recall(frozen, task, Certain(lag, certainty)).set_index("lag")
    assert recall.index.tolist() == [7, 8, 9, 10, 11]
    assert recall["coefficient"].tolist() == [0, 0, 1, 0, 0]
    assert recall.loc[9, "response_low"] - 0.02 <= expected <= recall.loc[9, "response_high"] + 0.02
    if lag == 8:
        assert recall.loc[8, "response"] > 0.6  # of the last symbol nothing was shown so many steps ago


def test_what_attention_does_not_have_is_refused(normal):
    frozen = frozen_on("rel_rnn", DelayedSum(3, 16, [2], [1.0], 0.3, ROOT_SEED, 1), 8, normal)
    with pytest.raises(InputError, match=r"'transport' must be exact through attention\. Got 'first_order'"):
        matched_statistic(frozen, LAGS, 1.0, ROOT_SEED, replace(OWN_GRADIENT, transport="first_order"), TORCH)
    with pytest.raises(InputError, match=r"'cell' must be one whose state is a single tensor\. Got 'RelRNN'"):
        matched_statistic(frozen, LAGS, 1.0, ROOT_SEED, StatisticOptions(directions=1), TORCH)
    assert isinstance(choose_engine("auto", frozen.network.cell), TorchEngine)
    with pytest.raises(InputError, match="the cell of engine 'native' must be one of"):
        matched_statistic(frozen, LAGS, 1.0, ROOT_SEED, OWN_GRADIENT, ENGINES["native"]())
