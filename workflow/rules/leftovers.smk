# Files in the folder of a run: its outputs, and leftovers of earlier configurations and killed jobs.

from functools import cache

from leftovers import find_leftovers


def is_output(file):
    """True if this configuration makes a file, for one of its runs."""
    names = set(re.findall(r"{(\w+)}", RUN))
    for entry in workflow.rules:
        for match in filter(None, (pattern.match(file) for pattern in entry.output)):
            wildcards = match.groupdict()
            of_seed = wildcards.keys() == {"seed"} and int(wildcards["seed"]) not in config["seeds"]
            if not of_seed and (not names <= wildcards.keys() or RUN.format(**wildcards) in ALL_RUNS):
                return True
    return False


@cache
def leftovers_of_run():
    """Files that earlier configurations and killed jobs have left in the folder of this run."""
    jobs = {*ALL_RUNS, *runs_by_job(), *(AGENT.format(**agent) for agent in all_agents(config))}
    digests = {library(script, architecture=name) for script in ("train.py", "play_games.py") for name in CELLS}
    checkpoints = [placed(f"{RESULTS}/checkpoints/{job}.{digest}.pt") for job in jobs for digest in digests]
    return list(find_leftovers(Path(placed(RESULTS)), Path(placed(LOGS)), is_output, checkpoints))
