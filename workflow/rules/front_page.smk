# The picture of the front page, from stored tables of two studies: seconds, whatever the configuration.

STORED = Path(of_project("results", "reference"))


rule front_page:
    input:
        transport=str(STORED / "learnability_window" / "tables" / "transport_by_lag.csv"),
        resonances=str(STORED / "learnability_window" / "measured" / "resonances.csv.gz"),
        harmonics=str(STORED / "learnability_window" / "measured" / "harmonics.csv.gz"),
        transfer=str(STORED / "attention" / "tables" / "copy_transfer.csv"),
    output:
        picture="results/front_page.png",
    log:
        "logs/front_page.log",
    benchmark:
        "logs/front_page.benchmark.tsv"
    conda:
        "../../envs/figures.yaml"
    threads: 1
    resources:
        mem_mb=asks(memory.PAGES),
    params:
        library=library("draw_front_page.py"),
    message:
        "Front page: {output.picture}"
    script:
        "../scripts/draw_front_page.py"
