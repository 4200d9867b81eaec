# Ground truth: networks are trained from N sequences, and what they learn is compared with what gradients said before.


TITLE = "Ground truth: from how many sequences a lag is learned"
ABOUT = (
    "From how many sequences do networks learn a lag, and do gradients predict it? Networks trained from N sequences"
)


include: "declared.smk"


wildcard_constraints:
    grid="|".join(GRIDS),
    lags=r"\d+(_\d+)*",


# One job for every N: trials are many, and short.
JOBS["try_to_learn"] = {
    "by": "studies.ground_truth.jobs.try_to_learn",
    "environment": "networks",
    "of": f"{OF_SETTING}/seed{{seed}}",
    "output": {"trials": TRIALS, "path": f"{SETTING}/seed{{seed}}.path.safetensors"},
    "memory": lambda wildcards: memory.for_trials(
        trial_settings(wildcards), sample_sizes_of(wildcards), GROUND_TRUTH["batch_size"]
    ),
    "params": {
        **{key: config["measurement"][key] for key in ("engine", "precision")},
        "prepared": trial_settings,
        "budget": BUDGET,
        "sample_sizes": sample_sizes_of,
    },
    "message": "Trials: {wildcards.grid}, {wildcards.architecture}, lag {wildcards.lags}, seed {wildcards.seed}",
}
JOBS["measure_candidates"] = {
    "by": "studies.ground_truth.jobs.measure_candidates",
    "environment": "networks",
    "of": OF_SETTING,
    "input": {
        "paths": lambda wildcards: expand(
            f"{SETTING}/seed{{seed}}.path.safetensors", seed=seeds_of(wildcards.grid), **wildcards
        )
    },
    "output": {"candidates": CANDIDATES},
    "memory": lambda wildcards: memory.for_candidates(trial_settings(wildcards)),
    "params": {
        **{key: config["measurement"][key] for key in ("engine", "precision")},
        "prepared": trial_settings,
        "own_gradient": OWN_GRADIENT,
        "readings": CANDIDATE_READINGS,
        "window": config["window"],
        "seeds": lambda wildcards: seeds_of(wildcards.grid),
        "batch_size": GROUND_TRUTH["batch_size"],
    },
    "message": "Gradients: {wildcards.grid}, {wildcards.architecture}, lag {wildcards.lags}",
}
OF_CONTEST = {"contest": GROUND_TRUTH["contest"], "durations": DURATIONS, "root_seed": config["root_seed"]}
JOBS["hold_contest"] = {
    "by": "studies.ground_truth.jobs.hold_contest",
    "environment": "figures",
    "input": {
        "trials": [file for grid in GRIDS for file in settings_of(grid, TRIALS)],
        "candidates": [file for grid in GRIDS for file in settings_of(grid, CANDIDATES)],
    },
    "output": {
        **TABLES,
        "pages": [f"{RESULTS}/tables/{name}.md" for name in TABLES],
        "trials": ALL_TRIALS,
        "candidates": ALL_CANDIDATES,
    },
    "params": OF_CONTEST,
    "message": "Contest: {params.contest}",
}


include: "../questions.smk"


TARGETS |= {QUESTIONS[question].figure: figure_files(question) for question in DRAWN}


include: "search.smk"
include: "../pages.smk"


FINAL = [
    *(*files_of_job("hold_contest"), *rules.explain_questions.output, *itertools.chain(*map(figure_files, DRAWN))),
    *(*rules.make_pages.output, *rules.make_index.output),
]


include: "../manifest.smk"
include: "../verify.smk"
