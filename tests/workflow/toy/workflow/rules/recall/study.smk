# Which symbol came some steps ago: one measurement, one figure, one claim.

FILES = expand(f"{MEASURED}/{{run}}/accuracy.csv", run=ALL_RUNS)

JOBS["measure_recall"] = {
    "by": "studies.recall.jobs.measure_recall",
    "environment": "networks",
    "of": RUN,
    "input": {"weights": f"{MODELS}/{RUN}/weights.safetensors"},
    "output": {"accuracy": f"{MEASURED}/{RUN}/accuracy.csv"},
    "params": {
        "architecture": architecture_settings,
        "network": config["network"],
        "task": config["task"],
        "root_seed": config["root_seed"],
    },
    "message": "Recall: {wildcards.architecture}, seed {wildcards.seed}",
}


rule show_recall:
    input:
        accuracy=FILES,
    output:
        figure=f"{RESULTS}/figures/accuracy.png",
        scorecard=f"{RESULTS}/scorecard.csv",
    log:
        f"{LOGS}/show_recall.log",
    params:
        style=config["figures"],
        library=library("show_recall.py"),
    script:
        "../../scripts/show_recall.py"


FINAL = list(rules.show_recall.output)
