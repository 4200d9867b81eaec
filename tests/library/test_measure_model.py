import doctest
import inspect
import itertools
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import torch

from learnability import measure_model, measure_module
from learnability.cells.automatic import row_bytes_of
from learnability.core.errors import InputError
from learnability.measurement.cell import FunctionCell
from learnability.measurement.engine import CachingEngine
from learnability.measurement.limits import FEWEST_SEQUENCES
from learnability.measurement.network import FunctionNetwork
from learnability.measurement.step import OWN_GRADIENT
from learnability.networks.frozen import Frozen
from learnability.networks.network import run
from learnability.transport import ENGINES, effective_learning_rates, envelope, exact_table, exact_transport
from learnability.windows.readings import DetectionOptions, NoiseOptions, Reading, StatisticOptions
from learnability.windows.statistic import matched_statistic
from learnability.windows.windowing import estimate_window
from networks import cell_parameters

LAGS = [1, 2, 4]
OWN_READING = replace(OWN_GRADIENT, detection=DetectionOptions(draws=100))
TEXT = Reading(
    StatisticOptions(sampling="pooled", sign_estimate="in_sample", error_mean="kept", noise="matched", directions=1),
    NoiseOptions(tail_index="per_lag"),
    DetectionOptions(criterion="fano", family_wise=0, draws=100),
)


@pytest.fixture
def arguments(network, parameters, normal):
    """A cell of the library as if it were somebody's own."""
    x, y = normal(20, 12, 3), normal(20, 12)
    return {
        "step": network.cell.step,
        "parameters": cell_parameters(parameters),
        "readout": lambda state: network.predict(parameters, state),
        "inputs": x,
        "targets": y,
        "state_size": network.cell.state_size,
        "lags": LAGS,
        "reading": OWN_READING,
    }


