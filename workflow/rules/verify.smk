# Verification of the run's files, and of the study's stored ones, by the manifests of their folders; and a count of files
# that nothing needs any more.


include: "leftovers.smk"


# These make nothing, not even a benchmark, which Snakemake would take for their output: they look whenever asked.
rule verify:
    log:
        f"{LOGS}/verify.log",
    localrule: True
    conda:
        "../../envs/statistics.yaml"
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


for name, removes in {"leftovers": False, "remove_leftovers": True}.items():

    rule:
        name:
            name
        log:
            f"{LOGS}/{name}.log",
        localrule: True
        conda:
            "../../envs/statistics.yaml"
        resources:
            mem_mb=asks(memory.PAGES),
        params:
            folder=placed(RESULTS),
            leftovers=lambda wildcards: leftovers_of_run(),
            removes=removes,
            library=library("list_leftovers.py"),
        message:
            f"{name.replace('_', ' ').capitalize()}: {{params.folder}}"
        script:
            "../scripts/list_leftovers.py"
