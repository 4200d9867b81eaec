# Attention: what theory says of gradients that cross time by recurrence and by attention, what they are and cost before
# training, and what trained networks answer. Networks are those of `attention.experiments`, see ../train.smk.


TITLE = "Recurrence and attention: does the theory of gradients hold?"
ABOUT = "Statements of the paper's appendix, computed; gradients and what they cost; what trained networks answer"


include: "declared.smk"
include: "games.smk"
include: "../experiments.smk"
include: "../questions.smk"


rule check_theory:
    output:
        **THEORY,
        pages=[PAGES[name] for name in OF_THEORY],
    log:
        f"{LOGS}/check_theory.log",
    benchmark:
        f"{LOGS}/check_theory.benchmark.tsv"
    conda:
        "../../../envs/networks.yaml"
    threads: 1
    resources:
        mem_mb=asks(memory.PAGES),
    params:
        root_seed=config["root_seed"],
        library=library("check_theory.py"),
    message:
        "Theory: statements of the appendix"
    script:
        "../../scripts/check_theory.py"


BACKWARD = {kind: f"{MEASURED}/{{architecture}}/{kind}.csv" for kind in ("norms", "costs", "sizes")}


rule measure_backward:
    output:
        **BACKWARD,
    log:
        f"{LOGS}/measure_backward/{{architecture}}.log",
    benchmark:
        f"{LOGS}/measure_backward/{{architecture}}.benchmark.tsv"
    conda:
        "../../../envs/networks.yaml"
    threads: 1
    resources:
        mem_mb=asks(
            lambda wildcards: memory.for_backward(architecture_settings(wildcards), config["network"], ATTENTION)
        ),
    params:
        architecture=architecture_settings,
        units=config["network"]["hidden_size"],
        norms=ATTENTION["norms"],
        costs=ATTENTION["costs"],
        screening=ATTENTION["screening"],
        seeds=config["seeds"],
        root_seed=config["root_seed"],
        library=library_of("measure_backward.py"),
    message:
        "Gradients before training: {wildcards.architecture}"
    script:
        "../../scripts/measure_backward.py"


rule measure_trained:
    input:
        weights=f"{MODELS}/{RUN}/weights.safetensors",
    output:
        **measured(OF_TRAINED),
    log:
        f"{LOGS}/measure_trained/{RUN}.log",
    benchmark:
        f"{LOGS}/measure_trained/{RUN}.benchmark.tsv"
    conda:
        "../../../envs/networks.yaml"
    threads: 1
    resources:
        mem_mb=asks(
            lambda wildcards: memory.for_answers(
                run_of(wildcards),
                transfer_of(run_of(wildcards)),
                experiment_of(wildcards.experiment).get("test_sequences", 0),
            )
        ),
    params:
        run=run_of,
        transfer=lambda wildcards: transfer_of(run_of(wildcards)),
        sequences=lambda wildcards: experiment_of(wildcards.experiment)["test_sequences"],
        norm_sequences=ATTENTION["norms"]["sequences"],
        screening=ATTENTION["screening"],
        root_seed=config["root_seed"],
        library=library_of("measure_trained.py"),
    message:
        "Answers: {wildcards.architecture} on {wildcards.experiment}, seed {wildcards.seed}"
    script:
        "../../scripts/measure_trained.py"


rule list_hyperparameters:
    output:
        **HYPERPARAMETERS,
    log:
        f"{LOGS}/list_hyperparameters.log",
    benchmark:
        f"{LOGS}/list_hyperparameters.benchmark.tsv"
    conda:
        "../../../envs/networks.yaml"
    threads: 1
    resources:
        mem_mb=asks(memory.PAGES),
    params:
        runs=NETWORKS,
        library=library("list_hyperparameters.py"),
    message:
        "Hyperparameters"
    script:
        "../../scripts/list_hyperparameters.py"


rule show_attention:
    input:
        **{name: TABLES[name] for name in OF_THEORY},
        **{kind: expand(file, architecture=ATTENTION["architectures"]) for kind, file in BACKWARD.items()},
        **{kind: tables_of(kind, ANSWERING) for kind in [*OF_TRAINED, "curve"]},
        **({kind: tables_of(kind, WINDOWED) for kind in OF_EPOCHS} if WINDOWED else {}),
        **({"rated": tables_of("curve", of_each(RATED, RUN))} if RATED else {}),
        **OF_AGENTS,
    output:
        **MEASURED_TABLES,
        pages=[PAGES[name] for name in MEASURED_TABLES],
        figures=list(FIGURES.values()),
    log:
        f"{LOGS}/show_attention.log",
    benchmark:
        f"{LOGS}/show_attention.benchmark.tsv"
    conda:
        "../../../envs/figures.yaml"
    threads: 1
    resources:
        mem_mb=asks(memory.PAGES),
    params:
        tabulated=TABULATED_BY,
        settings={
            "trainings": {run["experiment"]: training_of(run) for run in NETWORKS if "delay" in run["task"]},
            "rated": RATED,
        },
        figures=DRAWN_BY,
        architectures=list(config["architectures"]),
        style=config["figures"],
        library=library("show_attention.py", *TABULATED_BY, *DRAWN_BY.values()),
    message:
        "Figures and tables"
    script:
        "../../scripts/show_attention.py"


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