@pytest.mark.parametrize("architecture", ["const_gate", "shared_gate", "diag_gate", "gru"])
def test_a_function_is_measured_as_the_cell_it_stands_for(network, parameters, arguments):
    cell = network.cell
    measurement = measure_model(
        **arguments, retention=lambda p, s, x: (1 - cell.gate(p, s, x)).expand_as(s), root_seed=5
    )
    rates = effective_learning_rates(network, parameters, arguments["inputs"], LAGS, ENGINES["torch"]())
    np.testing.assert_allclose(measurement.envelope["envelope"], envelope(rates), rtol=1e-10)
    # A GRU's reset is its own affair: a function that maps a state has none to name.
    expected = exact_table(exact_transport(network, parameters, arguments["inputs"], LAGS, 5))[
        measurement.exact.columns
    ]
    np.testing.assert_allclose(measurement.exact, expected, rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize("architecture", ["lstm"])
def test_exact_transport_of_a_function_crosses_its_whole_state(network, parameters, arguments):
    measurement = measure_model(**arguments)
    assert set(measurement.noise["transport"]) == {"first_order", "exact"}
    assert set(measurement.window["sample_size"]) >= {25, 12800}
    assert measurement.sample_complexity.groupby(["transport", "noise", "criterion"]).size().eq(3).all()
    assert set(measurement.sample_complexity["criterion"]) == {"snr", "fano", "exact"}


@pytest.mark.parametrize("architecture", ["diag_gate", "gru"])
def test_windows_are_those_of_the_cell_it_stands_for(network, parameters, arguments):
    """The default is along each lag's own gradient, in both noises; the text's reading has one noise."""
    frozen = Frozen(network, parameters, arguments["inputs"], arguments["targets"])
    for reading, noises in ((OWN_READING, ["total", "matched"]), (TEXT, ["matched"])):
        with_measured = replace(reading.detection, sample_sizes=(20, *reading.detection.sample_sizes))
        measurement = measure_model(**arguments | {"reading": reading}, root_seed=5)
        assert measurement.noise["noise"].unique().tolist() == noises
        for noise in noises:
            options = replace(reading.statistic, base_rate=False, noise=noise)
            statistic = matched_statistic(frozen, LAGS, 1.0, 5, options, ENGINES["torch"]())
            expected = estimate_window(statistic, replace(reading, statistic=options, detection=with_measured), 5, 0)
            for kind in ("noise", "sample_complexity", "window"):
                table = getattr(measurement, kind).set_index(["transport", "noise"]).loc[("exact", noise)]
                for name in expected[kind].select_dtypes("number"):
                    np.testing.assert_allclose(table[name], expected[kind][name], rtol=1e-6, atol=1e-12, err_msg=name)


@pytest.mark.parametrize("architecture", ["diag_gate"])
def test_without_a_retention_the_whole_diagonal_counts(arguments):
    whole, no_retention = (
        measure_model(**arguments),
        measure_model(**arguments, retention=lambda p, s, x: torch.zeros_like(s)),
    )
    assert (whole.envelope["envelope"] > 0).all()
    # With a = 0 only one-step windows have a first order.
    assert no_retention.envelope["envelope"].tolist() == [pytest.approx(whole.envelope["envelope"][0]), 0, 0]


@pytest.mark.parametrize("architecture", ["diag_gate"])
def test_arrays_and_trained_weights_measure_as_tensors_do(arguments):
    weights = torch.nn.Linear(5, 1).double()
    with_module = arguments | {"readout": lambda state: weights(state).squeeze(1)}
    scale = torch.ones((), dtype=torch.float64, requires_grad=True)
    arrays = {name: arguments[name].numpy() for name in ("inputs", "targets")}
    arrays["parameters"] = {name: tensor.numpy() for name, tensor in arguments["parameters"].items()}
    arrays["inputs"] = arrays["inputs"][::-1][::-1]
    differentiable = {
        "parameters": {name: torch.nn.Parameter(tensor) for name, tensor in arguments["parameters"].items()},
        "step": lambda p, s, x: scale * arguments["step"](p, s, x),
        "targets": arguments["targets"].clone().requires_grad_(),
    }
    expected = measure_model(**with_module)
    for change in (arrays | {"lags": np.array(LAGS)}, differentiable):
        for table, changed_table in zip(expected, measure_model(**with_module | change), strict=True):
            pd.testing.assert_frame_equal(table, changed_table)
    assert weights.weight.grad is None


@pytest.mark.parametrize("architecture", ["gru"])
def test_the_gradient_of_a_readout_is_taken_row_by_row(network, arguments, normal):
    cell = FunctionCell(3, 5, arguments["step"], None, arguments["parameters"])
    function_network = FunctionNetwork(cell, readout=lambda s: s.square().sum(-1))
    states = normal(2, 4, 5)
    torch.testing.assert_close(function_network.readout_gradient({}, states), 2 * states)


def nan_at(shape, place):
    numbers = torch.zeros(shape)
    numbers[place] = torch.nan
    return numbers


def refuse(arguments, change, message):
    with pytest.raises(InputError, match=message) as refusal:
        measure_model(**arguments | change)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("architecture", ["diag_gate"])
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"inputs": torch.zeros(20, 12)},
            r"'inputs' must be of shape \(sequence, time, input\), inputs\[.* None\] for",
        ),
        ({"inputs": torch.zeros(20, 1, 3), "targets": torch.zeros(20, 1)}, r"'inputs' must be of two steps.*Got 1"),
        ({"targets": torch.zeros(20, 1)}, r"'targets' must be of shape \(20, 12, 1\): repeat one of each sequence"),
        ({"targets": torch.zeros(20, 11)}, r"'targets' must be of shape \(20, 12\)"),
        ({"targets": nan_at((20, 12), (3, 5))}, r"'targets' must be finite\. Got nan at \[3, 5\]\."),
        ({"inputs": nan_at((20, 12, 3), (2, 5, 1))}, r"'inputs' must be finite\. Got nan at \[2, 5, 1\]\."),
        ({"targets": [["one"]]}, r"'targets' must be an array of numbers\. Got list"),
        ({"targets": torch.zeros(20, 12, dtype=torch.complex64)}, r"'targets' must be real numbers.*complex64"),
        ({"inputs": torch.zeros(0, 12, 3), "targets": torch.zeros(0, 12)}, r"'inputs' must be of two sequences.*Got 0"),
        ({"inputs": torch.zeros(1, 12, 3), "targets": torch.zeros(1, 12)}, r"'inputs' must be of two sequences.*Got 1"),
        ({"parameters": {}}, r"'parameters' must be one or more by name.*Got \{\}"),
        ({"parameters": {"W": [np.inf]}}, r"'W' must be finite\. Got inf at \[0\]\."),
        ({"parameters": {"W": np.inf}}, r"'W' must be finite\. Got inf\."),
        ({"lags": []}, r"'lags' must be a list of at least one integer\. Got \[\]\."),
        ({"lags": [[1], [2, 4]]}, r"'lags' must be a list of integers\."),
        ({"masc": None}, r"'options of measure_model' must be among .*Got 'masc' \(did you mean 'mask'\?\)\."),
        ({"loss": None}, r"'options of measure_model' must be among .*Got 'loss'"),
        ({"state_size": 0}, r"'state_size' must be a positive integer\. Got 0"),
        ({"lags": [1, 12]}, r"'lags' must be in \[1, 11\]\. Got 12\."),
        ({"lags": [0, 2]}, r"'lags' must be in \[1, 11\]\. Got 0\."),
        ({"lags": [4, 2]}, r"'lags' must be one or more integers in increasing order\. Got \[4, 2\]"),
        ({"lags": [1.0, 2.0]}, r"'lags' must be a list of integers\. Got \[1\.0, 2\.0\]"),
        ({"lags": np.array([1.0, 2.5])}, r"'lags' must be a list of integers"),
        ({"lags": 3}, r"'lags' must be a list of integers\. Got 3"),
        ({"inputs": torch.zeros(9, 12, 3), "targets": torch.zeros(9, 12)}, r"'inputs' must be of 20 sequences .*Got 9"),
        (
            {"inputs": torch.zeros(9, 12, 3), "targets": torch.zeros(9, 12), "mask": torch.ones(9, 12).bool()},
            r"'inputs' must be of 20 sequences at least\. Got 9",
        ),
        (
            {"inputs": torch.zeros(9, 12, 3), "targets": torch.zeros(9, 12), "lags": [1, 10], "reading": TEXT},
            r"'inputs' must be of 20 pairs of a sequence and t at the largest lag at least.*Got 18",
        ),
    ],
)
def test_what_is_no_data_is_refused_by_name(arguments, change, message):
    refuse(arguments, change, message)


