# Reproduction of stored tables: the tables stored beside the reference networks are made from these networks, without
# training, and compared. measure.smk comes before it. Like verify.smk it makes nothing, not even a benchmark.

if config["weights"] == "reference":
    COMPARED = ["transport", "response", "loss", *OF_WINDOWS, *OF_EPOCHS]

    rule reproduce:
        input:
            **{kind: tables_of(kind, ALL_RUNS) for kind in COMPARED},
        log:
            f"{LOGS}/reproduce.log",
        conda:
            "../../envs/statistics.yaml"
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
