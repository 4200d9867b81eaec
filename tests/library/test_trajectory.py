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
    """Each column of two tensors agrees, relative to its own size."""

    def assert_same(found, expected):
        assert found.shape == expected.shape
        error, size = (found - expected).flatten(0, -2).norm(dim=0), expected.flatten(0, -2).norm(dim=0)
        assert (error <= 1e-12 * size).all()

    return assert_same


def trace(engine, *arguments):
    """All sequences at once, whatever the engine's own number."""
    parts = list(engine.trace(*arguments))
    states = torch.cat([part.states for part in parts])
    projected = torch.cat([part.projected for part in parts], 1)
    diagonals = zip(*(part.diagonals for part in parts), strict=True)
    return states, projected, [torch.cat(each) for each in diagonals if each[0] is not None]


@pytest.mark.parametrize("engine", ["native"], indirect=True)
@pytest.mark.parametrize(
    ("architecture", "hidden_size", "sequences", "time"),
    [
        *((architecture, 5, *shape) for architecture in ARCHITECTURES for shape in product([1, 7, 19], [1, 17])),
        *((*each, 7, 17) for each in OTHER_SIZES),
    ],
    indirect=["architecture"],
)
def test_both_engines_trace_the_same(
    engine, build, architecture, perturbed, normal, hidden_size, sequences, time, assert_same
):
    network = build(architecture, hidden_size=hidden_size)
    parameters, directions, x = perturbed(network), [perturbed(network), perturbed(network)], normal(sequences, time, 3)
    for kind in ("immediate", "total"):
        found, expected = (trace(each, network.cell, parameters, x, directions, kind) for each in (engine, TORCH))
        assert_same(found[0][:, 1:], run(network.cell, parameters, x)[:, 1:])
        assert not found[0][:, 0].any()
        assert_same(found[1], expected[1])
        for one, other in zip(found[2], expected[2], strict=True):
            assert_same(one, other)


LAGS = [[1, 2, 3, 7, 20, 21], [2, 4, 6, 8], [1], [38, 39]]
ALIGNED = [(0, 0), (2, 1), (1, 1)]


@pytest.fixture
def probe(perturbed, normal):
    """A trajectory of the torch engine, and probes of its state; not all t count."""

    def probe(network, lags, sequences=3, time=40, kept=1):
        cell, shape = network.cell, (sequences, time)
        directions = [perturbed(network), perturbed(network)]
        (traced,) = TORCH.trace(cell, perturbed(network), normal(*shape, 3), directions)
        errors = normal(3, *shape) * (normal(*shape) > 0)
        signs = normal(2, len(lags), cell.state_size).sign()
        return traced, Probes(normal(*shape, cell.state_size), [*traced.projected], signs, errors, ALIGNED, kept)

    return probe


def over_units(cell, probes):
    return probes._replace(
        gradient=cell.output(probes.gradient),
        projected=[cell.memory(each) for each in probes.projected],
        signs=cell.memory(probes.signs),
    )


def assert_agree(found, expected, tolerance=1e-12):
    for one, other in zip(found, expected, strict=True):
        assert one.shape == other.shape
        largest = other.abs().max().item() if other.numel() else 0.0
        torch.testing.assert_close(one.double(), other, rtol=0, atol=tolerance * largest)


@pytest.mark.parametrize("engine", ["native"], indirect=True)
@pytest.mark.parametrize("lags", LAGS, ids=str)
@pytest.mark.parametrize(("sequences", "kept"), [(1, 2), (7, 0), (16, 1)])
def test_both_engines_sum_the_same(engine, network, probe, lags, sequences, kept):
    traced, probes = probe(network, lags, sequences, kept=kept)
    given = over_units(network.cell, probes)
    found, expected = [], []
    for each, sums in ((engine, found), (TORCH, expected)):
        sums += each.rates(traced.diagonals, lags)
        sums += each.alignment(given, lags)
        sums += each.first_order(traced.diagonals, given, lags)
    assert_agree(found, expected)
    assert len(given.aligned) == len(expected[-2])


