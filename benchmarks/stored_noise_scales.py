"""Compare stored noise scales of `ground_truth` with those of the present estimator, along paths of training.

    PYTHONPATH=src python benchmarks/stored_noise_scales.py [--settings sparse/lstm/16 dense/const_gate/8 …] [--seeds 0]
        [--contests 3]

The stored estimate is the product of the means of two halves of the sequences. The present one uses all pairs of
sequences. Each network is trained on fresh sequences once more, and measured at the same numbers of updates.

A row for each setting has the mean and the largest difference of log B_ℓ where both estimates are finite, and how many
are finite in one alone. With `--contests` the contest is held again, as often, with differences drawn from these for
all noise scales behind initialisation. Prints Markdown tables.
"""

import argparse
from pathlib import Path

import numpy as np
import pandas as pd
import yaml

from learnability.core.store import read_table
from learnability.report.typeset import as_markdown
from learnability.training.engines import choose_engine as choose_training_engine
from learnability.training.updates import fresh_batches, train_for_updates
from learnability.transport import choose_engine
from learnability.windows.readings import Reading, whole_readings
from studies.ground_truth.candidates import measure_candidates
from studies.ground_truth.contest import judged
from studies.ground_truth.grids import size_of, task_of
from studies.ground_truth.tables import tabulate
from studies.ground_truth.trials import Budget, prepare_trials

ROOT = Path(__file__).parents[1]
NAMES = ["noise_scale", "preconditioned_noise_scale"]
SETTING = ["grid", "architecture", "lag"]
SETTINGS = ["sparse/lstm/16", "sparse/const_gate/8", "dense/diag_gate/8"]


def measured(config: dict, grid: str, architecture: str, lag: int, seed: int) -> pd.DataFrame:
    """Noise scales of today, by number of updates."""
    own = config["ground_truth"]
    of_grid, root_seed = own["grids"][grid], config["root_seed"]
    sequences = {key: value for key, value in config["task"].items() if not key.endswith("_sequences")}
    frozen, task = prepare_trials(
        config["architectures"][architecture],
        task_of(sequences, of_grid, [lag], own["coefficient"]),
        size_of(of_grid, config["network"]["hidden_size"]),
        config["network"]["readout_bias"],
        own["sequences"],
        root_seed,
        seed,
    )
    optimizer, clip = config["optimizers"][own["optimizer"]], config["training"]["gradient_clip"]
    budget = Budget(optimizer, clip, own["updates"], own["batch_size"])
    path = train_for_updates(
        frozen.network,
        frozen.network.initial_parameters(root_seed, seed),
        fresh_batches(task, budget.batch_size, budget.updates),
        optimizer=optimizer,
        gradient_clip=clip,
        engine=choose_training_engine("auto", "cpu", frozen.network)[0],
        kept=budget.path,
    )
    path = {updates: {name: each.double() for name, each in at.items()} for updates, at in path.items()}
    readings, window = whole_readings(config["readings"]), config["window"]
    own_gradient, other = (
        Reading.of(readings[name], window) for name in (config["through_training"]["reading"], "gradient_step")
    )
    engine = choose_engine("auto", frozen.network.cell, config["measurement"]["precision"])
    asked = {"own_gradient": own_gradient, "readings": {"gradient_step": other}, "batch_size": own["batch_size"]}
    return measure_candidates(frozen, path, task, lags=[lag], root_seed=root_seed, seed=seed, engine=engine, **asked)


def main() -> None:
    """Measure the settings that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--settings", nargs="+", default=SETTINGS)
    parser.add_argument("--seeds", nargs="+", type=int, default=[0])
    parser.add_argument("--contests", type=int, default=0)
    asked = parser.parse_args()
    config = yaml.safe_load((ROOT / "config" / "config.yaml").read_text())
    own = yaml.safe_load((ROOT / "config" / "ground_truth.yaml").read_text())
    for name in ("task", "network", "window", "through_training"):
        config[name] = {**config[name], **own[name]}
    config["ground_truth"] = own["ground_truth"]
    stored = read_table(ROOT / "results" / "reference" / "ground_truth" / "candidates.csv.gz")
    now = []
    for setting in asked.settings:
        grid, architecture, lag = setting.split("/")
        for seed in asked.seeds:
            found = measured(config, grid, architecture, int(lag), seed)
            now.append(found.assign(grid=grid, architecture=architecture, seed=seed))
    both = pd.concat(now).merge(stored, on=[*SETTING, "seed", "updates", "candidate"], suffixes=("", "_stored"))
    both = both[both["candidate"].isin(NAMES)]
    finite = np.isfinite(both[["value", "value_stored"]]).sum(axis=1)
    both["change"] = (both["value"] - both["value_stored"]).where(finite == 2)
    both["size of change"], both["finite in one"] = both["change"].abs(), finite == 1
    groups = both.groupby([*SETTING, "candidate"], sort=False)
    table = groups["size of change"].agg(["size", "mean", "max"]).join(groups["finite in one"].sum())
    print(as_markdown(table.reset_index()))
    if asked.contests:
        print(as_markdown(contests(config, stored, both[both["updates"] > 0], asked.contests)))


def contests(config: dict, stored: pd.DataFrame, measured: pd.DataFrame, count: int) -> pd.DataFrame:
    """The judged candidate and errors on the held-out half, if all noise scales behind initialisation changed alike.

    The first row is the contest as it is stored.
    """
    own, folder = config["ground_truth"], ROOT / "results" / "reference" / "ground_truth"
    durations = {name: grid.get("duration", config["task"]["duration"]) for name, grid in own["grids"].items()}
    trials, rows = read_table(folder / "trials.csv.gz"), []
    for number in range(count + 1):
        drawn, generator = stored.copy(), np.random.default_rng(number)
        for name, of_name in measured.dropna(subset="change").groupby("candidate") if number else ():
            behind = (drawn["candidate"] == name) & (drawn["updates"] > 0)
            drawn.loc[behind, "value"] += generator.choice(of_name["change"].to_numpy(), behind.sum())
        contest = tabulate(trials, drawn, own["contest"], durations, config["root_seed"])["contest"]
        errors = contest.pivot(index="candidate", columns="half", values="error")
        of_path = {name: errors["held_out"][name] for name in errors.index if "noise_scale, " in name}
        rows.append(
            {"contest": number, "judged": (name := judged(contest)), "error": errors["held_out"][name], **of_path}
        )
    return pd.DataFrame(rows)


if __name__ == "__main__":
    main()
