# Which setting changes each headline most. One job, for a small preset, and not part of `all`: `snakemake searches`.

SEARCHED = {
    "task": config["task"],
    "network": config["network"],
    "architectures": {
        **{role: config["architectures"][name] for role, name in GROUPS["main"].items()},
        "diag_gate_slow": config["architectures"].get(GROUPS.get("slow", GROUPS["main"])["diag_gate"]),
    },
    "optimizer": config["optimizers"]["adamw"],
    "training": config["training"],
    "readings": {
        name: config["readings"][name] for name in ("paper", "published_code", "gradient_step", "own_gradient")
    },
    "window": {**config["window"], "draws": 100},
    "measurement": {
        **{key: config["measurement"][key] for key in ("lags", "product_sequences", "resonance_sequences")},
        "lags_through_training": config["through_training"]["lags"],
        "sequences_through_training": config["through_training"]["sequences"],
    },
}


rule search_settings:
    output:
        csv=f"{RESULTS}/tables/headline_sensitivity.csv",
        md=f"{RESULTS}/tables/headline_sensitivity.md",
    log:
        f"{LOGS}/search_settings.log",
    benchmark:
        f"{LOGS}/search_settings.benchmark.tsv"
    conda:
        "../../../envs/networks.yaml"
    threads: 1
    resources:
        mem_mb=asks(MEMORY_OF_WINDOWS),
    params:
        study=config["study"],
        settings=SEARCHED,
        root_seed=config["root_seed"],
        seed=config["seeds"][0],
        library=library("search_settings.py", "studies.learnability_window.headlines"),
    message:
        "Search: which setting changes each headline most"
    script:
        "../../scripts/search_settings.py"


OPTIONAL += rules.search_settings.output


rule searches:
    input:
        rules.search_settings.output,
