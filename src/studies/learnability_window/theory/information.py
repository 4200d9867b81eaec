"""Appendix E: what the mean of N draws tells about its location ±Δ/2, and how many draws a decision takes.

    B = 0 or 1, S = ±h/2 + Z,    h = N^{1-1/α} Δ/σ,    Z standard SαS

    I(B; S) = ∫ p(x) log(2 p(x) / (p(x) + p(x-h))) dx         Eq. 64
    best error = F(-h/2)                                      the sign of S decides
    h_b(error) ≥ log 2 - I(B; S)                              Fano, of a binary B; h_b the binary entropy

The paper has I ≥ min{log 2, c_α h²} (Eq. 35), error ≥ 1 - I/log 2 (Appendix E) and N = (σ/(√c_α Δ))^κ log(1/2ε)^{κ/2}
(Eq. 36). None of them holds: I ≤ c_α h²/4, both equal as h → 0; 1 - I/log 2 exceeds the error of a coin; and log(1/2ε)
exceeds log 2, the largest I there is, for ε < 1/4.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy.optimize import brentq
from scipy.special import betainc, entr

from learnability.core.errors import require
from learnability.stats.stable import cumulatives, density, location_information
from studies.learnability_window.theory.divergence import integral
from studies.learnability_window.theory.sample_complexity import kappa, log_sample_complexity

ALPHAS = (1.1, 1.5, 1.9, 2.0)
SHIFTS = np.geomspace(0.1, 100, 25)
ALPHA = 1.5
"""Tail index for errors and sample sizes."""
ERRORS = np.append(np.geomspace(0.3, 0.1, 5)[:-1], np.geomspace(0.1, 1e-4, 13))
SIGNALS = np.geomspace(0.5, 0.02, 9)
SIGNAL, ERROR = 0.2, 0.1
"""Δ/σ where ε varies, ε where Δ/σ varies."""
CLIP = 2.0
"""Value at which draws are clipped, in scales."""


def mutual_information(h: float, alpha: float) -> float:
    """I(B; S) in nats, by quadrature (Eq. 64, both halves equal by symmetry); below log 2.

    Raises:
        InputError: for h ≤ 0 or α outside [1, 1.99] and not 2.
    """
    return integral(lambda log_p, log_q: np.exp(log_p) * (np.log(2) - np.logaddexp(0, log_q - log_p)), h, alpha)


def bayes_error(h: float, alpha: float) -> float:
    """F(-h/2), the least error there is: p falls from its mode, so the sign of S is the likelihood-ratio test."""
    return float(cumulatives(np.array(-h / 2), np.array(alpha)))


def fano_error(information: float) -> float:
    """The least error that Fano's inequality for a binary B allows: e ≤ 1/2 with h_b(e) = log 2 - I."""
    require(bool(0 <= information <= np.log(2)), "information", "in [0, log 2]", information)
    entropy = np.log(2) - information
    return float(brentq(lambda e: entr(e) + entr(1 - e) - entropy, 0.0, 0.5, xtol=1e-15))


def information_table(alphas: Sequence[float], shifts: Sequence[float]) -> pd.DataFrame:
    """Information and errors over α and h.

    Returns:
        A row for each: `alpha`, `shift` h, `information` I, `ratio` I/(c_α h²), `bayes_error`, `fano_error`, and
        `paper_error`, 1 - I/log 2.
    """
    rows = []
    for alpha in alphas:
        for h in shifts:
            information = mutual_information(h, alpha)
            rows.append(
                {
                    "alpha": alpha,
                    "shift": h,
                    "information": information,
                    "ratio": information / (location_information(alpha) / 2 * h**2),
                    "bayes_error": bayes_error(h, alpha),
                    "fano_error": fano_error(min(information, np.log(2))),
                    "paper_error": 1 - information / np.log(2),
                }
            )
    return pd.DataFrame(rows)


def sample_complexity_of_the_paper(signal: float, alpha: float, error: float) -> float:
    """N of Eq. 36, at σ = 1."""
    return float(np.exp(log_sample_complexity(np.array([signal]), alpha, error)[0]))


def sample_complexity_of_the_mean(signal: float, alpha: float, error: float) -> float:
    """N at which the sign of the mean errs with probability ε: (2 q_{1-ε} σ/Δ)^κ, which grows as ε^{-1/(α-1)}."""
    top = brentq(lambda log: bayes_error(2 * np.exp(log), alpha) - error, -20.0, 60.0, xtol=1e-12)
    return float((2 * np.exp(top) / signal) ** kappa(alpha))


