"""Lemmas 9 to 12, Proposition 3, and the proof of Proposition 4: sums over paths under uniform attention.

    ω_{l:k}(s) = Σ_{l≤i_1<…<i_s<k} Π_j 1/(t+i_j)                                                   Eq. 126
    θ_{0:k}(s) = Σ_{0≤i_1<…<i_s<k} (1/(t+i_1) + 1_{i_1=0}) Π_{j≥2} (1/(t+i_j) + 1_{i_j-i_{j-1}=1})      Eq. 127
    χ_{0:k}(s) = the same sum with the last factor 1/(t+k) + 1_{k-i_s=1};    C_k = Σ_s V^s χ_{0:k}(s)     Eqs. 121-123

What becomes of each statement follows from generating functions. With S_j = Σ_i (t+i)^{-j},

    Σ_s ω(s) x^s = Π_i (1 + x/(t+i)) = e^{x S_1} Ψ(x),    Ψ(x) = exp Σ_{j≥2} (-1)^{j-1} S_j x^j/j

* Lemma 9 holds, with Σ_s δ_{s,0} x^s = 1 - 1/Ψ(x). The example δ_{4,0} is -(2 S_4 + S_2²)/8; it is printed once as
  -(S_4 + S_2²)/8 (Eq. 148) and once as -(S_4 + 2 S_2²)/8 (Eq. 149), for (2, 2) = S_2² - S_4 counts each pair twice.
* Proposition 3 holds with ψ_l a sum over all ordered (j_1, …, j_k), since Ψ = 1/(1 - Δ) = Σ_k Δ^k, as its proof has it
  (Eq. 167); over j_1 ≥ … ≥ j_k, as printed (Eq. 165), it fails from s = 5 on.
* Lemmas 10 and 11 hold (with ω_{l:l}(0) = 1).
* Remark 15 and Lemma 12 do not: bounds that start at 0 and at s-r differ by 1/t + … + 1/(t+s-r-1) in S_1 for ever. So
  their difference tends to 2/t at s = 2 and grows as (ln T)^{s-2} from s = 3 on; and T χ(s) less the sum of Lemma 12
  does the same, but is 0 at s = 0 and of order 1/T at s = 1.
* Proposition 4 sums Lemma 12 over s. Its coefficient of (λ ln T)^q/q! (Eq. 260),

      Σ_{s'} Σ_{r'} binom(s'+q+1, r'+q+1) ψ_{r'} λ^{s'} = (1-λ)^{-(q+2)} Ψ(λ/(1-λ)),

  depends on q, where the next line (Eq. 261) takes it for a constant. Kept, the factor turns T^λ into T^{λ/(1-λ)}. And
  no sum up to a fixed degree d of V will do: that is a polynomial in ln T over T, which is no power of T.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb, factorial, prod

import numpy as np
import pandas as pd
from jaxtyping import Float64

Fourth = Callable[[Fraction, Fraction], Fraction]
"""δ_{4,0} of S_2 and S_4."""

FIRSTS, SMALL_LAGS, SMALL_DEGREE = (1, 2, 5), 8, 7
"""t, the largest k and the largest s of the enumerations."""
LARGE_LAGS = (10, 100, 1000, 10_000, 100_000)
LARGEST_DEGREE = 5
TRUNCATIONS = {-0.5: (10, 20, 120), 0.4: (5, 10, 120)}
"""Degrees d at which the sum over s is cut, by eigenvalue λ."""


def omega(t: int, start: int, stop: int, s: int) -> Fraction:
    """ω_{start:stop}(s) by enumeration."""
    return sum((Fraction(1, prod(t + i for i in places)) for places in combinations(range(start, stop), s)), Fraction())


def _product(t: int, places: Sequence[int]) -> Fraction:
    """The product of the factors of Eq. 127 at i_1 < … < i_s."""
    steps = zip((-1, *places), places, strict=False)
    return prod((Fraction(1, t + after) + (after - before == 1) for before, after in steps), start=Fraction(1))


def theta(t: int, k: int, s: int) -> Fraction:
    """θ_{0:k}(s) by enumeration."""
    return sum((_product(t, places) for places in combinations(range(k), s)), Fraction())


def chi(t: int, k: int, s: int) -> Fraction:
    """χ_{0:k}(s) by enumeration."""
    return sum((_product(t, (*places, k)) for places in combinations(range(k), s)), Fraction())


def power_sum(t: int, k: int, power: int) -> Fraction:
    """S_power = Σ_{i<k} (t+i)^{-power} (Eq. 138)."""
    return sum((Fraction(1, (t + i) ** power) for i in range(k)), Fraction())


def delta(t: int, k: int, degree: int) -> list[Fraction]:
    """δ_{s,0} of Lemma 9 for s = 0, …, degree: minus the coefficients of 1/Ψ(x) = exp Σ_{j≥2} (-1)^j S_j x^j/j."""
    inverse = [Fraction(1)]
    for s in range(1, degree + 1):
        terms = ((-1) ** j * power_sum(t, k, j) * inverse[s - j] for j in range(2, s + 1))
        inverse.append(sum(terms, Fraction()) / s)
    return [Fraction(), *(-coefficient for coefficient in inverse[1:])]


def parts(total: int, largest: int | None = None) -> Iterator[tuple[int, ...]]:
    """Tuples of integers > 1 of a sum, in every order; with `largest`, those that do not rise, none above it."""
    if total == 0:
        yield ()
    for part in range(2, min(total, largest or total) + 1):
        for rest in parts(total - part, part if largest else None):
            yield (part, *rest)


def psi(deltas: Sequence[Fraction], is_ordered: bool = True) -> list[Fraction]:
    """ψ_l of Proposition 3; with `is_ordered` over all tuples, without over those that do not rise (Eq. 165)."""

    def coefficient(total: int) -> Fraction:
        tuples = parts(total, None if is_ordered else max(total, 1))
        return sum((prod((deltas[part] for part in partition), start=Fraction(1)) for partition in tuples), Fraction())

    return [coefficient(total) for total in range(len(deltas))]


def omega_of_polynomial(t: int, k: int, s: int, is_ordered: bool = True) -> Fraction:
    """ω_{0:k}(s) = Σ_r ψ_{s-r} S_1^r/r! (Prop. 3)."""
    coefficients, first = psi(delta(t, k, s), is_ordered), power_sum(t, k, 1)
    return sum((coefficients[s - r] * first**r / factorial(r) for r in range(s + 1)), Fraction())


def omega_of_recursion(t: int, k: int, s: int, fourth: Fourth | None = None) -> Fraction:
    """ω_{0:k}(s) = S_1^s/s! + Σ_j δ_{j,0} ω(s-j) (Lemma 9), lower ω by enumeration.

    Args:
        fourth: δ_{4,0} of S_2 and S_4, in place of the right one.
    """
    deltas = delta(t, k, s)
    if fourth is not None and s >= 4:
        deltas[4] = fourth(power_sum(t, k, 2), power_sum(t, k, 4))
    lower = sum((deltas[j] * omega(t, 0, k, s - j) for j in range(1, s + 1)), Fraction())
    return power_sum(t, k, 1) ** s / factorial(s) + lower


PRINTED_FOURTH: Mapping[str, Fourth] = {
    "Eq. 148": lambda S_2, S_4: -(S_4 + S_2**2) / 8,
    "Eq. 149": lambda S_2, S_4: -(S_4 + 2 * S_2**2) / 8,
}
"""δ_{4,0} as printed."""


def bounds(t: int, k: int, s: int) -> dict[str, tuple[Fraction, Fraction, Fraction]]:
    """Lower bound, value and upper bound of Lemma 10 (θ) and Lemma 11 (χ), by enumeration."""
    low, high = ([omega(t, s - r, k, r) for r in range(s + 1)], [omega(t, 0, k - s + r, r) for r in range(s + 1)])
    of_theta, of_chi = ([comb(s + more, r + more) for r in range(s + 1)] for more in (0, 1))

    def weighted_sum(weights: list[int], values: list[Fraction]) -> Fraction:
        return sum((w * v for w, v in zip(weights, values, strict=True)), Fraction())

    only, least, most = int(k == s), Fraction(1, t + k), Fraction(1, t + k - s)
    return {
        "Lemma 10": (weighted_sum(of_theta, low), theta(t, k, s), weighted_sum(of_theta, high)),
        "Lemma 11": (only + least * weighted_sum(of_chi, low), chi(t, k, s), only + most * weighted_sum(of_chi, high)),
    }


def exact_table(firsts: Sequence[int] = FIRSTS, lags: int = SMALL_LAGS, degree: int = SMALL_DEGREE) -> pd.DataFrame:
    """Statements at small k by enumeration in exact fractions.

    Args:
        firsts, lags, degree: t, the largest k and the largest s.

    Returns:
        A row for each statement: `statement`, `cases` tried, `fail`, how many do not hold, and `first_failure`, the
        smallest s at which one does not (NaN if none).
    """
    rows = []

    def record(statement: str, outcomes: list[tuple[int, bool]]) -> None:
        failures = [s for s, holds in outcomes if not holds]
        first = min(failures) if failures else np.nan
        rows.append({"statement": statement, "cases": len(outcomes), "fail": len(failures), "first_failure": first})

    cases = [(t, k, s) for t in firsts for k in range(1, lags + 1) for s in range(1, min(k, degree) + 1)]
    truth = {case: omega(case[0], 0, *case[1:]) for case in cases}
    record("Lemma 9", [(case[2], omega_of_recursion(*case) == truth[case]) for case in cases])
    for name, fourth in PRINTED_FOURTH.items():
        outcomes = [(4, omega_of_recursion(t, k, 4, fourth) == truth[t, k, 4]) for t, k, s in cases if s == 4]
        record(f"Lemma 9 with δ₄₀ of {name}", outcomes)
    for name, is_ordered in (("Proposition 3 as printed", False), ("Proposition 3, ordered tuples", True)):
        record(name, [(case[2], omega_of_polynomial(*case, is_ordered=is_ordered) == truth[case]) for case in cases])
    for name in ("Lemma 10", "Lemma 11"):
        values = [(case[2], bounds(*case)[name]) for case in cases]
        record(name, [(s, low <= value <= high) for s, (low, value, high) in values])
    return pd.DataFrame(rows)


def omegas(t: int, start: int, stops: Sequence[int], degree: int) -> Float64[np.ndarray, "stop power"]:
    """ω_{start:stop}(0), …, ω_{start:stop}(degree) for ascending `stops`, a degree at a time.

    ω_{start:i+1}(s) = ω_{start:i}(s) + ω_{start:i}(s-1)/(t+i), from ω_{start:start}(s) = 1_{s=0}.
    """
    places = np.maximum(stops, start) - start
    factors = t + np.arange(start, start + places[-1])
    values = np.ones(len(factors) + 1)
    rows = [values[places]]
    for _ in range(degree):
        values = np.cumsum(np.concatenate([[0.0], values[:-1] / factors]))
        rows.append(values[places])
    return np.array(rows).T


def chis(t: int, lags: Sequence[int], degree: int) -> Float64[np.ndarray, "lag power"]:
    """χ_{0:k}(0), …, χ_{0:k}(degree) for ascending k, by χ_{k+1}(s) = χ_k(s-1) + Σ_{j≤k} χ_j(s-1)/(t+k+1), s ≥ 1."""
    after = t + np.arange(1, lags[-1] + 1)
    values = 1 / np.concatenate([[t], after])
    values[0] += 1
    rows = [values[list(lags)]]
    for _ in range(degree):
        values = np.concatenate([[0.0], values[:-1] + np.cumsum(values)[:-1] / after])
        rows.append(values[list(lags)])
    return np.array(rows).T


def gap_table(t: int = 2, lags: Sequence[int] = LARGE_LAGS, degree: int = LARGEST_DEGREE) -> pd.DataFrame:
    """Remark 15 and Lemma 12 at large k.

    Returns:
        A row for each s and k: `degree` s, `lag` k; `bounds`, upper less lower bound of Lemma 10, which tends to 0 by
        Remark 15; `rest`, (t+k) χ(s) less the sum of Lemma 12, which lies between two positive constants by it.
    """
    values = chis(t, lags, degree)
    low = [omegas(t, start, lags, degree) for start in range(degree + 1)]
    high = [omegas(t, 0, [lag - back for lag in lags], degree) for back in range(degree + 1)]
    rows = []
    for s in range(degree + 1):
        for place, lag in enumerate(lags):
            spread = sum(comb(s, r) * (high[s - r][place, r] - low[s - r][place, r]) for r in range(s + 1))
            lemma_12 = sum(comb(s + 1, r + 1) * low[s - r][place, r] for r in range(s + 1))
            rest = (t + lag) * (values[place, s] - (lag == s)) - lemma_12
            rows.append({"degree": s, "lag": lag, "bounds": float(spread), "rest": float(rest)})
    return pd.DataFrame(rows)


def coefficient_table(eigenvalues: Sequence[float], largest: int = 8, terms: int = 400) -> pd.DataFrame:
    """Coefficient of (λ ln T)^q/q! in the sum of Proposition 4 (Eq. 260) at t → ∞, where ψ_0 = 1 is the only ψ_r ≠ 0.

    Returns:
        A row for each λ and q: `eigenvalue`, `power` q, `coefficient` Σ_{s'} binom(s'+q+1, q+1) λ^{s'} summed term by
        term, `closed_form` (1-λ)^{-(q+2)}, and `as_printed`, that of q = 0 for all q.
    """
    rows = []
    for eigenvalue in eigenvalues:
        for q in range(largest + 1):
            total = sum(comb(s + q + 1, q + 1) * eigenvalue**s for s in range(terms))
            forms = [(1 - eigenvalue) ** -(power + 2) for power in (q, 0)]
            rows.append((eigenvalue, q, total, *forms))
    return pd.DataFrame(rows, columns=["eigenvalue", "power", "coefficient", "closed_form", "as_printed"])


def truncation_table(
    t: int = 2, lags: Sequence[int] = LARGE_LAGS, truncations: Mapping[float, Sequence[int]] = TRUNCATIONS
) -> pd.DataFrame:
    """The sum over s cut at d, as in Proposition 4 since V^d ≈ 0, beside the whole.

    Args:
        truncations: d of each λ, the last so large that it is the whole.

    Returns:
        A row for each λ, d and k: `eigenvalue`, `degree` d, `size` |λ|^d, `lag` k, `truncated` T Σ_{s≤d} λ^s χ(s).
    """
    rows = []
    for eigenvalue, degrees in truncations.items():
        powers = eigenvalue ** np.arange(max(degrees) + 1)
        partial = np.cumsum(chis(t, lags, max(degrees)) * powers, axis=1)
        for degree in degrees:
            for lag, sums in zip(lags, partial, strict=True):
                row = {"eigenvalue": eigenvalue, "degree": degree, "size": abs(eigenvalue) ** degree, "lag": lag}
                rows.append(row | {"truncated": (t + lag) * float(sums[degree])})
    return pd.DataFrame(rows)


def compute(generator: np.random.Generator) -> dict[str, pd.DataFrame]:
    """Tables `exact`, `gaps`, `coefficients` and `truncations`; nothing is drawn."""
    return {
        "exact": exact_table(),
        "gaps": gap_table(),
        "coefficients": coefficient_table(list(TRUNCATIONS)),
        "truncations": truncation_table(),
    }
