# Networks. On the CPU one job trains one run, since jobs run side by side; on a GPU one job trains all runs of an
# architecture, since they run side by side within it. Both write the same files.

if SIDE_BY_SIDE:
    TRAINING_JOBS = {
        architecture: [network for network in NETWORKS if network["architecture"] == architecture]
        for architecture in sorted({network["architecture"] for network in NETWORKS})
    }
else:
    TRAINING_JOBS = {RUN: [{name: f"{{{name}}}" for name in ("architecture", "optimizer", "seed")}]}


def of_each(runs, pattern):
    """`pattern` with the names of each run in it."""
    return [pattern.format(**run) for run in runs]


def described(runs, wildcards):
    """Names and settings of the runs of a job; the names are in its wildcards where it has any."""
    named = [{name: str(value).format(**wildcards) for name, value in run.items()} for run in runs]
    return [
        {
            **run,
            "seed": int(run["seed"]),
            "architecture_settings": config["architectures"][run["architecture"]],
            "optimizer_settings": config["optimizers"][run["optimizer"]],
        }
        for run in named
    ]


for job, runs in TRAINING_JOBS.items():

    rule:
        name:
            f"train_{job}" if SIDE_BY_SIDE else "train_network"
        input:
            training=of_each(runs, f"{RESULTS}/data/{DATA}/training.nc"),
            validation=of_each(runs, f"{RESULTS}/data/{DATA}/validation.nc"),
        output:
            weights=of_each(runs, f"{RESULTS}/models/{RUN}/weights.safetensors"),
            snapshots=of_each(runs, f"{RESULTS}/models/{RUN}/snapshots.safetensors"),
            curve=of_each(runs, f"{RESULTS}/models/{RUN}/learning_curve.csv"),
            gates=of_each(runs, f"{RESULTS}/models/{RUN}/gate_statistics.csv"),
            provenance=of_each(runs, f"{RESULTS}/models/{RUN}/provenance.json"),
        log:
            f"{LOGS}/train_network/{job}.log",
        benchmark:
            f"{LOGS}/train_network/{job}.benchmark.tsv"
        priority: 1  # before more training data are made
        conda:
            "../../envs/networks.yaml"
        threads: 1
        resources:
            gpu=int(DEVICE == "cuda"),
        params:
            runs=lambda wildcards, runs=runs: described(runs, wildcards),
            title=lambda wildcards, job=job: job.format(**wildcards),
            network=config["network"],
            task=TRAINED_ON,
            training=config["training"],
            study=config["study"],
            # no output, for Snakemake deletes outputs of a failed job; other code does not go on from it
            checkpoint=f"{RESULTS}/checkpoints/{job}.{library('train.py')}.pt",
            library=library("train.py"),
        message:
            "Train: {params.title}"
        script:
            "../scripts/train.py"