@pytest.mark.parametrize("architecture", ["diag_gate"])
@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"step": lambda p, s, x: s[:, :2]}, r"'step' must be a map to .*state_size\) = \(20, 5\)\. Got \(20, 2\)"),
        ({"step": lambda p, s, x: (s, s)}, r"'step' must give one tensor \(torch\.cat .*Got a tuple"),
        ({"step": lambda p, s, x: s.float()}, r"'step' must be a map to float64 .*Got torch\.float32"),
        ({"step": lambda p, s, x: s / 0}, r"'step' must give finite numbers.*t = 1"),
        (
            {"step": lambda p, s, x: s * 0 + x.sum(1, keepdim=True)},
            r"'step' must be differentiable in its state \(not detached, left out or saturated\)\. Got .* that is 0\.",
        ),
        ({"step": lambda p, s, x: s.tanh() + 1}, r"'step' must be differentiable in its parameters"),
        ({"step": lambda p, s, x: torch.zeros(0)[9]}, r"'step' must take float64 state \(20, 5\), input \(20, 3\)"),
        ({"step": lambda p, s, x: torch.from_numpy(s.numpy() + 1)}, r"by torch\.autograd\.grad \(NumPy hides it"),
        ({"state_size": 4}, r"'step' must take float64 state \(20, 4\), input \(20, 3\)\. Got RuntimeError: .*4"),
        ({"step": lambda p, s, x: torch.dropout(s + 1, 0.5, True)}, r"'step' must give the same twice .*t = 1"),
        ({"step": lambda p, s, x: s + x.mean()}, r"'step' must take each sequence on its own .*t = 1"),
        ({"step": lambda p, s, x: s + x.cumsum(0)[:, :1]}, r"'step' must take each sequence on its own .*t = 1"),
        (
            {"readout": lambda s: s},
            r"'targets' must be integers from 0 to 4 .* 5 numbers .* need a `readout` of one",
        ),
        ({"readout": lambda s: s[:, 0] - s[:, 0].mean()}, r"'readout' must take each sequence on its own"),
        ({"readout": lambda s: torch.randn(len(s)).double()}, r"'readout' must give the same twice"),
        ({"readout": lambda s: s.detach().sum(-1)}, r"'readout' must be differentiable in the state\. .*0"),
        ({"readout": lambda s: (s * 0).abs().sum(-1).sqrt() + 1}, r"'readout' must be differentiable.*not finite"),
        (
            {"readout": lambda s: s @ torch.ones(5)},
            r"'readout' must take .* \(convert .* to float64, or .*\)\. Got RuntimeError",
        ),
        ({"retention": lambda p, s, x: s[:, :1]}, r"'retention' must be a map to .* = \(20, 5\)"),
    ],
)
def test_functions_that_are_no_maps_of_single_sequences_are_refused_by_name(arguments, change, message):
    refuse(arguments, change, message)


