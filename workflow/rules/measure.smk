# What frozen networks are: their rates and what they have learned; laws, sample complexities, windows and controls
# under each reading; how windows depend on the options of a reading. What shares its inputs is one job of a network.
# The study that includes this file defines ROLES.

MEASUREMENT = {
    "architecture": architecture_settings,
    "network": config["network"],
    "lags": config["measurement"]["lags"],
    "engine": config["measurement"]["engine"],
    "root_seed": config["root_seed"],
}
OF_WINDOW = {
    **MEASUREMENT,
    "further_lags": config["measurement"]["further_lags"],
    "precision": config["measurement"]["precision"],
    "learning_rate": lambda wildcards: optimizer_settings(wildcards)["learning_rate"],
    "window": config["window"],
    "readings": {reading: config["readings"][reading] for reading in READINGS},
}
MEMORY_OF_WINDOWS = memory.for_windows(config["task"], len(MEASUREMENT["lags"]) + len(OF_WINDOW["further_lags"]))


rule measure_network:
    input:
        diagnostic=rules.generate_data.output.diagnostic,
        weights=f"{MODELS}/{RUN}/weights.safetensors",
    output:
        **measured(OF_NETWORK),
        rates=f"{MEASURED}/{RUN}/rates.nc",
        exact=f"{MEASURED}/{RUN}/exact.nc",
    log:
        f"{LOGS}/measure_network/{RUN}.log",
    benchmark:
        f"{LOGS}/measure_network/{RUN}.benchmark.tsv"
    conda:
        "../../envs/networks.yaml"
    threads: 1
    resources:
        mem_mb=asks(memory.for_network(config["task"], config["network"], config["measurement"]["product_sequences"])),
    params:
        **MEASUREMENT,
        task=TASK,
        product_sequences=config["measurement"]["product_sequences"],
        library=library_of("measure_network.py"),
    message:
        "Rates and responses: {wildcards.architecture} with {wildcards.optimizer}, seed {wildcards.seed}"
    script:
        "../scripts/measure_network.py"


# Transport, which takes nearly all of the time, serves every reading and control.
rule measure_windows:
    input:
        **rules.measure_network.input,
    output:
        **measured(OF_WINDOWS),
    log:
        f"{LOGS}/measure_windows/{RUN}.log",
    benchmark:
        f"{LOGS}/measure_windows/{RUN}.benchmark.tsv"
    conda:
        "../../envs/networks.yaml"
    threads: 1
    resources:
        mem_mb=asks(MEMORY_OF_WINDOWS),
    params:
        **OF_WINDOW,
        task=TASK,
        library=library_of("measure_windows.py"),
    message:
        "Windows: {wildcards.architecture} with {wildcards.optimizer}, seed {wildcards.seed}"
    script:
        "../scripts/measure_windows.py"


rule measure_training:
    input:
        **rules.measure_network.input,
        snapshots=f"{MODELS}/{RUN}/snapshots.safetensors",
    output:
        **measured(OF_EPOCHS),
    log:
        f"{LOGS}/measure_training/{RUN}.log",
    benchmark:
        f"{LOGS}/measure_training/{RUN}.benchmark.tsv"
    conda:
        "../../envs/networks.yaml"
    threads: 1
    resources:
        mem_mb=asks(memory.for_epochs(config["task"], config["network"], config["through_training"]["sequences"])),
    params:
        **{**MEASUREMENT, "lags": config["through_training"]["lags"]},
        precision=config["measurement"]["precision"],
        reading=config["readings"][config["through_training"]["reading"]],
        sequences=config["through_training"]["sequences"],
        window=config["window"],
        task=TASK,
        library=library_of("measure_training.py"),
    message:
        "Windows through training: {wildcards.architecture} with {wildcards.optimizer}, seed {wildcards.seed}"
    script:
        "../scripts/measure_training.py"


rule measure_resonances:
    input:
        **rules.measure_training.input,
    output:
        **measured(OF_RESONANCES),
    log:
        f"{LOGS}/measure_resonances/{RUN}.log",
    benchmark:
        f"{LOGS}/measure_resonances/{RUN}.benchmark.tsv"
    conda:
        "../../envs/networks.yaml"
    threads: 1
    resources:
        mem_mb=asks(
            memory.for_resonances(config["task"], config["network"], config["measurement"]["resonance_sequences"])
        ),
    params:
        architecture=architecture_settings,
        network=config["network"],
        root_seed=config["root_seed"],
        sequences=config["measurement"]["resonance_sequences"],
        task=TASK,
        library=library_of("measure_resonances.py"),
    message:
        "Resonances: {wildcards.architecture} with {wildcards.optimizer}, seed {wildcards.seed}"
    script:
        "../scripts/measure_resonances.py"


rule vary_readings:
    input:
        **rules.measure_network.input,
    output:
        **measured(OF_READINGS),
    log:
        f"{LOGS}/vary_readings/{RUN}.log",
    benchmark:
        f"{LOGS}/vary_readings/{RUN}.benchmark.tsv"
    conda:
        "../../envs/networks.yaml"
    threads: 1
    resources:
        mem_mb=asks(MEMORY_OF_WINDOWS),
    params:
        **OF_WINDOW,
        role=lambda wildcards: ROLES.get(wildcards.architecture, "none"),
        library=library_of("vary_readings.py"),
    message:
        "Sensitivity: {wildcards.architecture} with {wildcards.optimizer}, seed {wildcards.seed}"
    script:
        "../scripts/vary_readings.py"
