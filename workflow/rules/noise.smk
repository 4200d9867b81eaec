# The matched statistic and its stable law, for each reading.


rule compute_statistic:
    input:
        diagnostic=rules.generate_diagnostic_data.output.diagnostic,
        weights=f"{RESULTS}/models/{RUN}/weights.safetensors",
    output:
        statistic=f"{RESULTS}/{{reading}}/statistic/{RUN}.nc",
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
        time_stride=config["measurement"]["time_stride"],
        learning_rate=lambda wildcards: optimizer_settings(wildcards)["learning_rate"],
        study=config["study"],
        library=library("compute_statistic.py"),
    message:
        "Statistic: {wildcards.reading}, {wildcards.architecture} with {wildcards.optimizer}, seed {wildcards.seed}"
    script:
        "../scripts/compute_statistic.py"


rule fit_noise:
    input:
        statistic=rules.compute_statistic.output.statistic,
    output:
        noise=f"{RESULTS}/{{reading}}/stable/{RUN}.csv",
    log:
        f"{LOGS}/fit_noise/{{reading}}/{RUN}.log",
    benchmark:
        f"{LOGS}/fit_noise/{{reading}}/{RUN}.benchmark.tsv"
    conda:
        "../../envs/learnability.yaml"
    threads: 1
    params:
        noise=lambda wildcards: config["readings"][wildcards.reading]["noise"],
        library=library("fit_noise.py"),
    message:
        "Noise: {wildcards.reading}, {wildcards.architecture} with {wildcards.optimizer}, seed {wildcards.seed}"
    script:
        "../scripts/fit_noise.py"
