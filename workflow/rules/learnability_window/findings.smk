# Findings: the questions of the study, each with an answer from its tables.

FINDINGS = {"page": f"{RESULTS}/findings.md", "records": f"{RESULTS}/findings.json"}
ANSWERS = "studies.learnability_window.answers"
ANSWERED_FROM = [
    f"{table['file']}.csv".format(reading=reading)
    for group in TABLES
    for reading in readings_of(group)
    for table in tables_made(group)
]
ANSWERED_WITH = {
    "groups": GROUPS,
    "figures": sorted({os.path.basename(page["file"]) for page in SHOWN if page["file"].endswith(".png")}),
}
# Figures are drawn from measurements of networks, with tables of the same, by jobs of show.smk.
DRAWN = {}
# Charts to play with have measurements of networks of their own.
PLAYED_FROM = {
    name: [file for kind in stored_kinds(question.played) for file in tables_of(kind, runs_of("adamw"))]
    for name, question in QUESTIONS.items()
    if question.played
}


include: "../questions.smk"


TARGETS["findings"] = [*FINDINGS.values(), *TARGETS["figures"]]  # the page shows some of them
