# Planted truth: does the pipeline recover needs, windows and their growth, within its own intervals, where they are known?


rule check_planted:
    output:
        coverage=f"{RESULTS}/planted/coverage.csv",
        examples=f"{RESULTS}/planted/examples.csv",
        page=f"{RESULTS}/planted/coverage.md",
    log:
        f"{LOGS}/check_planted.log",
    benchmark:
        f"{LOGS}/check_planted.benchmark.tsv"
    conda:
        "../../envs/statistics.yaml"
    threads: 1
    params:
        replicates=config["planted"]["replicates"],
        sequences=[200, 800],
        draws=200,
        study=config["study"],
        library=library("check_planted.py"),
    message:
        "Planted truth"
    script:
        "../scripts/check_planted.py"


rule draw_planted:
    input:
        coverage=[rules.check_planted.output.coverage],
        examples=[rules.check_planted.output.examples],
    output:
        pdf=[f"{RESULTS}/planted/planted.pdf"],
        png=[
            report(
                f"{RESULTS}/planted/planted.png",
                caption="../report/planted.rst",
                category="Estimators",
                labels={"of": "planted", "shows": "figure", "reading": "any"},
            )
        ],
    log:
        f"{LOGS}/draw_figure/planted.log",
    benchmark:
        f"{LOGS}/draw_figure/planted.benchmark.tsv"
    conda:
        "../../envs/figures.yaml"
    threads: 1
    params:
        module="planted",
        architectures=[[]],
        style=config["figures"],
        library=library("draw_figure.py", "studies.learnability_window.figures.planted"),
    message:
        "Figure: planted"
    script:
        "../scripts/draw_figure.py"
