# Pages for a browser: one for each table, and the index, which holds all that there is to see.

MEASURED_APPENDICES = [
    (f"appendix_{letter}", f"{RESULTS}/{reading}/theory/appendix_{letter}", reading)
    for letter, (_, _, runs, _) in MEASURED.items()
    if runs
    for reading in READINGS
]
PICTURES = [
    *([shown("Overview", "overview", f"{RESULTS}/overview.png")] if runs_of("adamw") else []),
    *(
        shown(
            "Figures",
            caption,
            f"{RESULTS}/{reading}/figures/{figure}{suffix}.png",
            reading,
            f"{figure}{suffix}".removeprefix(caption).strip("_"),
        )
        for figure, (*_, caption) in FIGURES.items()
        for suffix in DRAWN_FOR[figure]
        for reading in READINGS
    ),
    *(shown("Appendices", f"appendix_{letter}", f"{THEORY}_{letter}.png") for letter in DRAWN),
    *(shown("Appendices", name, f"{file}.png", reading) for name, file, reading in MEASURED_APPENDICES),
    shown("Estimators", "planted", f"{RESULTS}/planted/planted.png"),
]
TABLES_SHOWN = [
    *(
        shown("Tables", table, f"{RESULTS}/{reading}/tables/{table}.md", reading)
        for table, (_, runs) in TABLES.items()
        if runs
        for reading in READINGS
    ),
    *(
        shown("Appendices", f"appendix_{letter}", f"{THEORY}_{letter}.md")
        for letter, (*_, pages) in COMPUTED.items()
        if pages
    ),
    *(shown("Appendices", name, f"{file}.md", reading) for name, file, reading in MEASURED_APPENDICES),
    *(shown("Estimators", name, f"{RESULTS}/estimators/{name}.md") for name in ("recovery", "references")),
    shown("Estimators", "planted_coverage", f"{RESULTS}/planted/coverage.md"),
]
SECTIONS = ["Overview", "Figures", "Tables", "Appendices", "Estimators"]
SHOWN = sorted(
    [*PICTURES, *TABLES_SHOWN],
    key=lambda each: (SECTIONS.index(each["section"]), each["name"] if each["section"] == "Appendices" else ""),
)


rule show_tables:
    input:
        tables=[each["file"] for each in TABLES_SHOWN],
        captions=captions_of(TABLES_SHOWN),
    output:
        [
            report(
                str(Path(each["file"]).with_suffix(".html")),
                caption=f"../report/{each['name']}.rst",
                category=each["section"],
                labels={"of": each["name"].replace("_", " "), "shows": "table", "reading": each["reading"] or "any"},
            )
            for each in TABLES_SHOWN
        ],
    log:
        f"{LOGS}/show_tables.log",
    benchmark:
        f"{LOGS}/show_tables.benchmark.tsv"
    conda:
        "../../envs/pages.yaml"
    threads: 1
    params:
        shown=TABLES_SHOWN,
        library=library("show_tables.py"),
    message:
        "Tables as pages"
    script:
        "../scripts/show_tables.py"


rule make_index:
    input:
        claims=rules.score_claims.input.claims,
        scorecards=expand(rules.score_claims.output.csv, reading=READINGS),
        shown=[each["file"] for each in SHOWN],
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
        rules.show_tables.output,