@pytest.mark.parametrize("architecture", ["diag_gate"])
def test_arguments_that_are_missing_or_given_twice_are_refused_with_their_order(arguments):
    step, inputs, targets = (arguments[name] for name in ("step", "inputs", "targets"))
    lstm, order = torch.nn.LSTM(3, 4, batch_first=True), r"must be step, parameters, readout, inputs, targets, in this"
    with pytest.raises(InputError, match=order + r".*Got others: multiple values for argument 'readout'\."):
        measure_model(step, inputs, targets, readout=arguments["readout"], state_size=5)
    with pytest.raises(InputError, match=r"must be module, inputs, targets, in this .*required argument: 'targets'\."):
        measure_model(lstm, inputs, readout=arguments["readout"])


@pytest.mark.parametrize("architecture", ["diag_gate"])
def test_a_step_that_takes_other_arguments_is_refused_with_these(arguments):
    order = r"'step' must take float64 state .* as \(parameters, state, input\)"
    refuse(arguments, {"step": lambda s, x: s}, order + r"\. Got TypeError")

    class WithStep(torch.nn.Module):
        def step(self, h, x):
            return h

    refuse(
        arguments, {"step": WithStep().step}, order + r", and a method .*`forward\(x, state\)` calls it\. Got TypeError"
    )


@pytest.mark.parametrize("architecture", ["diag_gate"])
def test_of_a_step_lags_are_powers_of_2_by_default_and_a_readout_may_have_an_axis_of_one_output(arguments):
    options = {name: value for name, value in arguments.items() if name != "lags"}
    readout = arguments["readout"]
    expected = measure_model(**options, lags=[1, 2, 4, 8])
    for targets in (arguments["targets"], arguments["targets"][..., None]):
        changes = {"readout": lambda state: readout(state)[:, None], "targets": targets}
        pd.testing.assert_frame_equal(measure_model(**options | changes).noise, expected.noise)


