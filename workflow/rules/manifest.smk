# Manifest of a run: its files, and the rule and settings of each. The study that includes this file, behind its rules, defines FINAL: the
# files that it is for. The manifest of these and of all that they need is added to FINAL.

MADE_FOR = list(FINAL)
MANIFEST = {
    "manifest": f"{RESULTS}/manifest.csv",
    "provenance": f"{RESULTS}/manifest.provenance.csv",
    "volatile": f"{RESULTS}/manifest.volatile.csv",
}
FINAL = [*MADE_FOR, *MANIFEST.values()]


# Digests and what may differ between equal runs go apart: two equal runs write equal manifests, but for measured times.
rule manifest:
    input:
        files_of_run,
    output:
        **MANIFEST,
    log:
        f"{LOGS}/manifest.log",
    benchmark:
        f"{LOGS}/manifest.benchmark.tsv"
    localrule: True  # it looks at the files of every job
    conda:
        "../../envs/statistics.yaml"
    resources:
        mem_mb=asks(memory.PAGES),
    params:
        logs=placed(LOGS),
        library=library("write_manifest.py"),
    message:
        "Manifest"
    script:
        "../scripts/write_manifest.py"
