"""Table 1 of the paper, and tables of what training made of the networks."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from studies.learnability_window.tables.labels import with_labels


def decay_fits(fits: pd.DataFrame, labels: Mapping[str, str]) -> pd.DataFrame:
    """Table 1: R² (semi-log) and τ_env of each architecture, mean and range over seeds.

    Args:
        fits: rows of `learnability.stats.fits.fit_envelope` with columns architecture and seed.
        labels: names of architectures in print.
    """
    exponential = fits[fits["model"] == "exponential"]
    rows = [
        {
            "Architecture": labels[str(architecture)],
            "R² (semi-log)": group["r_squared"].mean(),
            "τ_env": group["parameter"].mean(),
            "τ_env, smallest": group["parameter"].min(),
            "τ_env, largest": group["parameter"].max(),
            "seeds": len(group),
        }
        for architecture, group in exponential.groupby("architecture", sort=False)
    ]
    return pd.DataFrame(rows)


def learning_rates(
    fits: pd.DataFrame, curve: pd.DataFrame, gates: pd.DataFrame, labels: Mapping[str, str]
) -> pd.DataFrame:
    """Losses under each optimiser and learning rate, and Table 1's R² and τ_env of them; means over seeds.

    Args:
        fits: rows of `learnability.stats.fits.fit_envelope` with columns architecture, optimizer and seed.
        curve: learning curves, with the same columns.
        gates: gate statistics, with the same columns.
        labels: names of architectures in print.

    Returns:
        Training and validation loss and the mean gate of the last epoch, the share of all steps whose gradient was
        clipped, R² and τ_env of the exponential, the least and the largest τ_env over seeds.
    """
    run = ["optimizer", "architecture", "seed"]
    last = [table.sort_values("epoch").groupby(run, sort=False).tail(1).set_index(run) for table in (curve, gates)]
    exponential = fits[fits["model"] == "exponential"].set_index(run)
    table = pd.DataFrame(
        {
            "training loss": last[0]["training_loss"],
            "validation loss": last[0]["validation_loss"],
            "clipped steps": curve.groupby(run)["clipped_fraction"].mean(),
            "mean gate": last[1]["mean"],
            "R² (semi-log)": exponential["r_squared"],
            "τ_env": exponential["parameter"],
        }
    ).reindex(exponential.index)
    groups = table.groupby(run[:2], sort=False)
    means = groups.mean().assign(
        **{
            "τ_env, smallest": groups["τ_env"].min(),
            "τ_env, largest": groups["τ_env"].max(),
            "seeds": groups.size(),
        }
    )
    return with_labels(means.reset_index(), labels)


def learned(response: pd.DataFrame, loss: pd.DataFrame, labels: Mapping[str, str]) -> pd.DataFrame:
    """Learned shares r/c where c ≠ 0, the largest r elsewhere, and the parts of the loss; means over seeds.

    Args:
        response, loss: of `windows.response.measure_response`, with columns architecture, optimizer and seed.
        labels: names of architectures in print.
    """
    runs = ["optimizer", "architecture"]
    mean = response.groupby([*runs, "lag", "coefficient"], sort=False)["response"].mean().reset_index()
    at_task, elsewhere = mean[mean["coefficient"] != 0], mean[mean["coefficient"] == 0]
    share = at_task.assign(
        lag=[f"r/c at {lag}" for lag in at_task["lag"]], share=at_task["response"] / at_task["coefficient"]
    )
    largest = elsewhere.sort_values("response", key=np.abs).groupby(runs).tail(1).set_index(runs)
    parts = loss.pivot_table(index=runs, columns="part", values="loss", sort=False)
    table = share.pivot(index=runs, columns="lag", values="share")[share["lag"].unique()].assign(
        **{"largest echo": largest["response"], "its lag": largest["lag"]},
        **{f"loss: {part}": parts[part] for part in loss["part"].unique()},
        seeds=response.groupby(runs)["seed"].nunique(),
    )
    return with_labels(table.reindex(parts.index).reset_index(), labels)


def conditioning(condition: pd.DataFrame, labels: Mapping[str, str]) -> pd.DataFrame:
    """2-norm condition number of the one-step Jacobian J_T over sequences: median and largest, medians over seeds.

    Args:
        condition: rows of `learnability.transport.conditioning_table` with columns architecture, optimizer and seed.
        labels: names of architectures in print.
    """
    groups = condition.groupby(["optimizer", "architecture"], sort=False)[["median", "largest"]]
    return with_labels(groups.median().reset_index(), labels)