@pytest.mark.parametrize("architecture", ["diag_gate"])
def test_modules_in_training_and_single_precision_are_refused_by_name(arguments):
    batch = torch.nn.BatchNorm1d(5).double()
    refuse(
        arguments,
        {"step": lambda p, s, x: batch(arguments["step"](p, s, x))},
        r"'step' must take each sequence on its own",
    )
    cell = torch.nn.LSTMCell(3, 8)
    single = {"parameters": dict(cell.named_parameters()), "state_size": 16}
    pair = {"step": lambda p, s, x: cell(x, (s[:, :8], s[:, 8:]))}
    refuse(
        arguments,
        single | pair,
        r"'step' must take float64 state \(20, 16\), input \(20, 3\) \(convert its .* Got .*dtype",
    )


@pytest.mark.parametrize("architecture", ["diag_gate"])
def test_errors_that_are_0_are_refused(network, parameters, arguments):
    states = run(network.cell, parameters, arguments["inputs"])[:, 1:]
    refuse(
        arguments, {"targets": network.predict(parameters, states)}, r"'targets' must differ from predictions.*t > 1"
    )


@pytest.mark.parametrize("page", ["README.md", "docs/own_model.md", "docs/numbers.md"])
def test_the_examples_of_the_pages_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = str(Path(__file__).parents[2] / page)
    failures, attempts = doctest.testfile(path, module_relative=False, optionflags=doctest.ELLIPSIS)
    assert attempts > 0
    assert not failures


@pytest.mark.parametrize(
    "name", ["comparison", "monitor", *(f"measurement.{name}" for name in ("measured", "model", "module"))]
)
def test_examples_in_docstrings_run(name):
    failures, attempts = doctest.testmod(import_module(f"learnability.{name}"))
    assert attempts > 0
    assert not failures


