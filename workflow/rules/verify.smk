# Whether files of the run, and those stored of the study, are still as the manifests of their folders say; and which files
# nothing needs any more.


include: "leftovers.smk"


# These make nothing, not even a benchmark, which Snakemake would take for their output: they look whenever asked.
rule verify:
    log:
        f"{LOGS}/verify.log",
    localrule: True
    conda:
        "../../envs/statistics.yaml"
    threads: 1
    resources:
        mem_mb=asks(memory.PAGES),
    params:
        folders=[placed(RESULTS), REFERENCE],
        optional=lambda wildcards: [placed(file) for file in OPTIONAL],
        leftovers=lambda wildcards: leftovers_of_run(),
        library=library("verify.py"),
    message:
        "Verify: {params.folders}"
    script:
        "../scripts/verify.py"


rule leftovers:
    log:
        f"{LOGS}/leftovers.log",
    localrule: True
    conda:
        "../../envs/statistics.yaml"
    threads: 1
    resources:
        mem_mb=asks(memory.PAGES),
    params:
        folder=placed(RESULTS),
        leftovers=lambda wildcards: leftovers_of_run(),
        removes=False,
        library=library("list_leftovers.py"),
    message:
        "Leftovers: {params.folder}"
    script:
        "../scripts/list_leftovers.py"


rule remove_leftovers:
    log:
        f"{LOGS}/remove_leftovers.log",
    localrule: True
    conda:
        "../../envs/statistics.yaml"
    threads: 1
    resources:
        mem_mb=asks(memory.PAGES),
    params:
        folder=placed(RESULTS),
        leftovers=lambda wildcards: leftovers_of_run(),
        removes=True,
        library=library("list_leftovers.py"),
    message:
        "Remove leftovers: {params.folder}"
    script:
        "../scripts/list_leftovers.py"
