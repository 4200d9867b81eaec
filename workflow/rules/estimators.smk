# What the estimators of the stable law give where the law is known: stable laws, and others.


rule check_estimators:
    output:
        recovery=f"{RESULTS}/estimators/recovery.csv",
        references=f"{RESULTS}/estimators/references.csv",
        recovery_page=f"{RESULTS}/estimators/recovery.md",
        references_page=f"{RESULTS}/estimators/references.md",
    log:
        f"{LOGS}/check_estimators.log",
    benchmark:
        f"{LOGS}/check_estimators.benchmark.tsv"
    conda:
        "../../envs/statistics.yaml"
    threads: 1
    params:
        draws=config["task"]["diagnostic_sequences"],
        repetitions=100,
        reference_draws=20_000,
        test_repetitions=39,
        study=config["study"],
        library=library("check_estimators.py"),
    message:
        "Estimators: known laws"
    script:
        "../scripts/check_estimators.py"
