# Tables in the order in which they are computed, and figures.

ATTENTION = config["attention"]

TABLES = [
    *("paths", "parameters"),
    *("exact", "gaps", "coefficients", "truncations"),
    *("exponents", "spectra", "networks", "relative"),
    *("chains", "laws", "lengths"),
]
THEORY = {name: f"{RESULTS}/tables/theory_{name}.csv" for name in TABLES}
PAGES = [f"{RESULTS}/tables/theory_{name}.md" for name in TABLES]
BEFORE_TRAINING = {
    name: f"{RESULTS}/tables/{name}.csv" for name in ("gradient_norms", "backward_costs", "backward_growth")
}
BEFORE_TRAINING_PAGES = [str(Path(file).with_suffix(".md")) for file in BEFORE_TRAINING.values()]
FIGURES = {
    name: f"{RESULTS}/figures/{name}.png"
    for name in (
        *("theory_paths", "theory_exponents", "theory_sums", "theory_sparse"),
        *("gradient_norms", "backward_costs"),
    )
}
FINDINGS = {"page": f"{RESULTS}/findings.md", "records": f"{RESULTS}/findings.json"}
SHOWN = [
    *(shown("Figures", name, file) for name, file in FIGURES.items()),
    *(shown("Tables", name, page) for name, page in zip(BEFORE_TRAINING, BEFORE_TRAINING_PAGES)),
    *(shown("Tables", f"theory_{name}", page) for name, page in zip(TABLES, PAGES)),
]
# No claims that are scored, and no networks that are trained.
JUDGED = {"claims": [], "scorecards": [], "conditions": []}
SCALE = {}
TRAINED = []
