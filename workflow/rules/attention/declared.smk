# What there is of the theory: its tables in the order in which they are computed, and its figures.

TABLES = [
    *("paths", "parameters"),
    *("exact", "gaps", "coefficients", "truncations"),
    *("exponents", "spectra", "networks", "relative"),
    *("chains", "laws", "lengths"),
]
THEORY = {name: f"{RESULTS}/tables/theory_{name}.csv" for name in TABLES}
PAGES = [f"{RESULTS}/tables/theory_{name}.md" for name in TABLES]
FIGURES = {
    name: f"{RESULTS}/figures/{name}.png"
    for name in ("theory_paths", "theory_exponents", "theory_sums", "theory_sparse")
}
FINDINGS = {"page": f"{RESULTS}/findings.md", "records": f"{RESULTS}/findings.json"}
SHOWN = [
    *(shown("Figures", name, file) for name, file in FIGURES.items()),
    *(shown("Tables", f"theory_{name}", page) for name, page in zip(TABLES, PAGES)),
]
# No claims that are scored, and no networks that are trained.
JUDGED = {"claims": [], "scorecards": [], "conditions": []}
SCALE = {}
TRAINED = []
