# Exhibits in the order of the notes, each with its tables, and the experiments whose networks it shows.

from studies.gated.declared import EXHIBITS

GATED = config["gated"]
TABLES = {name: [f"{RESULTS}/tables/{table}.csv" for table in each.tables] for name, each in EXHIBITS.items()}
PAGES = {name: [str(Path(file).with_suffix(".md")) for file in files] for name, files in TABLES.items()}
STATEMENTS = {name: f"{RESULTS}/statements/{name}.csv" for name in EXHIBITS}
FIGURES = {name: f"{RESULTS}/figures/{name}.png" for name in EXHIBITS}
FINDINGS = {"page": f"{RESULTS}/findings.md", "records": f"{RESULTS}/findings.json"}
SHOWN = [
    *(shown("Figures", name, file) for name, file in FIGURES.items()),
    *(shown("Tables", Path(page).stem, page) for pages in PAGES.values() for page in pages),
]
TRAINED = [f"{MODELS}/{run}/provenance.json" for run in ALL_RUNS]
SCALE = {}
CLAIMS = of_project("config", "gated", "claims.yaml")
# Exhibits that need no networks, so that their settings can be varied without training.
SEARCHED = [name for name, each in EXHIBITS.items() if not each.experiments]
# What such searches gave at the quick size, of those that are stored.
STORED_SEARCHES = [file for name in SEARCHED if os.path.isfile(file := f"{REFERENCE}/tables/sensitivity_{name}.csv")]


def shown_by(exhibit):
    """Networks and reservoirs of the experiments that an exhibit shows, at all their rates, by their folders."""
    runs = zip(ALL_RUNS, [*NETWORKS, *RESERVOIRS])
    experiments = EXHIBITS[exhibit].experiments
    return {folder: run for folder, run in runs if run["experiment"].partition(AT_RATE)[0] in experiments}


def windowed(exhibit):
    """Folders of those whose windows are measured, if the exhibit shows windows."""
    return [folder for folder, run in shown_by(exhibit).items() if run["windows"] and EXHIBITS[exhibit].windows]
