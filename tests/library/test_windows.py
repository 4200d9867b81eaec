import math

import pytest
import torch
from torch.func import jvp

from learnability.cells import Diagonals
from learnability.core.errors import InputError
from learnability.transport import Factors, Window, compose, windows

TIME = 24


@pytest.fixture
def factors(normal):
    return Factors.of(Diagonals(normal(2, TIME, 3), normal(2, TIME, 3), reset=normal(2, TIME, 3)))


def brute_force(factors, lag):
    """Eq. 51 on the diagonal, written out: one insertion of d_p in a product of a_j, summed over p; and ρ⁰."""
    a, d, r = factors.inner
    time = a.shape[-2]
    zeroth, first, reset = a.new_zeros(3, *a.shape[:-2], time - lag + 1, a.shape[-1])
    for end in range(lag, time + 1):
        steps = range(end - lag, end)
        for unit in range(a.shape[-1]):
            at = (..., end - lag, unit)
            zeroth[at] = math.prod(a[..., j, unit] for j in steps)
            reset[at] = math.prod(r[..., j, unit] for j in steps)
            for p in steps:
                first[at] += math.prod(d[..., j, unit] if j == p else a[..., j, unit] for j in steps)
    return Window(zeroth, first, reset)


def assert_close(result, expected):
    for tensor, reference in zip(result, expected, strict=True):
        torch.testing.assert_close(tensor, reference, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize(
    "lags", [[1, 2, 3, 4], [4, 8, 12, 16], [1, 2, 7, 8, 19, TIME], [TIME], [5], [3, 4, 13]], ids=str
)
def test_windows_are_the_sum_over_insertions(factors, lags):
    pairs = list(windows(factors, lags))
    assert [lag for lag, _ in pairs] == lags
    for lag, window in pairs:
        assert_close(window, brute_force(factors, lag))


def test_windows_are_value_and_derivative_of_the_product_at_zero(factors):
    a, d, _ = factors.inner
    for lag, window in windows(factors, [1, 6, 17]):
        size = a.new_zeros(())

        def product(size, lag=lag):
            return torch.stack([(a + size * d)[:, end - lag : end].prod(1) for end in range(lag, TIME + 1)], 1)

        assert_close(window[:2], jvp(product, (size,), (torch.ones_like(size),)))


def test_composition_is_associative(normal):
    first, second, third = (Window(*normal(3, 4, 3)) for _ in range(3))
    assert_close(compose(compose(first, second), third), compose(first, compose(second, third)))


def test_a_window_is_the_composition_of_any_two_that_make_it_up(factors):
    of = {lag: window for lag, window in windows(factors, range(1, 12))}
    for later in range(1, 11):
        earlier = 11 - later
        parts = Window(*(x[:, earlier:] for x in of[later])), Window(*(x[:, : TIME - 10] for x in of[earlier]))
        assert_close(of[11], compose(*parts))


def test_a_closed_gate_keeps_what_passes_beside_it(factors):
    factors.inner.zeroth[:, 9] = 0
    for lag, window in windows(factors, [4, 7]):
        expected = brute_force(factors, lag)
        assert_close(window, expected)
        around = slice(9 - lag + 1, 10)  # windows that hold the closed step
        assert not window.zeroth[:, around].any()
        assert window.first[:, around].all()
        product = factors.inner.zeroth[:, 9 - lag + 1 : 9].prod(1)
        torch.testing.assert_close(window.first[:, 10 - lag], product * factors.inner.first[:, 9])


def test_nothing_of_first_order_passes_two_closed_gates(factors):
    factors.inner.zeroth[:, 9] = factors.inner.zeroth[:, 11] = 0
    ((_, window),) = windows(factors, [5])
    assert not window.zeroth[:, 7:10].any()
    assert not window.first[:, 7:10].any()


@pytest.mark.parametrize("lags", [[], [0, 1], [-1], [2, 2], [3, 1], [1, TIME + 1]], ids=str)
def test_lags_that_do_not_increase_within_the_sequence_are_refused(factors, lags):
    with pytest.raises(InputError, match="'lags' must be"):
        next(windows(factors, lags))


def test_long_windows_of_a_fast_gate_need_float64():
    retention = torch.full((1, 128, 1), 0.3, dtype=torch.float64)
    ((_, window),) = windows(Factors.of(Diagonals(retention, torch.zeros_like(retention))), [128])
    assert window.zeroth.item() > 0
    assert window.zeroth.item() == pytest.approx(0.3**128, rel=1e-12)
    assert retention.float().prod() == 0


@pytest.mark.parametrize(
    "names", [("retention", "mixing"), ("retention", "mixing", "reset"), Diagonals._fields[:4]], ids=len
)
def test_windows_at_given_ends_are_those_of_all_ends(normal, names):
    factors = Factors.of(Diagonals(**{name: normal(2, 30, 3) for name in names}))
    ends = torch.tensor([14, 15, 22, 30])
    at_ends = dict(windows(factors, [1, 4, 5, 13], ends))
    for lag, window in windows(factors, [1, 4, 5, 13]):
        for part, whole in zip(at_ends[lag], window.at(ends - lag), strict=True):
            torch.testing.assert_close(part, whole, rtol=1e-13, atol=0)


def test_windows_need_float64(normal):
    with pytest.raises(InputError, match=r"'diagonals' must be float64\. Got torch\.float32"):
        Factors.of(Diagonals(*normal(2, 2, 30, 3).float()))


def test_eq_26_adds_terms_that_no_gradient_has():
    unit = torch.ones(1, 1, dtype=torch.float64)
    assert Window(unit, 0 * unit, unit).rates.item() == 3  # no step crossed: the gradient is 1
    window = Window(0.5**20 * unit, 0 * unit, 0.999**20 * unit)
    assert window.rates.item() > 0.98 and window.strict.item() < 1e-5
