# Pages: one for each table, the findings, and the index, which holds all that there is to see.
# `report_pdf` prints the findings; it takes `method.typ` of the study's folder.
# The study that includes this file defines TITLE, ABOUT, SHOWN and FINDINGS; JUDGED, its claims, scorecards and conditions,
# of each of JUDGED_READINGS, the GROUPS_IN_WORDS that they tell apart, and the SCALE that is held beside the paper's; TRAINED,
# the provenance of networks. The last five may be of nothing. A question's `play.py` has a chart to play with, of its files in PLAYED_FROM,
# or of ANSWERED_FROM; findings are in the order of the questions.

from studies.questions import find_questions

TABLES_SHOWN = [page for page in SHOWN if page["file"].endswith(".md")]
SMALL = "A small preset, for a first look: answers may differ from the stored ones."
INDEX = f"{RESULTS}/index.html"
ORDER = list(find_questions(STUDY))
PLAYED = [
    name for name in ORDER if module_file(module_of(name, "play")).is_file() and PLAYED_FROM.get(name, ANSWERED_FROM)
]
FIGURES_SHOWN = [page for page in SHOWN if page["file"].endswith(".png")]


rule make_pages:
    input:
        tables=[page["file"] for page in TABLES_SHOWN],
        findings=FINDINGS["records"],
        captions=captions_of(SHOWN),
    output:
        findings=FINDINGS["page"],
        tables=[
            report(
                page_of(page["file"]),
                caption=str(caption_of(page["name"])),
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
    resources:
        mem_mb=asks(memory.PAGES),
    params:
        tables=TABLES_SHOWN,
        figures=FIGURES_SHOWN,
        labels=list(config["figures"]["labels"].values()),
        library=library("make_pages.py"),
    message:
        "Tables and findings as pages"
    script:
        "../scripts/make_pages.py"


rule make_index:
    input:
        **JUDGED,
        findings=FINDINGS["records"],
        shown=[page["file"] for page in SHOWN],
        captions=captions_of(SHOWN),
        trainings=TRAINED,
        plays=sorted({file for name in PLAYED for file in PLAYED_FROM.get(name, ANSWERED_FROM)}),
    output:
        html=INDEX,
    log:
        f"{LOGS}/make_index.log",
    benchmark:
        f"{LOGS}/make_index.benchmark.tsv"
    conda:
        "../../envs/pages.yaml"
    resources:
        mem_mb=asks(memory.PAGES),
    params:
        title=TITLE,
        about=ABOUT,
        shown=SHOWN,
        readings=JUDGED_READINGS,
        scale=SCALE,
        groups=GROUPS_IN_WORDS,
        small=SMALL if config["preset"].endswith(("quick", "miniature")) else "",
        config=config,
        plays={ORDER.index(name): module_of(name, "play") for name in PLAYED},
        library=library("make_index.py", *(module_of(name, "play") for name in PLAYED)),
    message:
        "Index: {output.html}"
    script:
        "../scripts/make_index.py"


TARGETS["index"] = [*rules.make_index.output, *rules.make_pages.output]


# An article to print, of any finished study: `snakemake report_pdf`. No part of `all`.
rule report_pdf:
    input:
        scorecards=JUDGED["scorecards"][:1],
        claims=JUDGED["claims"][:1],
        findings=FINDINGS["records"],
        figures=[page["file"] for page in FIGURES_SHOWN],
        captions=captions_of(FIGURES_SHOWN),
        method=of_project("src", "studies", config["study"], "method.typ"),
        limits=of_project("docs", "limits.md"),
    output:
        pdf=f"{RESULTS}/report.pdf",
    log:
        f"{LOGS}/report_pdf.log",
    benchmark:
        f"{LOGS}/report_pdf.benchmark.tsv"
    conda:
        "../../envs/report.yaml"
    resources:
        mem_mb=asks(memory.PAGES),
    params:
        title=TITLE,
        about=ABOUT,
        study=config["study"],
        preset=config["preset"],
        shown=FIGURES_SHOWN,
        scale=SCALE,
        groups=GROUPS_IN_WORDS,
        small=SMALL if config["preset"].endswith(("quick", "miniature")) else "",
        labels=list(config["figures"]["labels"].values()),
        library=library("make_report.py"),
    message:
        "Article: {output.pdf}"
    script:
        "../scripts/make_report.py"


OPTIONAL += rules.report_pdf.output
