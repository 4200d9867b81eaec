# How windows depend on the options of a reading.

PARTS = {SETS["main"][part]: part for part in ("const_gate", "shared_gate", "diag_gate")}
VARIED = first_seed(
    runs_of(
        "adamw",
        [
            architecture
            for architecture in config["runs"].get("adamw", [])
            if any(architecture in SETS[name].values() for name in config["sensitivity"])
        ],
    )
)
# What the paper concludes is of all three parts together, each played by another network.
COMPARABLE = len(PARTS) == 3 and has_runs("adamw", PARTS)
CROSSED = VARIED if "main" in config["sensitivity"] and COMPARABLE else []


rule vary_reading:
    input:
        **rules.measure_windows.input,
    output:
        changes=f"{RESULTS}/{{reading}}/sensitivity/{RUN}.changes.csv",
        crossed=f"{RESULTS}/{{reading}}/sensitivity/{RUN}.crossed.csv",
    log:
        f"{LOGS}/vary_reading/{{reading}}/{RUN}.log",
    benchmark:
        f"{LOGS}/vary_reading/{{reading}}/{RUN}.benchmark.tsv"
    conda:
        "../../envs/networks.yaml"
    threads: 1
    params:
        **MEASUREMENT,
        reading=lambda wildcards: config["readings"][wildcards.reading],
        part=lambda wildcards: PARTS.get(wildcards.architecture, "none"),
        library=library("vary_reading.py"),
    message:
        "Sensitivity: {wildcards.reading}, {wildcards.architecture} with {wildcards.optimizer}, seed {wildcards.seed}"
    script:
        "../scripts/vary_reading.py"
