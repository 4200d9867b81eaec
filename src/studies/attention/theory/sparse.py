"""Theorem 2: ds_T/dh_t under κ-sparse uniform attention of dependency depth d, linear φ and X = Y = 0.

With A_n the κ states that s_n attends to, an eigenvalue λ of V gives for G_n of dh_n/dh_t and C_n of ds_n/dh_t

    G_t = 1,    C_n = G_n + Σ_{i∈A_n} G_i/κ,    G_{n+1} = λ C_n                          Eqs. 276, 277

A chain of depth d takes d+1 links of weight 1/κ each and crosses V d times. Its share of C_T is λ^d κ^{-(d+1)}: the
theorem's proof has the second factor (Eq. 291) and leaves out the first. For fixed κ, d and λ > 0 both are constants,
and the theorem holds, for no path has a negative share. It has Ω(·), whose constant may depend on all three, and by
Remark 21 κ and d are there for intuition. Read as a law in d or κ with a constant of 1, it is

    |C_T| ≥ (λ/κ)^d/κ        in place of κ^{-d}

and no better: with `visited` chains, each link used once, there is equality for T - t → ∞, at any λ. With `held`
chains, every step from one link to the next attending to the same state, |C_T| → (|λ|/(κ|1-λ|))^d/(κ|1-λ|), which
*grows* with d where |λ| > κ|1-λ|.

Some λ must be positive, as A.4 states (Section 3.3: "under mild assumptions"): at critical values of λ, which Remark 21
excludes, paths cancel (`cancelling_attention`: κ = 2, d = 0, built so that |C_T| falls exponentially at λ = -2/3).
That n is odd (Remark 21) gives a real eigenvalue, not a positive one. And a sparse attention to random states has no
bounded depth: C_T is on average that of uniform attention.
"""

from collections.abc import Sequence
from itertools import pairwise
from math import ceil

import numpy as np
import pandas as pd
from jaxtyping import Complex, Float64

from learnability.stats.fits import fit_line
from studies.attention.theory import uniform

Attention = Float64[np.ndarray, "time time"]

LAYOUTS = ("visited", "held")
EIGENVALUES = (0.3, 0.6, 0.8, -0.6, 0.6j)
SPARSITIES, DEPTHS = (1, 2, 4, 8), tuple(range(5))
FORGOTTEN = 1e-10
"""|λ|^gap, so that the way through recurrence alone does not count."""
CANCELLING_EIGENVALUE = -2 / 3
LENGTHS = (16, 32, 64, 128, 256, 512)
EITHER_SIGN, DRAWS = 0.4, 200


def transport(
    attention: Attention, t: int, eigenvalues: Complex[np.ndarray, "eigenvalue"]
) -> Complex[np.ndarray, "time eigenvalue"]:
    """C_n of each eigenvalue at place n = t, …, T; zero before.

    Args:
        attention: α_{i,n} at place (n, i); row and column 0 stand for nothing.
    """
    hidden = np.zeros((len(attention) + 1, len(eigenvalues)), np.complex128)
    hidden[t] = 1
    states = np.zeros((len(attention), len(eigenvalues)), np.complex128)
    for n in range(t, len(attention)):
        links = np.flatnonzero(attention[n])
        states[n] = hidden[n] + attention[n, links] @ hidden[links]
        hidden[n + 1] = eigenvalues * states[n]
    return states


def _attend(attention: Attention, n: int, states: Sequence[int]) -> None:
    attention[n, list(states)] = 1 / len(states)


def chain(layout: str, sparsity: int, depth: int, gap: int) -> tuple[Attention, int]:
    """Attention with a single chain of a depth from h_t to s_T, and t.

    Relevant states m_0 = t, m_1, …, m_d follow each other after `gap` steps; the s just before m_j attends to m_{j-1},
    s_T to m_d; of `held` chains all s on the way do. The rest of attention goes to κ states before t, which h_t cannot
    reach.

    Args:
        layout: `visited` or `held`.
        sparsity: κ, states that each s attends to.
        depth: d, states between h_t and s_T.
    """
    t, before = sparsity + 1, range(1, sparsity + 1)
    relevant = [t + place * gap for place in range(depth + 2)]
    attention = np.zeros((relevant[-1],) * 2)
    for n in range(1, len(attention)):
        _attend(attention, n, [i for i in before if i <= n])
    for now, after in pairwise(relevant):
        first = now + 1 if layout == "held" else after - 1
        for n in range(first, after):
            attention[n] = 0
            _attend(attention, n, [now, *before[1:]])
    return attention, t


def cancelling_attention(length: int) -> tuple[Attention, int]:
    """κ = 2: s_t attends to h_t, later s to h_t and h_{t+1}, whose shares cancel at λ = -2/3; and t."""
    t = 3
    attention = np.zeros((length + 1,) * 2)
    for n in range(1, length + 1):
        links = {t: (1, t), t + 1: (1, 2)}.get(n, (t, t + 1) if n > t else (1, min(n, 2)))
        _attend(attention, n, sorted(set(links)))
    return attention, t


