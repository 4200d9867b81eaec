# Questions in the order of the page, and files of the races that they are answered from.

from studies.comparison.section import sizes_of, sums_of
from studies.questions import find_questions

QUESTIONS = find_questions("comparison")
COMPARISON = config["comparison"]
FAMILIES = {name: family for family, members in COMPARISON["families"].items() for name in members}
RACED = {name: (name, COMPARISON["race"]["parameters"]) for name in COMPARISON["contests"]}
# The same tasks at other sizes; one question alone reads these races.
SIZES = sizes_of(COMPARISON)
RACED |= {name: (task, size) for task, sizes in SIZES.items() for size, name in sizes.items()}
# Delayed sums that one question compares; all but the plain one are no contests, and this question alone reads their races.
SUMS = sums_of(COMPARISON)
RACED |= {name: (name, COMPARISON["race"]["parameters"]) for name in SUMS.values()}
# The task that cells are trained at from fewer sequences, too, and on how many.
SAMPLED = COMPARISON["sample_sizes"]
OF_RACE = ["tried", "scores", "states", "gradients", "sizes"]
RACE = f"{RESULTS}/races/{{contest}}/{{architecture}}"
TABLES = {table: f"{RESULTS}/tables/{table}.csv" for question in QUESTIONS.values() for table in question.tables}
RUNS = {kind: f"{RESULTS}/{kind}.csv.gz" for kind in [*OF_RACE, "samples"]}
FINDINGS = {"page": f"{RESULTS}/findings.md", "records": f"{RESULTS}/findings.json"}
ANSWERS = "studies.comparison.answers"
ANSWERED_WITH = {}
ANSWERED_FROM = list(TABLES.values())
# No claims of a paper, and networks too many to keep.
JUDGED = {"claims": [], "scorecards": [], "conditions": []}
JUDGED_READINGS = []
SCALE, GROUPS_IN_WORDS = {}, ""
TRAINED = []


def races(kind):
    """Files of one kind of all races."""
    return expand(f"{RACE}/{kind}.csv", contest=RACED, architecture=FAMILIES)


def of_sampled(kind):
    """File of one kind of the race that has fewer sequences, too, with the architecture as its wildcard."""
    return RACE.replace("{contest}", SAMPLED["task"]) + f"/{kind}.csv"


def task_of_race(wildcards):
    return COMPARISON["tasks"][RACED[wildcards.contest][0]]


def settings_of_race(wildcards):
    return COMPARISON["race"] | {"parameters": RACED[wildcards.contest][1]}


DRAWN = {
    name: {f"{question.figure}.png": {"module": module_of(name, "figure"), "architectures": list(FAMILIES), "rows": {}}}
    for name, question in QUESTIONS.items()
    if question.figure
}
EVIDENCE = {name: {"tables": ANSWERED_FROM} for name in DRAWN}
PLAYED_FROM = {}
FIGURES = {file: QUESTIONS[name].figure for name, files in DRAWN.items() for file in files}
SHOWN = [
    *(shown("Figures", name, f"{RESULTS}/figures/{file}") for file, name in FIGURES.items()),
    *(shown("Tables", name, f"{RESULTS}/tables/{name}.md") for name in TABLES),
]
