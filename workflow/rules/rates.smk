# Effective learning rates of frozen networks, exact transport beside them, and what the networks have learned.


rule measure_rates:
    input:
        diagnostic=rules.generate_diagnostic_data.output.diagnostic,
        weights=f"{MODELS}/{RUN}/weights.safetensors",
    output:
        **{
            f"{kind}_{rates}": f"{RESULTS}/rates/{RUN}.{rates}.{kind}.csv"
            for kind in ("envelope", "fits", "spectrum")
            for rates in GRU_RATES
        },
        rates=f"{RESULTS}/rates/{RUN}.nc",
        conditioning=f"{RESULTS}/rates/{RUN}.conditioning.csv",
        exact=f"{RESULTS}/rates/{RUN}.exact.nc",
        transport=f"{RESULTS}/rates/{RUN}.transport.csv",
    log:
        f"{LOGS}/measure_rates/{RUN}.log",
    benchmark:
        f"{LOGS}/measure_rates/{RUN}.benchmark.tsv"
    conda:
        "../../envs/networks.yaml"
    threads: 1
    params:
        architecture=architecture_settings,
        network=config["network"],
        lags=config["measurement"]["lags"],
        engine=config["measurement"]["engine"],
        product_sequences=config["measurement"]["product_sequences"],
        study=config["study"],
        library=library("measure_rates.py"),
    message:
        "Rates: {wildcards.architecture} with {wildcards.optimizer}, seed {wildcards.seed}"
    script:
        "../scripts/measure_rates.py"


rule measure_response:
    input:
        **rules.measure_rates.input,
    output:
        response=f"{RESULTS}/responses/{RUN}.csv",
        loss=f"{RESULTS}/responses/{RUN}.loss.csv",
    log:
        f"{LOGS}/measure_response/{RUN}.log",
    benchmark:
        f"{LOGS}/measure_response/{RUN}.benchmark.tsv"
    conda:
        "../../envs/networks.yaml"
    threads: 1
    params:
        architecture=architecture_settings,
        network=config["network"],
        task=rules.generate_diagnostic_data.params.task,
        engine=config["measurement"]["engine"],
        study=config["study"],
        library=library("measure_response.py"),
    message:
        "Response: {wildcards.architecture} with {wildcards.optimizer}, seed {wildcards.seed}"
    script:
        "../scripts/measure_response.py"
