# Figures of the questions that have one, and the answers to all, from the tables of the study.
# The study that includes this file defines QUESTIONS and FINDINGS; DRAWN, files of the figure of each question, each with the
# architectures and the rows that it shows, by column; EVIDENCE, the tables of each figure; ANSWERED_FROM, those of answers;
# STORED_SEARCH, what searches gave; ANSWERS, the module that puts answers together, and ANSWERED_WITH, its further settings.

JOBS |= {
    f"show_{question}": {
        "by": "studies.jobs.show_question",
        "loaded": [module_of(question, "figure")],
        "environment": "exhibits",
        "input": {"tables": EVIDENCE[question]},
        "output": {"figures": figure_files(question)},
        "params": {
            "study": STUDY,
            "question": question,
            "shown": DRAWN[question],
            "style": config["figures"] | {"question": asked(question)},
        },
        "message": "Figure: {params.question}",
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
