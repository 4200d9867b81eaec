# The matched statistic, for each reading and kind of transport.


rule compute_statistic:
    input:
        diagnostic=rules.generate_diagnostic_data.output.diagnostic,
        weights=f"{RESULTS}/models/{RUN}/weights.safetensors",
    output:
        **{transport: f"{RESULTS}/{{reading}}/statistic/{RUN}.{transport}.nc" for transport in TRANSPORTS},
    log:
        f"{LOGS}/compute_statistic/{{reading}}/{RUN}.log",
    benchmark:
        f"{LOGS}/compute_statistic/{{reading}}/{RUN}.benchmark.tsv"
    conda:
        "../../envs/learnability.yaml"
    threads: 1
    params:
        architecture=architecture_settings,
        network=config["network"],
        statistic=lambda wildcards: config["readings"][wildcards.reading]["statistic"],
        lags=config["measurement"]["lags"],
        engine=config["measurement"]["engine"],
        time_stride=config["measurement"]["time_stride"],
        exact_sequences=config["measurement"]["exact_sequences"],
        learning_rate=lambda wildcards: optimizer_settings(wildcards)["learning_rate"],
        study=config["study"],
        library=library("compute_statistic.py"),
    message:
        "Statistic: {wildcards.reading}, {wildcards.architecture} with {wildcards.optimizer}, seed {wildcards.seed}"
    script:
        "../scripts/compute_statistic.py"
