# Figures of the questions that have one, and the answers to all, from the tables of the study.
# The study that includes this file defines QUESTIONS and FINDINGS; DRAWN, files of the figures of each question, each with
# what studies.jobs.show_question says of it; EVIDENCE, the `tables` and measurements behind them; ANSWERED_FROM, tables of answers;
# STORED_SEARCH, what searches gave; ANSWERS, the module that puts answers together, and ANSWERED_WITH, its further settings.

JOBS |= {
    f"show_{question}": {
        "by": "studies.jobs.show_question",
        "loaded": sorted(figure["module"] for figure in DRAWN[question].values()),
        "environment": "exhibits",
        "input": EVIDENCE[question],
        "output": {"figures": figure_files(question)},
        "params": {
            "shown": DRAWN[question],
            "style": config["figures"] | {"question": asked(question)},
        },
        "message": f"Figure: {question}",
    }
    for question in DRAWN
}


rule explain_questions:
    input:
        tables=ANSWERED_FROM,
        searched=STORED_SEARCH,
        pages=filter(os.path.exists, (of_project("src", "studies", STUDY, name, "page.md.j2") for name in QUESTIONS)),
    output:
        records=FINDINGS["records"],
    log:
        f"{LOGS}/explain_questions.log",
    benchmark:
        f"{LOGS}/explain_questions.benchmark.tsv"
    conda:
        "../../envs/exhibits.yaml"
    resources:
        mem_mb=asks(memory.PAGES),
    params:
        answers=ANSWERS,
        settings=ANSWERED_WITH | {"sentences": config["sentences"]},
        labels=config["figures"]["labels"],
        library=library(
            "explain_questions.py",
            ANSWERS,
            *(module_of(question, "question") for question in QUESTIONS),
            *filter(is_module, (module_of(question, "numbers") for question in QUESTIONS)),
        ),
    message:
        "Findings"
    script:
        "../scripts/explain_questions.py"
