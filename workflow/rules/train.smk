# One network for each architecture, optimizer and seed.


rule train_network:
    input:
        training=rules.generate_training_data.output.training,
        validation=rules.generate_training_data.output.validation,
    output:
        weights=f"{RESULTS}/models/{RUN}/weights.safetensors",
        snapshots=f"{RESULTS}/models/{RUN}/snapshots.safetensors",
        curve=f"{RESULTS}/models/{RUN}/learning_curve.csv",
        gates=f"{RESULTS}/models/{RUN}/gate_statistics.csv",
        provenance=f"{RESULTS}/models/{RUN}/provenance.json",
    log:
        f"{LOGS}/train_network/{RUN}.log",
    benchmark:
        f"{LOGS}/train_network/{RUN}.benchmark.tsv"
    priority: 1  # before more training data are made
    conda:
        "../../envs/learnability.yaml"
    threads: 1
    resources:
        gpu=int(config["training"]["device"] == "cuda"),
    params:
        architecture=architecture_settings,
        optimizer=optimizer_settings,
        network=config["network"],
        input_size=config["task"]["input_size"],
        training=config["training"],
        study=config["study"],
        # no output, for Snakemake deletes outputs of a failed job; other code does not go on from it
        checkpoint=f"{RESULTS}/checkpoints/{RUN}.{library('train.py')}.pt",
        library=library("train.py"),
    message:
        "Train: {wildcards.architecture} with {wildcards.optimizer}, seed {wildcards.seed}"
    script:
        "../scripts/train.py"
