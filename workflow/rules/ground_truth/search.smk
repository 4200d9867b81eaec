# Which setting changes headlines most. One job, at a size of its own, and not part of `all`: `snakemake searches`.

# A quarter of the steps, at near lags, with fewer architectures, N and updates: an evaluation takes half a minute.
SEARCHED = {
    "task": {**{key: TASK[key] for key in ("name", "input_size", "noise_sd")}, "duration": 64},
    "network": {**config["network"], "hidden_size": 16},
    "architectures": {name: config["architectures"][name] for name in ("const_gate", "diag_gate", "lstm")},
    "optimizer": {**BUDGET["optimizer"], "learning_rate": 0.02},
    "gradient_clip": config["training"]["gradient_clip"],
    "coefficient": GROUND_TRUTH["coefficient"],
    "sample_sizes": [2, 8, 32, 128],
    "updates": 100,
    "batch_size": 16,
    "sequences": 60,
    "grids": {
        "dense": {"input_density": 1, "lags": [1, 4]},
        "sparse": {"input_density": 0.05, "lags": [1, 4]},
        "six_lags": {
            "lags": [2, 4, 8, 12, 16, 24],
            "coefficients": [0.6, 0.5, 0.4, 0.32, 0.26, 0.2],
            "together": True,
            "sample_sizes": [8],
        },
    },
}


rule search_settings:
    output:
        csv=f"{RESULTS}/tables/headline_sensitivity.csv",
        md=f"{RESULTS}/tables/headline_sensitivity.md",
    log:
        f"{LOGS}/search_settings.log",
    benchmark:
        f"{LOGS}/search_settings.benchmark.tsv"
    conda:
        "../../../envs/networks.yaml"
    threads: 1
    resources:
        mem_mb=asks(
            memory.for_trials(
                {**SEARCHED, "size": SEARCHED["network"]}, SEARCHED["sample_sizes"], SEARCHED["batch_size"]
            )
        ),
    params:
        study=config["study"],
        settings=SEARCHED,
        root_seed=config["root_seed"],
        seed=config["seeds"][0],
        library=library("search_settings.py", "studies.ground_truth.headlines"),
    message:
        "Search: which setting changes headlines most"
    script:
        "../../scripts/search_settings.py"


OPTIONAL += rules.search_settings.output


rule searches:
    input:
        rules.search_settings.output,
