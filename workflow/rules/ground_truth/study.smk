# Ground truth: networks are trained from N sequences, and what they learn is held against what gradients said before.


include: "declared.smk"


wildcard_constraints:
    grid="|".join(GRIDS),
    lags=r"\d+(_\d+)*",


# One job for every N and seed: they are many, and short.
rule try_to_learn:
    output:
        trials=f"{TRIED}.csv",
        candidates=f"{TRIED}.candidates.csv",
    log:
        f"{LOGS}/try_to_learn/{{grid}}/{{architecture}}/lag{{lags}}.log",
    benchmark:
        f"{LOGS}/try_to_learn/{{grid}}/{{architecture}}/lag{{lags}}.benchmark.tsv"
    conda:
        "../../../envs/networks.yaml"
    threads: 1
    params:
        **{key: config["training"][key] for key in ("gradient_clip", "engine")},
        **{key: GROUND_TRUTH[key] for key in ("updates", "batch_size", "sequences")},
        architecture=architecture_settings,
        optimizer=config["optimizers"][GROUND_TRUTH["optimizer"]],
        measured_by={key: config["measurement"][key] for key in ("engine", "precision")},
        task=task_of,
        size=size_of,
        readout_bias=config["network"]["readout_bias"],
        sample_sizes=sample_sizes_of,
        own_gradient=OWN_GRADIENT,
        readings=CANDIDATE_READINGS,
        window=config["window"],
        seeds=config["seeds"],
        root_seed=config["root_seed"],
        library=library("try_to_learn.py"),
    message:
        "Trials: {wildcards.grid}, {wildcards.architecture}, lag {wildcards.lags}"
    script:
        "../../scripts/try_to_learn.py"


rule hold_contest:
    input:
        trials=[file for grid in GRIDS for file in jobs_of(grid, rules.try_to_learn.output.trials)],
        candidates=[file for grid in GRIDS for file in jobs_of(grid, rules.try_to_learn.output.candidates)],
    output:
        **{name: f"{RESULTS}/tables/{name}.csv" for name in ("half_learned", "contest")},
        pages=[f"{RESULTS}/tables/{name}.md" for name in ("half_learned", "contest")],
        figure=f"{RESULTS}/figures/contest.png",
        phases=expand(f"{RESULTS}/figures/phases_{{grid}}.png", grid=GRIDS),
    log:
        f"{LOGS}/hold_contest.log",
    benchmark:
        f"{LOGS}/hold_contest.benchmark.tsv"
    conda:
        "../../../envs/figures.yaml"
    threads: 1
    params:
        grids={grid: architectures_of(grid) for grid in GRIDS},
        contest=GROUND_TRUTH["contest"],
        style=config["figures"],
        root_seed=config["root_seed"],
        library=library("hold_contest.py"),
    message:
        "Contest: {params.contest}"
    script:
        "../../scripts/hold_contest.py"


FINAL = list(rules.hold_contest.output)
