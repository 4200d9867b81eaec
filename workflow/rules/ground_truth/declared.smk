# The settings of a trial. A grid gives some of them; the configuration gives the others.

from studies.ground_truth import grids

GROUND_TRUTH = config["ground_truth"]
GRIDS = GROUND_TRUTH["grids"]
DURATIONS = {grid: settings.get("duration", TASK["duration"]) for grid, settings in GRIDS.items()}
TABLES = [
    *("half_learned", "learned_share"),
    *("contest", "left_out", "contest_by_choice", "contest_by_seeds", "random_halves"),
    *("growth", "size_ratios"),
]
FINDINGS = {"page": f"{RESULTS}/findings.md", "records": f"{RESULTS}/findings.json"}
FIGURE = f"{RESULTS}/figures/contest.png"
PHASES = {grid: f"{RESULTS}/figures/phases_{grid}.png" for grid in GRIDS}
SHOWN = [
    shown("Figures", "contest", FIGURE),
    *(shown("Figures", "phases", file, variant=grid) for grid, file in PHASES.items()),
    *(shown("Figures" if name == "contest" else "Tables", name, f"{RESULTS}/tables/{name}.md") for name in TABLES),
]
# No claims of a paper, and networks too many to keep.
JUDGED = {"claims": [], "scorecards": [], "conditions": []}
JUDGED_READINGS = []
SCALE = {}
TRAINED = []
OF_SETTING = "{grid}/{architecture}/lag{lags}"
SETTING = f"{RESULTS}/trials/{OF_SETTING}"
TRIALS, CANDIDATES = f"{SETTING}/seed{{seed}}.csv", f"{SETTING}/candidates.csv"
BUDGET = {
    "optimizer": config["optimizers"][GROUND_TRUTH["optimizer"]],
    **{key: config["training"][key] for key in ("gradient_clip", "engine")},
    **{key: GROUND_TRUTH[key] for key in ("updates", "batch_size")},
}


def lags_of_settings(grid):
    """Lags of each setting of a grid, joined."""
    return ["_".join(map(str, lags)) for lags in grids.lags_of_settings(GRIDS[grid])]


def architectures_of(grid):
    return GRIDS[grid].get("architectures", GROUND_TRUTH["architectures"])


def seeds_of(grid):
    return config["seeds"][: GRIDS[grid].get("fewer_seeds")]


def settings_of(grid, pattern):
    of_grid = {"architecture": architectures_of(grid), "lags": lags_of_settings(grid)}
    return expand(pattern, grid=grid, seed=seeds_of(grid), **of_grid)


def task_of(wildcards):
    """The task of a job."""
    lags = [int(lag) for lag in wildcards.lags.split("_")]
    return grids.task_of(TASK, GRIDS[wildcards.grid], lags, GROUND_TRUTH["coefficient"])


def size_of(wildcards):
    """Units of a network, or its parameters."""
    return grids.size_of(GRIDS[wildcards.grid], config["network"]["hidden_size"])


def sample_sizes_of(wildcards):
    return GRIDS[wildcards.grid].get("sample_sizes", GROUND_TRUTH["sample_sizes"])


def prepared(wildcards):
    """What a trial starts from."""
    return {
        "architecture": architecture_settings(wildcards),
        "task": task_of(wildcards),
        "size": size_of(wildcards),
        "readout_bias": config["network"]["readout_bias"],
        "sequences": GROUND_TRUTH["sequences"],
        "root_seed": config["root_seed"],
    }


# Windows of the readings that are reported, and along the own gradient.
CANDIDATE_READINGS = {reading: config["readings"][reading] for reading in READINGS}
OWN_GRADIENT = config["readings"][config["through_training"]["reading"]]
