# What was made, by what, from what settings; and whether it comes out again. measure.smk and pages.smk come before it.
# The study that includes this file defines OF_LAWS, VARIED, SCORECARDS, FINDINGS and files_of().

OWN_MODELS = ["weights.safetensors", "snapshots.safetensors", *OF_TRAINING.values(), "provenance.json"]
# Every file of a finished run, by its path alone: what an output is marked for is not for an input.
EVERYTHING = [
    *expand(DIAGNOSTIC, seed=config["seeds"]),
    *(f"{MODELS}/{run}/{file}" for run in ALL_RUNS for file in OWN_MODELS if MODELS.startswith(RESULTS)),
    *(f"{MEASURED}/{run}/{file}" for run in ALL_RUNS for file in ("rates.nc", "exact.nc")),
    *(file for kind in [*OF_NETWORK, *OF_WINDOWS, *OF_EPOCHS, *OF_RESONANCES] for file in tables_of(kind, ALL_RUNS)),
    *(file for kind in OF_READINGS for file in tables_of(kind, VARIED)),
    *(file for kind, file in OF_LAWS.items() if kind != "monotonicity" or runs_of("adamw")),
    *files_of(lambda made, is_figure: True),
    *SCORECARDS,
    *FINDINGS.values(),
    *(page["file"] for page in TABLES_SHOWN),
    *(page_of(page["file"]) for page in TABLES_SHOWN),
    INDEX,
]
MANIFEST = {
    "manifest": f"{RESULTS}/manifest.csv",
    "provenance": f"{RESULTS}/manifest.provenance.csv",
    "volatile": f"{RESULTS}/manifest.volatile.csv",
}


# Digests and what may differ between equal runs go apart: two equal runs write equal manifests.
rule manifest:
    input:
        sorted(set(EVERYTHING)),
    output:
        **MANIFEST,
    log:
        f"{LOGS}/manifest.log",
    benchmark:
        f"{LOGS}/manifest.benchmark.tsv"
    conda:
        "../../envs/statistics.yaml"
    threads: 1
    resources:
        mem_mb=asks(memory.PAGES),
    params:
        logs=placed(LOGS),
        library=library("write_manifest.py"),
    message:
        "Manifest"
    script:
        "../scripts/write_manifest.py"


# The tables stored beside the reference networks, made again from these and compared: no training. No benchmark, as above.
if config["weights"] == "reference":
    COMPARED = ["transport", "response", "loss", *OF_WINDOWS, *OF_EPOCHS]

    rule reproduce:
        input:
            **{kind: tables_of(kind, ALL_RUNS) for kind in COMPARED},
        log:
            f"{LOGS}/reproduce.log",
        conda:
            "../../envs/statistics.yaml"
        threads: 1
        resources:
            mem_mb=asks(memory.PAGES),
        params:
            folder=REFERENCE,
            stored={kind: f"{REFERENCE}/measured/{kind}.csv.gz" for kind in COMPARED},
            tolerance=1e-3,
            library=library("reproduce.py"),
        message:
            "Reproduce: {params.folder}"
        script:
            "../scripts/reproduce.py"
