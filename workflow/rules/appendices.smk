# Appendices A to I of the paper, computed: what is about laws and random networks once, what is about runs for each reading.

THEORY = f"{RESULTS}/theory/appendix"
OF_READING = f"{RESULTS}/{{reading}}/theory/appendix"

# Appendix: the module of studies.learnability_window.theory that computes it, its tables, and those of them that are a page.
COMPUTED = {
    "a": ("expansion", ["orders", "lags"], []),
    "b": ("jacobians", ["jacobians"], ["jacobians"]),
    "c": ("concentration", ["widths"], []),
    "d": ("divergence", ["divergence", "information"], []),
    "e": ("information", ["information", "by_error", "by_signal"], []),
    "f": ("lemmas", ["random"], []),
    "g": ("inversion", ["windows"], []),
}
DRAWN = ["a", "c", "d", "e", "g"]

# Appendix: the module that makes its table, from what tables of which runs, and the architectures that its figure shows.
IN_ADAMW = config["runs"].get("adamw", [])
ADAMW_RUNS = runs_of("adamw")
DIAG_GATE = [name for name in [SETS["main"]["diag_gate"]] if any(name in runs for runs in config["runs"].values())]
MEASURED = {
    "f": ("lemmas", ["need"], ADAMW_RUNS, IN_ADAMW),
    "h": ("residuals", ["need"], ADAMW_RUNS, IN_ADAMW),
    "i": ("optimizers", ["envelope", "spectrum"], ALL_RUNS if DIAG_GATE else [], DIAG_GATE),
}


for letter, (module, tables, pages) in COMPUTED.items():

    rule:
        name:
            f"compute_appendix_{letter}"
        output:
            **{table: f"{THEORY}_{letter}.{table}.csv" for table in tables},
            **{"page": f"{THEORY}_{letter}.md" for _ in pages},
        log:
            f"{LOGS}/compute_appendix/{letter}.log",
        benchmark:
            f"{LOGS}/compute_appendix/{letter}.benchmark.tsv"
        conda:
            "../../envs/networks.yaml"
        threads: 1
        params:
            module=module,
            pages=pages,
            study=config["study"],
            library=library("compute_appendix.py", f"studies.learnability_window.theory.{module}"),
        message:
            f"Appendix {letter.upper()}: compute"
        script:
            "../scripts/compute_appendix.py"


for letter in DRAWN:

    rule:
        name:
            f"draw_appendix_{letter}"
        input:
            **{table: [f"{THEORY}_{letter}.{table}.csv"] for table in COMPUTED[letter][1]},
        output:
            pdf=[f"{THEORY}_{letter}.pdf"],
            png=[
                report(
                    f"{THEORY}_{letter}.png",
                    caption=f"../report/appendix_{letter}.rst",
                    category="Appendices",
                    labels={"of": f"appendix {letter}", "shows": "figure", "reading": "any"},
                )
            ],
        log:
            f"{LOGS}/draw_appendix/{letter}.log",
        benchmark:
            f"{LOGS}/draw_appendix/{letter}.benchmark.tsv"
        conda:
            "../../envs/figures.yaml"
        threads: 1
        params:
            module=f"appendix_{letter}",
            architectures=[[]],
            style=config["figures"],
            library=library("draw_figure.py", f"studies.learnability_window.figures.appendix_{letter}"),
        message:
            f"Appendix {letter.upper()}: figure"
        script:
            "../scripts/draw_figure.py"


rule check_monotonicity:
    input:
        weights=[f"{MODELS}/{run}/weights.safetensors" for run in ADAMW_RUNS],
        snapshots=[f"{MODELS}/{run}/snapshots.safetensors" for run in ADAMW_RUNS],
    output:
        table=f"{THEORY}_f.monotonicity.csv",
    log:
        f"{LOGS}/check_monotonicity.log",
    benchmark:
        f"{LOGS}/check_monotonicity.benchmark.tsv"
    conda:
        "../../envs/networks.yaml"
    threads: 1
    params:
        runs=[
            {
                "architecture": network["architecture"],
                "seed": network["seed"],
                "architecture_settings": config["architectures"][network["architecture"]],
            }
            for network in NETWORKS
            if network["optimizer"] == "adamw"
        ],
        network=config["network"],
        input_size=config["task"]["input_size"],
        study=config["study"],
        library=library("check_monotonicity.py"),
    message:
        "Appendix F: monotonicity of trained networks"
    script:
        "../scripts/check_monotonicity.py"


for letter, (module, kinds, runs, architectures) in MEASURED.items():

    rule:
        name:
            f"make_appendix_{letter}"
        input:
            unpack(
                lambda wildcards, kinds=kinds, runs=runs: {
                    kind: run_tables(kind, runs, wildcards.reading) for kind in kinds
                }
            ),
        output:
            csv=f"{OF_READING}_{letter}.csv",
            md=f"{OF_READING}_{letter}.md",
        log:
            f"{LOGS}/make_appendix/{{reading}}/{letter}.log",
        benchmark:
            f"{LOGS}/make_appendix/{{reading}}/{letter}.benchmark.tsv"
        conda:
            "../../envs/networks.yaml"
        threads: 1
        params:
            module=module,
            library=library("tabulate_appendix.py", f"studies.learnability_window.theory.{module}"),
        message:
            f"Appendix {letter.upper()}: table, {{wildcards.reading}}"
        script:
            "../scripts/tabulate_appendix.py"

    rule:
        name:
            f"draw_appendix_{letter}"
        input:
            unpack(
                lambda wildcards, kinds=kinds, runs=runs: {
                    kind: run_tables(kind, runs, wildcards.reading) for kind in kinds
                }
            ),
            **({kind: [f"{THEORY}_f.{kind}.csv"] for kind in ("monotonicity", "random")} if letter == "f" else {}),
        output:
            pdf=[f"{OF_READING}_{letter}.pdf"],
            png=[
                report(
                    f"{OF_READING}_{letter}.png",
                    caption=f"../report/appendix_{letter}.rst",
                    category="Appendices",
                    labels={"of": f"appendix {letter}", "shows": "figure", "reading": "{reading}"},
                )
            ],
        log:
            f"{LOGS}/draw_appendix/{{reading}}/{letter}.log",
        benchmark:
            f"{LOGS}/draw_appendix/{{reading}}/{letter}.benchmark.tsv"
        conda:
            "../../envs/figures.yaml"
        threads: 1
        params:
            module=f"appendix_{letter}",
            architectures=[architectures],
            style=config["figures"],
            library=library("draw_figure.py", f"studies.learnability_window.figures.appendix_{letter}"),
        message:
            f"Appendix {letter.upper()}: figure, {{wildcards.reading}}"
        script:
            "../scripts/draw_figure.py"


rule appendices:
    input:
        [f"{THEORY}_{letter}.{kind}" for letter in DRAWN for kind in ("pdf", "png")],
        [f"{THEORY}_{letter}.{table}.csv" for letter, (_, tables, _) in COMPUTED.items() for table in tables],
        f"{THEORY}_b.md",
        expand(
            f"{OF_READING}_{{letter}}.{{format}}",
            reading=READINGS,
            letter=[letter for letter, (_, _, runs, _) in MEASURED.items() if runs],
            format=["csv", "md", "pdf", "png"],
        ),
