# Which setting changes each headline most. One job, at the size SEARCHED, and no part of `all`: `snakemake searches`.


rule search_settings:
    output:
        csv=f"{RESULTS}/tables/headline_sensitivity.csv",
        md=f"{RESULTS}/tables/headline_sensitivity.md",
    log:
        f"{LOGS}/search_settings.log",
    benchmark:
        f"{LOGS}/search_settings.benchmark.tsv"
    conda:
        "../../envs/networks.yaml"
    threads: 1
    resources:
        mem_mb=asks(MEMORY_OF_SEARCH),
    params:
        study=config["study"],
        settings=SEARCHED,
        root_seed=config["root_seed"],
        seed=config["seeds"][0],
        library=library("search_settings.py", f"studies.{config['study']}.headlines"),
    message:
        "Search: which setting changes each headline most"
    script:
        "../scripts/search_settings.py"


SENSITIVITIES += rules.search_settings.output
OPTIONAL += SENSITIVITIES
TARGETS["searches"] = SENSITIVITIES