def fano_sample_complexity(signal: float, alpha: float, error: float) -> float:
    """N below which Fano's inequality forbids the mean an error ε: I(h) = log 2 - h_b(ε)."""
    target = np.log(2) - entr(error) - entr(1 - error)
    h = np.exp(brentq(lambda log: mutual_information(float(np.exp(log)), alpha) - target, -5.0, 25.0, xtol=1e-9))
    return float((h / signal) ** kappa(alpha))


def sample_complexity_of_the_median(signal: float, alpha: float, error: float) -> float:
    """N at which the sign of the median errs with probability ε.

    Exact for odd N = 2m + 1: more than m of N draws fall on the wrong side, each with probability F(-Δ/2σ), which is
    the regularised incomplete beta function at m + 1, m + 1, and continuous in m.
    """
    wrong = bayes_error(signal, alpha)
    m = np.exp(brentq(lambda log: betainc(np.exp(log) + 1, np.exp(log) + 1, wrong) - error, -5.0, 25.0, xtol=1e-12))
    return float(2 * m + 1)


def sample_complexity_of_the_clipped_mean(signal: float, alpha: float, error: float, clip: float = CLIP) -> float:
    """N at which the sign of the mean of draws clipped to ±clip errs with probability ε.

    By inversion (Gil-Pelaez 1951) with φ the characteristic function of one clipped draw,

        error = 1/2 - (1/π) ∫_0^∞ Im φ(t)^N / t dt

    exact but for the quadrature; the integral ends where |φ|^N is nothing, so that N must be above 20 or so.

    Raises:
        InputError: where fewer than 20 draws suffice.
    """
    t, weight, log_characteristic = _clipped(signal, alpha, clip)

    def excess(log: float) -> float:
        return 0.5 - float(weight @ (np.exp(np.exp(log) * log_characteristic).imag / t)) / np.pi - error

    few = top = np.log(20)
    require(excess(few) > 0, "signal", f"so weak that 20 draws err more than {error:g}", signal)
    while excess(top) > 0:
        top += 1
    return float(np.exp(brentq(excess, few, top, xtol=1e-10)))


def _clipped(signal: float, alpha: float, clip: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Nodes t, their weights, and log φ(t) of a draw about Δ/2, clipped: a density between two atoms."""
    location = signal / 2
    nodes, w = np.polynomial.legendre.leggauss(128)
    y, mass = clip * nodes, clip * w * density(clip * nodes - location, alpha)
    low, high = cumulatives(np.array([-clip - location, location - clip]), np.full(2, alpha))
    y, mass = np.concatenate([y, [-clip, clip]]), np.concatenate([mass, [low, high]])
    edges = 15.0 * np.linspace(0, 1, 121) ** 3
    nodes, w = np.polynomial.legendre.leggauss(8)
    half = np.diff(edges)[:, None] / 2
    t = (edges[:-1, None] + half * (nodes + 1)).ravel()
    return t, (half * w).ravel(), np.log(np.exp(1j * t[:, None] * y) @ mass)


RULES = {
    "Eq. 36": sample_complexity_of_the_paper,
    "Fano (mean)": fano_sample_complexity,
    "mean": sample_complexity_of_the_mean,
    "median": sample_complexity_of_the_median,
    "clipped mean": sample_complexity_of_the_clipped_mean,
}
"""N by each rule at (Δ/σ, α, ε)."""


def sample_complexity_table(signals: Sequence[float], errors: Sequence[float], alpha: float) -> pd.DataFrame:
    """N by every rule.

    Returns:
        A row for each rule, Δ/σ and ε: `rule`, `signal`, `error_level`, `sample_complexity`, and `mean_error`, that of
        the mean of so many draws.
    """
    rows = []
    for rule, sample_complexity in RULES.items():
        for signal in signals:
            for error in errors:
                size = sample_complexity(signal, alpha, error)
                true = bayes_error(signal * size ** (1 / kappa(alpha)), alpha)
                rows.append(
                    {
                        "rule": rule,
                        "signal": signal,
                        "error_level": error,
                        "sample_complexity": size,
                        "mean_error": true,
                    }
                )
    return pd.DataFrame(rows)


def compute(_: np.random.Generator) -> dict[str, pd.DataFrame]:
    """Tables `information`, `by_error` and `by_signal`; nothing is random."""
    return {
        "information": information_table(ALPHAS, SHIFTS.tolist()),
        "by_error": sample_complexity_table([SIGNAL], ERRORS.tolist(), ALPHA),
        "by_signal": sample_complexity_table(SIGNALS.tolist(), [ERROR], ALPHA),
    }
