# Figures and tables. What is made of the same measurements is made by one job, since most of a job is its start; variants,
# which a run draws only if they are asked for, by another.


for group, variants in itertools.product(FIGURES, (False, True)):
    if any(map(len, outputs(group, variants).values())):

        made_by, by_reading = f"show_{group}{'_variants' if variants else ''}", group in BY_READING
        place = f"{made_by}/{{reading}}" if by_reading else made_by

        rule:
            name:
                made_by
            input:
                **sources(group, variants),
            output:
                **outputs(group, variants),
            log:
                f"{LOGS}/{place}.log",
            benchmark:
                f"{LOGS}/{place}.benchmark.tsv"
            conda:
                "../../../envs/figures.yaml"
            threads: 1
            resources:
                mem_mb=asks(memory.PAGES),
            params:
                **shown_by(group, variants),
                readings=of_reading if by_reading else options_of(READINGS) if group == "overview" else {},
            message:
                f"{'Variants of figures' if variants else 'Figures and tables'}: {group}{' by {wildcards.reading}' if by_reading else ''}"
            script:
                "../../scripts/show.py"

        if variants:
            OPTIONAL += [
                file.format(reading=reading)
                for files in outputs(group, variants).values()
                for file in files
                for reading in readings_of(group)
            ]


# Anything else goes by its file.
TARGETS |= {
    name: files_of(lambda made, is_figure, name=name: name in named(made))
    for group in FIGURES
    for made in (*figures_of(group), *tables_made(group))
    for name in named(made)
}
TARGETS |= {
    "figures": files_of(lambda made, is_figure: is_figure and not made["is_variant"] and not is_appendix(made)),
    "variants": files_of(lambda made, is_figure: made["is_variant"]),
    "tables": [
        *files_of(lambda made, is_figure: not is_figure and not is_appendix(made)),
        *(*rules.check_estimators.output, *rules.check_simulation.output),
    ],
    "appendices": [
        *files_of(lambda made, is_figure: is_appendix(made) and not made["is_variant"]),
        *rules.compute_appendices.output,
    ],
}
