# Whether files are still as the manifest of their folder says. The study that includes this file defines VERIFIED, these
# folders.


localrules:
    verify,


# Makes nothing, not even a benchmark, which Snakemake would take for its output: it looks whenever it is asked.
rule verify:
    log:
        f"{LOGS}/verify.log",
    conda:
        "../../envs/statistics.yaml"
    threads: 1
    resources:
        mem_mb=asks(memory.PAGES),
    params:
        folders=VERIFIED,
        library=library("verify.py"),
    message:
        "Verify: {params.folders}"
    script:
        "../scripts/verify.py"