def chain_table() -> pd.DataFrame:
    """|C_T| of chains, beside the bound and what is printed.

    Returns:
        A row for each layout, λ, κ and d: `layout`, `real`, `imaginary`, `sparsity` κ, `depth` d, `gap`, `length` T;
        `size` |C_T|, `expected` in the limit, `bound` (|λ|/κ)^d/κ, `printed` κ^{-d}.
    """
    rows = []
    for layout in LAYOUTS:
        for eigenvalue in EIGENVALUES:
            gap = ceil(np.log(FORGOTTEN) / np.log(abs(eigenvalue)))
            for sparsity in SPARSITIES:
                for depth in DEPTHS:
                    attention, t = chain(layout, sparsity, depth, gap)
                    size = float(abs(transport(attention, t, np.array([eigenvalue], np.complex128))[-1, 0]))
                    bound = (abs(eigenvalue) / sparsity) ** depth / sparsity
                    row = {"layout": layout, "real": np.real(eigenvalue), "imaginary": np.imag(eigenvalue)}
                    row |= {"sparsity": sparsity, "depth": depth, "gap": gap, "length": len(attention) - 1}
                    expected = bound / (abs(1 - eigenvalue) ** (depth + 1) if layout == "held" else 1)
                    rows.append(row | {"size": size, "expected": expected, "bound": bound, "printed": sparsity**-depth})
    return pd.DataFrame(rows)


def law_table(chains: pd.DataFrame) -> pd.DataFrame:
    """Dependence of |C_T| on d at each κ, and on κ at each d.

    Returns:
        A row for each layout, λ and κ, with the factor for each further link: `by` "depth", `at` κ, `measured`,
        `printed` 1/κ; and for each layout, λ and d, with the power of κ: `by` "sparsity", `at` d, `measured`,
        `printed` -d.
    """
    rows = []
    for names, group in chains.groupby(["layout", "real", "imaginary"], sort=False):
        keys = dict(zip(("layout", "real", "imaginary"), names, strict=True))
        for sparsity in SPARSITIES:
            part = group[group["sparsity"] == sparsity]
            factor = np.exp(fit_line(part["depth"].to_numpy(), np.log(part["size"].to_numpy())).slope)
            rows.append(keys | {"by": "depth", "at": sparsity, "measured": factor, "printed": 1 / sparsity})
        for depth in DEPTHS:
            part = group[group["depth"] == depth]
            power = fit_line(np.log(part["sparsity"].to_numpy()), np.log(part["size"].to_numpy())).slope
            rows.append(keys | {"by": "sparsity", "at": depth, "measured": power, "printed": -depth})
    return pd.DataFrame(rows)


def random_attention(
    sparsity: int, eigenvalue: float, length: int, draws: int, generator: np.random.Generator, t: int = 1
) -> Float64[np.ndarray, "time draw"]:
    """C_n where each s_n attends to κ states at random of h_1, …, h_n, at place n = t, …, T; zero before."""
    hidden, states = np.zeros((length + 2, draws)), np.zeros((length + 1, draws))
    hidden[t] = 1
    for n in range(t, length + 1):
        past = hidden[1 : n + 1]
        if n > sparsity:
            places = generator.random((n, draws)).argpartition(sparsity - 1, axis=0)[:sparsity]
            past = np.take_along_axis(past, places, axis=0)
        states[n] = hidden[n] + past.mean(0)
        hidden[n + 1] = eigenvalue * states[n]
    return states


def length_table(
    generator: np.random.Generator,
    lengths: Sequence[int] = LENGTHS,
    eigenvalue: float = EITHER_SIGN,
    draws: int = DRAWS,
) -> pd.DataFrame:
    """|C_T| over T.

    Args:
        eigenvalue: λ, which is taken with either sign.
        draws: of attention to random states.

    Returns:
        A row for each attention and T: `attention`, `eigenvalue`, `length`, `size` |C_T| (root mean square of random
        ones), `mean` of C_T and its `standard_error` (0 where nothing is random).
    """
    longest = max(lengths)
    rows: list[dict[str, object]] = []

    def record(name: str, signed_value: float, values: Float64[np.ndarray, "time draw"]) -> None:
        for length in lengths:
            sample = values[length]
            error = sample.std(ddof=1) / len(sample) ** 0.5 if len(sample) > 1 else 0.0
            size, row = float(np.sqrt((sample**2).mean())), {"attention": name, "eigenvalue": signed_value}
            rows.append(row | {"length": length, "size": size, "mean": sample.mean(), "standard_error": error})

    for signed_value in (eigenvalue, -eigenvalue):
        value = np.array([signed_value], np.complex128)
        attention, t = np.zeros((longest + 1,) * 2), 4
        for n in range(1, longest + 1):
            _attend(attention, n, (t, 2, 3) if n > t else range(1, min(n, 3) + 1))
        record("held, κ = 3", signed_value, transport(attention, t, value).real)
        whole = np.zeros((longest + 1, 1))
        whole[1:] = uniform.recursion(value, 1, range(longest)).real
        record("uniform", signed_value, whole)
        record("random, κ = 3", signed_value, random_attention(3, signed_value, longest, draws, generator))
    for signed_value in (-CANCELLING_EIGENVALUE, CANCELLING_EIGENVALUE):
        attention, t = cancelling_attention(longest)
        record("cancelling, κ = 2, d = 0", signed_value, transport(attention, t, np.array([signed_value + 0j])).real)
    return pd.DataFrame(rows)


def compute(generator: np.random.Generator) -> dict[str, pd.DataFrame]:
    """Tables `chains`, `laws` and `lengths`."""
    chains = chain_table()
    return {"chains": chains, "laws": law_table(chains), "lengths": length_table(generator)}
