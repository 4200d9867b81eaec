# What was made, by what, from what settings; and whether it is still so.


# Digests and what may differ between equal runs go apart: two equal runs write equal manifests.
rule manifest:
    input:
        rules.scorecard.input,
        rules.appendices.input,
        rules.index.input,
    output:
        manifest=f"{RESULTS}/manifest.csv",
        provenance=f"{RESULTS}/manifest.provenance.csv",
    log:
        f"{LOGS}/manifest.log",
    benchmark:
        f"{LOGS}/manifest.benchmark.tsv"
    conda:
        "../../envs/statistics.yaml"
    threads: 1
    params:
        jobs=lambda wildcards: jobs_behind("manifest"),
        library=library("write_manifest.py"),
    message:
        "Manifest"
    script:
        "../scripts/write_manifest.py"


# Makes nothing, not even a benchmark, which Snakemake would take for its output: it looks whenever it is asked.
rule verify:
    log:
        f"{LOGS}/verify.log",
    conda:
        "../../envs/statistics.yaml"
    threads: 1
    params:
        folders=[RESULTS, REFERENCE],
        library=library("verify.py"),
    message:
        "Verify: {params.folders}"
    script:
        "../scripts/verify.py"


# The tables stored beside the reference networks, made again from these and compared: no training. No benchmark, as above.
if config["weights"] == "reference":
    REDONE = [
        *(file for kind in ("transport", "response", "loss") for file in run_tables(kind, ALL_RUNS)),
        *(
            file
            for reading in READINGS
            for kind in ("noise", "needs", "windows", "null")
            for file in run_tables(kind, ALL_RUNS, reading)
        ),
    ]

    rule reproduce:
        input:
            found=REDONE,
            stored=[file.replace(RESULTS, REFERENCE, 1) for file in REDONE],
        log:
            f"{LOGS}/reproduce.log",
        conda:
            "../../envs/statistics.yaml"
        threads: 1
        params:
            folder=REFERENCE,
            tolerance=1e-4,
            library=library("reproduce.py"),
        message:
            "Reproduce: {params.folder}"
        script:
            "../scripts/reproduce.py"
