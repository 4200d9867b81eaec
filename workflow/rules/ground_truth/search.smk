# The size at which settings of headlines are varied: a quarter of the steps, at near lags, with fewer architectures, N and
# updates, so that an evaluation takes half a minute.
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
MEMORY_OF_SEARCH = memory.for_trials(
    {**SEARCHED, "size": SEARCHED["network"]}, SEARCHED["sample_sizes"], SEARCHED["batch_size"]
)

# Search for the choice of the analysis that changes the others most, of the trials as they are.
JOBS["search_choices"] = {
    "by": "studies.ground_truth.jobs.search_choices",
    "environment": "figures",
    "input": {"trials": ALL_TRIALS, "candidates": ALL_CANDIDATES},
    "output": {kind: f"{RESULTS}/tables/analysis_sensitivity.{kind}" for kind in ("csv", "md")},
    "resources": {"runtime": lambda wildcards, attempt: 30 * attempt},
    "params": OF_CONTEST,
    "message": "Search: which choice of the analysis changes each headline most",
}
SENSITIVITIES += JOBS["search_choices"]["output"].values()


include: "../search.smk"
