# Whether files are still as the manifests of their folder say, and which ones nothing needs any more. The study that
# includes this file defines VERIFIED, these folders.

from functools import cache

from leftovers import find_leftovers


localrules:
    verify,
    leftovers,
    remove_leftovers,


def is_output(file):
    """Whether a rule makes a file, for a run that there is."""
    names = set(re.findall(r"{(\w+)}", RUN))
    for rule in workflow.rules:
        for found in filter(None, (pattern.match(file) for pattern in rule.output)):
            given = found.groupdict()
            if not names <= given.keys() or RUN.format(**given) in ALL_RUNS:
                return True
    return False


@cache
def leftovers_of_run():
    """What earlier configurations and killed jobs have left in the folder of this run."""
    jobs = {*ALL_RUNS, *runs_by_job(), *(AGENT.format(**agent) for agent in all_agents(config))}
    digests = [library(script) for script in ("train.py", "play_games.py")]
    checkpoints = [f"{RESULTS}/checkpoints/{job}.{digest}.pt" for job in jobs for digest in digests]
    return list(find_leftovers(Path(RESULTS), Path(LOGS), is_output, checkpoints))


# These make nothing, not even a benchmark, which Snakemake would take for their output: they look whenever asked.
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
        leftovers=lambda wildcards: leftovers_of_run(),
        library=library("verify.py"),
    message:
        "Verify: {params.folders}"
    script:
        "../scripts/verify.py"


rule leftovers:
    log:
        f"{LOGS}/leftovers.log",
    conda:
        "../../envs/statistics.yaml"
    threads: 1
    params:
        folder=RESULTS,
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
    conda:
        "../../envs/statistics.yaml"
    threads: 1
    params:
        folder=RESULTS,
        leftovers=lambda wildcards: leftovers_of_run(),
        removes=True,
        library=library("list_leftovers.py"),
    message:
        "Remove leftovers: {params.folder}"
    script:
        "../scripts/list_leftovers.py"
