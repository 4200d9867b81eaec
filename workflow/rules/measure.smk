# Measurements of frozen networks: their rates and what they have learned; laws, sample complexities, windows and controls
# under each reading; how windows depend on the options of a reading. Tables with the same inputs are made by one job of a network.
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
OF_SEED = "{wildcards.architecture} with {wildcards.optimizer}, seed {wildcards.seed}"
FROZEN = {"diagnostic": DIAGNOSTIC, "weights": f"{MODELS}/{RUN}/weights.safetensors"}
THROUGH_TRAINING = {**FROZEN, "snapshots": f"{MODELS}/{RUN}/snapshots.safetensors"}

JOBS["measure_network"] = {
    "by": "studies.jobs.measure_network",
    "environment": "networks",
    "of": RUN,
    "input": FROZEN,
    "output": measured(OF_NETWORK) | {kind: f"{MEASURED}/{RUN}/{kind}.nc" for kind in ("rates", "exact")},
    "memory": memory.for_network(config["task"], config["network"], config["measurement"]["product_sequences"]),
    "params": {**MEASUREMENT, "task": TASK, "product_sequences": config["measurement"]["product_sequences"]},
    "message": f"Rates and responses: {OF_SEED}",
}
# Transport, which takes nearly all of the time, serves every reading and control.
JOBS["measure_windows"] = {
    "by": "studies.jobs.measure_windows",
    "environment": "networks",
    "of": RUN,
    "input": FROZEN,
    "output": measured(OF_WINDOWS),
    "memory": MEMORY_OF_WINDOWS,
    "params": {**OF_WINDOW, "task": TASK},
    "message": f"Windows: {OF_SEED}",
}
JOBS["measure_training"] = {
    "by": "studies.jobs.measure_training",
    "environment": "networks",
    "of": RUN,
    "input": THROUGH_TRAINING,
    "output": measured(OF_EPOCHS),
    "memory": memory.for_epochs(config["task"], config["network"], config["through_training"]["sequences"]),
    "params": {
        **MEASUREMENT,
        "lags": config["through_training"]["lags"],
        "precision": config["measurement"]["precision"],
        "reading": config["readings"][config["through_training"]["reading"]],
        "sequences": config["through_training"]["sequences"],
        "window": config["window"],
        "task": TASK,
    },
    "message": f"Windows through training: {OF_SEED}",
}
JOBS["measure_resonances"] = {
    "by": "studies.jobs.measure_resonances",
    "environment": "networks",
    "of": RUN,
    "input": THROUGH_TRAINING,
    "output": measured(OF_RESONANCES),
    "memory": memory.for_resonances(config["task"], config["network"], config["measurement"]["resonance_sequences"]),
    "params": {
        **{key: MEASUREMENT[key] for key in ("architecture", "network", "root_seed")},
        "sequences": config["measurement"]["resonance_sequences"],
        "task": TASK,
    },
    "message": f"Resonances: {OF_SEED}",
}
JOBS["vary_readings"] = {
    "by": "studies.jobs.vary_readings",
    "environment": "networks",
    "of": RUN,
    "input": FROZEN,
    "output": measured(OF_READINGS),
    "memory": MEMORY_OF_WINDOWS,
    "params": {**OF_WINDOW, "role": lambda wildcards: ROLES.get(wildcards.architecture, "none")},
    "message": f"Sensitivity: {OF_SEED}",
}
