"""Made-up measurements of all runs: a world that agrees with each claim of the paper, and a contrary one."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.optimize import nnls

from learnability.claims import read_claims
from learnability.stats.fits import fit_power
from studies.learnability_window.measures import ROLES

PAPER = read_claims(str(Path(__file__).parents[1] / "config" / "paper_claims.yaml"))
CLAIMS = PAPER["claims"]
GROUPS = {"main": {role: role for role in ROLES}}
LAGS = np.arange(4, 129, 4)
SIZES = np.array([25, 50, 100, 150, 200, 400, 800, 1600, 3200, 6400, 12800])

Tables = dict[str, pd.DataFrame]


def world(describe: Callable[[str, str, int], Tables]) -> Tables:
    """Tables of all runs from a description of one, to be changed at will."""
    return {kind: table.copy() for kind, table in _world(describe).items()}


@cache
def _world(describe: Callable[[str, str, int], Tables]) -> Tables:
    roles: dict[str, list[pd.DataFrame]] = {}
    for optimizer in ("adamw", "sgd", "sgd_momentum"):
        for role in ROLES:
            for seed in (0, 1, 2):
                for kind, table in describe(role, optimizer, seed).items():
                    rows = table.assign(architecture=role, optimizer=optimizer, seed=seed, direction=0)
                    roles.setdefault(kind, []).append(rows)
    return {kind: pd.concat(tables, ignore_index=True) for kind, tables in roles.items()}


def fits(tau: float, tau_r2: float, beta: float, beta_r2: float) -> pd.DataFrame:
    rows = [("exponential", tau, tau_r2), ("power", beta, beta_r2)]
    return pd.DataFrame(rows, columns=["model", "parameter", "r_squared"])


def window(horizons: np.ndarray) -> pd.DataFrame:
    return pd.DataFrame({"chosen": True, "sample_size": SIZES, "horizon": horizons})


def transport(error: float, off_diagonal: float, anisotropy: float) -> pd.DataFrame:
    """Transport of 64 units whose mean singular value is 0.5."""
    columns = {"relative_error": error, "off_diagonal": off_diagonal, "spectral_norm": anisotropy / 2}
    return pd.DataFrame({"lag": LAGS, **columns, "nuclear_norm": 32.0})


def sample_complexity(f: np.ndarray, log_sample_complexity: np.ndarray, residual: np.ndarray) -> pd.DataFrame:
    """κ = 2 and σ = 1; Δ such that R(ℓ) = log N̂ + 2 log Δ is `residual`."""
    columns = {
        "lag": LAGS,
        "transport": "exact",
        "criterion": "resampling",
        "chosen": True,
        "envelope": f,
        "log_sample_complexity": log_sample_complexity,
    }
    signal = np.exp((residual - log_sample_complexity) / 2)
    return pd.DataFrame(
        columns | {"sample_complexity": np.exp(log_sample_complexity), "kappa": 2.0, "scale": 1.0, "signal": signal}
    )


def epochs(start: float, second: float, later: float) -> Tables:
    """log₁₀ N̂ of lag 256 before training, at epoch 2 and at two later ones, and of lag 288, which the task has not."""
    sizes = {0: start, 2: second, 10: later, 20: later}
    rows = [(epoch, lag, size - (lag == 288)) for epoch, size in sizes.items() for lag in (256, 288)]
    windows = pd.DataFrame(rows, columns=["epoch", "lag", "log_sample_complexity"])
    windows["log_sample_complexity"] *= np.log(10)
    return {
        "training_windows": windows.assign(control="none", noise="total"),
        "training_responses": pd.DataFrame({"lag": [256, 288], "coefficient": [0.3, 0.0]}),
    }


def curve(losses: list[float]) -> pd.DataFrame:
    return pd.DataFrame({"epoch": [0, 100, 200], "validation_loss": losses})


def agreeing(role: str, optimizer: str, seed: int) -> Tables:
    rng, diag = np.random.default_rng(seed), role == "diag_gate"
    tau = {
        "adamw": {"const_gate": 0.85, "shared_gate": 1.9, "diag_gate": 47},
        "sgd": {"const_gate": 0.88, "shared_gate": 4.71, "diag_gate": 5.43},
        "sgd_momentum": {"const_gate": 0.88, "shared_gate": 3.9, "diag_gate": 7},
    }[optimizer][role]
    spectra = {
        "const_gate": 0.85 * np.linspace(0.99, 1.01, 64),
        "shared_gate": 1.9 * np.linspace(0.95, 1.05, 64),
        "diag_gate": np.r_[np.linspace(1, 3, 40), np.linspace(3.1, 10, 20), [12, 30, 35, 40]],
    }
    units = spectra[role] if optimizer == "adamw" else 5 + (spectra[role] - 5) / 50
    if optimizer == "sgd" and role != "const_gate":
        units = np.linspace(4, 6 if diag else 5.8, 64)
    terms = np.exp(-np.outer(LAGS, 1 / units))
    weights = nnls(terms * LAGS[:, None] ** 0.9, np.ones(len(LAGS)))[0] if diag else np.full(len(units), 1 / len(units))
    f = terms @ weights
    horizons = {
        "const_gate": np.full(11, 12),
        "shared_gate": np.full(11, 36),
        "diag_gate": np.r_[
            np.zeros(5), np.minimum(32 * (SIZES[5:] / 400) ** (0.5 / fit_power(LAGS, f).parameter), 128)
        ],
    }
    horizons["diag_gate"] = horizons["diag_gate"] if optimizer == "adamw" else horizons["shared_gate"]
    straight = -2 * np.log(f)
    noisy = rng.permutation(np.linspace(5, 9, len(LAGS)))
    fall = noisy + 2 * np.log(f)
    curved = optimizer != "adamw" or not diag
    tail = {"const_gate": 1.99, "shared_gate": 1.95, "diag_gate": 1.5 if optimizer == "adamw" else 1.7}[role]
    order = ("adamw", "sgd", "sgd_momentum").index(optimizer)
    condition = {"const_gate": [10, 50, 90], "shared_gate": [20, 51, 80], "diag_gate": [52, 15, 85]}[role][order]
    return {
        "fits": fits(tau, 0.999 if curved else 0.85, 0.9, 0.8 if curved else 0.93),
        "envelope": pd.DataFrame(
            {"lag": LAGS, "envelope": f, "rate_q05": np.exp(-LAGS / 4), "rate_q95": np.exp(-LAGS / 6)}
        ),
        "curve": curve({"adamw": [1, 0.4, 0.2], "sgd": [1, 0.8, 0.5]}.get(optimizer, [1, 0.7, 0.4])),
        "spectrum": pd.DataFrame({"time_scale": units, "constant": weights}),
        "conditioning": pd.DataFrame({"median": [float(condition)], "largest": [100.0]}),
        "transport": transport(0.03, 0.05, 6.4),
        "noise": pd.DataFrame(
            {
                "lag": LAGS,
                "alpha": tail + 0.01 * np.sin(LAGS),
                "scale": 1 + 1 / LAGS if diag else np.exp(-LAGS / 4.0),
                "distance": 0.02,
                "floored": False,
            }
        ),
        "sample_complexity": sample_complexity(
            f, straight if diag else noisy, np.full(len(LAGS), 6.0) if diag else fall
        ),
        "window": window(horizons[role]),
        **epochs(25 + 15 * (role == "const_gate"), 30 - 10 * ROLES.index(role), 1.5 - 0.2 * ROLES.index(role)),
    }


def contrary(role: str, optimizer: str, seed: int) -> Tables:
    diag = role == "diag_gate"
    f = np.tile([1, 2], len(LAGS) // 2) * LAGS**-0.1 * (1 if diag else 100)
    wide = role == "const_gate" or (role == "shared_gate" and optimizer != "sgd")
    spread = np.linspace(0.1, 3, 64) if wide else np.linspace(0.98, 1.02, 64)
    noisy = np.random.default_rng(seed).permutation(np.linspace(5, 9, len(LAGS)))
    horizons = np.full(11, 32) if diag else np.r_[np.zeros(10), 128]
    return {
        "fits": fits(1000, 0.2, 9, 0.1 if diag and optimizer == "adamw" else 0.9),
        "envelope": pd.DataFrame({"lag": LAGS, "envelope": f, "rate_q05": f, "rate_q95": 1 + LAGS}),
        "curve": curve([1, 0.9, 0.8] if optimizer == "adamw" else [1, 0.7, 0.5]),
        "spectrum": pd.DataFrame({"time_scale": 500 * spread, "constant": 1.0}),
        "conditioning": pd.DataFrame({"median": [1e6], "largest": [1e9]}),
        "transport": transport(1.0, 0.98, 1.0),
        "noise": pd.DataFrame(
            {
                "lag": LAGS,
                "alpha": np.where(LAGS % 32, 2.0 if diag else 1.3, 1.0 if diag else 2.0),
                "scale": np.exp(-LAGS / 4.0) if diag else 1 + 1 / LAGS,
                "distance": 0.2,
                "floored": False,
            }
        ),
        "sample_complexity": sample_complexity(f, noisy if diag else np.log(f), np.linspace(0, 50, len(LAGS))),
        "window": window(np.zeros(11) if optimizer == "sgd" else horizons),
        **epochs(*(size * ROLES.index(role) for size in (10, 10, 2))),
    }


def against(claim: str, tables: Tables) -> Tables:
    """The contrary world, changed where it leaves a claim nothing to measure or agrees with it by accident."""
    fits, window = tables["fits"], tables["window"]
    if claim == "exponential_windows":
        exponential = fits.assign(r_squared=np.where(fits["model"] == "exponential", 0.9, 0.2), parameter=2)
        return tables | {"fits": exponential, "window": window.assign(horizon=4 + window["sample_size"] / 128)}
    long = window.assign(horizon=np.where(window["architecture"] == "diag_gate", 128, 4))
    if claim == "slow_spectra_long_windows":
        return tables | {"window": long}
    if claim == "tails_with_windows":
        spectrum = tables["spectrum"]
        alike = spectrum["time_scale"].where(spectrum["architecture"] == "diag_gate", 500)
        return tables | {"window": long, "spectrum": spectrum.assign(time_scale=alike)}
    if claim == "envelope_governs":
        condition = tables["conditioning"]
        fast = (fits["architecture"] == "diag_gate") & (fits["model"] == "exponential")
        worse = condition.assign(median=np.where(condition["architecture"] == "diag_gate", 1e7, 1e6))
        shorter = fits.assign(parameter=fits["parameter"].mask(fast, 10))
        return tables | {"window": long, "fits": shorter, "conditioning": worse}
    if claim == "alpha_slow_decay":
        slow = (fits["architecture"] == "diag_gate") & (fits["model"] == "exponential")
        return tables | {"fits": fits.assign(parameter=fits["parameter"].where(~slow, 2000))}
    return tables
