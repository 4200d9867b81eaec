# Networks, and the sequences they are measured on. Training makes its own sequences, and keeps them in memory: those on
# disk are of measurements alone, so that a new reading or lag grid never makes Snakemake retrain anything.
#
# On the CPU one job trains one run, since jobs run side by side; on a GPU one job trains all runs of an architecture (and
# experiment), since they run side by side within it. Both write the same files.

TASK = {key: value for key, value in config["task"].items() if not key.endswith("_sequences")}

DIAGNOSTIC = f"{RESULTS}/data/seed{{seed}}/diagnostic.nc"

JOBS["generate_data"] = {
    "by": "studies.jobs.generate_data",
    "environment": "statistics",
    "of": "seed{seed}",
    "of_tasks": True,
    "output": {"diagnostic": DIAGNOSTIC},
    "memory": memory.for_data(config["task"]),
    "params": {
        "task": TASK,
        "sequences": config["task"]["diagnostic_sequences"],
        "root_seed": config["root_seed"],
    },
    "message": "Data: diagnostic sequences of seed {wildcards.seed}",
}


for job, runs in runs_by_job().items():

    rule:
        name:
            "train_network" if DEVICE == "cpu" else f"train_{job}"
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
        wildcard_constraints:
            architecture="|".join(map(re.escape, config["architectures"])),
        conda:
            "../../envs/networks.yaml"
        resources:
            gpu=int(DEVICE == "cuda"),
            mem_mb=asks(lambda wildcards, runs=runs: memory_of(trained(runs, wildcards))),
            runtime=lambda wildcards, attempt: attempt * (360 if DEVICE == "cpu" else 720),
        params:
            runs=lambda wildcards, runs=runs: described(trained(runs, wildcards)),
            title=lambda wildcards, job=job: job.format(**wildcards),
            network=lambda wildcards, runs=runs: trained(runs, wildcards)[0]["network"],
            task=lambda wildcards, runs=runs: trained_on(trained(runs, wildcards)[0]),
            training=lambda wildcards, runs=runs: trained(runs, wildcards)[0]["training"],
            root_seed=config["root_seed"],
            # no output, for Snakemake deletes outputs of a failed job; other code does not go on from it
            checkpoint=lambda wildcards, job=job, runs=runs: checkpoint(
                job, wildcards, library_of_runs(runs, wildcards)
            ),
            library=lambda wildcards, runs=runs: library_of_runs(runs, wildcards),
        message:
            "Train: {params.title}"
        script:
            "../scripts/train.py"
