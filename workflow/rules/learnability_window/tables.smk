# Table 1, and tables of learning rates, what was learned, windows, controls, uncertainty, conditioning and transport, as CSV, Markdown and LaTeX.

# Table: what it is made of, and of which runs. Each is made by the function of that name in studies.learnability_window.tables.
TABLES = {
    "table_1": (["fits"], runs_of("sgd", PARTS) if has_runs("sgd", PARTS) else []),
    "learning_rates": (["fits", "curve", "gates"], ALL_RUNS),
    "learned": (["response", "loss"], ALL_RUNS),
    "windows": (["windows"], ALL_RUNS),
    "windows_by_direction": (["windows"], ALL_RUNS),
    "echoes": (["window", "granted", "response"], runs_of("adamw")),
    "task_lags": (["needs"], ALL_RUNS),
    "spread": (["needs"], ALL_RUNS),
    "floor": (["noise"], ALL_RUNS),
    "windows_by_option": (["changes"], VARIED),
    "conclusions": (["crossed"], CROSSED),
    "conditioning": (["conditioning"], ALL_RUNS),
    "transport_by_lag": (["transport"], ALL_RUNS),
    "scaling": (["need", "window", "noise"], ALL_RUNS),
}


for table, (kinds, runs) in TABLES.items():
    files = f"{RESULTS}/{{reading}}/tables/{table}"

    rule:
        name:
            f"make_{table}"
        input:
            unpack(
                lambda wildcards, kinds=kinds, runs=runs: {
                    kind: run_tables(kind, runs, wildcards.reading) for kind in kinds
                }
            ),
        output:
            csv=f"{files}.csv",
            md=f"{files}.md",
            tex=f"{files}.tex",
        log:
            f"{LOGS}/make_table/{{reading}}/{table}.log",
        benchmark:
            f"{LOGS}/make_table/{{reading}}/{table}.benchmark.tsv"
        conda:
            "../../envs/statistics.yaml"
        threads: 1
        params:
            table=table,
            labels=config["figures"]["labels"],
            library=library("make_table.py"),
        message:
            f"Table: {table}, {{wildcards.reading}}"
        script:
            "../scripts/make_table.py"

    rule:
        name:
            table
        input:
            expand(f"{files}.{{format}}", reading=READINGS, format=["csv", "md", "tex"]) if runs else [],


rule tables:
    input:
        [getattr(rules, table).input for table in TABLES],
        rules.check_estimators.output,
        rules.check_planted.output,
