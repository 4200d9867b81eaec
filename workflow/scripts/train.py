"""Train runs of one architecture side by side: weights, snapshots, learning curves, gate statistics, provenance."""

from pathlib import Path

from job import logged

from learnability.core.devices import training_device
from learnability.core.provenance import provenance
from learnability.core.store import write_json, write_table
from learnability.networks.network import Network
from learnability.networks.weights import write_snapshots, write_weights
from learnability.tasks import build_task
from learnability.training import Checkpoint, Progress, Run, TrainingSettings, train
from learnability.training.engines import choose_engine, extras
from studies.files import file_of_run

with logged(snakemake), training_device(snakemake.params.training["device"]) as device:
    params, output = snakemake.params, snakemake.output
    tasks = {run["seed"]: build_task(params.task, params.root_seed, run["seed"]) for run in params.runs}
    counts = [(split, params.task[f"{split}_sequences"]) for split in ("training", "validation")]
    data = {seed: [task.generate(*split) for split in counts] for seed, task in tasks.items()}
    first, *_ = params.runs
    network = Network.for_task(first["architecture_settings"], tasks[first["seed"]], **params.network)
    needs = extras(network, params.training["truncation"], data[first["seed"]][0].mask is not None)
    engine, reason = choose_engine(params.training["engine"], device, network, needs)
    settings = TrainingSettings(**{**params.training, "engine": engine, "device": device})
    runs = [Run.of(run, params.root_seed, *data[run["seed"]], task=tasks[run["seed"]]) for run in params.runs]
    results = train(network, settings, runs, Path(params.checkpoint), Progress(settings.epochs))
    common = {name: params[name] for name in ("root_seed", "task", "network", "training")}
    common |= {"engine": engine, "engine_reason": reason, "device": device}
    for run, result in zip(params.runs, results, strict=True):
        files = {kind: file_of_run(paths, run) for kind, paths in output.items()}
        names = {name: value for name, value in run.items() if not name.endswith("_settings")}
        write_weights(result.parameters, files["weights"], run)
        write_snapshots(result.snapshots, files["snapshots"], run)
        write_table(result.curve, files["curve"], **names)
        write_table(result.gates, files["gates"], **names)
        write_json(provenance() | common | run | result.ending, files["provenance"])
    Checkpoint(Path(params.checkpoint)).remove()
