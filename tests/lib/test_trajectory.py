from itertools import product

import pytest
import torch

from learnability.cells import Cell
from learnability.errors import InputError
from learnability.network import run
from learnability.transport import ENGINES

TORCH = ENGINES["torch"]()


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


SIZES = [*product([5], [1, 7, 19], [1, 17]), *((hidden, 7, 17) for hidden in (1, 8, 11, 65))]


@pytest.mark.parametrize("engine", ["native"], indirect=True)
@pytest.mark.parametrize(("hidden_size", "sequences", "time"), SIZES)
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


@pytest.mark.parametrize("engine", ["native"], indirect=True)
@pytest.mark.parametrize("lags", [[1, 2, 3, 7, 20, 21], [2, 4, 6, 8], [5, 6]], ids=str)
@pytest.mark.parametrize("sequences", [1, 7, 16])
def test_both_engines_sum_the_same(engine, network, parameters, perturbed, normal, lags, sequences):
    directions, x, ends = [parameters, perturbed(network)], normal(sequences, 40, 3), torch.arange(lags[-1] + 1, 41, 3)
    delta, signs = normal(sequences, len(ends), 5), normal(2, len(lags), 5).sign()
    found, expected = [], []
    for each, sums in ((engine, found), (TORCH, expected)):
        (traced,) = each.trace(network.cell, parameters, x, directions)
        sums += each.rates(traced.diagonals, lags)
        sums += each.statistic(traced.diagonals, network.cell.memory(traced.projected), delta, signs, ends, lags)
    for one, other in zip(found, expected, strict=True):
        torch.testing.assert_close(one, other, rtol=1e-11, atol=1e-14)


@pytest.mark.parametrize("engine", ["native"], indirect=True)
@pytest.mark.parametrize("lags", [[1, 2, 3, 7, 20], [4, 8], [1], [6]], ids=str)
@pytest.mark.parametrize(("hidden_size", "sequences"), [(5, 1), (5, 16), *((hidden, 7) for hidden in (1, 8, 11, 65))])
def test_both_engines_carry_row_vectors_the_same(
    engine, build, architecture, perturbed, normal, lags, hidden_size, sequences
):
    network = build(architecture, hidden_size=hidden_size)
    cell, parameters, x, ends = network.cell, perturbed(network), normal(sequences, 40, 3), slice(lags[-1] + 1, 41, 3)
    directions = [parameters, perturbed(network)]
    delta = normal(sequences, len(range(40)[ends.start - 1 :: 3]), cell.state_size)
    signs, found, expected = normal(2, len(lags), cell.state_size).sign(), [], []
    for each, sums in ((engine, found), (TORCH, expected)):
        (traced,) = each.trace(cell, parameters, x, directions)
        sums += each.exact(cell, parameters, traced, delta, signs, ends, lags)
    for one, other in zip(found, expected, strict=True):
        torch.testing.assert_close(one, other, rtol=1e-11, atol=1e-14 * other.abs().max().item())


@pytest.mark.parametrize("ends", [slice(1, 20, 1), slice(6, 20, 4), slice(19, 20, 1), slice(2, 10, 3)], ids=str)
def test_one_vector_carried_back_is_the_sum_of_derivatives_carried_forward(
    engine, network, parameters, perturbed, normal, ends
):
    cell, x, directions = network.cell, normal(7, 19, 3), [parameters, perturbed(network)]
    at = torch.arange(ends.start, ends.stop, ends.step)
    delta = normal(7, len(at), cell.state_size)
    (traced,) = engine.trace(cell, parameters, x, directions)
    (total,) = TORCH.trace(cell, parameters, x, directions, "total")
    found = engine.gradient(cell, parameters, traced, delta, ends)
    expected = (delta * total.projected[:, :, at - 1]).sum((-1, -2))
    torch.testing.assert_close(found, expected, rtol=1e-10, atol=1e-12)


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


def test_groups_of_sequences_do_not_show(network, parameters, normal, monkeypatch):
    x, delta, signs = (
        normal(5, 11, 3),
        normal(5, 2, network.cell.state_size),
        normal(1, 2, network.cell.state_size).sign(),
    )
    (traced,) = TORCH.trace(network.cell, parameters, x, [parameters])
    crossing = network.cell, parameters, traced, delta, signs, slice(8, 12, 2), [2, 7]
    whole = TORCH.exact(*crossing)
    monkeypatch.setattr("learnability.transport.torch_engine.CROSSING_SEQUENCES", 2)
    for one, other in zip(TORCH.exact(*crossing), whole, strict=True):
        torch.testing.assert_close(one, other, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("engine", ["native"], indirect=True)
def test_float32_parameters_and_data_are_traced_in_float64(engine, network, parameters, normal):
    x, single = normal(3, 8, 3).float(), {name: p.float() for name, p in parameters.items()}
    (found,) = engine.trace(network.cell, single, x)
    (expected,) = engine.trace(network.cell, {name: p.double() for name, p in single.items()}, x.double())
    assert torch.equal(found.states, expected.states)


@pytest.mark.parametrize("engine", ["native"], indirect=True)
def test_the_native_engine_refuses_what_it_does_not_know(engine, network, parameters, normal):
    other = type("Other", (Cell,), dict.fromkeys(Cell.__abstractmethods__))
    with pytest.raises(InputError, match=r"must be one of LeakyCell, LSTM, GRU\. Got Other"):
        next(engine.trace(other(3, 5), {}, normal(2, 8, 3)))
    (traced,) = TORCH.trace(network.cell, parameters, normal(2, 8, 3))
    with pytest.raises(InputError, match="'trajectory' must be traced by the native engine"):
        engine.rates(traced.diagonals, [1])