@pytest.mark.parametrize("time", [2, 3, 64, 65, 130])
@pytest.mark.parametrize("engine", ["native"], indirect=True)
def test_blocks_of_ends_do_not_show(engine, network, probe, time):
    lags = [lag for lag in (1, 2, 5, 40, 129) if lag < time]
    traced, probes = probe(network, lags, time=time, kept=2)
    given = over_units(network.cell, probes)
    assert_agree(engine.first_order(traced.diagonals, given, lags), TORCH.first_order(traced.diagonals, given, lags))


@pytest.mark.parametrize("count", [1, 7, 11, 30])
@pytest.mark.parametrize("signed", [False, True])
@pytest.mark.parametrize("engine", ["native"], indirect=True)
def test_any_number_of_probes_goes_side_by_side(engine, network, parameters, probe, normal, count, signed):
    lags = [1, 4, 5, 9, 20]
    traced, probes = probe(network, lags, kept=2)
    signs = normal(count, *probes.signs.shape[1:]).sign() if signed else torch.ones(count, *probes.signs.shape[1:])
    projected, aligned = [normal(*probes.projected[0].shape) for _ in range(count)], [(k % 3, k) for k in range(count)]
    many = probes._replace(projected=projected, signs=signs.double(), kept=count // 2, aligned=aligned)
    of_state = network.cell, parameters, traced, many, lags
    assert_agree(type(engine)("double").exact(*of_state), TORCH.exact(*of_state))
    given = over_units(network.cell, many)
    expected = TORCH.first_order(traced.diagonals, given, lags)
    assert_agree(engine.first_order(traced.diagonals, given, lags), expected)
    by_unit = given._replace(projected=[each.mT.contiguous().mT for each in given.projected])
    assert_agree(engine.first_order(traced.diagonals, by_unit, lags), expected)


@pytest.mark.parametrize("precision", PRECISIONS)
@pytest.mark.parametrize("engine", ["native"], indirect=True)
@pytest.mark.parametrize(
    ("architecture", "hidden_size", "sequences", "lags"),
    [
        *((architecture, 5, 1, LAGS[0]) for architecture in ARCHITECTURES),
        *((architecture, 5, 16, lags) for architecture in ARCHITECTURES for lags in LAGS),
        *((*each, 3, LAGS[0]) for each in OTHER_SIZES),
    ],
    indirect=["architecture"],
)
def test_both_engines_carry_row_vectors_the_same(
    engine, build, architecture, perturbed, probe, precision, lags, hidden_size, sequences
):
    network = build(architecture, hidden_size=hidden_size)
    traced, probes = probe(network, lags, sequences)
    given = network.cell, perturbed(network), traced, probes, lags
    found = type(engine)(precision).exact(*given)
    assert found.values.dtype == PRECISIONS[precision][0] and found.sums.dtype == torch.float64
    assert_agree(found, TORCH.exact(*given), {"single": 3e-5, "double": 1e-12}[precision])


@pytest.mark.parametrize("kept", [0, 2])
def test_one_tensor_may_stand_for_every_probe(engine, network, parameters, probe, kept):
    lags = [1, 4]
    traced, probes = probe(network, lags, kept=kept)
    shared = probes._replace(projected=[probes.projected[0]] * 2)
    copied = shared._replace(projected=[each.clone() for each in shared.projected])
    one, other = (engine.exact(network.cell, parameters, traced, each, lags) for each in (shared, copied))
    assert_agree(one, [each.double() for each in other], 1e-14)
    one, other = (
        engine.first_order(traced.diagonals, over_units(network.cell, each), lags) for each in (shared, copied)
    )
    assert_agree(one, other, 1e-14)


def test_where_the_prediction_does_not_depend_on_the_state_there_is_no_gain(engine, network, parameters, probe):
    lags = [1, 4]
    traced, probes = probe(network, lags)
    silent = probes.gradient.clone()
    silent[:, 9] = silent[1] = 0
    given = network.cell, parameters, traced, probes._replace(gradient=silent), lags
    found = engine.exact(*given)
    assert all(each.isfinite().all() for each in found)
    assert not found.values[:, :, 1].any() and not found.values[:, :, :, 9].any()
    assert_agree(found, TORCH.exact(*given), 1e-6)


def test_nothing_ends_before_its_lag(engine, network, parameters, probe):
    lags = [3, 17]
    traced, probes = probe(network, lags, kept=2)
    for found in (
        engine.first_order(traced.diagonals, over_units(network.cell, probes), lags),
        engine.exact(network.cell, parameters, traced, probes, lags),
    ):
        for index, lag in enumerate(lags):
            assert not found.values[:, index, :, :lag].any()
            assert found.values[:, index, :, lag:].all()


@pytest.mark.parametrize("transport", ["first_order", "exact"])
@pytest.mark.parametrize("precision", PRECISIONS)
@pytest.mark.parametrize("engine", ["native"], indirect=True)
def test_both_engines_hand_out_the_same_covectors(engine, network, perturbed, probe, precision, transport):
    lags, parameters = [1, 2, 7, 21], perturbed(network)
    traced, probes = probe(network, lags, sequences=2, time=24)
    errors = torch.cat([(number + 1) * probes.errors[:1] for number in range(17)])  # more than go side by side
    given = network.cell, parameters, traced, probes.gradient, errors, lags, transport
    for found, expected in zip(type(engine)(precision).covectors(*given), TORCH.covectors(*given), strict=True):
        tolerance = {"single": 3e-5, "double": 1e-12}[precision]
        for one, other in ((found.scales[..., None] * found.values, expected.values), (found.whole, expected.whole)):
            assert_agree([one], [other], tolerance)


@pytest.mark.parametrize("transport", ["first_order", "exact"])
def test_covectors_add_up_to_the_statistic(engine, network, perturbed, probe, transport):
    lags, parameters = [1, 2, 7, 21], perturbed(network)
    traced, probes = probe(network, lags, kept=2)
    plain = probes._replace(signs=torch.ones_like(probes.signs))
    if transport == "exact":
        expected = TORCH.exact(network.cell, parameters, traced, plain, lags)
    else:
        expected = TORCH.first_order(traced.diagonals._replace(reset=None), over_units(network.cell, plain), lags)
    every = engine.covectors(network.cell, parameters, traced, probes.gradient, probes.errors, lags, transport)
    for n, each in enumerate(every):
        for index, lag in enumerate(lags):
            v = (each.scales[index, :, None] * each.values[index])[: 40 - lag]
            p = probes.projected[0][n] if transport == "exact" else network.cell.memory(probes.projected[0][n])
            assert not each.values[index, 40 - lag :].any()
            assert_agree([(v * p[: 40 - lag]).sum(-1)], [expected.values[0, index, n, lag:]], 1e-5)


def test_the_whole_covector_is_the_gradient_of_the_loss(engine, network, parameters, normal):
    x, targets = normal(2, 12, 3), normal(2, 12)
    (traced,) = TORCH.trace(network.cell, parameters, x)
    own = {name: p.clone().requires_grad_() for name, p in parameters.items() if name not in ("w", "b")}
    loss = (network.predict(parameters, run(network.cell, own, x)[:, 1:]) - targets).square().sum(1)
    errors = 2 * (network.predict(parameters, traced.states[:, 1:]) - targets)
    rho = network.readout_gradient(parameters, traced.states[:, 1:])
    carried = engine.covectors(network.cell, parameters, traced, rho, errors[None], [1], "exact")
    for n, each in enumerate(carried):
        steps = network.cell.linearize(parameters, traced.states[n, :-1], x[n])
        found = steps.gradient(each.whole[0].double())
        expected = torch.autograd.grad(loss[n], list(own.values()), retain_graph=True)
        for name, gradient in zip(own, expected, strict=True):
            torch.testing.assert_close(found[name], gradient, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("engine", ["native"], indirect=True)
def test_no_sequence_shows_in_another(engine, network, parameters, probe):
    lags = [1, 4, 30]
    traced, probes = probe(network, lags, 5)
    whole = engine.exact(network.cell, parameters, traced, probes, lags)
    for rows in (slice(0, 1), slice(1, 5)):
        some = probes._replace(
            gradient=probes.gradient[rows],
            projected=[each[rows] for each in probes.projected],
            errors=probes.errors[:, rows],
        )
        part = traced._replace(states=traced.states[rows], inputs=traced.inputs[rows])
        found = engine.exact(network.cell, parameters, part, some, lags)
        assert torch.equal(found.values, whole.values[:, :, rows])
        assert torch.equal(found.sums, whole.sums[..., rows])


@pytest.mark.parametrize("engine", ["native"], indirect=True)
def test_single_precision_is_enough_over_hundreds_of_steps(engine, architecture, build, normal):
    network = build(architecture, hidden_size=16)  # with an orthogonal recurrent matrix, as it starts
    cell, lags, parameters = network.cell, [1, 50, 200], network.initial_parameters(1, 0)
    directions = [{name: normal(*p.shape) for name, p in parameters.items()}]
    (traced,) = TORCH.trace(cell, parameters, normal(6, 300, 3), directions)
    ones = torch.ones(1, len(lags), cell.state_size, dtype=torch.float64)
    rho = normal(cell.state_size).expand(6, 300, -1)
    given = cell, parameters, traced, Probes(rho, [*traced.projected], ones, normal(2, 6, 300), [(0, 0)]), lags
    single, double = (type(engine)(precision).exact(*given) for precision in PRECISIONS)
    error, size = (each.square().mean((0, 1, 3)).sqrt() for each in (single.sums - double.sums, double.sums))
    assert (error < 1e-5 * size).all()


@pytest.mark.parametrize("engine", ["native"], indirect=True)
def test_vectors_that_all_but_vanish_or_grow_stay_as_precise(engine, build, perturbed, probe):
    network, lags = build("const_gate"), [40, 200]
    for size in (0.0, 8.0):
        parameters = perturbed(network)
        parameters |= {"U_h": size * parameters["U_h"], "b_h": torch.zeros_like(parameters["b_h"])}
        traced, probes = probe(network, lags, 2, 230, kept=0)
        still = traced._replace(states=torch.zeros_like(traced.states), inputs=torch.zeros_like(traced.inputs))
        given = network.cell, parameters, still, probes, lags
        found, expected = engine.exact(*given), TORCH.exact(*given)
        assert not 1e-35 < expected.magnitude[-1] < 1e35
        for one, other in zip(found.sums.unbind(2), expected.sums.unbind(2), strict=True):
            assert_agree([one], [other], 1e-4)


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
    found, expected = (trace(each, network.cell, far, x, [parameters])[0][:, 1:] for each in (engine, TORCH))
    assert_same(found, expected)


def test_blocks_of_time_do_not_show(network, parameters, normal, monkeypatch, assert_same):
    x = normal(3, 11, 3)
    _, whole, _ = trace(TORCH, network.cell, parameters, x, [parameters], "total")
    monkeypatch.setattr("learnability.transport.torch_engine.STEPS", 4)
    _, split, _ = trace(TORCH, network.cell, parameters, x, [parameters], "total")
    assert_same(split, whole)


def test_groups_of_sequences_do_not_show(network, parameters, probe, monkeypatch):
    traced, probes = probe(network, [2, 7], 5)
    crossing = network.cell, parameters, traced, probes, [2, 7]
    whole = TORCH.exact(*crossing)
    monkeypatch.setattr("learnability.transport.torch_engine.CROSSING_SEQUENCES", 2)
    assert_agree(TORCH.exact(*crossing), whole)


@pytest.mark.parametrize("engine", ["native"], indirect=True)
def test_float32_parameters_and_data_are_traced_in_float64(engine, network, parameters, normal):
    x, single = normal(3, 8, 3).float(), {name: p.float() for name, p in parameters.items()}
    (found,) = engine.trace(network.cell, single, x)
    (expected,) = engine.trace(network.cell, {name: p.double() for name, p in single.items()}, x.double())
    assert torch.equal(found.states, expected.states)


@pytest.mark.parametrize("engine", ["native"], indirect=True)
def test_the_native_engine_refuses_what_it_does_not_know(engine, normal):
    other = type("Other", (Cell,), dict.fromkeys(Cell.__abstractmethods__))
    with pytest.raises(InputError, match=r"must be one of ConstGate, SharedGate, DiagGate, LSTM, GRU\. Got Other"):
        next(engine.trace(other(3, 5), {}, normal(2, 8, 3)))
