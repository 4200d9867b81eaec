# Table 1: envelope fits under plain SGD.


rule make_table:
    input:
        fits=lambda wildcards: run_tables("fits", runs_of("sgd", SETS["main"].values())),
    output:
        csv=f"{RESULTS}/{{reading}}/tables/table_1.csv",
        md=report(
            f"{RESULTS}/{{reading}}/tables/table_1.md",
            caption="../report/table_1.rst",
            category="Tables",
            labels={"table": "Table 1", "reading": "{reading}"},
        ),
        tex=f"{RESULTS}/{{reading}}/tables/table_1.tex",
    log:
        f"{LOGS}/make_table/{{reading}}/table_1.log",
    benchmark:
        f"{LOGS}/make_table/{{reading}}/table_1.benchmark.tsv"
    conda:
        "../../envs/learnability.yaml"
    threads: 1
    params:
        labels=config["figures"]["labels"],
        library=library("make_table.py"),
    message:
        "Table 1, {wildcards.reading}"
    script:
        "../scripts/make_table.py"


rule table_1:
    input:
        expand(
            f"{RESULTS}/{{reading}}/tables/table_1.{{format}}",
            reading=READINGS,
            format=["csv", "md", "tex"],
        )
        if has_runs("sgd", SETS["main"].values())
        else [],


rule tables:
    input:
        rules.table_1.input,
