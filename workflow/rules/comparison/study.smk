# Cells of the literature at equal parameters, each at a rate tuned for it, at several tasks. A race is a cell at a task.

TITLE = "Recurrent cells compared: who learns what, at equal parameters and tuned rates"
ABOUT = "Cells of the literature, each at a tuned rate, and what gradients said of them before"


include: "declared.smk"


wildcard_constraints:
    contest="|".join(COMPARISON["contests"]),


# The digest of a cell's race is of that cell alone: a further cell runs no race but its own.
rule hold_race:
    output:
        **{kind: f"{RACE}/{kind}.csv" for kind in OF_RACE},
    log:
        f"{LOGS}/hold_race/{{contest}}/{{architecture}}.log",
    benchmark:
        f"{LOGS}/hold_race/{{contest}}/{{architecture}}.benchmark.tsv"
    conda:
        "../../../envs/networks.yaml"
    threads: 1
    resources:
        mem_mb=asks(
            lambda wildcards: memory.for_race(
                architecture_settings(wildcards), task_of_race(wildcards), COMPARISON["race"]
            )
        ),
    params:
        architecture=architecture_settings,
        task=task_of_race,
        race=COMPARISON["race"],
        reading=config["readings"][COMPARISON["reading"]],
        window=config["window"],
        root_seed=config["root_seed"],
        library=library_of("hold_race.py"),
    message:
        "Race: {wildcards.architecture} at {wildcards.contest}"
    script:
        "../../scripts/hold_race.py"


rule tabulate_races:
    input:
        **{kind: races(kind) for kind in OF_RACE},
    output:
        **TABLES,
        pages=[f"{RESULTS}/tables/{name}.md" for name in TABLES],
        runs=list(RUNS.values()),
    log:
        f"{LOGS}/tabulate_races.log",
    benchmark:
        f"{LOGS}/tabulate_races.benchmark.tsv"
    conda:
        "../../../envs/figures.yaml"
    threads: 1
    resources:
        mem_mb=asks(memory.PAGES),
    params:
        families=FAMILIES,
        trained_on={name: task["training_sequences"] for name, task in RACED.items()},
        root_seed=config["root_seed"],
        library=library("tabulate_races.py"),
    message:
        "Tables of all races"
    script:
        "../../scripts/tabulate_races.py"


include: "../questions.smk"


TARGETS |= {QUESTIONS[question].figure: figure_files(question) for question in DRAWN}


include: "../pages.smk"


FINAL = [
    *(*rules.tabulate_races.output, *rules.explain_questions.output, *itertools.chain(*map(figure_files, DRAWN))),
    *(*rules.make_pages.output, *rules.make_index.output),
]


include: "../manifest.smk"
include: "../verify.smk"
