# Gated models and reservoirs: the lecture's sections as exhibits, each with a rule that makes it and one that shows it.


TITLE = "Gated models and reservoirs: what the lecture says, computed"
ABOUT = "Each section of the lecture notes as an exhibit, and the cells of all studies held against each other"


include: "declared.smk"
include: "../experiments.smk"
include: "../questions.smk"


rule fit_reservoir:
    output:
        **{
            kind: f"{RESULTS}/models/{RUN}/{file}"
            for kind, file in (
                ("weights", "weights.safetensors"),
                ("snapshots", "snapshots.safetensors"),
                ("curve", "learning_curve.csv"),
                ("provenance", "provenance.json"),
            )
        },
    log:
        f"{LOGS}/fit_reservoir/{RUN}.log",
    benchmark:
        f"{LOGS}/fit_reservoir/{RUN}.benchmark.tsv"
    wildcard_constraints:
        architecture="|".join(map(re.escape, GATED["reservoirs"]["networks"])),
    conda:
        "../../../envs/networks.yaml"
    threads: 1
    resources:
        mem_mb=asks(lambda wildcards: memory.for_reservoir(run_of(wildcards))),
    params:
        run=run_of,
        root_seed=config["root_seed"],
        library=library("fit_reservoir.py"),
    message:
        "Fit: {wildcards.architecture} on {wildcards.experiment}, seed {wildcards.seed}"
    script:
        "../../scripts/fit_reservoir.py"


for exhibit in QUESTIONS:

    rule:
        name:
            f"make_{exhibit}"
        input:
            **{kind: tables_of(kind, windowed(exhibit)) for kind in OF_EPOCHS if windowed(exhibit)},
            weights=[f"{MODELS}/{folder}/weights.safetensors" for folder in shown_by(exhibit)],
            curves=tables_of("curve", shown_by(exhibit)),
        output:
            tables=TABLES[exhibit],
            pages=PAGES[exhibit],
            statements=STATEMENTS[exhibit],
        log:
            f"{LOGS}/make_{exhibit}.log",
        benchmark:
            f"{LOGS}/make_{exhibit}.benchmark.tsv"
        conda:
            "../../../envs/networks.yaml"
        threads: 1
        resources:
            mem_mb=asks(memory.for_exhibit(settings_of(exhibit, GATED["exhibits"]), shown_by(exhibit).values())),
        params:
            exhibit=exhibit,
            settings=settings_of(exhibit, GATED["exhibits"]),
            runs=[{key: value for key, value in run.items() if key != "windows"} for run in shown_by(exhibit).values()],
            seeds=config["seeds"],
            root_seed=config["root_seed"],
            library=library("make_exhibit.py", module_of(exhibit, "measure")),
        message:
            "Exhibit: {params.exhibit}"
        script:
            "../../scripts/make_exhibit.py"


# How sure: which setting of an exhibit, or of its networks, turns most verdicts. It is no part of `all`.
for exhibit in QUESTIONS:

    rule:
        name:
            f"search_{exhibit}"
        input:
            claims=[file for file in CLAIMS if file == CLAIMS_OF[exhibit]],
        output:
            table=f"{RESULTS}/tables/sensitivity_{exhibit}.csv",
            page=f"{RESULTS}/tables/sensitivity_{exhibit}.md",
        log:
            f"{LOGS}/search_{exhibit}.log",
        benchmark:
            f"{LOGS}/search_{exhibit}.benchmark.tsv"
        conda:
            "../../../envs/networks.yaml"
        threads: 1
        resources:
            mem_mb=asks(2 * memory.for_exhibit(settings_of(exhibit, GATED["exhibits"]), searched_with(exhibit))),
            runtime=lambda wildcards, attempt: 240 * attempt,
        params:
            exhibit=exhibit,
            settings=settings_of(exhibit, GATED["exhibits"]),
            runs=searched_with(exhibit),
            reading=config["readings"][config["through_training"]["reading"]],
            window=config["window"],
            seeds=config["seeds"],
            root_seed=config["root_seed"],
            library=library(
                "search_exhibit.py", *(module_of(exhibit, part) for part in ("measure", "question", "settings"))
            ),
        message:
            "Search: {params.exhibit}"
        script:
            "../../scripts/search_exhibit.py"


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
