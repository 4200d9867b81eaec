# Settings of trials from those of grids: what a grid does not say is as in the rest of the configuration.

GROUND_TRUTH = config["ground_truth"]
GRIDS = GROUND_TRUTH["grids"]
TRIED = f"{RESULTS}/trials/{{grid}}/{{architecture}}/lag{{lags}}"


def lags_of_jobs(grid):
    """Lags of each job of a grid, joined: one, or all where they are asked of the same predictions."""
    lags = [str(lag) for lag in GRIDS[grid]["lags"]]
    return ["_".join(lags)] if GRIDS[grid].get("together", False) else lags


def architectures_of(grid):
    return GRIDS[grid].get("architectures", GROUND_TRUTH["architectures"])


def jobs_of(grid, pattern):
    return expand(pattern, grid=grid, architecture=architectures_of(grid), lags=lags_of_jobs(grid))


def task_of(wildcards):
    """The task of a job."""
    grid, lags = GRIDS[wildcards.grid], [int(lag) for lag in wildcards.lags.split("_")]
    coefficients = dict(zip(grid["lags"], grid.get("coefficients", [GROUND_TRUTH["coefficient"]] * len(grid["lags"]))))
    own = {key: grid[key] for key in ("duration", "input_density") if key in grid}
    return {**TASK, **own, "lags": lags, "coefficients": [coefficients[lag] for lag in lags]}


def size_of(wildcards):
    """Units of a network or, where networks are to be as large as each other, their parameters."""
    grid = GRIDS[wildcards.grid]
    units = {"hidden_size": grid.get("hidden_size", config["network"]["hidden_size"])}
    return {"parameters": grid["parameters"]} if "parameters" in grid else units


def sample_sizes_of(wildcards):
    return GRIDS[wildcards.grid].get("sample_sizes", GROUND_TRUTH["sample_sizes"])


# Windows of the readings that are reported, and along the own gradient.
CANDIDATE_READINGS = {reading: config["readings"][reading] for reading in READINGS}
OWN_GRADIENT = config["readings"][config["through_training"]["reading"]]
