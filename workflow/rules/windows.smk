# The matched statistic at every t, its law, sample needs, windows and both controls, of every reading by both kinds of transport.

MEASUREMENT = {
    "architecture": architecture_settings,
    "network": config["network"],
    "lags": config["measurement"]["lags"],
    "further_lags": config["measurement"]["further_lags"],
    "engine": config["measurement"]["engine"],
    "precision": config["measurement"]["precision"],
    "learning_rate": lambda wildcards: optimizer_settings(wildcards)["learning_rate"],
    "window": config["window"],
    "study": config["study"],
}


# One job a network: transport, which takes nearly all of its time, serves every reading and control.
rule measure_windows:
    input:
        diagnostic=rules.generate_diagnostic_data.output.diagnostic,
        weights=f"{MODELS}/{RUN}/weights.safetensors",
    output:
        **tables_of(
            {"noise": "stable", "need": "need", "window": "window", "null": "null", "shifted": "shifted"},
            lambda reading: TRANSPORTS,
        ),
        **tables_of({"granted": "granted"}, lambda reading: [config["readings"][reading]["statistic"]["transport"]]),
    log:
        f"{LOGS}/measure_windows/{RUN}.log",
    benchmark:
        f"{LOGS}/measure_windows/{RUN}.benchmark.tsv"
    conda:
        "../../envs/networks.yaml"
    threads: 1
    params:
        **MEASUREMENT,
        task=rules.generate_diagnostic_data.params.task,
        readings={reading: config["readings"][reading] for reading in READINGS},
        library=library("measure_windows.py"),
    message:
        "Windows: {wildcards.architecture} with {wildcards.optimizer}, seed {wildcards.seed}"
    script:
        "../scripts/measure_windows.py"
