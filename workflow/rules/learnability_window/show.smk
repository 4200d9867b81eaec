# Figures and tables. What is made of the same measurements is made by one job, since most of a job is its start; variants,
# which a run draws only if they are asked for, by another.

for group, variants in itertools.product(FIGURES, (False, True)):
    if any(map(len, outputs(group, variants).values())):
        by_reading = group in BY_READING
        subject = "Variants of figures" if variants else "Figures and tables"
        JOBS[f"show_{group}{'_variants' if variants else ''}"] = {
            **shown_by(group, variants),
            "of": "{reading}" if by_reading else "",
            "input": sources(group, variants),
            "output": outputs(group, variants),
            "message": f"{subject}: {group}{' by {wildcards.reading}' if by_reading else ''}",
        }
        if variants:
            OPTIONAL += [
                file.format(reading=reading)
                for files in outputs(group, variants).values()
                for file in files
                for reading in readings_of(group)
            ]


# Anything else goes by its file.
TARGETS |= {
    name: files_of(lambda artefact, is_figure, name=name: name in names_of(artefact))
    for group in FIGURES
    for artefact in (*figures_of(group), *tables_made(group))
    for name in names_of(artefact)
}
TARGETS |= {
    "figures": files_of(
        lambda artefact, is_figure: is_figure and not artefact["is_variant"] and not is_appendix(artefact)
    ),
    "variants": files_of(lambda artefact, is_figure: artefact["is_variant"]),
    "tables": [
        *files_of(lambda artefact, is_figure: not is_figure and not is_appendix(artefact)),
        *(*files_of_job("check_estimators"), *files_of_job("check_simulation")),
    ],
    "appendices": [
        *files_of(lambda artefact, is_figure: is_appendix(artefact) and not artefact["is_variant"]),
        *files_of_job("compute_appendices"),
    ],
}
