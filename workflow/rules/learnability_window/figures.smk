# Figures 1 to 11 of the paper, controls, learning curves, responses and gate statistics.

# Figure: the tables it shows, the optimizer of its runs, and the module of studies.learnability_window.figures that draws it.
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
    "echo_control": (["window", "granted", "response"], "adamw", "echo_control"),
    "sensitivity": (["changes"], "adamw", "sensitivity"),
    "learning_curves": (["curve"], "adamw", "learning_curves"),
    "learning_curves_sgd": (["curve"], "sgd", "learning_curves"),
    "learning_curves_sgd_momentum": (["curve"], "sgd_momentum", "learning_curves"),
    "responses": (["response", "loss"], "adamw", "responses"),
    "responses_sgd": (["response", "loss"], "sgd", "responses"),
    "responses_sgd_momentum": (["response", "loss"], "sgd_momentum", "responses"),
    "gate_statistics": (["gates"], "adamw", "gate_statistics"),
    "gate_statistics_sgd": (["gates"], "sgd", "gate_statistics"),
    "gate_statistics_sgd_momentum": (["gates"], "sgd_momentum", "gate_statistics"),
}


DRAWN_FOR = {figure: members_shown(tables, optimizer) for figure, (tables, optimizer, _) in FIGURES.items()}


# One job draws a figure for all sets: most of a job is its start.
for figure, (tables, optimizer, module) in FIGURES.items():
    drawn_for = DRAWN_FOR[figure]
    members = dict.fromkeys(sum(drawn_for.values(), []))
    files = [f"{RESULTS}/{{reading}}/figures/{figure}{suffix}" for suffix in drawn_for]

    if drawn_for:

        rule:
            name:
                f"draw_{figure}"
            input:
                unpack(
                    lambda wildcards, tables=tables, optimizer=optimizer, members=members: {
                        table: run_tables(table, runs_shown(table, optimizer, members), wildcards.reading)
                        for table in tables
                    }
                ),
            output:
                pdf=[f"{file}.pdf" for file in files],
                png=[
                    report(
                        f"{file}.png",
                        caption=f"../report/{module}.rst",
                        category="Figures",
                        subcategory="{reading}",
                        labels={"figure": Path(file).name, "reading": "{reading}"},
                    )
                    for file in files
                ],
            log:
                f"{LOGS}/draw_figure/{{reading}}/{figure}.log",
            benchmark:
                f"{LOGS}/draw_figure/{{reading}}/{figure}.benchmark.tsv"
            conda:
                "../../envs/figures.yaml"
            threads: 1
            params:
                module=module,
                architectures=list(drawn_for.values()),
                style=config["figures"],
                library=library("draw_figure.py", f"studies.learnability_window.figures.{module}"),
            message:
                f"Figure: {figure}, {{wildcards.reading}}"
            script:
                "../scripts/draw_figure.py"

        rule:
            name:
                figure
            input:
                [expand(f"{file}.{{format}}", reading=READINGS, format=["pdf", "png"]) for file in files],


rule draw_overview:
    input:
        **{reading: run_tables("window", runs_of("adamw"), reading) for reading in READINGS},
    output:
        pdf=[f"{RESULTS}/overview.pdf"],
        png=[
            report(
                f"{RESULTS}/overview.png",
                caption="../report/overview.rst",
                category="Overview",
                labels={"figure": "overview"},
            )
        ],
    log:
        f"{LOGS}/draw_figure/overview.log",
    benchmark:
        f"{LOGS}/draw_figure/overview.benchmark.tsv"
    conda:
        "../../envs/figures.yaml"
    threads: 1
    params:
        module="overview",
        architectures=[config["runs"].get("adamw", [])],
        style=config["figures"],
        library=library("draw_figure.py", "studies.learnability_window.figures.overview"),
    message:
        "Figure: overview"
    script:
        "../scripts/draw_figure.py"


rule figures:
    input:
        [getattr(rules, figure).input for figure, drawn_for in DRAWN_FOR.items() if drawn_for],
        rules.draw_planted.output,
        rules.draw_overview.output if runs_of("adamw") else [],
