# Pages for a browser: one for each table, and the index, which holds all that there is to see.
# The study that includes this file defines FIGURES, FINDINGS, SECTIONS, THEORY, CLAIMS, SCALE, pages_of() and rule score_claims.

SHOWN = sorted(
    [
        *(page for group in FIGURES for page in pages_of(group)),
        shown("Appendices", "appendix_b", f"{THEORY}/appendix_b.md"),
        *(
            shown("Estimators", name, f"{THEORY}/{name}.md")
            for name in ("recovery", "references", "simulation_coverage")
        ),
    ],
    key=lambda page: (SECTIONS.index(page["section"]), page["name"] if page["section"] == "Appendices" else ""),
)
TABLES_SHOWN = [page for page in SHOWN if page["file"].endswith(".md")]


rule make_pages:
    input:
        tables=[page["file"] for page in TABLES_SHOWN],
        captions=captions_of(TABLES_SHOWN),
    output:
        [
            report(
                str(Path(page["file"]).with_suffix(".html")),
                caption=f"../report/{page['name']}.rst",
                category=page["section"],
                labels={"of": page["name"].replace("_", " "), "shows": "table", "reading": page["reading"] or "any"},
            )
            for page in TABLES_SHOWN
        ],
    log:
        f"{LOGS}/make_pages.log",
    benchmark:
        f"{LOGS}/make_pages.benchmark.tsv"
    conda:
        "../../envs/pages.yaml"
    threads: 1
    params:
        shown=TABLES_SHOWN,
        library=library("make_pages.py"),
    message:
        "Tables as pages"
    script:
        "../scripts/make_pages.py"


rule make_index:
    input:
        claims=CLAIMS,
        findings=FINDINGS["records"],
        scorecards=expand(rules.score_claims.output.csv, reading=READINGS),
        conditions=expand(rules.score_claims.output.conditions, reading=READINGS),
        shown=[page["file"] for page in SHOWN],
        captions=captions_of(SHOWN),
        trainings=[f"{MODELS}/{run}/provenance.json" for run in ALL_RUNS],
    output:
        html=f"{RESULTS}/index.html",
    log:
        f"{LOGS}/make_index.log",
    benchmark:
        f"{LOGS}/make_index.benchmark.tsv"
    conda:
        "../../envs/pages.yaml"
    threads: 1
    params:
        shown=SHOWN,
        readings=READINGS,
        scale=SCALE,
        config=config,
        library=library("make_index.py"),
    message:
        "Index: {output.html}"
    script:
        "../scripts/make_index.py"


rule index:
    input:
        rules.make_index.output,
        rules.make_pages.output,