def test_the_memory_of_a_row_is_tried_as_often_whatever_is_measured(monkeypatch):
    trials, trial = [], row_bytes_of
    monkeypatch.setattr(
        "learnability.measurement.cell.row_bytes_of", lambda *arguments: trials.append(1) or trial(*arguments)
    )
    parameters, counts = {"w": torch.tensor([0.5])}, []
    for time, lags, block_bytes in ((12, [1], 2**28), (24, [1, 2, 5], 2**10)):
        inputs = torch.randn(20, time, 1, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
        measure_model(
            lambda theta, state, x: torch.tanh(theta["w"] * state + x),
            parameters,
            lambda state: state[:, 0].square(),
            inputs,
            inputs[..., 0].cumsum(1),
            state_size=1,
            lags=lags,
            block_bytes=block_bytes,
        )
        counts.append(len(trials))
        trials.clear()
    assert counts[0] == counts[1]


def agree(measurement, reference):
    """Assert that all numbers of two measurements agree."""
    for name, table in measurement._asdict().items():
        for column in table.select_dtypes("number"):
            np.testing.assert_allclose(
                table[column], getattr(reference, name)[column], rtol=1e-7, atol=1e-9, err_msg=column
            )


@pytest.mark.parametrize("architecture", ["diag_gate"])
def test_of_two_outputs_turned_together_with_their_targets_the_loss_is_the_same(arguments):
    """The second output has no error, so that the loss is that of the first alone; turned, both have errors."""
    angle = torch.tensor(0.7, dtype=torch.float64)
    turn = torch.stack([torch.stack([angle.cos(), -angle.sin()]), torch.stack([angle.sin(), angle.cos()])])
    states = run_of(arguments)
    sure = states.square().sum(-1)
    readout, targets = arguments["readout"], torch.stack([arguments["targets"], sure], -1) @ turn.T
    two_outputs = arguments | {
        "readout": lambda s: torch.stack([readout(s), s.square().sum(-1)], -1) @ turn.T,
        "targets": targets,
    }
    agree(measure_model(**two_outputs), measure_model(**arguments))


@pytest.mark.parametrize("architecture", ["diag_gate"])
def test_classes_are_measured_as_vectors_with_the_gradient_of_their_loss(arguments, normal):
    """The gradient of squared errors is 2 (ŷ - y)."""
    scores = normal(3, arguments["state_size"])
    classes = torch.arange(20 * 12).view(20, 12) % 3
    predictions = run_of(arguments) @ scores.T
    wrong = torch.softmax(predictions, -1) - torch.eye(3, dtype=torch.float64)[classes]
    with_scores = arguments | {"readout": lambda state: state @ scores.T}
    of_classes = measure_model(**with_scores | {"targets": classes})
    agree(of_classes, measure_model(**with_scores | {"targets": predictions - wrong / 2}))
    agree(of_classes, measure_model(**with_scores | {"targets": classes.numpy().astype(np.int32)}))


@pytest.mark.parametrize("architecture", ["diag_gate"])
def test_targets_may_have_an_axis_of_one_output(arguments):
    for table, reference in zip(
        measure_model(**arguments),
        measure_model(**arguments | {"targets": arguments["targets"][..., None]}),
        strict=True,
    ):
        pd.testing.assert_frame_equal(table, reference)


@pytest.mark.parametrize("architecture", ["diag_gate"])
def test_a_device_that_is_not_here_is_refused_in_a_sentence(arguments):
    devices = {"cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available(), "gpu": False}
    for device in (name for name, is_here in devices.items() if not is_here):
        with pytest.raises(
            InputError, match=rf"'device' must be a device that torch has here.* Got '{device}': "
        ) as caught:
            measure_model(**arguments, device=device)
        assert len(str(caught.value).splitlines()) == 1
        assert len(str(caught.value)) < 400


@pytest.mark.parametrize("architecture", ["diag_gate"])
@pytest.mark.parametrize("last", [False, True], ids=["some", "last step alone"])
def test_what_a_mask_leaves_out_has_no_error(arguments, last):
    """The mean of other sequences' errors can be removed only if the same targets of all sequences count."""
    mask = torch.zeros(20, 12, dtype=torch.bool)
    mask[:, -1] = True
    mask[::2, 7] = not last
    if not last:
        arguments["reading"] = replace(OWN_READING, statistic=replace(OWN_READING.statistic, error_mean="kept"))
    right = arguments["readout"](run_of(arguments))
    agree(
        measure_model(**arguments, mask=mask.numpy()),
        measure_model(**arguments | {"targets": torch.where(mask, arguments["targets"], right)}),
    )


@pytest.mark.parametrize("architecture", ["diag_gate"])
def test_what_targets_are_where_they_do_not_count_is_not_asked(arguments):
    """Padded sequences, whose targets are NaN, or -100 where they name classes."""
    mask = torch.arange(12) < 12 - torch.arange(20)[:, None] % 5
    classes = torch.arange(20 * 12).view(20, 12) % 3
    for change, filler in (({}, torch.nan), ({"readout": three, "targets": classes}, -100)):
        with_padding = arguments | change | {"mask": mask}
        new_targets = with_padding["targets"].masked_fill(~mask, filler)
        agree(measure_model(**with_padding | {"targets": new_targets}), measure_model(**with_padding))
        assert torch.equal(new_targets == filler, ~mask) or np.isnan(filler)  # what was given stays as it was


def test_the_parameters_of_measure_model_can_be_looked_up():
    signature, module = inspect.signature(measure_model), inspect.signature(measure_module)
    names = [name for name in module.parameters if name != "options"]
    assert list(signature.parameters)[: len(names)] == names
    assert {"mask", "reading", "device", "precision"} < set(signature.parameters)
    assert "state_size" not in signature.parameters


def run_of(arguments):
    """s_1, …, s_T."""
    states = [torch.zeros(20, arguments["state_size"], dtype=torch.float64)]
    for x in arguments["inputs"].unbind(1):
        states.append(arguments["step"](arguments["parameters"], states[-1], x))
    return torch.stack(states[1:], 1)


def three(state):
    return state[:, :3]


@pytest.mark.parametrize("architecture", ["diag_gate"])
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"readout": three},
            r"'targets' must be integers from 0 to 2 of shape \(20, 12\), or numbers of shape \(20, 12, 3\)",
        ),
        ({"readout": three, "targets": torch.full((20, 12), 3)}, r"'targets' must be .* Got classes from 3 to 3\."),
        (
            {"readout": three, "targets": torch.ones(20, 12)},
            r"float32 of shape .*\(for classes use targets\.long\(\)\)",
        ),
        ({"readout": three, "targets": torch.full((20, 12), 0.5)}, r"need a `readout` of one output.*\(20, 12\)\."),
        ({"readout": three, "targets": torch.zeros(20, 12, 2)}, r"'targets' must be of shape \(20, 12, 3\)"),
        ({"targets": torch.zeros(20, 12, 3)}, r"'targets' must be of shape \(20, 12\)"),
        (
            {"targets": torch.zeros(20)},
            r"'targets' .* \(20, 12\): repeat one .*expand\(-1, 12\), .*Got \(20,\)\.",
        ),
        (
            {"readout": three, "targets": torch.zeros(20, 3)},
            r"'targets' must be of shape \(20, 12, 3\): repeat one .*expand\(-1, 12, -1\), .*Got \(20, 3\)\.",
        ),
        ({"mask": torch.ones(20, 12)}, r"'mask' must be booleans \(mask\.bool\(\)\) of shape \(20, 12\)"),
        ({"mask": torch.ones(20, 11, dtype=torch.bool)}, r"'mask' must be booleans of shape \(20, 12\)"),
        ({"mask": torch.zeros(20, 12, dtype=torch.bool)}, r"'mask' must be true for some targets"),
        ({"mask": "last"}, r"'mask' must be booleans of shape \(20, 12\)\. Got str: "),
        ({"mask": [[True], [True, False]]}, r"'mask' must be booleans of shape \(20, 12\)\. Got list: "),
        (
            {"mask": torch.arange(12).eq(1).expand(20, 12), "lags": [2, 4]},
            r"'mask' must be true for a target after the smallest lag, at t > 2",
        ),
        (
            {"mask": torch.ones(20, 12, dtype=torch.bool), "reading": TEXT},
            r"'mask' must be None, for a reading that pools",
        ),
    ],
    ids=lambda value: "" if isinstance(value, str) else "_".join(value),
)
def test_targets_that_are_not_those_of_the_readout_are_refused(arguments, change, message):
    refuse(arguments, change, message)


