"""Made-up tables of runs, for figures to be drawn from."""

from collections.abc import Callable
from importlib import import_module

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from learnability.report.style import Style, Tables
from learnability.stats.fits import fit_envelope
from learnability.windows.detection import estimate_sample_complexity, learnability_window
from learnability.windows.readings import DetectionOptions
from learnability.windows.scaling import residual
from studies.questions import find_questions

ARCHITECTURES = ("const_gate", "shared_gate", "diag_gate")
LAGS = np.arange(4, 129, 4)
OPTIONS = DetectionOptions(criterion="fano", family_wise=0, draws=100, sample_sizes=[25, 100, 400, 1600, 6400])


def draw_of(name: str) -> Callable[[Tables, Style], Figure]:
    """Function that draws a figure of the paper's study, from the folder of its question."""
    (question,) = (
        folder for folder, question in find_questions("learnability_window").items() if name in question.figures
    )
    return import_module(f"studies.learnability_window.{question}.figures.{name}").draw


def sample_complexity_of(noise: pd.DataFrame) -> pd.DataFrame:
    """Sample complexities with the columns that intervals and the task add."""
    sample_complexity = estimate_sample_complexity(noise, OPTIONS)
    ends = {
        "log_sample_complexity_low": 1.0,
        "log_sample_complexity_high": 9.0,
        "residual_low": -2.0,
        "residual_high": 2.0,
    }
    return sample_complexity.assign(
        task_lag=sample_complexity["lag"].isin([32, 64, 128]), residual=residual(sample_complexity), **ends
    )


def tables_of(architecture: str, seed: int) -> dict[str, pd.DataFrame]:
    rng = np.random.default_rng([ARCHITECTURES.index(architecture), seed])
    tau = {"const_gate": 0.85, "shared_gate": 4.0, "diag_gate": 40.0}[architecture]
    f = 64 * np.exp(-LAGS / tau) * rng.uniform(0.9, 1.1)
    envelope = pd.DataFrame({"lag": LAGS, "envelope": f, "mean_rate": f / 64, "rate_q05": f / 200, "rate_q95": f / 20})
    noise = pd.DataFrame(
        {
            "lag": LAGS,
            "signal": f * rng.uniform(0.5, 1.5, len(LAGS)),
            "estimator": "mcculloch",
            "alpha": rng.uniform(1.3, 2, len(LAGS)),
            "scale": np.where(LAGS > 100, 0.0, f),
            "scale_unfloored": f,
            "spread": 1.95 * f,
            "numerical_floor": 1.95 * f[LAGS == 100].item(),
            "information": 0.45,
            "sequences": 3000,
            "samples": 60000,
            "transport": "first_order",
            "envelope": f,
            "degenerate": False,
            "direction": 0,
            "floored": LAGS > 100,
        }
    )
    sample_complexity = sample_complexity_of(noise)
    epochs = np.arange(5)
    spread = np.ones(64) if architecture == "const_gate" else rng.uniform(0.5, 2, 64)
    return {
        "envelope": envelope,
        "fits": fit_envelope(envelope),
        "spectrum": pd.DataFrame({"time_scale": tau * spread}),
        "noise": noise,
        "noise_of_all": pd.concat([noise, noise.assign(samples=3000, transport="exact", alpha=1.96)]),
        "sample_complexity": sample_complexity,
        "sample_complexities": pd.concat(
            sample_complexity.assign(transport=transport) for transport in ("first_order", "exact")
        ),
        "window": learnability_window(sample_complexity, OPTIONS),
        "granted": learnability_window(sample_complexity, OPTIONS),
        "windows": pd.concat(
            learnability_window(sample_complexity, OPTIONS).assign(transport=transport)
            for transport in ("first_order", "exact")
        ),
        "transport": pd.DataFrame(
            {"lag": LAGS, "first_order": f, "exact": 10 * f**0.1, "relative_error": 1 - f / f[0]}
            | ({"eq26": 1 + f, "reset": f**0.2, "reset_retention": f**1.2} if architecture == "diag_gate" else {})
        ),
        "references": pd.DataFrame(
            {"law": ["Laplace", "normal"], "estimator": "mcculloch", "alpha": [1.44, 1.99], "p_value": 0.1}
        ),
        "sign_flips": pd.DataFrame(
            {"sample_size": OPTIONS.sample_sizes, "rate": [0, 0.1, 0.4, 0.9, 1], "level": 0.1, "chosen": True}
        ).merge(pd.DataFrame({"transport": ["first_order", "exact"]}), how="cross"),
        "permuted": pd.concat(
            learnability_window(sample_complexity, OPTIONS).assign(transport=transport)
            for transport in ("first_order", "exact")
        ),
        "changes": pd.DataFrame(
            {
                "option": ["as named", "criterion", "estimator"],
                "value": ["", "snr", "characteristic_function"],
                "sample_size": 6400,
                "horizon": [8, 16, 0],
                "horizon_low": [4, 16, np.nan],
                "horizon_high": [12, 40, np.nan],
            }
        ),
        "curve": pd.DataFrame(
            {
                "epoch": epochs,
                "validation_loss": 1 / (1 + epochs),
                "training_loss": 1 / (1 + epochs),
                "gradient_norm": [np.nan, 1, 2, 3, 4],
                "clipped_fraction": [np.nan, 0, 0, 1, 1],
            }
        ),
        "gates": pd.DataFrame({"epoch": epochs, "q05": 0.1, "q50": 0.3, "q95": 0.6}),
        "response": pd.DataFrame(
            {"lag": LAGS, "coefficient": np.where(LAGS % 32, 0, 0.5), "response": f / f[0] / 2}
        ).assign(response_low=-0.1, response_high=0.6),
        "loss": pd.DataFrame(
            {"part": ["noise", "missing", "echoes", "bias", "rest"], "loss": [0.1, 0.2, 0.1, 0.0, 0.0]}
        ),
        **through_training(seed),
    }


def through_training(seed: int) -> dict[str, pd.DataFrame]:
    """A lag is detected and learned the later the longer it is, the longest never; no share reaches 1."""
    at = pd.MultiIndex.from_product([range(5), [32, 64, 96, 128]], names=["epoch", "lag"]).to_frame(index=False)
    late = at["lag"] / 32 - at["epoch"] + seed
    counts = (4 + late).mask(at["lag"] == 128, np.inf)
    ends = {"log_sample_complexity_low": counts - 1, "log_sample_complexity_high": counts + 1}
    return {
        "training_windows": at.assign(
            control="none", noise="total", sequences=128, log_sample_complexity=counts, **ends
        ),
        "training_responses": at.assign(coefficient=0.5, response=0.5 / (1 + np.exp(late))),
    }
