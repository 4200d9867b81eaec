# Sequences of the task. Those of training belong to one job and go when it ends; diagnostic sequences stay, so that
# a new reading or lag grid never makes Snakemake remake, and so retrain, anything.

TRAINED_ON = {key: value for key, value in config["task"].items() if key != "diagnostic_sequences"}


rule generate_training_data:
    output:
        training=temp(f"{RESULTS}/data/{DATA}/training.nc"),
        validation=temp(f"{RESULTS}/data/{DATA}/validation.nc"),
    log:
        f"{LOGS}/generate_training_data/{DATA}.log",
    benchmark:
        f"{LOGS}/generate_training_data/{DATA}.benchmark.tsv"
    conda:
        "../../envs/statistics.yaml"
    threads: 1
    params:
        task={key: config["task"][key] for key in ("input_size", "duration", "lags", "coefficients", "noise_sd")},
        study=config["study"],
        counts={split: config["task"][f"{split}_sequences"] for split in ("training", "validation")},
        library=library("generate_data.py"),
    message:
        "Data: training and validation sequences, {wildcards}"
    script:
        "../scripts/generate_data.py"


rule generate_diagnostic_data:
    output:
        diagnostic=f"{RESULTS}/data/seed{{seed}}/diagnostic.nc",
    log:
        f"{LOGS}/generate_diagnostic_data/seed{{seed}}.log",
    benchmark:
        f"{LOGS}/generate_diagnostic_data/seed{{seed}}.benchmark.tsv"
    conda:
        "../../envs/statistics.yaml"
    threads: 1
    params:
        task=rules.generate_training_data.params.task,
        study=config["study"],
        counts={"diagnostic": config["task"]["diagnostic_sequences"]},
        library=library("generate_data.py"),
    message:
        "Data: diagnostic sequences of seed {wildcards.seed}"
    script:
        "../scripts/generate_data.py"
