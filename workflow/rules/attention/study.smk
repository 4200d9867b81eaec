# Attention: what theory says of gradients that cross time by recurrence and by attention. Its experiments are to come.


TITLE = "Recurrence and attention: does the theory of gradients hold?"
ABOUT = "Statements of the paper's appendix, computed; its experiments are to come"


include: "declared.smk"


rule check_theory:
    output:
        **THEORY,
        pages=PAGES,
    log:
        f"{LOGS}/check_theory.log",
    benchmark:
        f"{LOGS}/check_theory.benchmark.tsv"
    conda:
        "../../../envs/networks.yaml"
    threads: 1
    params:
        root_seed=config["root_seed"],
        library=library("check_theory.py"),
    message:
        "Theory: statements of the appendix"
    script:
        "../../scripts/check_theory.py"


rule show_theory:
    input:
        **THEORY,
    output:
        **FIGURES,
        findings=FINDINGS["page"],
        records=FINDINGS["records"],
    log:
        f"{LOGS}/show_theory.log",
    benchmark:
        f"{LOGS}/show_theory.benchmark.tsv"
    conda:
        "../../../envs/figures.yaml"
    threads: 1
    params:
        style=config["figures"],
        library=library("show_theory.py"),
    message:
        "Figures of the theory, and findings"
    script:
        "../../scripts/show_theory.py"


for target, file in FIGURES.items():

    rule:
        name:
            target
        input:
            file,


rule figures:
    input:
        list(FIGURES.values()),


rule tables:
    input:
        rules.check_theory.output,


rule findings:
    input:
        list(FINDINGS.values()),
        rules.figures.input,  # the page shows them


include: "../pages.smk"


FINAL = [*rules.check_theory.output, *rules.show_theory.output, *rules.make_pages.output, *rules.make_index.output]