@pytest.mark.parametrize("architecture", ["diag_gate"])
def test_what_is_kept_changes_no_number(arguments, monkeypatch):
    expected = measure_model(**arguments)
    monkeypatch.setattr(CachingEngine, "kept_bytes", 0)
    for table, reference in zip(expected, measure_model(**arguments), strict=True):
        pd.testing.assert_frame_equal(table, reference, check_exact=True)


@pytest.mark.parametrize("architecture", ["diag_gate"])
def test_without_first_order_all_else_is_the_same(arguments):
    both, exact = measure_model(**arguments), measure_model(**arguments, first_order=False)
    assert both.summary() == exact.summary() and both.limits().equals(exact.limits())
    for name, table in exact._asdict().items():
        expected = getattr(both, name)
        if "transport" in table:
            expected = expected[expected["transport"] == "exact"].reset_index(drop=True)
        pd.testing.assert_frame_equal(table, expected, check_exact=True)
    exact.plot()


@pytest.mark.parametrize("architecture", ["diag_gate"])
@pytest.mark.parametrize(
    ("share", "dtype", "all_kept"), [(1, "float32", True), (2, "float16", True), (5, "float16", False)]
)
def test_gradients_kept_in_less_precision_change_numbers_by_its_rounding(
    network, arguments, monkeypatch, share, dtype, all_kept
):
    """Of kept gradients in half precision, some or all; those that are not kept are made again as they were."""
    expected = measure_model(**arguments)
    numbers = sum(parameter.numel() for parameter in network.cell.initial_parameters(0, 0).values())
    count, double_bytes = len(arguments["inputs"]), 8 * ((len(LAGS) + 1) * numbers + len(LAGS))
    monkeypatch.setattr(CachingEngine, "kept_bytes", count * double_bytes // share - 1)
    actual_dtype, kept = CachingEngine.kept(double_bytes, count)
    assert (str(actual_dtype), kept == count, kept > 0) == (f"torch.{dtype}", all_kept, True)
    measured = measure_model(**arguments)
    for table, reference in zip(measured, expected, strict=True):
        pd.testing.assert_frame_equal(table, reference, rtol=1e-5 if dtype == "float32" else 1e-2)
    assert not measured.noise.equals(expected.noise)


@pytest.mark.parametrize("architecture", ["diag_gate"])
def test_products_are_of_the_first_sequences_alone(arguments, monkeypatch):
    """Trajectories come eight at a time, so that the third part is cut."""
    monkeypatch.setattr("learnability.measurement.engine.SEQUENCES", 8)
    monkeypatch.setattr("learnability.measurement.tables.PRODUCT_SEQUENCES", FEWEST_SEQUENCES)
    few = {name: arguments[name][:FEWEST_SEQUENCES] for name in ("inputs", "targets")}
    more = {name: torch.cat([tensor, tensor.flip(0)]) for name, tensor in few.items()}
    exact = measure_model(**arguments | more).exact
    pd.testing.assert_frame_equal(exact, measure_model(**arguments | few).exact)


@pytest.mark.parametrize(
    ("late", "message"),
    [
        (lambda s: s + torch.rand(len(s), 1, dtype=s.dtype), r"'step' must give the same twice \(.* t = 6\."),
        (lambda s: s - s.mean(0), r"'step' must take each sequence on its own .* t = 6\."),
        (lambda s: s + next(COUNT), r"'step' must give the same twice, but it keeps something .* t = 6\."),
    ],
    ids=["random", "mixed", "kept"],
)
def test_what_a_step_does_late_alone_is_refused_where_it_begins(late, message):
    """The second number of a state counts steps."""
    x = torch.randn(20, 9, 1, dtype=torch.float64, generator=torch.Generator().manual_seed(0))

    def step(p, s, inputs):
        number = (p["w"] * s[:, :1] + inputs).tanh()
        return torch.cat([late(number) if s[0, 1] >= 5 else number, s[:, 1:] + 1], 1)

    arguments = step, {"w": torch.tensor([0.5])}, lambda s: s[:, 0], x, x[..., 0].cumsum(1)
    with pytest.raises(InputError, match=message):
        measure_model(*arguments, state_size=2, lags=[1, 2])


COUNT = itertools.count()


class Truncated(torch.nn.Module):
    """A cell whose gradient is cut at every third step, by one row's counter or row by row."""

    def __init__(self, by_row):
        super().__init__()
        self.cell, self.by_row = torch.nn.GRUCell(2, 3), by_row

    def forward(self, x, state=None):
        h, t = (x.new_zeros(len(x), 3), x.new_zeros(len(x), 1)) if state is None else state
        if self.by_row:
            h = torch.where(t % 3 == 0, h.detach(), h)
        elif t[0].item() % 3 == 0:
            h = h.detach()
        h = self.cell(x, h)
        return h, (h, t + 1)


def test_a_row_that_decides_for_other_steps_is_refused():
    """Rows of several steps go backward together: a counter of one row would cut gradients at wrong steps."""
    torch.manual_seed(0)
    inputs = torch.randn(20, 8, 2)
    given = {"inputs": inputs, "targets": inputs.cumsum(1).sum(2), "readout": lambda h: h.sum(1), "lags": [1, 3]}
    measured = measure_model(Truncated(by_row=True), **given)
    crossed = measured.exact.set_index("lag")["exact"]
    assert crossed[1] > 1 and crossed[3] == 1  # the counter alone
    with pytest.raises(InputError, match=r"'step' must treat each row on its own.*torch.where.*at t = "):
        measure_model(Truncated(by_row=False), **given)
