# Gated models and reservoirs: the lecture's sections as exhibits, each with a rule that makes it and one that shows it.


TITLE = "Gated models and reservoirs: what the lecture says, computed"
ABOUT = "What do gates, layers and random reservoirs do for memory? Lecture notes by D. Bacciu, measured"


include: "declared.smk"
include: "../experiments.smk"
include: "../questions.smk"


JOBS["fit_reservoir"] = {
    "by": "studies.gated.jobs.fit_reservoir",
    "environment": "networks",
    "of": RUN,
    "output": {
        "weights": f"{RESULTS}/models/{RUN}/weights.safetensors",
        "snapshots": f"{RESULTS}/models/{RUN}/snapshots.safetensors",
        "curve": f"{RESULTS}/models/{RUN}/learning_curve.csv",
        "provenance": f"{RESULTS}/models/{RUN}/provenance.json",
    },
    "constraints": {"architecture": "|".join(map(re.escape, GATED["reservoirs"]["networks"]))},
    "memory": lambda wildcards: memory.for_reservoir(run_of(wildcards)),
    "params": {"run": run_of, "root_seed": config["root_seed"]},
    "message": "Fit: {wildcards.architecture} on {wildcards.experiment}, seed {wildcards.seed}",
}
for exhibit in QUESTIONS:
    OF_EXHIBIT = {
        "exhibit": exhibit,
        "settings": settings_of(exhibit, GATED["exhibits"]),
        "seeds": config["seeds"],
        "root_seed": config["root_seed"],
    }
    JOBS[f"make_{exhibit}"] = {
        "by": "studies.gated.jobs.make_exhibit",
        "loaded": [module_of(exhibit, "measure")],
        "environment": "networks",
        "input": {
            **{kind: tables_of(kind, window_folders(exhibit)) for kind in OF_EPOCHS if window_folders(exhibit)},
            "weights": [f"{MODELS}/{folder}/weights.safetensors" for folder in shown_by(exhibit)],
            "curves": tables_of("curve", shown_by(exhibit)),
        },
        "output": {"tables": TABLES[exhibit], "pages": PAGES[exhibit], "statements": STATEMENTS[exhibit]},
        "memory": memory.for_exhibit(OF_EXHIBIT["settings"], shown_by(exhibit).values()),
        "params": OF_EXHIBIT
        | {"runs": [{key: run[key] for key in run if key != "windows"} for run in shown_by(exhibit).values()]},
        "message": "Exhibit: {params.exhibit}",
    }
    # How sure: which setting of an exhibit, or of its networks, turns most verdicts. It is no part of `all`.
    JOBS[f"search_{exhibit}"] = {
        "by": "studies.gated.jobs.search_exhibit",
        "loaded": [module_of(exhibit, part) for part in ("measure", "question", "settings")],
        "environment": "networks",
        "input": {"claims": [file for file in CLAIMS if file == CLAIMS_OF[exhibit]]},
        "output": {
            "table": f"{RESULTS}/tables/sensitivity_{exhibit}.csv",
            "page": f"{RESULTS}/tables/sensitivity_{exhibit}.md",
        },
        "memory": 2 * memory.for_exhibit(OF_EXHIBIT["settings"], searched_with(exhibit)),
        "resources": {"runtime": lambda wildcards, attempt: 240 * attempt},
        "params": OF_EXHIBIT
        | {
            "runs": searched_with(exhibit),
            "reading": config["readings"][config["through_training"]["reading"]],
            "window": config["window"],
        },
        "message": "Search: {params.exhibit}",
    }
SENSITIVITIES += expand(f"{RESULTS}/tables/sensitivity_{{exhibit}}.{{kind}}", exhibit=QUESTIONS, kind=["csv", "md"])
OPTIONAL += SENSITIVITIES


TARGETS |= {exhibit: [*figure_files(exhibit), *PAGES[exhibit]] for exhibit in QUESTIONS}
TARGETS |= {
    "searches": SENSITIVITIES,
    "figures": list(FIGURES.values()),
    "tables": ANSWERED_FROM,
    "findings": [*FINDINGS.values(), *FIGURES.values()],  # the page shows them
}


JUDGED_BY = "studies.gated.judged"
JUDGED_FROM = {"statements": list(STATEMENTS.values())}
JUDGED_READINGS = [""]
SCORED = {"groups": {"main": {"notes": "notes"}}}


include: "../claims.smk"


JUDGED["claims"] = []  # the notes have no scale


include: "../pages.smk"


FINAL = [
    *(*FIGURES.values(), *rules.explain_questions.output, *SCORECARDS),
    *(*rules.make_pages.output, *rules.make_index.output),
]


include: "../manifest.smk"
include: "../verify.smk"
