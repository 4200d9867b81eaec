"""Proposition 4 and Theorem 1: ds_T/dh_t under uniform attention, linear φ and X = Y = 0.

With f = h + c every eigenvalue λ of V, normal or not, gives an eigenvalue C_k of ds_{t+k}/dh_t, T = t + k:

    C_{k+1} = λ C_k + (1 + λ S_k)/(t+k+1),    S_k = Σ_{j≤k} C_j,    C_0 = 1 + 1/t                 Eqs. 19, 119, 120

Let n = t + k and u_n = 1 + λ S_k, u_{t-1} = 1. Then λ C_k = u_n - u_{n-1} and

    (n+1)(u_{n+1} - u_n) = λ (n+1)(u_n - u_{n-1}) + λ u_n.

For U(z) = Σ_{n≥t-1} u_n z^n and W = (1-z)(1-λz) U this is W' = λ W/((1-z)(1-λz)) + (t-1) z^{t-2}, whose homogeneous
solution is ((1-λz)/(1-z))^a with

    a = λ/(1-λ).

The singularity of Σ C_k z^n = (1-z) U/λ (up to a power of z) nearest to 0 is (1-z)^{-a} at z = 1, so that

    C_k ~ A_t(λ) T^{a-1},    A_t(λ) = (1-λ)^{a-2} Γ(t)/Γ(t+a) ₂F₁(a, t-1; t+a; λ)                |λ| < 1

and no term of order 1/T stands beside it. So |C_k| goes as T^e with

    e(λ) = Re(λ/(1-λ)) - 1 = Re(1/(1-λ)) - 2 > -3/2,

since 1/(1-λ) takes the disc |λ| < 1 to the half-plane of real parts above 1/2: Ω(T^{-3/2}) holds for every normal V
with |λ| < 1 if A_t(λ) ≠ 0, and the gradient falls as a power of T, as Section 3.2 concludes. Where A_t(λ) was found to
have no zero is `exponents.WITHOUT_ZERO`; nearer to the circle nobody looked. Where it has none, in the plane of λ:

    |λ - 1/2| ≤ 1/2    |C_k| ≥ c/T: Theorem 1 holds as soon as one eigenvalue lies here, and fails if none does
    |λ - 3/4| < 1/4    |C_k| grows

The second singularity, (1-λz)^{a-1} at z = 1/λ, adds λ^n n^{-a}. It decides where |λ| = 1, as of an orthogonal V: there
Re a = -1/2, and |C_k| *grows* as T^{1/2} (at λ = 1, where a is infinite, as e^{2√T}, up to powers of T).

With f = (h + c)/2, the `mean`, C_k is half of the above at λ/2: e = Re(λ/(2-λ)) - 1, and Theorem 1 holds if and only if
some |λ - 1| ≤ 1.

Proposition 4 has c T^{-1} + c' T^{λ-1}. To first order in λ its second exponent is right; its first term is absent, and
Theorem 1, which rests on it, holds with T^{-3/2} in place of T^{-1}. `sums` shows where the proof fails. Where t grows
with T the theorem is right as it stands:
A_t(λ) ~ (1-λ)^{-2} t^{-a}, hence C_k ~ (1-λ)^{-2} (T/t)^a/T.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
import torch
from jaxtyping import Complex, Float64
from scipy.special import loggamma

from learnability.stats.fits import ROUNDING, fit_line
from studies.attention.theory import paths
from studies.attention.theory.exponents import HALVES, Eigenvalues, exponent
from studies.attention.theory.mem_rnn import MIXES, MemRNN, Weights, linear, random_weights

FIRST = 2
"""t of the tables."""
LARGEST_LAG = 200_000
RADII, ANGLES = (0.0, 0.15, 0.3, 0.45, 0.6, 0.75, 0.9), 9
"""Radii and number of angles of the grid in the upper half of the unit disc; conjugate eigenvalues have conjugate
C_k."""
EXAMPLES = (0.9, 0.7, 0.5, -0.5, -0.9, 0.3 + 0.6j)
CIRCLE = (-1.0, 1j, np.exp(0.25j * np.pi))
"""Eigenvalues of an orthogonal V."""
SPECTRA: Mapping[str, Sequence[complex]] = {
    "positive": (0.1, 0.2, 0.3, 0.4),
    "grows": (0.7, 0.5, 0.3, 0.1),
    "negative": (-0.2, -0.4, -0.6, -0.8),
    "one of four in the disc": (-0.8, -0.6, -0.4, 0.3),
    "skew-symmetric": (0.5j, -0.5j, 0.8j, -0.8j),
    "rotations by 45°": tuple(0.9 * np.exp(sign * 0.25j * np.pi) for sign in (1, -1, 1, -1)),
    "on the circle": tuple(0.5 + 0.5 * np.exp(sign * 2j * np.pi / 3) for sign in (1, -1, 1, -1)),
}
"""Eigenvalues of normal 4 × 4 matrices, conjugate ones side by side."""
MATRIX_LAG = 30_000
NETWORK_LENGTHS = (32, 64, 128, 256)
GAINS, RANDOM_NETWORKS = (0.0, 1.0), 3
RELATIVE = (0.1, 0.3, 0.6)
"""t/T where t grows with T."""


def amplitude(eigenvalues: Eigenvalues, t: int) -> Complex[np.ndarray, "*shape"]:
    """A_t(λ) of C_k ~ A_t(λ) T^{a-1}, f = h + c, |λ| < 1; ₂F₁ by its series."""
    a = eigenvalues / (1 - eigenvalues)
    term = total = np.ones_like(a)
    n = 0
    while np.abs(term / total).max() > ROUNDING:
        term = term * eigenvalues * (a + n) * (t - 1 + n) / ((t + a + n) * (1 + n))
        total, n = total + term, n + 1
    return (1 - eigenvalues) ** (a - 2) * np.exp(loggamma(t + 0j) - loggamma(t + a)) * total


def recursion(
    eigenvalues: Complex[np.ndarray, "eigenvalue"], t: int, lags: Sequence[int], mix: str = "sum"
) -> Complex[np.ndarray, "lag eigenvalue"]:
    """C_k of each eigenvalue at ascending lags k, step by step."""
    effective, rows, at = HALVES[mix] * eigenvalues, [], 0
    now = np.full_like(effective, 1 + 1 / t)
    total, share = now.copy(), np.empty_like(now)
    for lag in lags:
        for k in range(at, lag):  # in place, for an array takes longer to make than to fill
            np.multiply(effective, total, out=share)
            share += 1
            share /= t + k + 1
            np.multiply(effective, now, out=now)
            now += share
            total += now
        at = lag
        rows.append(HALVES[mix] * now)
    return np.array(rows)


def matrix_recursion(
    V: Float64[np.ndarray, "matrix n n"], t: int, lags: Sequence[int], mix: str = "sum"
) -> Float64[np.ndarray, "lag matrix n n"]:
    """ds_{t+k}/dh_t of whole matrices V at ascending lags k, step by step."""
    identity, effective, rows, at = np.eye(V.shape[-1]), HALVES[mix] * V, [], 0
    now = np.broadcast_to((1 + 1 / t) * identity, V.shape)
    total = now.copy()
    for lag in lags:
        for k in range(at, lag):
            now = effective @ now + (identity + effective @ total) / (t + k + 1)
            total += now
        at = lag
        rows.append(HALVES[mix] * now)
    return np.array(rows)


def slopes(
    times: Float64[np.ndarray, "time"], values: Float64[np.ndarray, "time curve"], points: int
) -> tuple[Float64[np.ndarray, "curve"], Float64[np.ndarray, "curve"]]:
    """Slopes of log |C| over log T through the last `points`, and how much they drift from those before."""

    def through(part: slice) -> Float64[np.ndarray, "curve"]:
        return np.array([fit_line(np.log(times[part]), np.log(curve[part])).slope for curve in values.T])

    last = through(slice(-points, None))
    return last, last - through(slice(-2 * points + 1, -points + 1))


def disc(radii: Sequence[float] = RADII, angles: int = ANGLES) -> Complex[np.ndarray, "eigenvalue"]:
    """λ of the table `exponents`: a grid in the upper half of the disc, its middle first, and every λ of `EXAMPLES`."""
    directions = np.exp(1j * np.pi * np.arange(angles) / (angles - 1))
    grid = np.concatenate([[0.0], *(radius * directions for radius in radii[1:])])
    return np.concatenate([grid, np.array(EXAMPLES)])


def exponent_table(
    largest_lag: int = LARGEST_LAG, t: int = FIRST, radii: Sequence[float] = RADII, angles: int = ANGLES
) -> pd.DataFrame:
    """Exponents and amplitudes by the recursion, beside the formulas.

    Args:
        radii, angles: of `disc`.

    Returns:
        A row for each mix and λ: `mix`, `real`, `imaginary`; `predicted` e(λ), `fitted` slope over the last decade of
        k, `error` fitted less predicted, `drift` from the decade before; `amplitude` |C_k T^{-e}| at the end over |A_t|
        (NaN where |λ| = 1); `holds`, whether e(λ) ≥ -1, `grows`, whether e(λ) > 0.
    """
    lags = np.unique(np.geomspace(largest_lag / 100, largest_lag, 21).astype(int))
    tables = []
    for mix, half in HALVES.items():
        eigenvalues = np.concatenate([disc(radii, angles), np.array(CIRCLE)])
        size = np.abs(recursion(eigenvalues, t, lags.tolist(), mix))
        prediction = exponent(eigenvalues, mix)
        fit, drift = slopes(t + lags.astype(float), size, 11)
        inside = np.abs(half * eigenvalues) < 1 - 1e-12
        expected = half * np.abs(amplitude(np.where(inside, half * eigenvalues, 0), t))
        tables.append(
            pd.DataFrame(
                {
                    "mix": mix,
                    "real": eigenvalues.real,
                    "imaginary": eigenvalues.imag,
                    "predicted": prediction,
                    "fitted": fit,
                    "error": fit - prediction,
                    "drift": drift,
                    "amplitude": np.where(inside, size[-1] / (t + lags[-1]) ** prediction / expected, np.nan),
                    "holds": prediction >= -1 - 1e-12,
                    "grows": prediction > 1e-12,
                }
            )
        )
    return pd.concat(tables, ignore_index=True)


def normal_matrix(spectrum: Sequence[complex], generator: np.random.Generator) -> Float64[np.ndarray, "n n"]:
    """A real normal V of these eigenvalues, conjugate ones side by side, in a random orthogonal basis."""
    size, place = len(spectrum), 0
    blocks = np.zeros((size, size))
    while place < size:
        value = complex(spectrum[place])
        wide = 2 if value.imag else 1
        block = np.array([[value.real, -value.imag], [value.imag, value.real]])[:wide, :wide]
        blocks[place : place + wide, place : place + wide] = block
        place += wide
    basis, _ = np.linalg.qr(generator.standard_normal((size, size)))
    return basis @ blocks @ basis.T


def spectrum_table(generator: np.random.Generator, t: int = FIRST, largest_lag: int = MATRIX_LAG) -> pd.DataFrame:
    """Theorem 1 on whole normal matrices V in random bases.

    Returns:
        A row for each mix and spectrum: `mix`, `spectrum`; `predicted` max_i e(λ_i) and `fitted` slope of ‖ds_T/dh_t‖
        (Frobenius, as in A.3); `predicted_least` min_i e(λ_i) and `fitted_least`, the slope of its smallest singular
        value, which is what a loss may see whose gradient lies there; `by_paper` max_i of max(-1, Re λ_i - 1)
        (Eq. 267); `holds`, whether the norm is Ω(1/T).
    """
    V = np.array([normal_matrix(spectrum, generator) for spectrum in SPECTRA.values()])
    lags = np.unique(np.geomspace(largest_lag / 100, largest_lag, 21).astype(int))
    rows = []
    for mix in HALVES:
        singular = np.linalg.svd(matrix_recursion(V, t, lags.tolist(), mix), compute_uv=False)
        norm, _ = slopes(t + lags.astype(float), np.sqrt((singular**2).sum(-1)), 11)
        least, _ = slopes(t + lags.astype(float), singular[..., -1], 11)
        for place, (name, spectrum) in enumerate(SPECTRA.items()):
            values = np.array(spectrum, dtype=np.complex128)
            exponents = exponent(values, mix)
            rows.append(
                {
                    "mix": mix,
                    "spectrum": name,
                    "predicted": exponents.max(),
                    "fitted": norm[place],
                    "predicted_least": exponents.min(),
                    "fitted_least": least[place],
                    "by_paper": max(-1.0, float(values.real.max()) - 1) if mix == "sum" else np.nan,
                    "holds": bool(exponents.max() >= -1 - 1e-12),
                }
            )
    return pd.DataFrame(rows)


def network_norms(
    weights: Weights, mix: str, t: int, lengths: Sequence[int], generator: np.random.Generator
) -> Float64[np.ndarray, "length"]:
    """‖ds_T/dh_t‖ of a network with linear φ at each length T, on standard normal inputs (Prop. 1 and Corollary 1)."""
    inputs = torch.from_numpy(generator.standard_normal((max(lengths), weights.U.shape[1])))
    net = MemRNN(weights, MIXES[mix], linear)
    factors = paths.closed_form(net, inputs, net.run(inputs), t, max(lengths) - t)
    return paths.recursion(factors)[[length - t for length in lengths]].norm(dim=(1, 2)).numpy()


def network_table(
    generator: np.random.Generator,
    t: int = FIRST,
    lengths: Sequence[int] = NETWORK_LENGTHS,
    networks: int = RANDOM_NETWORKS,
) -> pd.DataFrame:
    """‖ds_T/dh_t‖ of networks with linear φ and normal V, X and Y as they are.

    Returns:
        A row for each network: `spectrum`, `gain`, `network` by number; `fitted` slope over T, `by_recursion`, that of
        `matrix_recursion` at the same T, and `difference`, the largest of log ‖·‖ between them. v_a is normal with
        variance gain²/n, all else with 1/n: with gain 0 attention is uniform, X and Y are 0.
    """
    rows = []
    for name in ("positive", "negative"):
        V = normal_matrix(SPECTRA[name], generator)
        whole = matrix_recursion(V[None], t, [length - t for length in lengths])[:, 0]
        expected = np.log(np.linalg.norm(whole, axis=(1, 2)))
        for gain in GAINS:
            for network in range(networks):
                start = random_weights(generator, len(V))
                weights = start._replace(V=torch.from_numpy(V), v_a=gain * start.v_a)
                norms = np.log(network_norms(weights, "sum", t, lengths, generator))
                fit, by_recursion = (fit_line(np.log(lengths), values).slope for values in (norms, expected))
                row = {"spectrum": name, "gain": gain, "network": network, "fitted": fit}
                rows.append(row | {"by_recursion": by_recursion, "difference": np.abs(norms - expected).max()})
    return pd.DataFrame(rows)


def relative_table(length: int = 20_000, eigenvalues: Sequence[complex] = EXAMPLES) -> pd.DataFrame:
    """T |C_k| at t = τ T, which grows with T, beside |(1-λ)^{-2} τ^{-a}|.

    Returns:
        A row for each τ and λ: `share` τ, `real`, `imaginary`, `measured` and `predicted`.
    """
    values = np.array(eigenvalues, dtype=np.complex128)
    rows = []
    for share in RELATIVE:
        t = int(share * length)
        sizes = length * np.abs(recursion(values, t, [length - t])[0])
        predictions = np.abs((1 - values) ** -2 * (t / length) ** (-values / (1 - values)))
        rows += [
            {"share": share, "real": value.real, "imaginary": value.imag, "measured": size, "predicted": expected}
            for value, size, expected in zip(values, sizes, predictions, strict=True)
        ]
    return pd.DataFrame(rows)


def compute(generator: np.random.Generator) -> dict[str, pd.DataFrame]:
    """Tables `exponents`, `spectra`, `networks` and `relative`."""
    return {
        "exponents": exponent_table(),
        "spectra": spectrum_table(generator),
        "networks": network_table(generator),
        "relative": relative_table(),
    }
