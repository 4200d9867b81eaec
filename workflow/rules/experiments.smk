# What gradients see, and what is learned by then, at each stored epoch of networks of experiments, and of reservoirs.


rule measure_experiment_windows:
    input:
        snapshots=f"{MODELS}/{RUN}/snapshots.safetensors",
    output:
        **measured(OF_EPOCHS),
    log:
        f"{LOGS}/measure_experiment_windows/{RUN}.log",
    benchmark:
        f"{LOGS}/measure_experiment_windows/{RUN}.benchmark.tsv"
    conda:
        "../../envs/networks.yaml"
    threads: 1
    resources:
        mem_mb=asks(lambda wildcards: memory.for_run(trained([dict(wildcards)], wildcards)[0])),
    params:
        **{key: config["measurement"][key] for key in ("engine", "precision")},
        run=run_of,
        windows=lambda wildcards: trained([dict(wildcards)], wildcards)[0]["windows"],
        reading=config["readings"][config["through_training"]["reading"]],
        window=config["window"],
        root_seed=config["root_seed"],
        library=library_of("measure_experiment_windows.py"),
    message:
        "Windows through training: {wildcards.architecture} on {wildcards.experiment}, seed {wildcards.seed}"
    script:
        "../scripts/measure_experiment_windows.py"
