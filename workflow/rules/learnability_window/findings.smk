# Findings: the questions of the study, each with an answer from its tables.

FINDINGS = {"page": f"{RESULTS}/findings.md", "records": f"{RESULTS}/findings.json"}
ASKED = {
    f"{made['file']}.csv".format(reading=reading): [reading, made["name"]]
    for group in TABLES
    for reading in readings_of(group)
    for made in tables_made(group)
}


rule answer_questions:
    input:
        list(ASKED),
        searched=STORED_SEARCH,
    output:
        records=FINDINGS["records"],
    log:
        f"{LOGS}/answer_questions.log",
    benchmark:
        f"{LOGS}/answer_questions.benchmark.tsv"
    conda:
        "../../../envs/figures.yaml"
    threads: 1
    resources:
        mem_mb=asks(memory.PAGES),
    params:
        tables=ASKED,
        groups=GROUPS,
        labels=config["figures"]["labels"],
        library=library("answer_questions.py"),
    message:
        "Findings: {output.records}"
    script:
        "../../scripts/answer_questions.py"


rule findings:
    input:
        list(FINDINGS.values()),
        rules.figures.input,  # the page shows some of them
