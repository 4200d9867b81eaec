# Ground truth: networks are trained from N sequences, and what they learn is held against what gradients said before.


TITLE = "Ground truth: from how many sequences a lag is learned"
ABOUT = "Networks are trained from N sequences, and what they learn is held against what gradients said before"


include: "declared.smk"


wildcard_constraints:
    grid="|".join(GRIDS),
    lags=r"\d+(_\d+)*",


# One job for every N: trials are many, and short.
rule try_to_learn:
    output:
        trials=TRIALS,
        path=f"{SETTING}/seed{{seed}}.path.safetensors",
    log:
        f"{LOGS}/try_to_learn/{OF_SETTING}/seed{{seed}}.log",
    benchmark:
        f"{LOGS}/try_to_learn/{OF_SETTING}/seed{{seed}}.benchmark.tsv"
    conda:
        "../../../envs/networks.yaml"
    threads: 1
    resources:
        mem_mb=asks(
            lambda wildcards: memory.for_trials(
                prepared(wildcards), sample_sizes_of(wildcards), GROUND_TRUTH["batch_size"]
            )
        ),
    params:
        **{key: config["measurement"][key] for key in ("engine", "precision")},
        prepared=prepared,
        budget=BUDGET,
        sample_sizes=sample_sizes_of,
        library=library_of("try_to_learn.py"),
    message:
        "Trials: {wildcards.grid}, {wildcards.architecture}, lag {wildcards.lags}, seed {wildcards.seed}"
    script:
        "../../scripts/try_to_learn.py"


rule measure_candidates:
    input:
        paths=lambda wildcards: expand(
            f"{SETTING}/seed{{seed}}.path.safetensors", seed=seeds_of(wildcards.grid), **wildcards
        ),
    output:
        candidates=CANDIDATES,
    log:
        f"{LOGS}/measure_candidates/{OF_SETTING}.log",
    benchmark:
        f"{LOGS}/measure_candidates/{OF_SETTING}.benchmark.tsv"
    conda:
        "../../../envs/networks.yaml"
    threads: 1
    resources:
        mem_mb=asks(lambda wildcards: memory.for_candidates(prepared(wildcards))),
    params:
        **{key: config["measurement"][key] for key in ("engine", "precision")},
        prepared=prepared,
        own_gradient=OWN_GRADIENT,
        readings=CANDIDATE_READINGS,
        window=config["window"],
        seeds=lambda wildcards: seeds_of(wildcards.grid),
        batch_size=GROUND_TRUTH["batch_size"],
        library=library_of("measure_candidates.py"),
    message:
        "Gradients: {wildcards.grid}, {wildcards.architecture}, lag {wildcards.lags}"
    script:
        "../../scripts/measure_candidates.py"


rule hold_contest:
    input:
        trials=[file for grid in GRIDS for file in settings_of(grid, TRIALS)],
        candidates=[file for grid in GRIDS for file in settings_of(grid, CANDIDATES)],
    output:
        **TABLES,
        pages=[f"{RESULTS}/tables/{name}.md" for name in TABLES],
        trials=ALL_TRIALS,
        candidates=ALL_CANDIDATES,
    log:
        f"{LOGS}/hold_contest.log",
    benchmark:
        f"{LOGS}/hold_contest.benchmark.tsv"
    conda:
        "../../../envs/figures.yaml"
    threads: 1
    resources:
        mem_mb=asks(memory.PAGES),
    params:
        contest=GROUND_TRUTH["contest"],
        durations=DURATIONS,
        root_seed=config["root_seed"],
        library=library("hold_contest.py"),
    message:
        "Contest: {params.contest}"
    script:
        "../../scripts/hold_contest.py"


include: "../questions.smk"


TARGETS |= {QUESTIONS[question].figure: figure_files(question) for question in DRAWN}


include: "search.smk"
include: "../pages.smk"


FINAL = [
    *(*rules.hold_contest.output, *rules.explain_questions.output, *itertools.chain(*map(figure_files, DRAWN))),
    *(*rules.make_pages.output, *rules.make_index.output),
]


include: "../manifest.smk"
include: "../verify.smk"
