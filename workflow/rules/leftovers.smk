# Which files in the folder of a run are outputs of it, and which ones are left of earlier configurations and killed jobs.

from functools import cache

from leftovers import find_leftovers


def is_output(file):
    """Whether a rule makes a file, for a run that there is."""
    names = set(re.findall(r"{(\w+)}", RUN))
    for each in workflow.rules:
        for found in filter(None, (pattern.match(file) for pattern in each.output)):
            given = found.groupdict()
            of_seed = given.keys() == {"seed"} and int(given["seed"]) not in config["seeds"]
            if not of_seed and (not names <= given.keys() or RUN.format(**given) in ALL_RUNS):
                return True
    return False


@cache
def leftovers_of_run():
    """Files that earlier configurations and killed jobs have left in the folder of this run."""
    jobs = {*ALL_RUNS, *runs_by_job(), *(AGENT.format(**agent) for agent in all_agents(config))}
    digests = {library(script, architecture=name) for script in ("train.py", "play_games.py") for name in CELLS}
    checkpoints = [placed(f"{RESULTS}/checkpoints/{job}.{digest}.pt") for job in jobs for digest in digests]
    return list(find_leftovers(Path(placed(RESULTS)), Path(placed(LOGS)), is_output, checkpoints))
