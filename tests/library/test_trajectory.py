from itertools import product

import pytest
import torch

from learnability.cells import GATED, Cell
from learnability.core.errors import InputError
from learnability.networks.network import run
from learnability.transport import ENGINES, Probes, choose_engine
from learnability.transport.native_engine import PRECISIONS, NativeEngine
from networks import LAYER_NORM

TORCH = ENGINES["torch"]()
ARCHITECTURES = [*GATED, *LAYER_NORM]
OTHER_SIZES = [
    (name, units) for number, name in enumerate(ARCHITECTURES) for units in ((1, 11) if number % 2 else (8, 65))
]
"""Units beside 5: one, whole registers, a rest, more than a tile. Each is compiled, so no architecture has all."""


@pytest.fixture(params=ARCHITECTURES)
def architecture(request):
    return request.param


@pytest.fixture
def assert_same():
    """Assert that columns of two tensors agree, relative to their size."""

    def assert_same(result, expected):
        assert result.shape == expected.shape
        error, size = (result - expected).flatten(0, -2).norm(dim=0), expected.flatten(0, -2).norm(dim=0)
        assert (error <= 1e-12 * size).all()

    return assert_same


def trace(engine, *arguments):
    """Trace of all sequences at once, whatever the engine's own number."""
    parts = list(engine.trace(*arguments))
    states = torch.cat([part.states for part in parts])
    projections = torch.cat([part.projected for part in parts], 1)
    diagonals = zip(*(part.diagonals for part in parts), strict=True)
    return states, projections, [torch.cat(pieces) for pieces in diagonals if pieces[0] is not None]


@pytest.mark.parametrize("engine", ["native"], indirect=True)
@pytest.mark.parametrize(
    ("architecture", "hidden_size", "sequences", "time"),
    [
        *((architecture, 5, *shape) for architecture in ARCHITECTURES for shape in product([1, 7, 19], [1, 17])),
        *((*shape, 7, 17) for shape in OTHER_SIZES),
    ],
    indirect=["architecture"],
)
def test_both_engines_trace_the_same(
    engine, build, architecture, perturbed, normal, hidden_size, sequences, time, assert_same
):
    network = build(architecture, hidden_size=hidden_size)
    parameters, directions, x = perturbed(network), [perturbed(network), perturbed(network)], normal(sequences, time, 3)
    for kind in ("immediate", "total"):
        result, expected = (
            trace(backend, network.cell, parameters, x, directions, kind) for backend in (engine, TORCH)
        )
        assert_same(result[0][:, 1:], run(network.cell, parameters, x)[:, 1:])
        assert not result[0][:, 0].any()
        assert_same(result[1], expected[1])
        for diagonal, expected_diagonal in zip(result[2], expected[2], strict=True):
            assert_same(diagonal, expected_diagonal)


LAGS = [[1, 2, 3, 7, 20, 21], [2, 4, 6, 8], [1], [38, 39]]
PAIRS = [(0, 0), (2, 1), (1, 1)]


@pytest.fixture
def probe(perturbed, normal):
    """A trajectory of the torch engine, and probes of its state; not all t count."""

    def probe(network, lags, sequences=3, time=40, kept=1):
        cell, shape = network.cell, (sequences, time)
        directions = [perturbed(network), perturbed(network)]
        (trajectory,) = TORCH.trace(cell, perturbed(network), normal(*shape, 3), directions)
        errors = normal(3, *shape) * (normal(*shape) > 0)
        signs = normal(2, len(lags), cell.state_size).sign()
        return trajectory, Probes(normal(*shape, cell.state_size), [*trajectory.projected], signs, errors, PAIRS, kept)

    return probe


def over_units(cell, probes):
    return probes._replace(
        gradient=cell.output(probes.gradient),
        projected=[cell.memory(part) for part in probes.projected],
        signs=cell.memory(probes.signs),
    )


def assert_agree(result, expected, tolerance=1e-12):
    for tensor, reference in zip(result, expected, strict=True):
        assert tensor.shape == reference.shape
        largest = reference.abs().max().item() if reference.numel() else 0.0
        torch.testing.assert_close(tensor.double(), reference, rtol=0, atol=tolerance * largest)


@pytest.mark.parametrize("engine", ["native"], indirect=True)
@pytest.mark.parametrize("lags", LAGS, ids=str)
@pytest.mark.parametrize(("sequences", "kept"), [(1, 2), (7, 0), (16, 1)])
def test_both_engines_sum_the_same(engine, network, probe, lags, sequences, kept):
    trajectory, probes = probe(network, lags, sequences, kept=kept)
    unit_probes = over_units(network.cell, probes)
    results, expected = [], []
    for backend, sums in ((engine, results), (TORCH, expected)):
        sums += backend.rates(trajectory.diagonals, lags)
        sums += backend.alignment(unit_probes, lags)
        sums += backend.first_order(trajectory.diagonals, unit_probes, lags)
    assert_agree(results, expected)
    assert len(unit_probes.aligned) == len(expected[-2])


