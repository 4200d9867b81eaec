# Questions in the order of the page. The settings of a trial: a grid gives some of them; the configuration the others.

from studies.ground_truth import grids
from studies.questions import find_questions

QUESTIONS = find_questions("ground_truth")
GROUND_TRUTH = config["ground_truth"]
GRIDS = GROUND_TRUTH["grids"]
DURATIONS = {grid: settings.get("duration", TASK["duration"]) for grid, settings in GRIDS.items()}
TABLES = {table: f"{RESULTS}/tables/{table}.csv" for question in QUESTIONS.values() for table in question.tables}
FINDINGS = {"page": f"{RESULTS}/findings.md", "records": f"{RESULTS}/findings.json"}

ANSWERS = "studies.ground_truth.answers"
ANSWERED_WITH = {}
ANSWERED_FROM = list(TABLES.values())
ALL_TRIALS, ALL_CANDIDATES = (f"{RESULTS}/{name}.csv.gz" for name in ("trials", "candidates"))
# No claims of a paper, and networks too many to keep.
JUDGED = {"claims": [], "scorecards": [], "conditions": []}
JUDGED_READINGS = []
SCALE, GROUPS_IN_WORDS = {}, ""
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


def trial_settings(wildcards):
    """Settings that a trial starts from."""
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


def drawn_by(name):
    """Files of a question's figure, one for each grid or one for the grids of the contest, with what each shows."""
    question = QUESTIONS[name]
    grids = {f"_{grid}": [grid] for grid in GRIDS} if question.of_each_grid else {"": GROUND_TRUTH["contest"]}
    return {
        f"{question.figure}{variant}.png": {
            "module": module_of(name, "figure"),
            "architectures": list(dict.fromkeys(itertools.chain(*map(architectures_of, names)))),
            "rows": {"grid": names},
        }
        for variant, names in grids.items()
    }


DRAWN = {name: drawn_by(name) for name, question in QUESTIONS.items() if question.figure}
PLAYED_FROM = {name: [*ANSWERED_FROM, ALL_TRIALS, ALL_CANDIDATES] for name in DRAWN}
EVIDENCE = {name: {"tables": files} for name, files in PLAYED_FROM.items()}
FIGURES = {file: QUESTIONS[name].figure for name, files in DRAWN.items() for file in files}
SHOWN = [
    *(
        shown("Figures", name, f"{RESULTS}/figures/{file}", variant=Path(file).stem[len(name) + 1 :])
        for file, name in FIGURES.items()
    ),
    *(
        shown("Figures" if name in FIGURES.values() else "Tables", name, f"{RESULTS}/tables/{name}.md")
        for name in TABLES
    ),
]
