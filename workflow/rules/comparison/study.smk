# Cells of the literature at equal parameters, each at a rate tuned for it, at several tasks. A race is a cell at a task.

TITLE = "Recurrent cells compared: who learns what, at equal parameters and tuned rates"
ABOUT = "Which recurrent cell learns which task? Cells of the literature at equal parameters and tuned rates"


include: "declared.smk"


wildcard_constraints:
    contest="|".join(RACED),


# The digest of a cell's race is of that cell alone: a further cell runs no race but its own.
JOBS["hold_race"] = {
    "by": "studies.comparison.jobs.hold_race",
    "environment": "networks",
    "of": "{contest}/{architecture}",
    "output": {kind: f"{RACE}/{kind}.csv" for kind in OF_RACE},
    "memory": lambda wildcards: memory.for_race(
        architecture_settings(wildcards), task_of_race(wildcards), settings_of_race(wildcards)
    ),
    "params": {
        "architecture": architecture_settings,
        "task": task_of_race,
        "race": settings_of_race,
        "reading": config["readings"][COMPARISON["reading"]],
        "window": config["window"],
        "root_seed": config["root_seed"],
    },
    "message": "Race: {wildcards.architecture} at {wildcards.contest}",
}
# The same cell at one task from fewer sequences, at the rate that its race chose.
JOBS["train_on_fewer"] = {
    "by": "studies.comparison.jobs.train_on_fewer",
    "environment": "networks",
    "of": "{architecture}",
    "input": {"scores": of_sampled("scores")},
    "output": {"samples": of_sampled("samples")},
    "memory": lambda wildcards: memory.for_race(
        architecture_settings(wildcards), COMPARISON["tasks"][SAMPLED["task"]], COMPARISON["race"]
    ),
    "params": {
        "architecture": architecture_settings,
        "task": COMPARISON["tasks"][SAMPLED["task"]],
        "race": COMPARISON["race"],
        "sequences": SAMPLED["sequences"],
        "seeds": SAMPLED["seeds"],
        "is_longer": lambda wildcards: wildcards.architecture in SAMPLED["longer"],
        "contest": SAMPLED["task"],
        "root_seed": config["root_seed"],
    },
    "message": "Fewer sequences: {wildcards.architecture}",
}
JOBS["tabulate_races"] = {
    "by": "studies.comparison.jobs.tabulate_races",
    "environment": "figures",
    "input": {
        **{kind: races(kind) for kind in OF_RACE},
        "samples": expand(of_sampled("samples"), architecture=FAMILIES),
    },
    "output": {
        **TABLES,
        "pages": [f"{RESULTS}/tables/{name}.md" for name in TABLES],
        "runs": list(RUNS.values()),
    },
    "params": {
        "families": FAMILIES,
        "trained_on": {name: COMPARISON["tasks"][name]["training_sequences"] for name in COMPARISON["contests"]},
        "sizes": SIZES,
        "sums": SUMS,
        "root_seed": config["root_seed"],
    },
    "message": "Tables of all races",
}


include: "../questions.smk"


TARGETS |= {QUESTIONS[question].figure: figure_files(question) for question in DRAWN}


include: "../pages.smk"


FINAL = [
    *(*files_of_job("tabulate_races"), *rules.explain_questions.output, *itertools.chain(*map(figure_files, DRAWN))),
    *(*rules.make_pages.output, *rules.make_index.output),
]


include: "../manifest.smk"
include: "../verify.smk"
