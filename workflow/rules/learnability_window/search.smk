# The search runs at the size of the preset, on the three gates of the paper and one slow start, with four readings.

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
MEMORY_OF_SEARCH = MEMORY_OF_WINDOWS


include: "../search.smk"
