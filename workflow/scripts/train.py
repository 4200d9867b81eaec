"""Train one network: weights, snapshots, learning curve, gate statistics, provenance."""

from pathlib import Path

from job import logged, run_names
from learnability.network import Network
from learnability.provenance import provenance
from learnability.store import write_json, write_table
from learnability.tasks import read_sequences
from learnability.training import Progress, TrainingSettings, train
from learnability.training.engines import choose_engine
from learnability.weights import write_snapshots, write_weights

with logged(snakemake) as terminal:
    params, output, run = snakemake.params, snakemake.output, run_names(snakemake)
    network = Network.build(params.architecture, params.input_size, **params.network)
    engine, reason = choose_engine(params.training["engine"], params.training["device"])
    settings = TrainingSettings(
        **{**params.training, "engine": engine}, optimizer=params.optimizer, study=params.study, seed=int(run["seed"])
    )
    training, validation = map(read_sequences, (snakemake.input.training, snakemake.input.validation))
    with Progress(settings.epochs, "{architecture} {optimizer} seed {seed}".format(**run), terminal) as progress:
        trained = train(network, settings, training, validation, Path(params.checkpoint), progress)
    described = {**run, "architecture_settings": params.architecture, "optimizer_settings": params.optimizer}
    write_weights(trained.parameters, output.weights, described)
    write_snapshots(trained.snapshots, output.snapshots, described)
    write_table(trained.curve, output.curve, **run)
    write_table(trained.gates, output.gates, **run)
    chosen = {"engine": engine, "engine_reason": reason, "device": settings.device}
    write_json(provenance() | described | chosen, output.provenance)
    Path(params.checkpoint).unlink(missing_ok=True)