@pytest.mark.parametrize("time", [2, 3, 64, 65, 130])
@pytest.mark.parametrize("engine", ["native"], indirect=True)
def test_blocks_of_ends_do_not_show(engine, network, probe, time):
    lags = [lag for lag in (1, 2, 5, 40, 129) if lag < time]
    trajectory, probes = probe(network, lags, time=time, kept=2)
    unit_probes = over_units(network.cell, probes)
    assert_agree(
        engine.first_order(trajectory.diagonals, unit_probes, lags),
        TORCH.first_order(trajectory.diagonals, unit_probes, lags),
    )


@pytest.mark.parametrize("count", [1, 7, 11, 30])
@pytest.mark.parametrize("random_signs", [False, True])
@pytest.mark.parametrize("engine", ["native"], indirect=True)
def test_any_number_of_probes_goes_side_by_side(engine, network, parameters, probe, normal, count, random_signs):
    lags = [1, 4, 5, 9, 20]
    trajectory, probes = probe(network, lags, kept=2)
    signs = (
        normal(count, *probes.signs.shape[1:]).sign() if random_signs else torch.ones(count, *probes.signs.shape[1:])
    )
    projections, pairs = [normal(*probes.projected[0].shape) for _ in range(count)], [(k % 3, k) for k in range(count)]
    many = probes._replace(projected=projections, signs=signs.double(), kept=count // 2, aligned=pairs)
    of_state = network.cell, parameters, trajectory, many, lags
    assert_agree(type(engine)("double").exact(*of_state), TORCH.exact(*of_state))
    unit_probes = over_units(network.cell, many)
    expected = TORCH.first_order(trajectory.diagonals, unit_probes, lags)
    assert_agree(engine.first_order(trajectory.diagonals, unit_probes, lags), expected)
    by_unit = unit_probes._replace(projected=[part.mT.contiguous().mT for part in unit_probes.projected])
    assert_agree(engine.first_order(trajectory.diagonals, by_unit, lags), expected)


@pytest.mark.parametrize("precision", PRECISIONS)
@pytest.mark.parametrize("engine", ["native"], indirect=True)
@pytest.mark.parametrize(
    ("architecture", "hidden_size", "sequences", "lags"),
    [
        *((architecture, 5, 1, LAGS[0]) for architecture in ARCHITECTURES),
        *((architecture, 5, 16, lags) for architecture in ARCHITECTURES for lags in LAGS),
        *((*shape, 3, LAGS[0]) for shape in OTHER_SIZES),
    ],
    indirect=["architecture"],
)
def test_both_engines_carry_row_vectors_the_same(
    engine, build, architecture, perturbed, probe, precision, lags, hidden_size, sequences
):
    network = build(architecture, hidden_size=hidden_size)
    trajectory, probes = probe(network, lags, sequences)
    arguments = network.cell, perturbed(network), trajectory, probes, lags
    result = type(engine)(precision).exact(*arguments)
    assert result.values.dtype == PRECISIONS[precision][0] and result.sums.dtype == torch.float64
    assert_agree(result, TORCH.exact(*arguments), {"single": 3e-5, "double": 1e-12}[precision])


@pytest.mark.parametrize("kept", [0, 2])
def test_one_tensor_may_stand_for_every_probe(engine, network, parameters, probe, kept):
    lags = [1, 4]
    trajectory, probes = probe(network, lags, kept=kept)
    one_tensor = probes._replace(projected=[probes.projected[0]] * 2)
    copies = one_tensor._replace(projected=[part.clone() for part in one_tensor.projected])
    result, reference = (
        engine.exact(network.cell, parameters, trajectory, variant, lags) for variant in (one_tensor, copies)
    )
    assert_agree(result, [part.double() for part in reference], 1e-14)
    result, reference = (
        engine.first_order(trajectory.diagonals, over_units(network.cell, variant), lags)
        for variant in (one_tensor, copies)
    )
    assert_agree(result, reference, 1e-14)


def test_where_the_prediction_does_not_depend_on_the_state_there_is_no_gain(engine, network, parameters, probe):
    lags = [1, 4]
    trajectory, probes = probe(network, lags)
    silent = probes.gradient.clone()
    silent[:, 9] = silent[1] = 0
    arguments = network.cell, parameters, trajectory, probes._replace(gradient=silent), lags
    result = engine.exact(*arguments)
    assert all(part.isfinite().all() for part in result)
    assert not result.values[:, :, 1].any() and not result.values[:, :, :, 9].any()
    assert_agree(result, TORCH.exact(*arguments), 1e-6)


def test_nothing_ends_before_its_lag(engine, network, parameters, probe):
    lags = [3, 17]
    trajectory, probes = probe(network, lags, kept=2)
    for result in (
        engine.first_order(trajectory.diagonals, over_units(network.cell, probes), lags),
        engine.exact(network.cell, parameters, trajectory, probes, lags),
    ):
        for index, lag in enumerate(lags):
            assert not result.values[:, index, :, :lag].any()
            assert result.values[:, index, :, lag:].all()


@pytest.mark.parametrize("transport", ["first_order", "exact"])
@pytest.mark.parametrize("precision", PRECISIONS)
@pytest.mark.parametrize("engine", ["native"], indirect=True)
def test_both_engines_hand_out_the_same_covectors(engine, network, perturbed, probe, precision, transport):
    lags, parameters = [1, 2, 7, 21], perturbed(network)
    trajectory, probes = probe(network, lags, sequences=2, time=24)
    errors = torch.cat([(number + 1) * probes.errors[:1] for number in range(17)])  # more than go side by side
    arguments = network.cell, parameters, trajectory, probes.gradient, errors, lags, transport
    for result, expected in zip(
        type(engine)(precision).covectors(*arguments), TORCH.covectors(*arguments), strict=True
    ):
        tolerance = {"single": 3e-5, "double": 1e-12}[precision]
        for tensor, reference in (
            (result.scales[..., None] * result.values, expected.values),
            (result.whole, expected.whole),
        ):
            assert_agree([tensor], [reference], tolerance)


@pytest.mark.parametrize("transport", ["first_order", "exact"])
def test_covectors_add_up_to_the_statistic(engine, network, perturbed, probe, transport):
    lags, parameters = [1, 2, 7, 21], perturbed(network)
    trajectory, probes = probe(network, lags, kept=2)
    plain = probes._replace(signs=torch.ones_like(probes.signs))
    if transport == "exact":
        expected = TORCH.exact(network.cell, parameters, trajectory, plain, lags)
    else:
        expected = TORCH.first_order(trajectory.diagonals._replace(reset=None), over_units(network.cell, plain), lags)
    covectors = engine.covectors(network.cell, parameters, trajectory, probes.gradient, probes.errors, lags, transport)
    for n, covector in enumerate(covectors):
        for index, lag in enumerate(lags):
            v = (covector.scales[index, :, None] * covector.values[index])[: 40 - lag]
            p = probes.projected[0][n] if transport == "exact" else network.cell.memory(probes.projected[0][n])
            assert not covector.values[index, 40 - lag :].any()
            assert_agree([(v * p[: 40 - lag]).sum(-1)], [expected.values[0, index, n, lag:]], 1e-5)


def test_the_whole_covector_is_the_gradient_of_the_loss(engine, network, parameters, normal):
    x, targets = normal(2, 12, 3), normal(2, 12)
    (trajectory,) = TORCH.trace(network.cell, parameters, x)
    theta = {name: p.clone().requires_grad_() for name, p in parameters.items() if name not in ("w", "b")}
    loss = (network.predict(parameters, run(network.cell, theta, x)[:, 1:]) - targets).square().sum(1)
    errors = 2 * (network.predict(parameters, trajectory.states[:, 1:]) - targets)
    rho = network.readout_gradient(parameters, trajectory.states[:, 1:])
    covectors = engine.covectors(network.cell, parameters, trajectory, rho, errors[None], [1], "exact")
    for n, covector in enumerate(covectors):
        steps = network.cell.linearize(parameters, trajectory.states[n, :-1], x[n])
        gradients = steps.gradient(covector.whole[0].double())
        expected = torch.autograd.grad(loss[n], list(theta.values()), retain_graph=True)
        for name, gradient in zip(theta, expected, strict=True):
            torch.testing.assert_close(gradients[name], gradient, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("engine", ["native"], indirect=True)
def test_no_sequence_shows_in_another(engine, network, parameters, probe):
    lags = [1, 4, 30]
    trajectory, probes = probe(network, lags, 5)
    whole = engine.exact(network.cell, parameters, trajectory, probes, lags)
    for rows in (slice(0, 1), slice(1, 5)):
        part_probes = probes._replace(
            gradient=probes.gradient[rows],
            projected=[projection[rows] for projection in probes.projected],
            errors=probes.errors[:, rows],
        )
        part = trajectory._replace(states=trajectory.states[rows], inputs=trajectory.inputs[rows])
        result = engine.exact(network.cell, parameters, part, part_probes, lags)
        assert torch.equal(result.values, whole.values[:, :, rows])
        assert torch.equal(result.sums, whole.sums[..., rows])


@pytest.mark.parametrize("engine", ["native"], indirect=True)
def test_single_precision_is_enough_over_hundreds_of_steps(engine, architecture, build, normal):
    network = build(architecture, hidden_size=16)  # with an orthogonal recurrent matrix, as it starts
    cell, lags, parameters = network.cell, [1, 50, 200], network.initial_parameters(1, 0)
    directions = [{name: normal(*p.shape) for name, p in parameters.items()}]
    (trajectory,) = TORCH.trace(cell, parameters, normal(6, 300, 3), directions)
    signs = torch.ones(1, len(lags), cell.state_size, dtype=torch.float64)
    rho = normal(cell.state_size).expand(6, 300, -1)
    arguments = (
        cell,
        parameters,
        trajectory,
        Probes(rho, [*trajectory.projected], signs, normal(2, 6, 300), [(0, 0)]),
        lags,
    )
    single, double = (type(engine)(precision).exact(*arguments) for precision in PRECISIONS)
    error, size = (values.square().mean((0, 1, 3)).sqrt() for values in (single.sums - double.sums, double.sums))
    assert (error < 1e-5 * size).all()


@pytest.mark.parametrize("engine", ["native"], indirect=True)
def test_vectors_that_all_but_vanish_or_grow_stay_as_precise(engine, build, perturbed, probe):
    network, lags = build("const_gate"), [40, 200]
    for size in (0.0, 8.0):
        parameters = perturbed(network)
        parameters |= {"U_h": size * parameters["U_h"], "b_h": torch.zeros_like(parameters["b_h"])}
        trajectory, probes = probe(network, lags, 2, 230, kept=0)
        still = trajectory._replace(
            states=torch.zeros_like(trajectory.states), inputs=torch.zeros_like(trajectory.inputs)
        )
        arguments = network.cell, parameters, still, probes, lags
        result, expected = engine.exact(*arguments), TORCH.exact(*arguments)
        assert not 1e-35 < expected.magnitude[-1] < 1e35
        for tensor, reference in zip(result.sums.unbind(2), expected.sums.unbind(2), strict=True):
            assert_agree([tensor], [reference], 1e-4)


@pytest.mark.parametrize("engine", ["native"], indirect=True)
def test_the_precision_is_single_or_double(engine, network):
    message = r"'precision' must be one of single, double\. Got 'half'"
    with pytest.raises(InputError, match=message):
        type(engine)("half")
    with pytest.raises(InputError, match=message):
        choose_engine("torch", network.cell, "half")
    assert isinstance(choose_engine("auto", network.cell, "double"), NativeEngine)


@pytest.mark.parametrize("engine", ["native"], indirect=True)
def test_saturated_units_are_traced(engine, network, parameters, normal, assert_same):
    x, far = normal(3, 9, 3), {name: 1000 * p for name, p in parameters.items()}
    states, expected = (trace(backend, network.cell, far, x, [parameters])[0][:, 1:] for backend in (engine, TORCH))
    assert_same(states, expected)


def test_blocks_of_time_do_not_show(network, parameters, normal, monkeypatch, assert_same):
    x = normal(3, 11, 3)
    _, whole, _ = trace(TORCH, network.cell, parameters, x, [parameters], "total")
    monkeypatch.setattr("learnability.transport.torch_engine.STEPS", 4)
    _, split, _ = trace(TORCH, network.cell, parameters, x, [parameters], "total")
    assert_same(split, whole)


def test_groups_of_sequences_do_not_show(network, parameters, probe, monkeypatch):
    trajectory, probes = probe(network, [2, 7], 5)
    crossing = network.cell, parameters, trajectory, probes, [2, 7]
    whole = TORCH.exact(*crossing)
    monkeypatch.setattr("learnability.transport.torch_engine.CROSSING_SEQUENCES", 2)
    assert_agree(TORCH.exact(*crossing), whole)


@pytest.mark.parametrize("engine", ["native"], indirect=True)
def test_float32_parameters_and_data_are_traced_in_float64(engine, network, parameters, normal):
    x, single = normal(3, 8, 3).float(), {name: p.float() for name, p in parameters.items()}
    (trajectory,) = engine.trace(network.cell, single, x)
    (expected,) = engine.trace(network.cell, {name: p.double() for name, p in single.items()}, x.double())
    assert torch.equal(trajectory.states, expected.states)


@pytest.mark.parametrize("engine", ["native"], indirect=True)
def test_the_native_engine_refuses_what_it_does_not_know(engine, normal):
    other_cell = type("Other", (Cell,), dict.fromkeys(Cell.__abstractmethods__))
    with pytest.raises(InputError, match=r"must be one of ConstGate, SharedGate, DiagGate, LSTM, GRU\. Got Other"):
        next(engine.trace(other_cell(3, 5), {}, normal(2, 8, 3)))
