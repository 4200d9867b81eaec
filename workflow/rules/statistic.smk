# The matched statistic, for each reading and kind of transport, and what the reading finds with other errors.

MEASUREMENT = {
    "architecture": architecture_settings,
    "network": config["network"],
    "lags": config["measurement"]["lags"],
    "engine": config["measurement"]["engine"],
    "time_stride": config["measurement"]["time_stride"],
    "exact_sequences": config["measurement"]["exact_sequences"],
    "learning_rate": lambda wildcards: optimizer_settings(wildcards)["learning_rate"],
    "study": config["study"],
}


rule compute_statistic:
    input:
        diagnostic=rules.generate_diagnostic_data.output.diagnostic,
        weights=f"{MODELS}/{RUN}/weights.safetensors",
    output:
        **{transport: f"{RESULTS}/{{reading}}/statistic/{RUN}.{transport}.nc" for transport in TRANSPORTS},
    log:
        f"{LOGS}/compute_statistic/{{reading}}/{RUN}.log",
    benchmark:
        f"{LOGS}/compute_statistic/{{reading}}/{RUN}.benchmark.tsv"
    conda:
        "../../envs/networks.yaml"
    threads: 1
    params:
        **MEASUREMENT,
        statistic=lambda wildcards: config["readings"][wildcards.reading]["statistic"],
        library=library("compute_statistic.py"),
    message:
        "Statistic: {wildcards.reading}, {wildcards.architecture} with {wildcards.optimizer}, seed {wildcards.seed}"
    script:
        "../scripts/compute_statistic.py"


# A null control from end to end: the windows alone are kept.
rule shift_errors:
    input:
        **rules.compute_statistic.input,
    output:
        **{transport: f"{RESULTS}/{{reading}}/shifted/{RUN}.{transport}.csv" for transport in TRANSPORTS},
    log:
        f"{LOGS}/shift_errors/{{reading}}/{RUN}.log",
    benchmark:
        f"{LOGS}/shift_errors/{{reading}}/{RUN}.benchmark.tsv"
    conda:
        "../../envs/networks.yaml"
    threads: 1
    params:
        **MEASUREMENT,
        reading=lambda wildcards: config["readings"][wildcards.reading],
        window=config["window"],
        library=library("shift_errors.py"),
    message:
        "Null control: {wildcards.reading}, {wildcards.architecture} with {wildcards.optimizer}, seed {wildcards.seed}"
    script:
        "../scripts/shift_errors.py"


# Windows that close when the target holds what predictions echo are the echoes'.
rule grant_echoes:
    input:
        **rules.compute_statistic.input,
    output:
        windows=f"{RESULTS}/{{reading}}/granted/{RUN}.csv",
    log:
        f"{LOGS}/grant_echoes/{{reading}}/{RUN}.log",
    benchmark:
        f"{LOGS}/grant_echoes/{{reading}}/{RUN}.benchmark.tsv"
    conda:
        "../../envs/networks.yaml"
    threads: 1
    params:
        **MEASUREMENT,
        task=rules.generate_diagnostic_data.params.task,
        reading=lambda wildcards: config["readings"][wildcards.reading],
        window=config["window"],
        library=library("grant_echoes.py"),
    message:
        "Echoes granted: {wildcards.reading}, {wildcards.architecture} with {wildcards.optimizer}, seed {wildcards.seed}"
    script:
        "../scripts/grant_echoes.py"
