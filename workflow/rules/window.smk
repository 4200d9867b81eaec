# Sample needs and learnability windows.


rule find_window:
    input:
        noise=rules.fit_noise.output.noise,
    output:
        need=f"{RESULTS}/{{reading}}/window/{RUN}.need.csv",
        window=f"{RESULTS}/{{reading}}/window/{RUN}.csv",
    log:
        f"{LOGS}/find_window/{{reading}}/{RUN}.log",
    benchmark:
        f"{LOGS}/find_window/{{reading}}/{RUN}.benchmark.tsv"
    conda:
        "../../envs/learnability.yaml"
    threads: 1
    params:
        detection=lambda wildcards: config["readings"][wildcards.reading]["detection"],
        window=config["window"],
        library=library("find_window.py"),
    message:
        "Window: {wildcards.reading}, {wildcards.architecture} with {wildcards.optimizer}, seed {wildcards.seed}"
    script:
        "../scripts/find_window.py"
