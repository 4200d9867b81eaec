# Questions in the order of the notes, each with its exhibit: tables, a figure and statements.

from studies.gated.questions import settings_of
from studies.questions import find_questions

QUESTIONS = find_questions("gated")
GATED = config["gated"]
TABLES = {name: [f"{RESULTS}/tables/{table}.csv" for table in question.tables] for name, question in QUESTIONS.items()}
PAGES = {name: [str(Path(file).with_suffix(".md")) for file in files] for name, files in TABLES.items()}
STATEMENTS = {name: f"{RESULTS}/statements/{name}.csv" for name in QUESTIONS}
FIGURES = {name: f"{RESULTS}/figures/{name}.png" for name in QUESTIONS}
FINDINGS = {"page": f"{RESULTS}/findings.md", "records": f"{RESULTS}/findings.json"}
SHOWN = [
    *(shown("Figures", name, file) for name, file in FIGURES.items()),
    *(shown("Tables", Path(page).stem, page) for pages in PAGES.values() for page in pages),
]
ANSWERS = "studies.gated.judged"
ANSWERED_WITH = {}
ANSWERED_FROM = [file for files in TABLES.values() for file in files]
PLAYED_FROM = TABLES
EVIDENCE = {name: {"tables": files} for name, files in TABLES.items()}
DRAWN = {
    name: {
        f"{name}.png": {
            **{"module": module_of(name, "figure"), "rows": {}},
            **{"architectures": [*config["architectures"], *GATED["reservoirs"]["networks"]]},
        }
    }
    for name in QUESTIONS
}
TRAINED = [f"{MODELS}/{run}/provenance.json" for run in ALL_RUNS]
SCALE, GROUPS_IN_WORDS = {}, ""
CLAIMS_OF = {name: of_project("src", "studies", "gated", name, "claims.yaml") for name in QUESTIONS}
CLAIMS = list(filter(os.path.isfile, CLAIMS_OF.values()))
# Stored tables of searches over settings, at the quick size.
STORED_SEARCH = [file for name in QUESTIONS if os.path.isfile(file := f"{REFERENCE}/tables/sensitivity_{name}.csv")]


def shown_by(exhibit):
    """Networks and reservoirs of the experiments that an exhibit shows, at all their rates, by their folders."""
    runs = zip(ALL_RUNS, [*NETWORKS, *RESERVOIRS])
    experiments = QUESTIONS[exhibit].experiments
    return {folder: run for folder, run in runs if run["experiment"].partition(AT_RATE)[0] in experiments}


def searched_with(exhibit):
    """Networks and reservoirs of an exhibit with which its settings are varied, with windows if it shows any."""
    question = QUESTIONS[exhibit]
    runs = [
        run for run in shown_by(exhibit).values() if run["architecture"] in (question.searched or [run["architecture"]])
    ]
    return [run if question.windows else {**run, "windows": None} for run in runs]


def window_folders(exhibit):
    """Folders of those whose windows are measured, if the exhibit shows windows."""
    return [folder for folder, run in shown_by(exhibit).items() if run["windows"] and QUESTIONS[exhibit].windows]
