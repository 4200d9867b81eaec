# Attention: what theory says of gradients that cross time by recurrence and by attention, what they are and cost before
# training, and what trained networks answer. Networks are those of `attention.experiments`, see ../train.smk.


TITLE = "Recurrence and attention: does the theory of gradients hold?"
ABOUT = "What does attention do for gradients across time, and for learning? The paper of Kerg et al., reproduced and tested"


include: "declared.smk"
include: "games.smk"
include: "../experiments.smk"


# Figures are drawn from tables and from measurements: weights that maps show, and learning curves.
MEASURED_OF_FIGURES = {
    "attention": [f"{RESULTS}/attention.csv.gz"],
    "curve": tables_of("curve", ANSWERING),
    **{kind: files for kind, files in OF_AGENTS.items() if kind == "game_curves"},
}
EVIDENCE = {
    name: {
        "tables": [TABLES[table] for table in drawn_from(name) if table in TABLES],
        **{kind: MEASURED_OF_FIGURES[kind] for kind in drawn_from(name) if kind in MEASURED_OF_FIGURES},
    }
    for name in DRAWN
}


include: "../questions.smk"


BACKWARD = {kind: f"{MEASURED}/{{architecture}}/{kind}.csv" for kind in ("norms", "costs", "sizes")}
JOBS["check_theory"] = {
    "by": "studies.attention.jobs.check_theory",
    "environment": "networks",
    "output": {**THEORY, "pages": [PAGES[name] for name in OF_THEORY]},
    "params": {"root_seed": config["root_seed"]},
    "message": "Theory: statements of the appendix",
}
JOBS["measure_backward"] = {
    "by": "studies.attention.jobs.measure_backward",
    "environment": "networks",
    "of": "{architecture}",
    "output": BACKWARD,
    "memory": lambda wildcards: memory.for_backward(architecture_settings(wildcards), config["network"], ATTENTION),
    "params": {
        "architecture": architecture_settings,
        "units": config["network"]["hidden_size"],
        **{name: ATTENTION[name] for name in ("norms", "costs", "screening")},
        "seeds": config["seeds"],
        "root_seed": config["root_seed"],
    },
    "message": "Gradients before training: {wildcards.architecture}",
}
JOBS["measure_trained"] = {
    "by": "studies.attention.jobs.measure_trained",
    "environment": "networks",
    "of": RUN,
    "input": {"weights": f"{MODELS}/{RUN}/weights.safetensors"},
    "output": measured(OF_TRAINED),
    "memory": lambda wildcards: memory.for_answers(
        run_of(wildcards),
        transfer_of(run_of(wildcards)),
        experiment_of(wildcards.experiment).get("test_sequences", 0),
    ),
    "params": {
        "run": run_of,
        "transfer": lambda wildcards: transfer_of(run_of(wildcards)),
        "sequences": lambda wildcards: experiment_of(wildcards.experiment)["test_sequences"],
        "norm_sequences": ATTENTION["norms"]["sequences"],
        "screening": ATTENTION["screening"],
        "root_seed": config["root_seed"],
    },
    "message": "Answers: {wildcards.architecture} on {wildcards.experiment}, seed {wildcards.seed}",
}
JOBS["list_hyperparameters"] = {
    "by": "studies.attention.jobs.list_hyperparameters",
    "environment": "networks",
    "output": HYPERPARAMETERS,
    "params": {"runs": NETWORKS},
    "message": "Hyperparameters",
}
JOBS["tabulate_networks"] = {
    "by": "studies.attention.jobs.tabulate_networks",
    "loaded": TABULATED_BY,
    "environment": "figures",
    "input": {
        **{name: TABLES[name] for name in OF_THEORY},
        **{kind: expand(file, architecture=ATTENTION["architectures"]) for kind, file in BACKWARD.items()},
        **{kind: tables_of(kind, ANSWERING) for kind in [*OF_TRAINED, "curve"]},
        **({kind: tables_of(kind, WINDOWED) for kind in OF_EPOCHS} if WINDOWED else {}),
        **({"rated": tables_of("curve", of_each(RATED, RUN))} if RATED else {}),
        **OF_AGENTS,
    },
    "output": {
        **MEASURED_TABLES,
        "pages": [PAGES[name] for name in MEASURED_TABLES],
        "attention": f"{RESULTS}/attention.csv.gz",
    },
    "params": {
        "tabulated": TABULATED_BY,
        "settings": {
            "trainings": {run["experiment"]: training_of(run) for run in NETWORKS if "delay" in run["task"]},
            "rated": RATED,
        },
    },
    "message": "Tables of networks and agents",
}
TARGETS |= {
    name: [files[name] for files in (FIGURES, MEASURED_TABLES) if name in files] for name in FIGURES | MEASURED_TABLES
}
TARGETS |= {
    "figures": list(FIGURES.values()),
    "tables": [*TABLES.values(), *PAGES.values()],
    "findings": [*FINDINGS.values(), *FIGURES.values()],  # the page shows them
}


CLAIMS = [of_project("config", "attention", "claims.yaml")]
JUDGED_BY = "studies.attention.judged"
JUDGED_FROM = THEORY | MEASURED_TABLES
JUDGED_READINGS = [""]
SCORED = {"groups": {"main": {name: name for name in [*config["architectures"], "theory"]}}}


include: "../claims.smk"


if "delayed_sum" in ATTENTION["experiments"]:

    include: "search.smk"


include: "../pages.smk"


FINAL = [
    *(*TABLES.values(), *PAGES.values(), *FIGURES.values()),
    *(*rules.explain_questions.output, *SCORECARDS),
    *(*rules.make_pages.output, *rules.make_index.output),
]


include: "../manifest.smk"
include: "../verify.smk"
