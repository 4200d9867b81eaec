# Windows and learned lags at each stored epoch of networks of experiments, and of reservoirs.

JOBS["measure_experiment_windows"] = {
    "by": "studies.jobs.measure_experiment_windows",
    "environment": "networks",
    "of": RUN,
    "input": {"snapshots": f"{MODELS}/{RUN}/snapshots.safetensors"},
    "output": measured(OF_EPOCHS),
    "memory": lambda wildcards: memory.for_run(trained([dict(wildcards)], wildcards)[0]),
    "params": {
        **{key: config["measurement"][key] for key in ("engine", "precision")},
        "run": run_of,
        "windows": lambda wildcards: trained([dict(wildcards)], wildcards)[0]["windows"],
        "reading": config["readings"][config["through_training"]["reading"]],
        "window": config["window"],
        "root_seed": config["root_seed"],
    },
    "message": "Windows through training: {wildcards.architecture} on {wildcards.experiment}, seed {wildcards.seed}",
}
