# Stable laws, sample needs and learnability windows, for each reading and kind of transport.


rule find_window:
    input:
        **rules.compute_statistic.output,
    output:
        **{
            f"{kind}_{transport}": f"{RESULTS}/{{reading}}/{folder}/{RUN}.{transport}.csv"
            for kind, folder in (("noise", "stable"), ("need", "need"), ("window", "window"), ("null", "null"))
            for transport in TRANSPORTS
        },
    log:
        f"{LOGS}/find_window/{{reading}}/{RUN}.log",
    benchmark:
        f"{LOGS}/find_window/{{reading}}/{RUN}.benchmark.tsv"
    conda:
        "../../envs/statistics.yaml"
    threads: 1
    params:
        reading=lambda wildcards: config["readings"][wildcards.reading],
        window=config["window"],
        task_lags=config["task"]["lags"],
        study=config["study"],
        library=library("find_window.py"),
    message:
        "Window: {wildcards.reading}, {wildcards.architecture} with {wildcards.optimizer}, seed {wildcards.seed}"
    script:
        "../scripts/find_window.py"
