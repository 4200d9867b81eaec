# Figures and tables. What is made of the same measurements is made by one job, since most of a job is its start.


rule show_rates:
    input:
        **sources("rates"),
    output:
        **outputs("rates"),
    log:
        f"{LOGS}/show_rates/{{reading}}.log",
    benchmark:
        f"{LOGS}/show_rates/{{reading}}.benchmark.tsv"
    conda:
        "../../../envs/figures.yaml"
    threads: 1
    resources:
        mem_mb=asks(memory.PAGES),
    params:
        **shown_by("rates"),
        readings=of_reading,
    message:
        "Figures and tables of rates: {wildcards.reading}"
    script:
        "../../scripts/show.py"


use rule show_rates as show_windows with:
    input:
        **sources("windows"),
    output:
        **outputs("windows"),
    log:
        f"{LOGS}/show_windows/{{reading}}.log",
    benchmark:
        f"{LOGS}/show_windows/{{reading}}.benchmark.tsv"
    params:
        **shown_by("windows"),
        readings=of_reading,
    message:
        "Figures and tables of windows: {wildcards.reading}"


if any(map(len, outputs("sensitivity").values())):

    use rule show_rates as show_sensitivity with:
        input:
            **sources("sensitivity"),
        output:
            **outputs("sensitivity"),
        log:
            f"{LOGS}/show_sensitivity/{{reading}}.log",
        benchmark:
            f"{LOGS}/show_sensitivity/{{reading}}.benchmark.tsv"
        params:
            **shown_by("sensitivity"),
            readings=of_reading,
        message:
            "Figures and tables of sensitivity: {wildcards.reading}"


use rule show_rates as show_networks with:
    input:
        **sources("networks"),
    output:
        **outputs("networks"),
    log:
        f"{LOGS}/show_networks.log",
    benchmark:
        f"{LOGS}/show_networks.benchmark.tsv"
    params:
        **shown_by("networks"),
        readings={},
    message:
        "Figures and tables of networks"


use rule show_rates as show_theory with:
    input:
        **sources("theory"),
    output:
        **outputs("theory"),
    log:
        f"{LOGS}/show_theory.log",
    benchmark:
        f"{LOGS}/show_theory.benchmark.tsv"
    params:
        **shown_by("theory"),
        readings={},
    message:
        "Figures of the theory"


if any(map(len, outputs("overview").values())):

    use rule show_rates as show_overview with:
        input:
            **sources("overview"),
        output:
            **outputs("overview"),
        log:
            f"{LOGS}/show_overview.log",
        benchmark:
            f"{LOGS}/show_overview.benchmark.tsv"
        params:
            **shown_by("overview"),
            readings=options_of(READINGS),
        message:
            "Figure: overview"


if any(map(len, outputs("tasks").values())):

    use rule show_rates as show_tasks with:
        input:
            **sources("tasks"),
        output:
            **outputs("tasks"),
        log:
            f"{LOGS}/show_tasks.log",
        benchmark:
            f"{LOGS}/show_tasks.benchmark.tsv"
        params:
            **shown_by("tasks"),
            readings={},
        message:
            "Comparison of two tasks"


for target in TARGETS:

    rule:
        name:
            target
        input:
            files_of(lambda made, is_figure: made["target"] == target),


rule figures:
    input:
        files_of(lambda made, is_figure: is_figure and not is_appendix(made)),


rule tables:
    input:
        files_of(lambda made, is_figure: not is_figure and not is_appendix(made)),
        rules.check_estimators.output,
        rules.check_simulation.output,


rule appendices:
    input:
        files_of(lambda made, is_figure: is_appendix(made)),
        rules.compute_appendices.output,
