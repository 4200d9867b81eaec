"""Train networks of `ground_truth` again, and compare their noise scales with the stored ones, along their paths.

    PYTHONPATH=src python benchmarks/stored_noise_scales.py [--settings sparse/lstm/16 dense/const_gate/8 …] [--seeds 0]

Each network is trained on fresh sequences and measured at the same numbers of updates. On another processor rounding is
another, and after thousands of updates a path may be another, too.

A row for each setting, number of updates and candidate, B_ℓ of the gradient itself and as AdamW divides it, and tr C,
has the mean and the largest difference of its natural logarithm over seeds, where both are finite, and how many are
finite in one alone. Prints a Markdown table.
"""

import argparse
from pathlib import Path

import numpy as np
import pandas as pd

from learnability.core.store import read_table
from learnability.core.yaml_files import load_yaml
from learnability.report.typeset import as_markdown
from learnability.training.engines import choose_engine as choose_training_engine
from learnability.training.updates import fresh_batches, train_for_updates
from learnability.transport import choose_engine
from learnability.windows.readings import Reading, whole_readings
from studies.ground_truth.candidates import measure_candidates
from studies.ground_truth.grids import size_of, task_of
from studies.ground_truth.trials import Budget, prepare_trials

ROOT = Path(__file__).parents[1]
NAMES = ["noise_scale", "preconditioned_noise_scale", "total_variance"]
SETTING = ["grid", "architecture", "lag"]
SETTINGS = ["sparse/lstm/16", "sparse/const_gate/8", "dense/diag_gate/8"]


def measured(config: dict, grid: str, architecture: str, lag: int, seed: int) -> pd.DataFrame:
    """Candidates of a network that is trained again, by number of updates."""
    settings = config["ground_truth"]
    of_grid, root_seed = settings["grids"][grid], config["root_seed"]
    sequences = {key: value for key, value in config["task"].items() if not key.endswith("_sequences")}
    frozen, task = prepare_trials(
        config["architectures"][architecture],
        task_of(sequences, of_grid, [lag], settings["coefficient"]),
        size_of(of_grid, config["network"]["hidden_size"]),
        config["network"]["readout_bias"],
        settings["sequences"],
        root_seed,
        seed,
    )
    optimizer, clip = config["optimizers"][settings["optimizer"]], config["training"]["gradient_clip"]
    budget = Budget(optimizer, clip, settings["updates"], settings["batch_size"])
    path = train_for_updates(
        frozen.network,
        frozen.network.initial_parameters(root_seed, seed),
        fresh_batches(task, budget.batch_size, budget.updates),
        optimizer=optimizer,
        gradient_clip=clip,
        engine=choose_training_engine("auto", "cpu", frozen.network)[0],
        kept=budget.path,
    )
    path = {updates: {name: value.double() for name, value in at.items()} for updates, at in path.items()}
    readings, window = whole_readings(config["readings"]), config["window"]
    own_gradient, plain_reading = (
        Reading.of(readings[name], window) for name in (config["through_training"]["reading"], "gradient_step")
    )
    engine = choose_engine("auto", frozen.network.cell, config["measurement"]["precision"])
    options = {
        "own_gradient": own_gradient,
        "readings": {"gradient_step": plain_reading},
        "batch_size": settings["batch_size"],
    }
    return measure_candidates(frozen, path, task, lags=[lag], root_seed=root_seed, seed=seed, engine=engine, **options)


def main() -> None:
    """Measure the settings that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--settings", nargs="+", default=SETTINGS)
    parser.add_argument("--seeds", nargs="+", type=int, default=[0])
    arguments = parser.parse_args()
    config = load_yaml((ROOT / "config" / "config.yaml").read_text())
    study = load_yaml((ROOT / "config" / "ground_truth.yaml").read_text())
    for name in ("task", "network", "window", "through_training"):
        config[name] = {**config[name], **study[name]}
    config["ground_truth"] = study["ground_truth"]
    reference = read_table(ROOT / "results" / "reference" / "ground_truth" / "candidates.csv.gz")
    now = []
    for setting in arguments.settings:
        grid, architecture, lag = setting.split("/")
        for seed in arguments.seeds:
            candidates = measured(config, grid, architecture, int(lag), seed)
            now.append(candidates.assign(grid=grid, architecture=architecture, seed=seed))
    pairs = pd.concat(now).merge(reference, on=[*SETTING, "seed", "updates", "candidate"], suffixes=("", "_stored"))
    pairs = pairs[pairs["candidate"].isin(NAMES)]
    finite = np.isfinite(pairs[["value", "value_stored"]]).sum(axis=1)
    pairs["change"] = (pairs["value"] - pairs["value_stored"]).abs().where(finite == 2)
    pairs["finite in one"] = finite == 1
    groups = pairs.groupby([*SETTING, "candidate", "updates"], sort=False)
    table = groups["change"].agg(["mean", "max"]).join(groups["finite in one"].sum())
    print(as_markdown(table.reset_index()))


if __name__ == "__main__":
    main()
