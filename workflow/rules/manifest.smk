# What a run made, by what, and from what settings. The study that includes this file, behind its rules, defines FINAL: the
# files that it is for. The manifest of these and of all that they need is added to FINAL.

MADE_FOR = list(FINAL)
MANIFEST = {
    "manifest": f"{RESULTS}/manifest.csv",
    "provenance": f"{RESULTS}/manifest.provenance.csv",
    "volatile": f"{RESULTS}/manifest.volatile.csv",
}
FINAL = [*MADE_FOR, *MANIFEST.values()]


def files_of_run(wildcards):
    """Every file of a finished run: all outputs of the jobs that make MADE_FOR, and of the jobs that these need."""
    folder = placed(RESULTS)
    made, pending = set(), [placed(file) for file in MADE_FOR]
    while pending:
        file = pending.pop()
        if file in made:
            continue
        for rule in workflow.rules:
            if any(pattern.match(file) for pattern in rule.output):
                names = rule.get_wildcards(file)
                made.update(map(str, rule.expand_output(names)[0]))
                pending += map(str, rule.expand_input(names)[0])
    # without the prefix of a module, for Snakemake adds it to what an input function returns
    return sorted(RESULTS + file.removeprefix(folder) for file in made if Path(file).is_relative_to(folder))


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
