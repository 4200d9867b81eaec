# Figures 1 to 11 of the paper, learning curves and gate statistics.

SUFFIXED = {SUFFIX[name]: members for name, members in SETS.items()}

# Figure: the tables it shows, the optimizer of its runs, and the module of learnability.figures that draws it.
FIGURES = {
    "figure_01": (["envelope", "fits"], "adamw", "figure_01"),
    "figure_02": (["window"], "adamw", "figure_02"),
    "figure_03": (["need"], "adamw", "figure_03"),
    "figure_04": (["spectrum"], "adamw", "figure_04"),
    "figure_05": (["noise", "references"], "adamw", "figure_05"),
    "figure_06": (["noise"], "adamw", "figure_06"),
    "figure_07": (["need"], "adamw", "figure_07"),
    "figure_08": (["envelope", "fits"], "sgd", "figure_08"),
    "figure_09": (["spectrum"], "sgd", "figure_09"),
    "figure_10": (["envelope", "fits"], "sgd_momentum", "figure_10"),
    "figure_11": (["spectrum"], "sgd_momentum", "figure_11"),
    "transport": (["transport", "windows"], "adamw", "transport"),
    "need_pieces": (["need"], "adamw", "need_pieces"),
    "threshold": (["need"], "adamw", "threshold"),
    "off_task": (["needs"], "adamw", "off_task"),
    "null_control": (["null", "shifted"], "adamw", "null_control"),
    "sensitivity": (["changes"], "adamw", "sensitivity"),
    "learning_curves": (["curve"], "adamw", "learning_curves"),
    "learning_curves_sgd": (["curve"], "sgd", "learning_curves"),
    "learning_curves_sgd_momentum": (["curve"], "sgd_momentum", "learning_curves"),
    "gate_statistics": (["gates"], "adamw", "gate_statistics"),
    "gate_statistics_sgd": (["gates"], "sgd", "gate_statistics"),
    "gate_statistics_sgd_momentum": (["gates"], "sgd_momentum", "gate_statistics"),
}


for figure, (tables, optimizer, module) in FIGURES.items():
    files = f"{RESULTS}/{{reading}}/figures/{figure}{{suffix}}"

    rule:
        name:
            f"draw_{figure}"
        input:
            unpack(
                lambda wildcards, tables=tables, optimizer=optimizer: {
                    table: run_tables(
                        table,
                        runs_shown(table, optimizer, SUFFIXED[wildcards.suffix].values()),
                        wildcards.reading,
                    )
                    for table in tables
                }
            ),
        output:
            pdf=f"{files}.pdf",
            png=report(
                f"{files}.png",
                caption=f"../report/{module}.rst",
                category="Figures",
                subcategory="{reading}",
                labels={"figure": f"{figure}{{suffix}}", "reading": "{reading}"},
            ),
        log:
            f"{LOGS}/draw_figure/{{reading}}/{figure}{{suffix}}.log",
        benchmark:
            f"{LOGS}/draw_figure/{{reading}}/{figure}{{suffix}}.benchmark.tsv"
        wildcard_constraints:
            suffix=f"(?:{'|'.join(SUFFIXED)})",
        conda:
            "../../envs/figures.yaml"
        threads: 1
        params:
            module=module,
            style=lambda wildcards: {
                **config["figures"],
                "architectures": list(dict.fromkeys(SUFFIXED[wildcards.suffix].values())),
            },
            library=library("draw_figure.py", f"learnability.figures.{module}"),
        message:
            f"Figure: {figure}{{wildcards.suffix}}, {{wildcards.reading}}"
        script:
            "../scripts/draw_figure.py"

    rule:
        name:
            figure
        input:
            expand(
                f"{files}.{{format}}",
                reading=READINGS,
                suffix=[suffix for suffix, members in SUFFIXED.items() if has_runs(optimizer, members.values())],
                format=["pdf", "png"],
            ),


rule draw_overview:
    input:
        **{
            reading: run_tables(
                "window",
                runs_of("adamw") if "adamw" in config["runs"] else [],
                reading,
            )
            for reading in READINGS
        },
    output:
        pdf=f"{RESULTS}/overview.pdf",
        png=report(
            f"{RESULTS}/overview.png",
            caption="../report/overview.rst",
            category="Overview",
            labels={"figure": "overview"},
        ),
    log:
        f"{LOGS}/draw_figure/overview.log",
    benchmark:
        f"{LOGS}/draw_figure/overview.benchmark.tsv"
    conda:
        "../../envs/figures.yaml"
    threads: 1
    params:
        module="overview",
        style={**config["figures"], "architectures": config["runs"].get("adamw", [])},
        library=library("draw_figure.py", "learnability.figures.overview"),
    message:
        "Figure: overview"
    script:
        "../scripts/draw_figure.py"


rule figures:
    input:
        [getattr(rules, figure).input for figure in FIGURES],
        rules.draw_planted.output,
        rules.draw_overview.output if "adamw" in config["runs"] else [],
