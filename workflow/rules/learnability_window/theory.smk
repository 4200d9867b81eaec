# What needs no networks, or only their weights: estimators on known laws, a simulation with known truth, the appendices.


rule check_estimators:
    output:
        recovery=OF_LAWS["recovery"],
        references=OF_LAWS["references"],
        recovery_page=f"{THEORY}/recovery.md",
        references_page=f"{THEORY}/references.md",
    log:
        f"{LOGS}/check_estimators.log",
    benchmark:
        f"{LOGS}/check_estimators.benchmark.tsv"
    conda:
        "../../../envs/statistics.yaml"
    threads: 1
    resources:
        mem_mb=asks(memory.PAGES),
    params:
        draws=config["task"]["diagnostic_sequences"],
        repetitions=100,
        reference_draws=20_000,
        test_repetitions=39,
        root_seed=config["root_seed"],
        library=library("check_estimators.py"),
    message:
        "Estimators: known laws"
    script:
        "../../scripts/check_estimators.py"


rule check_simulation:
    output:
        coverage=OF_LAWS["coverage"],
        examples=OF_LAWS["examples"],
        page=f"{THEORY}/simulation_coverage.md",
    log:
        f"{LOGS}/check_simulation.log",
    benchmark:
        f"{LOGS}/check_simulation.benchmark.tsv"
    conda:
        "../../../envs/statistics.yaml"
    threads: 1
    resources:
        mem_mb=asks(memory.PAGES),
    params:
        replicates=config["simulation"]["replicates"],
        sequences=[200, 800],
        draws=200,
        root_seed=config["root_seed"],
        library=library("check_simulation.py"),
    message:
        "Simulation with known truth"
    script:
        "../../scripts/check_simulation.py"


rule compute_appendices:
    output:
        **{kind: file for kind, file in OF_LAWS.items() if kind.startswith("appendix_")},
        page=f"{THEORY}/appendix_b.md",
    log:
        f"{LOGS}/compute_appendices.log",
    benchmark:
        f"{LOGS}/compute_appendices.benchmark.tsv"
    conda:
        "../../../envs/networks.yaml"
    threads: 1
    resources:
        mem_mb=asks(memory.PAGES),
    params:
        modules={letter: module for letter, (module, _) in APPENDICES.items()},
        page="appendix_b_jacobians",
        root_seed=config["root_seed"],
        library=library(
            "compute_appendices.py",
            *(f"studies.learnability_window.theory.{module}" for module, _ in APPENDICES.values()),
        ),
    message:
        "Appendices: laws and random networks"
    script:
        "../../scripts/compute_appendices.py"


rule check_monotonicity:
    input:
        weights=[f"{MODELS}/{run}/weights.safetensors" for run in runs_of("adamw")],
        snapshots=[f"{MODELS}/{run}/snapshots.safetensors" for run in runs_of("adamw")],
    output:
        table=OF_LAWS["monotonicity"],
    log:
        f"{LOGS}/check_monotonicity.log",
    benchmark:
        f"{LOGS}/check_monotonicity.benchmark.tsv"
    conda:
        "../../../envs/networks.yaml"
    threads: 1
    resources:
        mem_mb=asks(memory.PAGES),
    params:
        runs=[
            {
                "architecture": network["architecture"],
                "optimizer": network["optimizer"],
                "seed": network["seed"],
                "architecture_settings": config["architectures"][network["architecture"]],
            }
            for network in NETWORKS
            if network["optimizer"] == "adamw"
        ],
        network=config["network"],
        input_size=config["task"]["input_size"],
        root_seed=config["root_seed"],
        library=library("check_monotonicity.py"),
    message:
        "Appendix F: monotonicity of trained networks"
    script:
        "../../scripts/check_monotonicity.py"
